import ODataModel
import ODataSQL

/// Writes the statements that create the tables of a declared model.
struct DeclaredStatements {
    /// A table, index or trigger.
    struct Statement: Sendable, Hashable {
        var name: String
        var sql: String
        /// Fills a table that is derived from others.
        var fill: String?
    }

    let tables: [PublishedTable]
    let navigation: [String: [String: ResolvedNavigation]]

    var all: [Statement] {
        let links = Set(navigation.values.flatMap(\.values).compactMap(\.storage.link)).sorted { $0.name < $1.name }
        return tables.map(definition) + tables.flatMap(indexes) + links.flatMap(statements)
            + tables.flatMap { SearchTable($0)?.statements ?? [] }
    }

    /// `CREATE TABLE "Products" ("$id" INTEGER PRIMARY KEY, "ID" BLOB NOT NULL, …, UNIQUE ("ID"), FOREIGN KEY …)`
    private func definition(_ table: PublishedTable) -> Statement {
        let keys = Set(table.key.map(\.name) + [DeclaredTable.parentColumn, DeclaredTable.typeColumn])
        var parts = table.description.columns.map { column in
            if column.name == DeclaredTable.rowID { return "\(quoted(column.name)) INTEGER PRIMARY KEY" }
            return "\(quoted(column.name)) \(column.declaredType)\(keys.contains(column.name) ? " NOT NULL" : "")"
        }
        let parent = table.declared?.container == nil ? [] : [DeclaredTable.parentColumn]
        let identity = parent + table.key.map(\.name)
        let isSingle = table.declared?.container?.navigation.isCollection == false
        if isSingle {
            parts.append(Self.unique(parent))
        } else if !identity.isEmpty {
            parts.append(Self.unique(identity))
        }
        parts += (table.declared?.unique ?? []).map(Self.unique)
        parts += foreignKeys(of: table)
        return Statement(name: table.name, sql: "CREATE TABLE \(quoted(table.name)) (\(parts.joined(separator: ", ")))")
    }

    private static func unique(_ columns: [String]) -> String {
        "UNIQUE (\(columns.map(quoted).joined(separator: ", ")))"
    }

    private func foreignKeys(of table: PublishedTable) -> [String] {
        var keys: [String] = []
        if let container = table.declared?.container, let parent = tables.first(where: { $0.set == container.set }) {
            keys.append(
                "FOREIGN KEY (\(quoted(DeclaredTable.parentColumn))) REFERENCES \(quoted(parent.name)) "
                    + "(\(quoted(DeclaredTable.rowID))) ON DELETE CASCADE")
        }
        let navigation = navigation[table.set] ?? [:]
        let typed = Set(navigation.keys.compactMap { BoundNavigation.cast(in: $0)?.navigation })
        for (name, resolved) in navigation.sorted(by: { $0.key < $1.key }) where resolved.isDependent {
            // Rows of other types use the same columns for another navigation property.
            guard BoundNavigation.cast(in: name) == nil, !typed.contains(name),
                case .columns(let pairs, let set, _) = resolved.storage,
                pairs.first?.source != DeclaredTable.parentColumn,
                let target = tables.first(where: { $0.set == set }), refersToKey(pairs, of: target)
            else { continue }
            let action = action(pairs, onDelete: resolved.onDelete, of: table)
            keys.append(
                "FOREIGN KEY (\(pairs.map { quoted($0.source) }.joined(separator: ", "))) REFERENCES "
                    + "\(quoted(target.name)) (\(pairs.map { quoted($0.target) }.joined(separator: ", ")))\(action)")
        }
        return keys
    }

    /// Foreign keys of SQLite must refer to unique columns.
    private func refersToKey(_ pairs: [NavigationMapping.ColumnPair], of target: PublishedTable) -> Bool {
        let columns = Set(pairs.map(\.target))
        return target.declared?.container == nil
            && (columns == Set(target.key.map(\.name))
                || target.declared?.unique.contains { Set($0) == columns } == true)
    }

    /// The model's delete action. Without one, an entity whose key refers to another is deleted with it, and other
    /// references are set to null if possible.
    private func action(_ pairs: [NavigationMapping.ColumnPair], onDelete: String?, of table: PublishedTable) -> String
    {
        let columns = pairs.compactMap { table.column(named: $0.source) }
        switch onDelete {
        case "Cascade": return " ON DELETE CASCADE"
        case "None": return ""
        case "SetNull", "SetDefault":
            if columns.allSatisfy(\.isNullable) { return " ON DELETE SET NULL" }
        default: break
        }
        if columns.contains(where: \.isKey) { return " ON DELETE CASCADE" }
        return columns.allSatisfy(\.isNullable) ? " ON DELETE SET NULL" : ""
    }

    /// Indexes of foreign keys.
    private func indexes(of table: PublishedTable) -> [Statement] {
        var columns = Set<[String]>()
        for resolved in (navigation[table.set] ?? [:]).values where resolved.isDependent {
            guard case .columns(let pairs, _, _) = resolved.storage else { continue }
            let names = pairs.map(\.source)
            if names.first == DeclaredTable.parentColumn || names == Array(table.key.map(\.name).prefix(names.count)) {
                continue
            }
            columns.insert(names)
        }
        return columns.sorted { $0.lexicographicallyPrecedes($1) }.map { names in
            let name = "$\(table.name)$\(names.joined(separator: "+"))"
            let list = names.map(quoted).joined(separator: ", ")
            return Statement(name: name, sql: "CREATE INDEX \(quoted(name)) ON \(quoted(table.name)) (\(list))")
        }
    }

    private func statements(_ link: LinkTable) -> [Statement] {
        let id = quoted(DeclaredTable.rowID)
        let ends = [("source", link.sourceSet), ("target", link.targetSet)]
        var parts = ends.compactMap { column, set in
            tables.first { $0.set == set }.map { table in
                "\(quoted(column)) INTEGER NOT NULL REFERENCES \(quoted(table.name)) (\(id)) ON DELETE CASCADE"
            }
        }
        parts.append(#"UNIQUE ("source", "target")"#)
        if link.isSourceUnique { parts.append(#"UNIQUE ("source")"#) }
        if link.isTargetUnique { parts.append(#"UNIQUE ("target")"#) }
        let index = "$\(link.name)$target"
        return [
            Statement(name: link.name, sql: "CREATE TABLE \(quoted(link.name)) (\(parts.joined(separator: ", ")))"),
            Statement(
                name: index, sql: "CREATE INDEX \(quoted(index)) ON \(quoted(link.name)) (\"target\", \"source\")"),
        ]
    }
}

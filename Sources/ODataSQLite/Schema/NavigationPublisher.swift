import ODataModel
import ODataSQL

/// One direction of a foreign key as a navigation property.
struct PublishedNavigation: Sendable, Hashable {
    var name: String
    var partner: String
    var targetSet: String
    var isCollection: Bool
    var isNullable: Bool
    /// Columns of this side and of the target.
    var pairs: [NavigationMapping.ColumnPair]
    /// Properties of this side and of the target; empty on the principal side.
    var constraints: [EdmNavigationProperty.Constraint]
}

/// Creates navigation properties for foreign keys, in both directions.
struct NavigationPublisher {
    private struct Link {
        var source: PublishedTable
        var target: PublishedTable
        var columns: [PublishedColumn]
        var targetColumns: [PublishedColumn]
        var name = ""
        var reverse = ""

        /// The column pairs that connect source and target, in either direction.
        ///
        /// Foreign keys are compared with the collation of the column they refer to.
        ///
        /// [SQLite: Foreign Key Support, section 3]
        func comparisons(ofSource: Bool) -> [ColumnComparison] {
            zip(columns, targetColumns).map { column, referenced in
                ColumnComparison(
                    column: ofSource ? column : referenced, other: ofSource ? referenced : column,
                    collation: referenced.description.collation)
            }
        }
    }

    private let tables: [PublishedTable]
    private var names: [String: IdentifierNames] = [:]

    init(tables: [PublishedTable]) {
        self.tables = tables
        for table in tables {
            names[table.set] = IdentifierNames(
                reserved: Set(table.columns.map(\.property) + table.streams.compactMap(\.property)))
        }
    }

    /// The navigation properties of each set.
    func navigation() -> [String: [PublishedNavigation]] {
        var publisher = self
        var links = tables.flatMap { publisher.links(of: $0) }
        for index in links.indices { links[index].name = publisher.name(of: links[index]) }
        for index in links.indices { links[index].reverse = publisher.reverseName(of: links[index], among: links) }
        var navigation: [String: [PublishedNavigation]] = [:]
        for link in links { navigation[link.source.set, default: []].append(Self.toOne(link)) }
        for link in links { navigation[link.target.set, default: []].append(Self.toMany(link)) }
        return navigation
    }

    /// Foreign keys with both tables published.
    private func links(of table: PublishedTable) -> [Link] {
        table.description.foreignKeys.compactMap { key in
            guard let target = tables.first(where: { $0.name.lowercased() == key.target.lowercased() }) else {
                return nil
            }
            let columns = key.columns.compactMap(table.column(named:))
            let targetColumns = (key.targetColumns ?? target.description.primaryKey).compactMap(target.column(named:))
            guard columns.count == key.columns.count, columns.count == targetColumns.count else { return nil }
            return Link(source: table, target: target, columns: columns, targetColumns: targetColumns)
        }
    }

    /// `CategoryID` → `Category`; `ReportsTo` → `ReportsTo_Employees`.
    private mutating func name(of link: Link) -> String {
        let column = link.columns.map(\.property).joined(separator: "_")
        let full = "\(column)_\(link.target.set)"
        let short = link.columns.count == 1 ? Self.withoutEnding(column) : nil
        return names[link.source.set]?.name(among: [short, full].compactMap(\.self)) ?? full
    }

    private static func withoutEnding(_ column: String) -> String? {
        for ending in ["_id", "_ID", "_Id", "ID", "Id"] where column.hasSuffix(ending) && column != ending {
            return String(column.dropLast(ending.count))
        }
        return nil
    }

    /// `Products`; `Employees_ReportsTo` for a self-reference or if two lead to the same set.
    private mutating func reverseName(of link: Link, among links: [Link]) -> String {
        let full = "\(link.source.set)_\(link.columns.map(\.property).joined(separator: "_"))"
        let rivals = links.filter { $0.source.set == link.source.set && $0.target.set == link.target.set }
        let isPlain = rivals.count == 1 && link.source.set != link.target.set
        return names[link.target.set]?.name(among: isPlain ? [link.source.set, full] : [full]) ?? full
    }

    private static func toOne(_ link: Link) -> PublishedNavigation {
        PublishedNavigation(
            name: link.name, partner: link.reverse, targetSet: link.target.set, isCollection: false,
            isNullable: link.columns.contains(where: \.isNullable),
            pairs: pairs(link),
            constraints: zip(link.columns, link.targetColumns).map {
                .init(property: $0.property, referencedProperty: $1.property)
            })
    }

    private static func toMany(_ link: Link) -> PublishedNavigation {
        PublishedNavigation(
            name: link.reverse, partner: link.name, targetSet: link.source.set, isCollection: true, isNullable: true,
            pairs: pairs(link, isTurned: true), constraints: [])
    }

    private static func pairs(_ link: Link, isTurned: Bool = false) -> [NavigationMapping.ColumnPair] {
        let isIndexed = (isTurned ? link.source : link.target).hasIndex(for: link.comparisons(ofSource: isTurned))
        return zip(link.columns, link.targetColumns).map { column, referenced in
            var pair = NavigationMapping.ColumnPair(
                source: column.name, target: referenced.name, collation: collation(column, referenced))
            pair.comparesColumns = column.affinity != referenced.affinity || column.isShown || referenced.isShown
            pair.isUnindexed = !isIndexed
            pair.convertsSource = column.affinity.isConverted(comparedWith: referenced.affinity)
            pair.convertsTarget = referenced.affinity.isConverted(comparedWith: column.affinity)
            return isTurned ? pair.turned : pair
        }
    }

    /// The indexes that foreign keys lack.
    func missingIndexes() -> [MissingIndex] {
        var found: [MissingIndex] = []
        for link in tables.flatMap({ links(of: $0) }) where link.source.description.kind == .table {
            let comparisons = link.comparisons(ofSource: true)
            guard !link.source.hasIndex(for: comparisons) else { continue }
            let index = MissingIndex(table: link.source.name, comparisons: comparisons, target: link.target.name)
            if !found.contains(where: { $0.isSame(as: index) }) { found.append(index) }
        }
        return found
    }

    /// The collation to compare with; nil for the columns' own.
    private static func collation(_ column: PublishedColumn, _ referenced: PublishedColumn) -> String? {
        let collation = referenced.description.collation
        let isSame = column.description.collation.uppercased() == collation.uppercased()
        return isSame && column.affinity == referenced.affinity ? nil : collation
    }
}

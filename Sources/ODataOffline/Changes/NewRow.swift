import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// An entity that is being made: what its columns and links will be.
struct NewRow {
    struct Link {
        var table: LinkTable
        var other: Int64
        /// The other end is the table's source.
        var isReversed: Bool
    }

    struct Reversed {
        var row: EntityRow
        var pairs: [NavigationMapping.ColumnPair]
    }

    let table: LocalTable
    let type: EdmStructuredType
    var values: EdmComplexValue
    var links: [Link] = []
    /// Rows whose columns make the relation: they are changed after this one is made.
    var reversed: [Reversed] = []
    /// Rows that the request names.
    var references: Set<Int64> = []
    /// The request must be addressed below the parent, because no property tells the relation.
    var isBelowParent = false
    /// Key properties that were made up.
    var madeUp: Set<String> = []

    init(table: LocalTable, type: EdmStructuredType, values: EdmComplexValue) {
        self.table = table
        self.type = type
        self.values = values
    }
}

extension ChangeContext {
    /// Sets what makes the new entity belong to the parent it is created below.
    func relate(_ new: inout NewRow, to place: Destination, sent: inout EntityPayload) throws {
        guard let parent = place.parent, let navigation = place.navigation,
            let relation = try relation(navigation.name, of: parent)
        else { return }
        switch relation {
        case .columns(let pairs, _, false):
            for pair in pairs {
                guard let value = try value(of: pair.source, of: parent),
                    let column = new.table.columns.first(where: { $0.name == pair.target })
                else { continue }
                new.values[column.property.name] = value
                sent.properties[column.property.name] = value
            }
            new.references.insert(parent.id)
        case .link(let link, let isReversed):
            new.links.append(.init(table: link, other: parent.id, isReversed: !isReversed))
            new.isBelowParent = true
        case .columns(_, _, true):
            throw ODataError(.badRequest, "Nothing can be created below \(navigation.name).")
        }
    }

    /// `"Category@odata.bind": "Categories(1)"`
    func bind(_ binding: EntityPayload.Binding, of new: inout NewRow) throws {
        guard let relation = schema.storage(of: new.table.set.name, binding.navigation, as: new.type) else {
            throw ODataError.unkept(binding.navigation)
        }
        for reference in binding.references {
            let path = try path(of: reference, leadingTo: relation, by: binding.navigation)
            switch relation {
            case .columns(let pairs, _, true):
                for (column, value) in try foreignKey(pairs, of: new.table, to: path) { new.values[column] = value }
                if let row = try rowIfAny(at: path) { new.references.insert(row.id) }
            case .columns(let pairs, _, false): new.reversed.append(.init(row: try row(at: path), pairs: pairs))
            case .link(let link, let isReversed):
                let other = try row(at: path)
                new.links.append(.init(table: link, other: other.id, isReversed: isReversed))
                new.references.insert(other.id)
            }
        }
    }

    /// The values that dependent properties get from the entity at `path`, which need not be in the store if its key
    /// tells them.
    func foreignKey(_ pairs: [NavigationMapping.ColumnPair], of table: LocalTable, to path: ResourcePath) throws
        -> [(String, EdmValue)]
    {
        let target = try rowIfAny(at: path)
        return try pairs.compactMap { pair in
            guard let own = table.columns.first(where: { $0.name == pair.source }) else { return nil }
            if let target { return (own.property.name, try value(of: pair.target, of: target) ?? .null) }
            guard case .key(let key)? = path.segments.last, let set = path.entitySet,
                let property = try schema.table(of: set).columns.first(where: { $0.name == pair.target })?.property
                    .name,
                let value = key[property] ?? (key.components.count == 1 ? key.values[0] : nil)
            else { throw ODataError(.notFound, "\(path.url) is not in the store.") }
            return (own.property.name, value)
        }
    }

    func value(of column: String, of row: EntityRow) throws -> EdmValue? {
        guard let column = row.table.columns.first(where: { $0.name == column }) else { return nil }
        let stored = try RowLookup(db: db, table: row.table).stored([column.name], of: row.id)?.first
        return stored.flatMap { self.value(of: $0, in: column) }
    }

    /// Complex values, collections and what is kept as JSON else are read with the types of the model.
    func value(of stored: DatabaseValue, in column: LocalColumn) -> EdmValue? {
        guard column.codec == .json, case .string(let text) = stored.storage else { return column.value(of: stored) }
        return EdmValue(jsonText: Array(text.utf8)[...], type: column.property.type, model: offline.model)
    }

    /// The path that a reference stands for.
    func path(of reference: EntityReference) throws -> ResourcePath {
        switch reference {
        case .path(let path): return path
        case .url(let url):
            do { return try offline.parser.entityPath(id: url, serviceRoot: nil) } catch {
                throw ODataError(.badRequest, "\(url) names no entity of the service.", cause: error)
            }
        }
    }

    /// Writes the row under a new id, with a temporary key where none is given.
    func insert(_ new: inout NewRow, sent: EntityPayload) throws -> EntityRow {
        var maker = KeyMaker(
            db: db, table: new.table, random: random, isFinal: offline.isLocal(new.table.set.name))
        for column in new.table.columns {
            let name = column.property.name
            guard new.values[name] == nil, new.type.property(named: name) != nil else { continue }
            if column.isKey {
                new.values[name] = try maker.value(for: column)
                new.madeUp.insert(name)
            } else if let value = column.property.declaredDefault {
                new.values[name] = value
            }
        }
        let key = EntityKey(of: new.table.set.type, in: new.values)
        try refuseNul(in: key)
        let isTaken = try RowLookup(db: db, table: new.table).id(of: key) != nil
        guard !isTaken else {
            throw ODataError(
                .conflict, "There is an entity \(ResourcePath(new.table.set, key: key).url) in the store already.")
        }
        let row = try write(new, key: key)
        if row.state.contains(.temporaryKey), let key { try addAlias(of: row, key: key, madeUp: new.madeUp) }
        return row
    }

    /// No new key has U+0000: `%00` in a URL is refused by much that is on the way to a service.
    private func refuseNul(in key: EntityKey?) throws {
        for component in key?.components ?? [] {
            guard case .string(let text) = component.value, text.utf8.contains(0) else { continue }
            throw ODataError.refused(ValueProblem(component.name, ValueProblem.mustNotHaveNul))
        }
    }

    private func write(_ new: NewRow, key: EntityKey?) throws -> EntityRow {
        var state: LocalState = [.madeHere, .pending]
        let isLocal = offline.isLocal(new.table.set.name)
        if !isLocal, try !new.madeUp.isEmpty || hasTemporaryParent(new.table, new.values) {
            state.insert(.temporaryKey)
        }
        let id = try StoreValues(db: db).nextID()
        var columns = ["$id", "$state"]
        var values: [DatabaseValue] = [id.databaseValue, state.rawValue.databaseValue]
        // A table that was a stage has defaults of its own.
        for word in 0..<(try StoreValues(db: db).holderWords) {
            columns.append(HolderSlot.column(word))
            values.append(0.databaseValue)
        }
        let isDerived = new.type.name != new.table.set.type.name
        for column in new.table.hiddenColumns {
            columns.append(column)
            let value: DatabaseValue =
                switch column {
                case HiddenColumn.dynamic.name: LocalTable.dynamicValue(new.table.dynamicMembers(of: new.values))
                case HiddenColumn.type.name where isDerived: "\(new.type.name)".databaseValue
                default: .null
                }
            values.append(value)
        }
        // All of them, given or not: one statement for the table.
        for column in new.table.columns {
            columns.append(column.name)
            values.append(try new.values[column.property.name].map { try column.databaseValue(of: $0) } ?? .null)
        }
        let marks = values.map(\.term).joined(separator: ", ")
        let names = columns.map { quoted($0) }.joined(separator: ", ")
        try db.executeCached(
            sql: "INSERT INTO \(new.table.sqlName) (\(names)) VALUES (\(marks))",
            arguments: StatementArguments(values.flatMap(\.parts)))
        return EntityRow(table: new.table, id: id, state: state)
    }

    /// Whether a part of the key is the temporary key of another entity: `Order_Items(OrderID=-2147483647,ProductID=1)`
    private func hasTemporaryParent(_ table: LocalTable, _ values: EdmComplexValue) throws -> Bool {
        let resolver = PathResolver(db: db, schema: schema)
        for navigation in table.set.type.navigationProperties {
            let constraints = navigation.constraints
            guard constraints.contains(where: { table.set.type.key.contains($0.property) }),
                let target = offline.model.targetSet(of: navigation, from: table.set)
            else { continue }
            let members = constraints.compactMap { constraint in
                values[constraint.property].map {
                    EdmComplexValue.Member(name: constraint.referencedProperty, value: $0)
                }
            }
            let key = EntityKey(of: target.type, in: EdmComplexValue(members))
            if let key, let id = try resolver.row(of: key, in: target.name), let table = schema.tables[target.name],
                try RowLookup(db: db, table: table).state(of: id)?.contains(.temporaryKey) == true
            {
                return true
            }
        }
        return false
    }

    /// Whether all parts of a temporary key are what the app has given, or keys that the service has given since.
    func hasKnownKey(_ row: EntityRow) throws -> Bool {
        let madeUp = try String.fetchOne(
            db, sql: #"SELECT "properties" FROM "$alias" WHERE "row" = ? LIMIT 1"#, arguments: [row.id])
        guard madeUp == "", let key = try RowLookup(db: db, table: row.table).key(of: row.id),
            try !hasTemporaryParent(row.table, EdmComplexValue(key.components))
        else { return false }
        let line = RequestLine(db: db, offline: offline)
        let values = EntityPayload(EdmComplexValue(key.components))
        return try row.table.set.type.navigationProperties.allSatisfy { navigation in
            guard let target = offline.model.targetSet(of: navigation, from: row.table.set),
                let parent = line.key(of: target, by: navigation, in: values)
            else { return true }
            return try !line.isLost(parent, of: target)
        }
    }

    func addAlias(of row: EntityRow, key: EntityKey, madeUp: Set<String>) throws {
        try db.executeCached(
            sql: #"INSERT OR REPLACE INTO "$alias" ("set", "key", "row", "properties") VALUES (?, ?, ?, ?)"#,
            arguments: [row.table.set.name, key.urlText, row.id, madeUp.sorted().joined(separator: ",")])
    }

    func addLinks(_ links: [NewRow.Link], of row: EntityRow) throws {
        for link in links { try addLink(link.table, from: row.id, to: link.other, isReversed: link.isReversed) }
    }
}

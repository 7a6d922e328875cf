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

    let table: LocalTable
    let type: EdmStructuredType
    var values: EdmComplexValue
    var links: [Link] = []
    /// Rows that the request names.
    var references: Set<Int64> = []
    /// The entity and the navigation property that the request must be addressed below, because no property tells the
    /// relationship.
    var parent: (row: QueueRecord.Named, navigation: String)?
    /// Key properties that were made up.
    var madeUp: Set<String> = []

    init(table: LocalTable, type: EdmStructuredType, values: EdmComplexValue) {
        self.table = table
        self.type = type
        self.values = values
    }
}

extension StoreTransaction {
    /// Writes the row under a new id, with a temporary key where none is given.
    func insert(_ new: inout NewRow) throws -> EntityRow {
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
        guard !isTaken else { throw ODataError.notUnique(new.table.keyNames) }
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
            arguments: StatementArguments(stored: values.flatMap { $0.parts }))
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
}

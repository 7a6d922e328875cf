import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Reads and writes values and references of rows.
extension StoreTransaction {
    /// Writes the properties, with `replacing` defaults for those that are not given; else members of complex values
    /// that are not given stay as they are.
    ///
    /// - Parameter state: What is added to the row's state.
    func write(
        _ properties: EdmComplexValue, to row: EntityRow, replacing: Bool, adding state: LocalState = []
    ) throws {
        var values: [(column: String, value: DatabaseValue)] = []
        for column in row.table.columns where !column.isKey {
            if var value = properties[column.property.name] {
                if !replacing, case .complex(let given) = value,
                    case .complex(let known)? = try self.value(ofColumn: column.name, of: row)
                {
                    value = .complex(known.merging(given))
                }
                values.append((column.name, try column.databaseValue(of: value)))
            } else if replacing, column.property.isChangeable {
                values.append((column.name, try column.property.declaredDefault.map(column.databaseValue) ?? .null))
            }
        }
        let dynamic = row.table.dynamicMembers(of: properties)
        if !dynamic.isEmpty || replacing, row.table.hiddenColumns.contains(HiddenColumn.dynamic.name) {
            let known = replacing ? EdmComplexValue() : try dynamicProperties(of: row)
            values.append((HiddenColumn.dynamic.name, LocalTable.dynamicValue(dynamic, over: known)))
        }
        try set(values, of: row, adding: state)
    }

    /// Writes a reference that the row holds; nil removes it.
    ///
    /// - Parameter found: The row at `target`, where it is at hand.
    func refer(
        from row: EntityRow, _ pairs: [NavigationMapping.ColumnPair], to target: ResourcePath?,
        _ found: EntityRow? = nil
    ) throws {
        guard let target else { return try set(pairs.map { ($0.source, DatabaseValue.null) }, of: row) }
        try set(
            try foreignKey(pairs, of: row.table, to: target, found).map { column, value in
                (column.name, try column.databaseValue(of: value))
            }, of: row)
    }

    /// The values that dependent properties get from the entity at `path`, which need not be in the store if its key
    /// tells them.
    ///
    /// - Parameter found: The row at `path`, where it is at hand.
    func foreignKey(
        _ pairs: [NavigationMapping.ColumnPair], of table: LocalTable, to path: ResourcePath, _ found: EntityRow? = nil
    ) throws -> [(LocalColumn, EdmValue)] {
        let target = try found ?? row(at: path)
        return try pairs.compactMap { pair in
            guard let own = table.storage(named: pair.source) else { return nil }
            if let target { return (own, try value(ofColumn: pair.target, of: target) ?? .null) }
            guard case .key(let key)? = path.segments.last, let set = path.entitySet,
                let property = try schema.table(of: set).storage(named: pair.target)?.property.name,
                let value = key[property] ?? (key.components.count == 1 ? key.values[0] : nil)
            else { throw missing(path) }
            return (own, value)
        }
    }

    func value(ofColumn name: String, of row: EntityRow) throws -> EdmValue? {
        guard let column = row.table.storage(named: name) else { return nil }
        return value(of: try storedValue(of: name, of: row), in: column)
    }

    /// Complex values, collections and what is kept as JSON else are read with the types of the model.
    func value(of stored: DatabaseValue, in column: LocalColumn) -> EdmValue? {
        guard column.codec == .json, case .string(let text) = stored.storage else { return column.value(of: stored) }
        return EdmValue(jsonText: Array(text.utf8)[...], type: column.property.type, model: offline.model)
    }

    func storedValue(of column: String, of row: EntityRow) throws -> DatabaseValue {
        try RowLookup(db: db, table: row.table).stored([column], of: row.id)?.first ?? .null
    }

    /// The dynamic properties of a row.
    ///
    /// - Throws: ``ODataError`` if the column holds something else than a JSON object.
    func dynamicProperties(of row: EntityRow) throws -> EdmComplexValue {
        guard row.table.hiddenColumns.contains(HiddenColumn.dynamic.name) else { return EdmComplexValue() }
        return try EdmComplexValue(dynamic: storedValue(of: HiddenColumn.dynamic.name, of: row), in: offline.model)
    }

    /// The payload of a request for an entity that exists, checked, with the entity's type where that is needed to read it.
    ///
    /// - Parameters:
    ///   - isWhole: Whether it says what the entity is to be, and not only what changes.
    ///   - isNew: Whether the request creates the entity.
    func checked(_ payload: EntityPayload, of row: EntityRow, isWhole: Bool, isNew: Bool) throws -> EntityPayload {
        try typed(ChangePlanner(self).checked(payload, of: row, isNew: isNew), of: row, isWhole: isWhole)
    }

    /// The payload with the entity's type where that is needed to read it.
    func typed(_ payload: EntityPayload, of row: EntityRow, isWhole: Bool) throws -> EntityPayload {
        let type = try type(of: row)
        let declared = row.table.set.type
        let isPlain =
            payload.properties.names.allSatisfy { name in
                declared.property(named: name) != nil || declared.isOpen && type.property(named: name) == nil
            }
            && payload.bindings.allSatisfy { binding in
                let name = binding.navigation
                return declared.navigationProperty(named: name) != nil
                    && schema.navigationName(of: name, in: row.table.set.name, as: type) == name
            }
        var payload = payload
        payload.type = type.name == declared.name || isPlain && !isWhole ? nil : type.name
        return payload
    }

    /// The path that a reference stands for.
    func path(of reference: EntityReference) throws -> ResourcePath {
        try ChangePlanner(self).path(of: reference)
    }

    /// The ``BoundNavigation/name`` that a navigation property has for a row.
    func navigationName(_ navigation: String, of row: EntityRow) throws -> String {
        schema.navigationName(of: navigation, in: row.table.set.name, as: try type(of: row))
    }

    /// How the store keeps a navigation property of a row; nil if it does not.
    func storage(_ navigation: String, of row: EntityRow) throws -> LocalNavigation? {
        schema.storage(of: row.table.set.name, try navigationName(navigation, of: row))
    }

    /// The rows that a row refers to and that were made here, for which its requests wait, and those that it refers to by
    /// properties that are sent: deletions of these wait for the request.
    func references(of row: EntityRow, naming properties: [String]) throws -> Set<Int64> {
        var found: Set<Int64> = []
        let sent = Set(properties.compactMap { row.table.column(of: $0)?.name })
        for (name, storage) in schema.navigation(of: row.table.set.name) {
            let typed = schema.typeCondition(ofNavigation: name, of: row.table.set.name, row: "r") ?? "TRUE"
            guard case .columns(let pairs, let target, true) = storage, let other = schema.tables[target],
                try db.hasTable(other.name)
            else { continue }
            let equal = pairs.map { "r.\(quoted($0.source)) = t.\(quoted($0.target))" }.joined(separator: " AND ")
            let isSent = pairs.contains { sent.contains($0.source) }
            let condition = isSent ? "TRUE" : "t.\(.state) & \(LocalState.madeHere.rawValue) <> 0"
            let rows = try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT t.\(.id) FROM \(row.table.sqlName) AS r JOIN \(other.sqlName) AS t ON \(equal)
                        WHERE r.\(.id) = ? AND \(condition) AND \(typed)
                        """), arguments: [row.id])
            found.formUnion(rows)
        }
        return found
    }

    /// The link shows at once; one that takes the place of another hides it.
    func addLink(_ link: LinkTable, from row: Int64, to other: Int64, isReversed: Bool) throws {
        let (source, target) = isReversed ? (other, row) : (row, other)
        let name = quoted(link.name)
        let removed = LocalState.deletedHere.rawValue
        if link.isSourceUnique {
            try db.executeCached(
                sql: "UPDATE \(name) SET \(.state) = \(removed) WHERE \"source\" = ?", arguments: [source])
        }
        if link.isTargetUnique {
            try db.executeCached(
                sql: "UPDATE \(name) SET \(.state) = \(removed) WHERE \"target\" = ?", arguments: [target])
        }
        try db.executeCached(
            sql: """
                INSERT INTO \(name) ("source", "target", \(.state)) VALUES (?, ?, \(LocalState.pending.rawValue))
                ON CONFLICT ("source", "target") DO UPDATE SET \(.state) = \(LocalState.pending.rawValue)
                """, arguments: [source, target])
    }

    /// - Parameter other: Nil: whatever the row leads to.
    func removeLink(_ link: LinkTable, from row: Int64, to other: Int64?, isReversed: Bool) throws {
        let (own, end) = isReversed ? ("target", "source") : ("source", "target")
        try db.executeCached(
            sql: """
                UPDATE \(quoted(link.name)) SET \(.state) = \(LocalState.deletedHere.rawValue)
                WHERE \(quoted(own)) = ? AND \(quoted(end)) = coalesce(?, \(quoted(end)))
                """, arguments: [row, other])
    }

    func addLinks(_ links: [NewRow.Link], of row: EntityRow) throws {
        for link in links { try addLink(link.table, from: row.id, to: link.other, isReversed: link.isReversed) }
    }
}

extension LocalTable {
    var sqlName: String { quoted(name) }

    /// `Items.OrderID, Items.LineNo`, as messages name the key.
    var keyNames: String { self.set.type.key.map { "\(set.name).\($0)" }.joined(separator: ", ") }

    /// Those of an entity's properties that no type declares.
    func dynamicMembers(of properties: EdmComplexValue) -> [EdmComplexValue.Member] {
        guard hiddenColumns.contains(HiddenColumn.dynamic.name) else { return [] }
        return properties.members.filter { column(of: $0.name) == nil && stream(of: $0.name) == nil }
    }

    /// Dynamic properties as their column keeps them. A null takes one away.
    static func dynamicValue(_ given: [EdmComplexValue.Member], over known: EdmComplexValue = EdmComplexValue())
        -> DatabaseValue
    {
        var values = known
        for member in given { values[member.name] = member.value.isNull ? nil : member.value }
        return values.dynamicStored
    }
}

extension LocalStream {
    /// What the columns hold once content was set here.
    func content(_ digest: String?, type: String?) -> [(column: String, value: DatabaseValue)] {
        [
            (self.digest, digest?.databaseValue ?? .null), (self.type, type?.databaseValue ?? .null),
            (changed, 1.databaseValue), (evicted, 0.databaseValue),
        ]
    }
}

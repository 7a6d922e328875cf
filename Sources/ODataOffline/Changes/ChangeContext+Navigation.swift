import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

extension ChangeContext {
    /// `Orders(1)/Items` and `Orders(1)/Customer` of a `$ref` request.
    private struct Relation {
        var parent: EntityRow
        var navigation: EdmNavigationProperty
        /// Its ``BoundNavigation/name``.
        var name: String
        var relation: LocalNavigation
    }

    /// The ``BoundNavigation/name`` that a navigation property has for a row.
    func navigationName(_ navigation: String, of row: EntityRow) throws -> String {
        schema.navigationName(of: navigation, in: row.table.set.name, as: try entityType(of: row))
    }

    /// The relation that a row has under the name of a navigation property.
    func relation(_ navigation: String, of row: EntityRow) throws -> LocalNavigation? {
        schema.storage(of: row.table.set.name, try navigationName(navigation, of: row))
    }

    private func relation(at path: ResourcePath) throws -> Relation {
        guard case .navigation(let navigation, _)? = path.segments.last else {
            throw ODataError(.badRequest, "\(path.url) is not a navigation property.")
        }
        var parent = path
        parent.segments.removeLast()
        let row = try row(at: parent)
        let name = try navigationName(navigation.name, of: row)
        guard let relation = schema.storage(of: row.table.set.name, name) else {
            throw ODataError.unkept(navigation.name)
        }
        return Relation(parent: row, navigation: navigation, name: name, relation: relation)
    }

    /// POST to `Orders(1)/Items/$ref`, PUT to `Orders(1)/Customer/$ref`; says which row changes.
    func addReference(
        _ reference: EntityReference, at path: ResourcePath, headers: [HeaderField]
    ) throws -> EntityRow {
        let found = try relation(at: path)
        let target = try self.path(of: reference, leadingTo: found.relation, by: found.navigation.name)
        switch found.relation {
        case .columns(let pairs, _, true):
            try markChanged(found.parent)
            let values = try foreignKey(pairs, of: found.parent.table, to: target)
            try set(
                values.compactMap { name, value in
                    try found.parent.table.column(of: name).map { ($0.name, try $0.databaseValue(of: value)) }
                }, of: found.parent)
            try enqueueReference(.addReference, found, changing: found.parent, target: target, headers)
            return found.parent
        case .columns(let pairs, _, false):
            let other = try row(at: target)
            try markChanged(other)
            try copyKey(of: found.parent, to: other, pairs)
            try enqueueReference(.addReference, found, changing: other, target: target, headers)
            return other
        case .link(let link, let isReversed):
            let other = try row(at: target)
            try markChanged(found.parent)
            try addLink(link, from: found.parent.id, to: other.id, isReversed: isReversed)
            try enqueueReference(.addReference, found, changing: found.parent, target: target, headers)
            return found.parent
        }
    }

    /// DELETE of `Orders(1)/Customer/$ref`, or of a member of `Orders(1)/Items/$ref`.
    func removeReference(
        _ reference: EntityReference?, at path: ResourcePath, headers: [HeaderField]
    ) throws -> EntityRow {
        var path = path
        var target = try reference.map { try self.path(of: $0) }
        // `Orders(1)/Items(2)/$ref`
        if case .key(let key)? = path.segments.last, let set = path.entitySet {
            target = ResourcePath(set, key: key)
            path.segments.removeLast()
        }
        let found = try relation(at: path)
        if let target { try check(target, leadsTo: found.relation, by: found.navigation.name) }
        guard target != nil || !found.navigation.isCollection else {
            throw ODataError(.badRequest, "Which member of \(path.url) is to be taken away must be said.")
        }
        switch found.relation {
        case .columns(let pairs, _, true):
            try checkOptional(pairs.map(\.source), of: found.parent.table, found.navigation)
            try markChanged(found.parent)
            try set(pairs.map { ($0.source, DatabaseValue.null) }, of: found.parent)
            try enqueueReference(.removeReference, found, changing: found.parent, target: target, headers)
            return found.parent
        case .columns(let pairs, _, false):
            let other = try row(at: target ?? path)
            try checkOptional(pairs.map(\.target), of: other.table, found.navigation)
            try markChanged(other)
            try set(pairs.map { ($0.target, DatabaseValue.null) }, of: other)
            try enqueueReference(.removeReference, found, changing: other, target: target, headers)
            return other
        case .link(let link, let isReversed):
            let other = try row(at: target ?? path)
            try markChanged(found.parent)
            try removeLink(link, from: found.parent.id, to: other.id, isReversed: isReversed)
            try enqueueReference(.removeReference, found, changing: found.parent, target: target, headers)
            return found.parent
        }
    }

    private func enqueueReference(
        _ operation: QueueRecord.Operation, _ relation: Relation, changing row: EntityRow, target: ResourcePath?,
        _ headers: [HeaderField]
    ) throws {
        var record = record(operation, row)
        record.parent = relation.parent.named
        record.property = relation.name
        record.headers = headers
        if let target {
            record.target = try rowIfAny(at: target)?.named
            record.targetURL = target.url
        }
        try enqueue(record)
    }

    /// The dependent row gets the key values of the principal one.
    private func copyKey(of principal: EntityRow, to dependent: EntityRow, _ pairs: [NavigationMapping.ColumnPair])
        throws
    {
        for pair in pairs {
            try set([(pair.target, try storedValue(of: pair.source, of: principal))], of: dependent)
        }
    }

    /// A new entity was bound to existing ones whose columns make the relation: each is updated.
    func changeForeignKey(of row: EntityRow, from principal: EntityRow, _ pairs: [NavigationMapping.ColumnPair]) throws
        -> EntityRow
    {
        var payload = EntityPayload()
        for pair in pairs {
            guard let column = row.table.columns.first(where: { $0.name == pair.target }) else { continue }
            payload.properties[column.property.name] = try value(of: pair.source, of: principal) ?? .null
        }
        return try update(payload, of: row, replacing: false)
    }

    /// The link shows at once; one that takes the place of another hides it.
    func addLink(_ link: LinkTable, from row: Int64, to other: Int64, isReversed: Bool) throws {
        let (source, target) = isReversed ? (other, row) : (row, other)
        let name = quoted(link.name)
        let removed = LocalState.deletedHere.rawValue
        if link.isSourceUnique {
            try db.executeCached(
                sql: "UPDATE \(name) SET \"$state\" = \(removed) WHERE \"source\" = ?", arguments: [source])
        }
        if link.isTargetUnique {
            try db.executeCached(
                sql: "UPDATE \(name) SET \"$state\" = \(removed) WHERE \"target\" = ?", arguments: [target])
        }
        try db.executeCached(
            sql: """
                INSERT INTO \(name) ("source", "target", "$state") VALUES (?, ?, \(LocalState.pending.rawValue))
                ON CONFLICT ("source", "target") DO UPDATE SET "$state" = \(LocalState.pending.rawValue)
                """, arguments: [source, target])
    }

    /// - Parameter other: Nil: whatever the row leads to.
    func removeLink(_ link: LinkTable, from row: Int64, to other: Int64?, isReversed: Bool) throws {
        let (own, end) = isReversed ? ("target", "source") : ("source", "target")
        try db.executeCached(
            sql: """
                UPDATE \(quoted(link.name)) SET "$state" = \(LocalState.deletedHere.rawValue)
                WHERE \(quoted(own)) = ? AND \(quoted(end)) = coalesce(?, \(quoted(end)))
                """, arguments: [row, other])
    }
}

extension ODataError {
    /// The entities that the navigation property leads to are in no table of the store.
    static func unkept(_ navigation: String) -> ODataError {
        ODataError(.notImplemented, "The store cannot keep the navigation property \(navigation).")
    }
}

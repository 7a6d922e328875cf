import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Determines whether an entity was created after a request: otherwise the store would have downloaded it before.
extension Probe {
    /// Whether the store would have the entity if it had existed before the request was first sent: the defining
    /// queries that were complete at that time would have returned it. Unknown if none of them covers the entity.
    ///
    /// `Orders?$filter=(Status eq 'open') and OrderID eq 26&$top=1`
    func isNew(_ key: EntityKey, in set: EdmEntitySet, _ record: QueueRecord) async throws -> Bool {
        let coverage = try await database.reading { [offline] db in
            try StoreCoverage(db: db, offline: offline).coverage(of: set, record)
        }
        guard let filters = coverage else { return true }
        guard let any = filters.reduce(nil, { all, next in all.map { .binary(.or, $0, next) } ?? next }) else {
            return false
        }
        var query = BoundQuery(path: ResourcePath(set))
        query.options.top = 1
        query.options.filter = key.components.reduce(any) { all, component in
            guard let property = set.type.property(named: component.name) ?? set.type.keyProperties.first else {
                return all
            }
            return .binary(.and, all, Self.equal([.property(property)], component.value, property.type, of: set))
        }
        return try await !remote.entities(query).isEmpty
    }
}

extension Probe {
    /// The entities that were created since the request was first sent, and that it may have created. A service may
    /// store every value in another form than it was sent, but it neither drops a value nor changes the keys of other
    /// entities. Nil if there are too many.
    ///
    /// Without the entities that no complete defining query covers: whether they are new is unknown.
    func newcomers(
        _ payload: EntityPayload, in set: EdmEntitySet, _ path: ResourcePath, _ record: QueueRecord
    ) async throws -> [EdmEntity]? {
        guard let table = offline.schema.tables[record.set] else { return [] }
        let filters = try await database.reading { [offline] db in
            try StoreCoverage(db: db, offline: offline).coverage(of: set, record)
        }
        var query = BoundQuery(path: path)
        query.options.top = Self.most + 1
        query.options.filter = filters?.reduce(nil) { all, next in all.map { .binary(.or, $0, next) } ?? next }
        guard filters == nil || query.options.filter != nil else { return [] }
        var found = try await remote.entities(query)
        if found.count > Self.most {
            guard let newest = Self.newest(of: set) else { return [] }
            query.options.orderBy = [newest]
            found = try await remote.entities(query)
        }
        let unknown = try await unknown(found, table, record)
        guard unknown.count <= Self.most else { return nil }
        let others = try await otherCreations(record)
        var possible: [EdmEntity] = []
        for entity in unknown where isPossible(entity, payload, set) {
            guard !others.contains(where: { Self.has(entity, $0) && isTold($0, from: payload, set) }) else { continue }
            if let key = entity.key, !payload.bindings.isEmpty, unknown.count <= Self.mostStreams,
                try await isBound(payload, at: ResourcePath(set, key: key)) == false
            {
                continue
            }
            possible.append(entity)
        }
        return possible
    }

    /// Orders by descending key, since services generate ascending integers.
    private static func newest(of set: EdmEntitySet) -> OrderItem? {
        guard set.type.keyProperties.count == 1, let key = set.type.keyProperties.first,
            case .primitive(let type) = key.type, [.int16, .int32, .int64].contains(type)
        else { return nil }
        let path = PropertyPath(variableSet: set, variableType: set.type, steps: [.property(key)])
        return OrderItem(expression: .path(path), isDescending: true)
    }

    /// Whether the values allow that this is the entity: no value is missing, and keys are equal to those sent.
    private func isPossible(_ entity: EdmEntity, _ payload: EntityPayload, _ set: EdmEntitySet) -> Bool {
        payload.properties.members.allSatisfy { member in
            let own = entity[member.name] ?? .null
            guard !member.value.isNull, !own.isAlike(member.value) else { return true }
            let isKey = if case .guid = member.value { true } else { isReference(member.name, of: set) }
            return !own.isNull && !isKey
        }
    }
}

/// The entities of a set that the store had when a request was first sent.
private struct StoreCoverage {
    let db: Database
    let offline: OfflineModel

    /// - Returns: The filters of the defining queries whose entities it had; nil if it had all relevant entities.
    func coverage(of set: EdmEntitySet, _ record: QueueRecord) throws -> [QueryExpression]? {
        guard let known = record.known else { return [] }
        var filters: [QueryExpression] = []
        for query in try QueryRecord.all(in: db) where known.queries.contains(query.id) {
            guard let bound = try? QueryCheck(offline: offline).bound(query.definition), bound.path.segments.isEmpty,
                bound.options.isUnlimited, let root = bound.path.rootSet
            else { continue }
            if root.name == set.name {
                guard let filter = bound.options.filter else { return nil }
                filters.append(filter)
            }
            if try brings(bound, query.id, record) { return nil }
        }
        return filters
    }

    /// Whether the query expands a navigation property from an entity that the query holds to the new one:
    /// `Orders?$expand=Items` for `POST Orders(1)/Items`, and for `POST Items` with the key of the order.
    private func brings(_ query: BoundQuery, _ id: Int64, _ record: QueueRecord) throws -> Bool {
        guard let set = query.path.rootSet, let table = offline.schema.tables[set.name],
            let child = offline.schema.tables[record.set],
            let slot = try Int.fetchOne(
                db, sql: #"SELECT "slot" FROM \#(.node) WHERE "query" = ? AND "path" = ''"#, arguments: [id]
            ).map(HolderSlot.init)
        else { return false }
        let isHeld = "p.\(quoted(slot.column)) & \(slot.bit) <> 0"
        return try query.options.expand.filter(\.isWhole).contains { item in
            let name = offline.schema.navigationName(of: item.navigation.name, in: set.name, as: set.type)
            guard let storage = offline.schema.storage(of: set.name, name), storage.targetSet == record.set else {
                return false
            }
            switch storage {
            case .columns(let pairs, _, _):
                let equal = pairs.map { "p.\(quoted($0.source)) = c.\(quoted($0.target))" }.joined(separator: " AND ")
                return try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM \(child.sqlName) AS c JOIN \(table.sqlName) AS p ON \(equal)
                        WHERE c.\(.id) = ? AND \(isHeld))
                        """, arguments: [record.row]) ?? false
            case .link:
                guard record.parent?.set == set.name, record.property == name else { return false }
                return try Bool.fetchOne(
                    db, sql: "SELECT \(isHeld) FROM \(table.sqlName) AS p WHERE \(.id) = ?",
                    arguments: [record.parent?.row]) ?? false
            }
        }
    }
}

extension ExpandItem {
    /// Whether it returns all entities of the navigation property.
    fileprivate var isWhole: Bool { prefix.isEmpty && bringsAll }
}

import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Finds entities whose values the service has changed when it stored them.
extension Probe {
    /// New entities whose values the service may have derived from those that were sent, and that no query for equal
    /// values finds. Nil if that cannot be determined: there are too many, and the service does not support the
    /// functions that compare such values.
    ///
    /// An entity matches if all its distinguishing values may be derived from those sent, or one of its texts may be.
    func alike(
        _ payload: EntityPayload, in set: EdmEntitySet, _ path: ResourcePath, _ record: QueueRecord
    ) async throws -> [EdmEntity]? {
        guard let table = offline.schema.tables[record.set] else { return [] }
        let signs = payload.properties.members.filter { isSign($0, of: set) || set.type.key.contains($0.name) }
        guard !signs.isEmpty else { return [] }
        var query = BoundQuery(path: path)
        query.options.top = Self.most + 1
        var found = try await remote.entities(query)
        if found.count > Self.most {
            guard let condition = Self.condition(onTextsOf: signs, set) else { return [] }
            query.options.filter = condition
            found = try await remote.entities(query)
            guard found.count <= Self.most else { return nil }
        }
        return try await unknown(found, table, record).filter { entity in
            let pairs = signs.map { (entity[$0.name] ?? .null, $0.value) }
            let isExact = pairs.allSatisfy { $0 == $1 }
            return !isExact && (pairs.allSatisfy { $0.isAlike($1) } || pairs.contains { $0.isOtherText($1) })
        }
    }

    /// `tolower(trim(Name)) eq 'tea' or startswith('tea',tolower(trim(Name)))`
    private static func condition(onTextsOf signs: [EdmComplexValue.Member], _ set: EdmEntitySet) -> QueryExpression? {
        signs.compactMap { member -> QueryExpression? in
            guard case .string(let text) = member.value, let property = set.type.property(named: member.name) else {
                return nil
            }
            let path = PropertyPath(variableSet: set, variableType: set.type, steps: [.property(property)])
            let kept = QueryExpression.call(.tolower, [.call(.trim, [.path(path)])])
            let words = text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return .binary(.eq, kept, .literal(.string(words), .string))
        }.reduce(nil) { all, next in all.map { .binary(.or, $0, next) } ?? next }
    }

    /// Whether an update was executed although the service stores other values than were sent: the entity has another
    /// version, and each property has a value that differs from the earlier one and may be derived from the value sent.
    func isKeptOtherwise(
        _ payload: EntityPayload, _ entity: EdmEntity, _ request: ChangeRequest, _ record: QueueRecord
    ) async throws -> Bool {
        guard let ifMatch = request.ifMatch, ifMatch != "*", let etag = entity.etag, etag != ifMatch,
            entity.properties.isAlike(payload.properties), let table = offline.schema.tables[record.set]
        else { return false }
        let base = try await database.reading { [offline] db -> EdmEntity? in
            guard let state = try RowLookup(db: db, table: table).state(of: record.row) else { return nil }
            let row = EntityRow(table: table, id: record.row, state: state)
            return try RowVersions(db: db, offline: offline).base(of: row)
        }
        guard let base else { return false }
        return payload.properties.members.allSatisfy { member in
            entity[member.name] == member.value || entity[member.name] != base[member.name]
        }
    }
}

extension EntityPayload {
    /// Without the key properties of the type.
    func withoutKey(of type: EdmStructuredType) -> EntityPayload {
        var payload = self
        payload.properties = EdmComplexValue(properties.members.filter { !type.key.contains($0.name) })
        return payload
    }
}

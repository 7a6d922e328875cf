import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Finds a created entity that another client has changed before the probe: no entity has all the values that were
/// sent, but one that has some of them may be it.
extension Probe {
    /// A value that more entities of the service have does not distinguish one.
    private static let mostAlike = 20

    /// The entities that have at least one of the distinguishing values that were sent, without those that the store
    /// has for another reason.
    ///
    /// Not distinguishing are: null, Booleans, members of enumerations, zero and the empty string, defaults, keys of
    /// other entities, values that most local entities have, and values that more than ``mostAlike`` entities of the
    /// service have.
    ///
    /// `Orders?$filter=Note eq 'new' or Amount eq 5&$top=21`
    func lookalikes(
        _ payload: EntityPayload, in set: EdmEntitySet, _ path: ResourcePath, _ record: QueueRecord
    ) async throws -> [EdmEntity] {
        guard let table = offline.schema.tables[record.set] else { return [] }
        let signs = try await signs(of: payload, set, table)
        guard let any = signs.reduce(nil, { all, next in all.map { .binary(.or, $0, next) } ?? next }) else {
            return []
        }
        var query = BoundQuery(path: path)
        query.options.top = Self.mostAlike + 1
        query.options.filter = any
        var found = try await remote.entities(query)
        if found.count > Self.mostAlike {
            found = []
            for sign in signs {
                query.options.filter = sign
                let alike = try await remote.entities(query)
                guard alike.count <= Self.mostAlike else { continue }
                for entity in alike where !found.contains(entity) { found.append(entity) }
            }
        }
        guard !found.isEmpty else { return [] }
        let others = try await otherCreations(record)
        return try await unknown(found, table, record).filter { entity in
            // Another request whose response was lost too is more likely to have created it.
            !others.contains { Self.has(entity, $0) && isTold($0, from: payload, set) }
        }
    }

    private func signs(of payload: EntityPayload, _ set: EdmEntitySet, _ table: LocalTable) async throws
        -> [QueryExpression]
    {
        let members = payload.properties.members.filter { isSign($0, of: set) }
        return try await database.reading { db in
            try members.filter { try !Self.isCommon($0, in: table, db) }
        }.compactMap { member in
            set.type.property(named: member.name).map { Self.equal([.property($0)], member.value, $0.type, of: set) }
        }
    }

    func isSign(_ member: EdmComplexValue.Member, of set: EdmEntitySet) -> Bool {
        guard let property = set.type.property(named: member.name), member.value.isComparable, member.value.isTelling
        else { return false }
        return !isReference(member.name, of: set) && property.declaredDefault != member.value
    }

    /// Whether the property is the key of another entity.
    func isReference(_ name: String, of set: EdmEntitySet) -> Bool {
        set.type.navigationProperties.contains { $0.constraints.contains { $0.property == name } }
    }

    /// Whether most of the downloaded entities have the value.
    private static func isCommon(_ member: EdmComplexValue.Member, in table: LocalTable, _ db: Database) throws -> Bool
    {
        guard let column = table.column(of: member.name), try db.tableExists(table.name) else { return false }
        let value = try column.databaseValue(of: member.value)
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT 2 * total(\(quoted(column.name)) IS \(value.term)) > count(*) FROM \(table.sqlName)
                WHERE \(.state) & \(LocalState.madeHere.rawValue) = 0
                """, arguments: StatementArguments(value.parts)) ?? false
    }

    /// The entities that other requests with an unknown outcome create in the same set.
    func otherCreations(_ record: QueueRecord) async throws -> [EntityPayload] {
        try await database.reading { [offline] db in
            let line = RequestLine(db: db, offline: offline)
            return try RequestQueue(db: db)
                .records(where: #""set" = ? AND "operation" = 'create' AND "id" <> ?"#, [record.set, record.id])
                .filter(\.state.mayBeExecuted)
                .compactMap { other in try RequestLine.ifFit { try line.payload(of: other) } }
        }
    }

    /// Whether a value that a request has sent distinguishes its entity from that of another request.
    func isTold(_ payload: EntityPayload, from other: EntityPayload, _ set: EdmEntitySet) -> Bool {
        payload.properties.members.contains { isSign($0, of: set) && other.properties[$0.name] != $0.value }
    }
}

extension EdmValue {
    /// Whether the value is not one of those that very many entities have.
    fileprivate var isTelling: Bool {
        switch self {
        case .null, .boolean, .enumeration, .integer(0): false
        case .decimal(let value): value != EdmDecimal(Int64.zero)
        case .string(let text): !text.isEmpty
        default: true
        }
    }
}

import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// What a creation has made may have been changed by another client before it is probed: then no entity has all the
/// values sent, and the one that has some of them may be it.
extension Probe {
    /// A value that more entities of the service have tells nothing of one.
    private static let mostAlike = 20

    /// Entities that have one of the values sent that tell one entity from another, without those that the store has
    /// for another reason.
    ///
    /// Such values are not: null, truth values, members of enumerations, zero and the empty text, defaults, keys of
    /// other entities, what most entities have that are here, what more than ``mostAlike`` have at the service.
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
            // It is rather what another request has made whose response was lost too.
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

    /// Whether most of the entities that came from the service have the value.
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

    /// Whether a request has sent a value that distinguishes its entity from that of another one.
    func isTold(_ payload: EntityPayload, from other: EntityPayload, _ set: EdmEntitySet) -> Bool {
        payload.properties.members.contains { isSign($0, of: set) && other.properties[$0.name] != $0.value }
    }
}

extension EdmValue {
    /// Whether it is not what very many entities have.
    fileprivate var isTelling: Bool {
        switch self {
        case .null, .boolean, .enumeration, .integer(0): false
        case .decimal(let value): value != EdmDecimal(Int64.zero)
        case .string(let text): !text.isEmpty
        default: true
        }
    }
}

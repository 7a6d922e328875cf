import GRDB
import ODataStores

/// The requests of a deep insert are one unit from the beginning: what changes them until they are sent becomes part of it.
extension StoreTransaction {
    /// - Parameters:
    ///   - row: The outermost entity.
    ///   - last: The last request that was there before.
    func unite(_ row: EntityRow, after last: Int64) throws {
        guard changeSet == nil else { return }
        let made = try queue.records(where: #""id" > ? AND "operation" = 'create'"#, [last])
        guard made.count > 1, made.contains(where: { $0.row == row.id }) else { return }
        for record in made { try queue.setChangeSet(-row.id, of: record.id) }
    }

    /// A new entity below one of a deep insert that was not sent becomes part of it, if one request can say so.
    func join(_ row: EntityRow) throws {
        guard changeSet == nil, var record = try queue.records(changing: row.id).last, record.operation == .create
        else { return }
        let rows = try queue.references(of: record.id)
        let creations = try rows.flatMap(queue.records(changing:)).filter(\.isPartOfDeepInsert)
        guard let number = creations.first?.changeSet else { return }
        let unit = try queue.records(ofChangeSet: number)
        record.changeSet = number
        guard unit.allSatisfy({ record.mayJoin($0) }), try !comesBetween(record, unit),
            try DeepInsertReader(unit + [record], db: db, offline: offline)?.read() != nil
        else { return }
        try queue.setChangeSet(number, of: record.id)
        for member in unit { try queue.setState(.waiting, of: member.id) }
    }

    /// Whether something must come after the unit and before the request.
    private func comesBetween(_ record: QueueRecord, _ unit: [QueueRecord]) throws -> Bool {
        let own = Set(unit.map(\.id))
        return try RequestTies(db: db).leads(from: Set(record.dependsOn).subtracting(own), to: own)
    }
}

extension RequestQueue {
    fileprivate func setChangeSet(_ number: Int64, of id: Int64) throws {
        try db.execute(sql: #"UPDATE "$queue" SET "changeSet" = ? WHERE "id" = ?"#, arguments: [number, id])
    }

    /// The last request that was put at the end.
    var last: Int64 {
        get throws { try Int64.fetchOne(db.cachedStatement(sql: #"SELECT max("id") FROM "$queue""#)) ?? 0 }
    }
}

extension QueueRecord {
    fileprivate func mayJoin(_ other: QueueRecord) -> Bool {
        combines && other.combines && !other.state.mayBeExecuted && tag == other.tag && category == other.category
            && headers.isEmpty
    }
}

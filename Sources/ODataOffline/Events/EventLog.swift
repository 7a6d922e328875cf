import Foundation
import GRDB
import ODataStores

/// The last ``limit`` events of a store, as kept in `"$event"`.
struct EventLog {
    static let limit = 100

    let db: Database

    func begin(_ kind: StoreEvent.Kind, at time: String) throws -> Int64 {
        try db.execute(
            sql: #"INSERT INTO \#(.event) ("kind", "started") VALUES (?, ?)"#, arguments: [kind.rawValue, time])
        let id = db.lastInsertedRowID
        try db.execute(sql: #"DELETE FROM \#(.event) WHERE "id" <= ?"#, arguments: [id - Int64(Self.limit)])
        return id
    }

    func end(
        _ id: Int64, _ outcome: StoreEvent.Outcome, message: String? = nil, counts: EventCounts? = nil, at time: String
    ) throws {
        let text = try counts.map { String(decoding: try Self.encoder.encode($0), as: UTF8.self) }
        try db.execute(
            sql: #"UPDATE \#(.event) SET "ended" = ?, "outcome" = ?, "message" = ?, "counts" = ? WHERE "id" = ?"#,
            arguments: [time, outcome.rawValue, message, text, id])
    }

    /// The steps within one transaction.
    func add(_ kind: StoreEvent.Kind, message: String? = nil, at time: String) throws {
        try end(begin(kind, at: time), .succeeded, message: message, at: time)
    }

    /// No other process writes the store: an operation that has begun and not ended when the store is opened was
    /// interrupted.
    func markInterrupted() throws {
        try db.execute(sql: #"UPDATE \#(.event) SET "outcome" = 'interrupted' WHERE "outcome" IS NULL"#)
    }

    func all() throws -> [StoreEvent] {
        try Row.fetchAll(db, sql: #"SELECT * FROM \#(.event) ORDER BY "id" DESC"#).map(StoreEvent.init)
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

extension OfflineStore {
    /// The last 100 downloads, uploads and other operations, newest first. The entity set `EventLog` has the same
    /// events.
    public func events() async throws -> [StoreEvent] {
        try checkOpen()
        return try await database.reading { try EventLog(db: $0).all() }
    }

    var workLog: WorkLog {
        WorkLog(
            state: state, service: remote as? any LearningStore, now: configuration.now, observation: observation)
    }
}

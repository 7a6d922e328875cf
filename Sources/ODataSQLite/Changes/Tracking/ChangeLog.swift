import GRDB
import ODataStores

/// A place in the change log.
struct ChangePosition: Sendable, Hashable {
    /// Names the log: another one, or one that was not kept for a while, has another name.
    var log: String
    /// Changes up to this one are known.
    var sequence: Int64

    init(log: String, sequence: Int64) {
        self.log = log
        self.sequence = sequence
    }

    /// Reads `0123456789ABCDEF-42`.
    init?(token: String) {
        let parts = token.split(separator: "-")
        guard parts.count == 2, parts[0].utf8.count == 16, let sequence = Int64(parts[1]), sequence >= 0 else {
            return nil
        }
        self.init(log: String(parts[0]), sequence: sequence)
    }

    var token: String { "\(log)-\(sequence)" }
}

/// An entity that was changed; what has become of it, the table tells.
struct LoggedChange: Sendable, Hashable {
    var sequence: Int64
    /// The values of the key columns as a JSON array.
    var key: String
}

/// The log of changed entities that triggers keep in the file: one entry for each, the latest change last.
struct ChangeLog: Sendable {
    /// How many entries are kept.
    let limit: Int

    /// Where the log is in the snapshot of `db`.
    func position(in db: Database) throws -> ChangePosition {
        guard let log = try String.fetchOne(db, sql: "SELECT id FROM \(Bookkeeping.logInfo)") else {
            throw ODataError(.gone, "The change log of this file is gone.")
        }
        return ChangePosition(log: log, sequence: try lastSequence(in: db))
    }

    /// Changes to `table` behind `position`, in their order.
    ///
    /// - Throws: ``ODataError`` `gone` if the log does not reach back to the position.
    func changes(of table: PublishedTable, after position: ChangePosition, limit: Int, in db: Database) throws
        -> [LoggedChange]
    {
        try check(position, in: db)
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT seq, key FROM \(Bookkeeping.changeLog) WHERE seq > ? AND tbl = ? ORDER BY seq LIMIT ?",
            arguments: [position.sequence, table.name, limit])
        return rows.map { LoggedChange(sequence: $0[0], key: $0[1]) }
    }

    func check(_ position: ChangePosition, in db: Database) throws {
        let row = try Row.fetchOne(db, sql: "SELECT id, floor FROM \(Bookkeeping.logInfo)")
        let isKnown =
            try row.map { row in
                let floor: Int64 = row[1]
                let last = try lastSequence(in: db)
                return row[0] == position.log && (floor...max(floor, last)).contains(position.sequence)
            } ?? false
        guard isKnown else {
            throw ODataError(.gone, "The delta token is not known any more: read the entities again from the start.")
        }
    }

    /// Takes the oldest entries away where there are more than ``limit``.
    func prune(in db: Database) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(Bookkeeping.changeLog)") ?? 0
        guard count > limit else { return }
        let floor = try Int64.fetchOne(
            db, sql: "SELECT seq FROM \(Bookkeeping.changeLog) ORDER BY seq LIMIT 1 OFFSET ?",
            arguments: [count - limit - 1])
        guard let floor else { return }
        try db.execute(sql: "DELETE FROM \(Bookkeeping.changeLog) WHERE seq <= ?", arguments: [floor])
        try db.execute(sql: "UPDATE \(Bookkeeping.logInfo) SET floor = max(floor, ?)", arguments: [floor])
    }

    private func lastSequence(in db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [Bookkeeping.changeLog]) ?? 0
    }
}

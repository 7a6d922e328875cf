import GRDB
import ODataSQL
import ODataSQLite

/// Records which rows of a node's live table were received unchanged: a byte for each row id, in chunks of 1,024 ids.
/// Rows in the order of their ids are written together, and a million rows take a megabyte.
///
/// A few chunks are in memory until ``finish()``. It is valid for one transaction.
final class SeenRows {
    private static let chunkRows: Int64 = 1024
    /// The maximum number of chunks in memory: 256 KB.
    private static let chunkLimit = 256

    private let load: BulkStatement
    private let save: BulkStatement
    /// The last chunk that was written to.
    private var number: Int64 = -1
    private var marks: [UInt8] = []
    private var others: [Int64: [UInt8]] = [:]

    static func makeTable(of node: QueryNode, in db: Database) throws {
        try db.execute(
            sql: #"CREATE TABLE \#(quoted(node.seen)) ("chunk" INTEGER PRIMARY KEY, "marks" BLOB NOT NULL)"#)
    }

    /// A condition for the recorded rows of the live table `l`.
    static func condition(of node: QueryNode) -> String {
        """
        EXISTS (SELECT 1 FROM \(quoted(node.seen)) AS k WHERE k."chunk" = l.\(.id) / \(chunkRows)
        AND substr(k."marks", l.\(.id) % \(chunkRows) + 1, 1) = x'01')
        """
    }

    init(of node: QueryNode, in db: Database) throws {
        let table = quoted(node.seen)
        load = try BulkStatement(#"SELECT "marks" FROM \#(table) WHERE "chunk" = ?"#, in: db)
        save = try BulkStatement(#"INSERT OR REPLACE INTO \#(table) ("chunk", "marks") VALUES (?, ?)"#, in: db)
    }

    func insert(_ row: Int64) throws {
        if row / Self.chunkRows != number { try turn(to: row / Self.chunkRows) }
        marks[Int(row % Self.chunkRows)] = 1
    }

    private func turn(to number: Int64) throws {
        if self.number >= 0 { others[self.number] = marks }
        self.number = -1
        if others.count >= Self.chunkLimit { try finish() }
        marks = try others.removeValue(forKey: number) ?? stored(number)
        self.number = number
    }

    private func stored(_ number: Int64) throws -> [UInt8] {
        try load.bind(1, integer: number)
        return try load.runReturningBlobIfAny() ?? Array(repeating: 0, count: Int(Self.chunkRows))
    }

    /// Writes the chunks in memory.
    func finish() throws {
        if number >= 0 { others[number] = marks }
        number = -1
        for (number, marks) in others.sorted(by: { $0.key < $1.key }) {
            try save.bind(1, integer: number)
            try save.bind(2, blob: marks)
            try save.run()
        }
        others = [:]
    }
}

import ArgumentParser
import Foundation
import GRDB
import OData

/// Reads with `$filter`, `$orderby`, `$top` and `$expand`, beside SQL written by hand on the same file.
struct ReadBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "read")

    @Option(help: "How many orders the file has; each has three items.") var orders = 100_000
    @Option(help: "How often each side reads in a round.") var repetitions = 100
    @Option var rounds = 5

    func run() async throws {
        let path = NSTemporaryDirectory() + "odata-read-\(UUID().uuidString).db"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        try fill(path)
        let store = try SQLiteStore(path: path)
        let pool = try DatabasePool(path: path)
        let parser = QueryParser(model: try await store.model())
        print("\(orders) orders with 3 items each, \(repetitions) reads per round, median of \(rounds) rounds")
        for top in [20, 100, 500] {
            let query = try parser.query(
                "Orders?$filter=Quantity gt 500 and City eq 'City 7'&$orderby=Amount desc&$top=\(top)&$expand=Items")
            var times: (ours: [Double], byHand: [Double]) = ([], [])
            for _ in 0..<rounds {
                times.ours.append(try await milliseconds { try await Self.read(query, from: store) })
                times.byHand.append(try await milliseconds { try Self.readByHand(top, from: pool) })
            }
            let (ours, byHand) = (median(times.ours), median(times.byHand))
            print(String(format: "$top=%d: %.3f ms, by hand %.3f ms, ratio %.2f", top, ours, byHand, ours / byHand))
        }
        try store.close()
        try pool.close()
    }

    /// Milliseconds per read.
    private func milliseconds(_ read: () async throws -> Int) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<repetitions where try await read() == 0 { throw ValidationError("The read gave nothing.") }
        let time = start.duration(to: clock.now).components
        return (Double(time.seconds) * 1e3 + Double(time.attoseconds) / 1e15) / Double(repetitions)
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func read(_ query: BoundQuery, from store: SQLiteStore) async throws -> Int {
        var rows = 0
        guard case .entities(let reader) = try await store.read(ReadRequest(query)).body else { return 0 }
        while let block = try await reader.next() { rows += block.rows.count }
        return rows
    }

    /// One statement for the orders, one prepared statement for the items of each; all columns taken.
    private static func readByHand(_ top: Int, from pool: DatabasePool) throws -> Int {
        try pool.read { db in
            var rows = 0
            let orders = try db.cachedStatement(
                sql: "SELECT * FROM Orders WHERE Quantity > 500 AND City = 'City 7' ORDER BY Amount DESC, ID LIMIT ?")
            let items = try db.cachedStatement(sql: "SELECT * FROM Items WHERE OrderID = ? ORDER BY ID")
            let found = try Row.fetchAll(orders, arguments: [top])
            for order in found {
                let id: Int64 = order["ID"]
                rows += 1 + (try Row.fetchAll(items, arguments: [id])).count
            }
            return rows
        }
    }

    private func fill(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE Orders(ID INTEGER PRIMARY KEY, City TEXT, Quantity INTEGER, Amount REAL, Note TEXT,
                        OrderDate DATE);
                    CREATE TABLE Items(ID INTEGER PRIMARY KEY, OrderID INTEGER NOT NULL REFERENCES Orders,
                        Product TEXT, Price REAL);
                    CREATE INDEX OrdersByCity ON Orders(City);
                    CREATE INDEX ItemsByOrder ON Items(OrderID);
                    """)
            for id in 0..<orders {
                try db.execute(
                    sql: "INSERT INTO Orders VALUES (?,?,?,?,?,?)",
                    arguments: [
                        id, "City \(id % 40)", id * 7919 % 1000, Double(id * 104_729 % 100_000) / 7,
                        "Note of order \(id)",
                        "2024-01-\(10 + id % 19)",
                    ])
                for item in 0..<3 {
                    try db.execute(
                        sql: "INSERT INTO Items VALUES (?,?,?,?)",
                        arguments: [id * 3 + item, id, "Product \((id + item) % 500)", Double(item) + 0.5])
                }
            }
        }
        try queue.close()
    }
}

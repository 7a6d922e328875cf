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
        try OrderFile(path: path, orders: orders).fill()
        let store = try SQLiteStore(path: path)
        let pool = try DatabasePool(path: path)
        let parser = QueryParser(model: try await store.model())
        print("\(orders) orders with 3 items each, \(repetitions) reads per round, median of \(rounds) rounds")
        for top in [20, 100, 500] {
            let query = try parser.query(
                "Orders?$filter=Quantity gt 500 and City eq 'City 7'&$orderby=Amount desc&$top=\(top)&$expand=Items")
            var times: (ours: [Double], byHand: [Double]) = ([], [])
            for _ in 0..<rounds {
                times.ours.append(try await milliseconds { try await store.rows(of: query) })
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

    private static func readByHand(_ top: Int, from pool: DatabasePool) throws -> Int {
        try pool.read { db in
            try OrderFile.ordersWithItems(
                "WHERE Quantity > 500 AND City = 'City 7' ORDER BY Amount DESC, ID LIMIT \(top)", in: db)
        }
    }
}

import ArgumentParser
import Foundation
import GRDB
import OData

/// Reads of single entities by their keys, and an expand of many parents, beside SQL written by hand on the same file:
/// of a published file, and of an offline store. By hand, each read changes threads, as GRDB's asynchronous reads do, or
/// stays on the thread of its caller, as its synchronous ones. Times are of the processor.
struct SmallReadBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "small")

    enum Kind: String, ExpressibleByArgument, CaseIterable {
        /// A published file.
        case sqlite
        /// An offline store that has downloaded all.
        case offline
    }

    @Option(help: "Orders of the file; each has three items.") var orders = 20_000
    @Option(help: "Entities that are read by key in a round.") var reads = 10_000
    @Option(help: "Orders that are read with their items.") var parents = 2_000
    @Option(help: "How often they are read in a round.") var repetitions = 5
    @Option var rounds = 7
    @Option(help: "sqlite or offline; both if it is omitted.") var kind: Kind?

    func run() async throws {
        try await withTemporaryFolder { folder in
            let file = OrderFile(path: folder + "/orders.db", orders: orders)
            try file.fill()
            let published = try SQLiteStore(path: file.path)
            for kind in kind.map({ [$0] }) ?? Kind.allCases {
                switch kind {
                case .sqlite: try await measure(published, "published file", file: file.path)
                case .offline:
                    let store = try OfflineStore(folder: folder + "/store", remote: published)
                    try await store.open()
                    try store.addQuery(DefiningQuery(name: "orders", query: "Orders?$expand=Items"))
                    try await store.download()
                    try await measure(store, "offline store", file: folder + "/store/store.sqlite")
                    try store.close()
                }
            }
            try published.close()
        }
    }

    private func measure(_ store: any ODataStore, _ name: String, file: String) async throws {
        let pool = try DatabasePool(path: file)
        let model = try await store.model()
        guard let set = model.entitySet(named: "Orders") else { throw ValidationError("There are no orders.") }
        try await compare("\(name): \(reads) orders by key", each: reads) {
            for number in 0..<reads {
                let key = EntityKey("ID", .integer(Int64(number * 7919 % orders)))
                try check(try await store.rows(of: BoundQuery(path: ResourcePath(set, key: key))), 1)
            }
        } byHand: {
            for number in 0..<reads {
                let id = number * 7919 % orders
                try check(try await pool.read { try OrderFile.order(id, in: $0) }, 1)
            }
        } synchronously: {
            for number in 0..<reads {
                let id = number * 7919 % orders
                try check(try pool.read { try OrderFile.order(id, in: $0) }, 1)
            }
        }
        let query = try QueryParser(model: model).query("Orders?$expand=Items&$top=\(parents)")
        let rows = min(parents, orders) * 4
        let condition = "ORDER BY ID LIMIT \(parents)"
        try await compare("\(name): \(parents) orders with their items", each: repetitions) {
            for _ in 0..<repetitions { try check(try await store.rows(of: query), rows) }
        } byHand: {
            for _ in 0..<repetitions {
                try check(try await pool.read { try OrderFile.ordersWithItems(condition, in: $0) }, rows)
            }
        } synchronously: {
            for _ in 0..<repetitions {
                try check(try pool.read { try OrderFile.ordersWithItems(condition, in: $0) }, rows)
            }
        }
        try pool.close()
    }

    private func check(_ rows: Int, _ expected: Int) throws {
        guard rows == expected else { throw ValidationError("\(rows) rows were read and not \(expected).") }
    }

    /// Prints what each of them takes, and the medians of the rounds' own ratios.
    private func compare(
        _ name: String, each count: Int, ours: () async throws -> Void, byHand: () async throws -> Void,
        synchronously: () throws -> Void
    ) async throws {
        var times: (ours: [Double], byHand: [Double], synchronous: [Double]) = ([], [], [])
        try await ours()
        try await byHand()
        try synchronously()
        for _ in 0..<rounds {
            times.ours.append(try await time(ours))
            times.byHand.append(try await time(byHand))
            times.synchronous.append(try await time(synchronously))
        }
        print(
            String(
                format: "%@: %.1f µs, by hand %.1f µs, ratio %.2f; synchronously by hand %.1f µs, ratio %.2f", name,
                times.ours.quantile(0.5) / Double(count) * 1e6, times.byHand.quantile(0.5) / Double(count) * 1e6,
                zip(times.ours, times.byHand).map(/).quantile(0.5),
                times.synchronous.quantile(0.5) / Double(count) * 1e6,
                zip(times.ours, times.synchronous).map(/).quantile(0.5)))
    }

    /// Seconds of the processor.
    private func time(_ body: () async throws -> Void) async throws -> Double {
        let start = ProcessorTime.now
        try await body()
        return ProcessorTime.now - start
    }
}

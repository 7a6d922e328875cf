import ArgumentParser
import AsyncHTTPTransport
import Foundation
import GRDB
import HTTPTypes
import OData
import ODataSQL

/// Runs one contender and prints its figure as one line of JSON.
struct BenchContenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contender", abstract: "Run one contender of the benchmark.", shouldDisplay: false)

    @Argument var name: String
    @Option var source: String
    @Option var keys: BenchKeys

    func run() async throws {
        let folder = NSTemporaryDirectory() + "odata-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let transport = AsyncHTTPTransport()
        let (seconds, bytes) =
            switch BenchContender(rawValue: name) {
            case .ours: try await download(transport, folder)
            case .prepared: try await insertPrepared(transport, folder)
            case .decoder: try await decode(transport, folder)
            case .python, nil: throw Failure("\(name) is not a contender.")
            }
        try await transport.shutdown()
        let figure = BenchFigure(seconds: seconds, peakKilobytes: Self.peakKilobytes, bytes: bytes)
        Console.write(String(decoding: try JSONEncoder().encode(figure), as: UTF8.self))
    }

    private func download(_ transport: any HTTPTransport, _ folder: String) async throws -> (Double, Int) {
        let counting = CountingTransport(next: transport)
        let remote = try OnlineStore(serviceRoot: source, transport: counting)
        let store = try OfflineStore(folder: folder + "/store", remote: remote)
        try await store.open()
        try store.addQuery(DefiningQuery(name: "rows", query: "Rows"))
        let time = try await ContinuousClock().measure { _ = try await store.download() }
        try store.close()
        return (time.seconds, counting.bytes)
    }

    /// SQLite's limit: the pages are read and parsed before the clock starts.
    private func insertPrepared(_ transport: any HTTPTransport, _ folder: String) async throws -> (Double, Int) {
        let model = try BenchRows.model(keys: keys)
        guard let set = model.entitySet(named: "Rows") else { throw Failure("The model has no set Rows.") }
        let table = try LocalSchema(model: model).table(of: set)
        let shape = RowShape(model: model, entitySet: set, type: set.type)
        var pages: [RowBlock] = []
        var bytes = 0
        try await forEachPage(transport) { page in
            bytes += page.count
            let reader = JSONEntityReader(ByteContent(page), shape: shape, kind: .collection)
            while let block = try await reader.next() { pages.append(block) }
        }
        var configuration = Configuration()
        configuration.prepareDatabase { try SQLiteFunctions.install(on: $0) }
        let pool = try DatabasePool(path: folder + "/rows.db", configuration: configuration)
        try await pool.write { try $0.execute(sql: table.definition(named: "Rows", holderWords: 1)) }
        let names = ["$id", "$etag"] + table.columns.map(\.name)
        let sql =
            "INSERT INTO \"Rows\" (\(names.map(quoted).joined(separator: ", "))) "
            + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
        let filled = pages
        let forms = table.columns.map { BulkForm($0.codec) }
        let clock = ContinuousClock()
        let start = clock.now
        var id: Int64 = 0
        for block in filled { id = try insert(block, sql, forms, after: id, pool) }
        let time = start.duration(to: clock.now)
        try pool.close()
        return (time.seconds, bytes)
    }

    private func insert(
        _ block: RowBlock, _ sql: String, _ forms: [BulkForm], after last: Int64, _ pool: DatabasePool
    ) throws -> Int64 {
        try pool.write { db in
            let statement = try BulkStatement(sql, in: db)
            try block.buffer.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                for (index, row) in block.rows.enumerated() {
                    try statement.bind(1, integer: last + Int64(index) + 1)
                    _ = try statement.bind(2, .span(.text, row.etag), base: base, form: .text)
                    for column in forms.indices {
                        let slot = block.slots[Int(row.firstSlot) + column]
                        _ = try statement.bind(Int32(column + 3), slot, base: base, form: forms[column])
                    }
                    try statement.run()
                }
            }
        }
        return last + Int64(block.rows.count)
    }

    private func decode(_ transport: any HTTPTransport, _ folder: String) async throws -> (Double, Int) {
        let clock = ContinuousClock()
        let start = clock.now
        let pool = try DatabasePool(path: folder + "/rows.db")
        try await pool.write { try $0.execute(sql: BenchRecord.table) }
        var bytes = 0
        let decoder = JSONDecoder()
        try await forEachPage(transport) { page in
            bytes += page.count
            let rows = try decoder.decode(BenchRecord.Page.self, from: Data(page)).value
            try await pool.write { db in
                for row in rows { try row.insert(db) }
            }
        }
        let time = start.duration(to: clock.now)
        try pool.close()
        return (time.seconds, bytes)
    }

    private func forEachPage(_ transport: any HTTPTransport, _ body: ([UInt8]) async throws -> Void) async throws {
        let count = Int(String(decoding: try await get("Pages", transport), as: UTF8.self)) ?? 0
        for number in 0..<count { try await body(try await get("Rows?page=\(number)", transport)) }
    }

    private func get(_ path: String, _ transport: any HTTPTransport) async throws -> [UInt8] {
        let url = try AbsoluteURL(typed: source + path)
        let request = HTTPRequest(method: .get, url: url)
        return try await transport.send(request, body: nil).body.collect(upTo: 1 << 30)
    }

    private static var peakKilobytes: Int {
        var usage = rusage()
        #if os(Linux)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        return usage.ru_maxrss
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

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
    @OptionGroup var data: BenchData
    @OptionGroup var work: BenchWork

    func run() async throws {
        let folder = NSTemporaryDirectory() + "odata-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let transport = AsyncHTTPTransport()
        let (time, bytes) =
            switch BenchContender(rawValue: name) {
            case .ours: try await download(transport, folder)
            case .prepared: try await insertPrepared(transport, folder, keepsIndex: false)
            case .indexed: try await insertPrepared(transport, folder, keepsIndex: true)
            case .decoder: try await decode(transport, folder)
            case .python, nil: throw Failure("\(name) is not a contender.")
            }
        try await transport.shutdown()
        let figure = BenchFigure(
            seconds: time.seconds, processorSeconds: time.processorSeconds, peakKilobytes: BenchTime.peakKilobytes,
            bytes: bytes)
        Console.write(String(decoding: try JSONEncoder().encode(figure), as: UTF8.self))
    }

    private func download(_ transport: any HTTPTransport, _ folder: String) async throws -> (BenchTime, Int) {
        let counting = CountingTransport(next: transport)
        let remote = try OnlineStore(serviceRoot: source, transport: counting)
        let store = try OfflineStore(
            folder: folder + "/store", remote: remote, key: work.encrypted ? .random() : nil)
        try await store.open()
        for set in data.form.sets { try store.addQuery(DefiningQuery(name: set, query: data.form.query(of: set))) }
        if work.step != .first { try await store.download() }
        let (start, received) = (BenchTime(), counting.bytes)
        let report = try await store.download()
        let time = start.elapsed
        try check(report)
        try store.close()
        return (time, counting.bytes - received)
    }

    private func check(_ report: DownloadReport) throws {
        let rows = work.step == .changes ? data.changes : data.rows / (1 + data.form.related)
        let sets = data.form.sets.count
        guard report.queries.reduce(0, { $0 + $1.entities }) == rows / sets * sets else {
            throw Failure("The store has received other entities than the source has.")
        }
    }

    /// SQLite's limit: the pages are read and parsed before the clock starts.
    private func insertPrepared(
        _ transport: any HTTPTransport, _ folder: String, keepsIndex: Bool
    ) async throws -> (BenchTime, Int) {
        let model = try BenchRows.model(of: data)
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
        try await pool.write {
            try $0.execute(sql: table.definition(named: "Rows", holderWords: 1, isUnique: keepsIndex))
        }
        let names = ["$id", "$etag"] + table.columns.map(\.name)
        let sql =
            "INSERT INTO \"Rows\" (\(names.map(quoted).joined(separator: ", "))) "
            + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
        let filled = pages
        let forms = table.columns.map { BulkForm($0.codec) }
        let start = BenchTime()
        var id: Int64 = 0
        for block in filled { id = try insert(block, sql, forms, after: id, pool) }
        if !keepsIndex {
            try await pool.write {
                try $0.execute(sql: "CREATE UNIQUE INDEX \"Keys\" ON \"Rows\" (\(table.keyList))")
            }
        }
        let time = start.elapsed
        try pool.close()
        return (time, bytes)
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

    private func decode(_ transport: any HTTPTransport, _ folder: String) async throws -> (BenchTime, Int) {
        let start = BenchTime()
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
        let time = start.elapsed
        try pool.close()
        return (time, bytes)
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
}

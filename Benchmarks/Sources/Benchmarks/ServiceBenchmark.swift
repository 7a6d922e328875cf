import ArgumentParser
import Foundation
import GRDB

/// What a request costs the service, as processor time, beside a Hummingbird handler that gives a constant of the same
/// size, and beside another server with the same model.
struct ServiceBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "service")

    @Option(help: "Requests of a kind in a round.") var requests = 1000
    @Option(help: "How often each server gets its turn; the median counts.") var rounds = 5
    @Option(help: "The service root of another server with the model of the compliance sample.") var peerURL: String?
    @Option(help: "Its process.") var peerPid: Int32?

    func validate() throws {
        guard min(requests, rounds) > 0 else { throw ValidationError("All numbers are above zero.") }
        guard (peerURL == nil) == (peerPid == nil) else {
            throw ValidationError("Give both the URL and the process of the other server.")
        }
    }

    func run() async throws {
        let sample = try ServiceProcess(["serve-sample"])
        defer { sample.stop() }
        try compare(sample)
        try exhaust(sample)
        try await withTemporaryFolder { try await writeRows(in: $0) }
    }

    /// The five requests at each server, in turns.
    private func compare(_ sample: ServiceProcess) throws {
        let ours = try MeasuredServer(root: sample.root, process: sample.identifier)
        let urls = try Self.urls(of: ours)
        let lengths = try urls.map { try ours.warm($0.url) }
        let process = try ServiceProcess(["serve-constants"] + lengths.map(String.init))
        defer { process.stop() }
        let constants = try MeasuredServer(root: process.root, process: process.identifier)
        let peer = try peerURL.map { try MeasuredServer(root: $0, process: peerPid ?? 0) }
        let peerURLs = try peer.map { try Self.urls(of: $0) }
        print("Processor time per request, median of \(rounds) rounds with \(requests) requests each")
        for (index, request) in urls.enumerated() {
            _ = try constants.warm("\(index)")
            if let peer, let peerURLs { _ = try peer.warm(peerURLs[index].url) }
            var times: (ours: [Double], constant: [Double], peer: [Double]) = ([], [], [])
            for _ in 0..<rounds {
                times.ours.append(try ours.microseconds(request.url, count: requests))
                times.constant.append(try constants.microseconds("\(index)", count: requests))
                if let peer, let peerURLs {
                    times.peer.append(try peer.microseconds(peerURLs[index].url, count: requests))
                }
            }
            var line = String(
                format: "%@: %.1f µs, %d bytes; constant %.1f µs, ratio %.2f", request.name, times.ours.quantile(0.5),
                lengths[index], times.constant.quantile(0.5), Self.ratio(times.ours, times.constant))
            if peer != nil {
                line += String(
                    format: "; peer %.1f µs, ratio %.2f", times.peer.quantile(0.5), Self.ratio(times.ours, times.peer))
            }
            print(line)
        }
    }

    /// What else the machine does changes from second to second: each turn is compared with its neighbour.
    private static func ratio(_ ours: [Double], _ others: [Double]) -> Double {
        zip(ours, others).map { $0 / $1 }.quantile(0.5)
    }

    private static func urls(of server: MeasuredServer) throws -> [(name: String, url: String)] {
        let page = String(decoding: try server.body("Products?$select=ID&$top=1"), as: UTF8.self)
        guard let start = page.firstRange(of: "\"ID\":\"") else { throw ValidationError("There are no products.") }
        let key = page[start.upperBound...].prefix { $0 != "\"" }
        return [
            ("one entity by key", "Products(\(key))"), ("Products", "Products"),
            ("$filter, $orderby, $top", "Products?$filter=Price%20gt%2020&$orderby=Name&$top=5"),
            ("$expand of two", "Products?$expand=Category,RelatedProducts"), ("$metadata", "$metadata"),
        ]
    }

    /// 10,000 requests, none like another.
    private func exhaust(_ sample: ServiceProcess) throws {
        let server = try MeasuredServer(root: sample.root, process: sample.identifier)
        let process = "\(sample.identifier)"
        func send(_ numbers: Range<Int>) throws {
            for number in numbers {
                _ = try server.body("Products?$filter=Price%20gt%20\(number)&$orderby=Name&$top=\(number % 7 + 1)")
            }
        }
        try send(0..<2_000)
        let before = PeakMemory.resident(of: process)
        try send(2_000..<12_000)
        print("resident size: \(before) KB, after 10,000 requests \(PeakMemory.resident(of: process)) KB")
    }

    /// 1,000 rows of a table, as JSON.
    private func writeRows(in folder: String) async throws {
        let database = folder + "/rows.db"
        let queue = try DatabaseQueue(path: database)
        try await queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE Orders(ID INTEGER PRIMARY KEY, Customer TEXT, City TEXT, Country TEXT, Ordered TEXT,
                        Amount REAL, Discount REAL, Quantity INTEGER, Note TEXT, IsDone INTEGER);
                    WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 1000)
                    INSERT INTO Orders SELECT id, 'Customer ' || id, 'City ' || id % 40, 'Country ' || id % 7,
                        '2024-01-' || (10 + id % 19), id / 7.0, id % 10 / 100.0, id * 7919 % 1000,
                        'The note of order ' || id || ', which is of a usual length', id % 2 FROM ids;
                    """)
        }
        try queue.close()
        let service = try ServiceProcess(["serve", database, "--no-has-streams"])
        defer { service.stop() }
        let server = try MeasuredServer(root: service.root, process: service.identifier)
        let bytes = try server.warm("Orders")
        let times = try (0..<rounds).map { _ in try server.microseconds("Orders", count: max(1, requests / 10)) }
        print(
            String(
                format: "1,000 rows: %.0f µs for %d bytes, %.0f MB/s per core", times.quantile(0.5), bytes,
                Double(bytes) / times.quantile(0.5)))
    }
}

/// A server whose processor time is read.
struct MeasuredServer {
    private let client: KeepAliveClient
    private let process: Int32

    init(root: String, process: Int32) throws {
        client = try KeepAliveClient(root: root)
        self.process = process
    }

    func body(_ url: String) throws -> [UInt8] {
        let response = try client.response(to: client.request(url))
        guard response.status == 200 else { throw ValidationError("\(url) gives status \(response.status).") }
        return response.body
    }

    /// Sends some requests that do not count.
    ///
    /// - Returns: The length of the body.
    func warm(_ url: String) throws -> Int {
        for _ in 0..<200 { _ = try body(url) }
        return try body(url).count
    }

    /// The processor time of one request of `count`.
    func microseconds(_ url: String, count: Int) throws -> Double {
        let request = client.request(url)
        let start = try processorTime()
        for _ in 0..<count { _ = try client.response(to: request) }
        return (try processorTime() - start) / Double(count)
    }

    /// Of the process, in microseconds.
    private func processorTime() throws -> Double {
        #if canImport(Darwin)
            throw ValidationError("The processor time of another process can be read on Linux only.")
        #else
            var clock = clockid_t()
            var time = timespec()
            guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
                throw ValidationError("The processor time of the process \(process) cannot be read.")
            }
            return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
        #endif
    }
}

import ArgumentParser
import Foundation
import OData
import ODataService

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A page of entities read and written as JSON and Atom, and metadata read, beside Foundation.
///
/// The online store reads from a transport in memory and the service writes what a store in memory gives, so that a
/// page's request, its URL and its context are part of what is measured. Times are of the processor.
struct FormatBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "format")

    @Option(help: "Entities of the page.") var entities = 1000
    @Option(help: "How often each side works in a round.") var repetitions = 40
    @Option var rounds = 5

    func run() async throws {
        let page = SamplePage(entities: entities)
        let model = try SamplePage.model()
        print("a page of \(entities) entities of 20 properties, median of \(rounds) rounds; MB/s of one core")
        let json = Array(page.json.utf8)
        let blocks = try await read(json, type: "application/json", version: .v401, model: model)
        try await report("JSON, read", bytes: json.count) {
            _ = try await self.read(json, type: "application/json", version: .v401, model: model)
        } foundation: {
            _ = try JSONSerialization.jsonObject(with: Data(json))
        }
        let service = ODataService(store: PageStore(model: model, blocks: blocks))
        let object = try JSONSerialization.jsonObject(with: Data(json))
        try await report("JSON, written", bytes: json.count) {
            try await PageStore.write(from: service)
        } foundation: {
            _ = try JSONSerialization.data(withJSONObject: object)
        }
        let atom = Array(page.atom.utf8)
        try await report("Atom, read", bytes: atom.count) {
            _ = try await self.read(atom, type: "application/atom+xml", version: .v2, model: model)
        } foundation: {
            _ = XMLParser(data: Data(atom)).parse()
        }
        let metadata = SamplePage.metadata(types: 500)
        try await report("metadata, read", bytes: metadata.count) {
            _ = try CSDL.read(xml: metadata)
        } foundation: {
            _ = XMLParser(data: Data(metadata)).parse()
        }
    }

    private func read(
        _ bytes: [UInt8], type: String, version: ODataVersion, model: Model
    ) async throws -> [RowBlock] {
        var configuration = OnlineStore.Configuration()
        configuration.model = model
        configuration.version = version
        configuration.version2.format = .atom
        let store = try OnlineStore(
            serviceRoot: "http://h/", transport: PageTransport(bytes: bytes, contentType: type),
            configuration: configuration)
        let query = try QueryParser(model: model).query("Products")
        guard case .entities(let reader) = try await store.read(ReadRequest(query)).body else { return [] }
        var blocks: [RowBlock] = []
        var rows = 0
        while let block = try await reader.next() {
            rows += block.rows.count
            blocks.append(block)
        }
        guard rows == entities else { throw ValidationError("\(rows) entities of \(entities) were read.") }
        return blocks
    }

    private func report(
        _ name: String, bytes: Int, ours: () async throws -> Void, foundation: () throws -> Void
    ) async throws {
        var rates: (ours: [Double], foundation: [Double]) = ([], [])
        let few = max(1, repetitions / 10)
        try await ours()
        for _ in 0..<rounds {
            var start = ProcessorTime.now
            for _ in 0..<repetitions { try await ours() }
            rates.ours.append(Double(bytes * repetitions) / 1e6 / (ProcessorTime.now - start))
            start = ProcessorTime.now
            for _ in 0..<few { try foundation() }
            rates.foundation.append(Double(bytes * few) / 1e6 / (ProcessorTime.now - start))
        }
        let (ours, foundation) = (rates.ours.sorted()[rounds / 2], rates.foundation.sorted()[rounds / 2])
        print(
            name.padding(toLength: 16, withPad: " ", startingAt: 0)
                + String(format: "%8.0f  Foundation %7.1f  ratio %6.1f", ours, foundation, ours / foundation))
    }
}

/// Seconds that the process has worked.
enum ProcessorTime {
    static var now: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}

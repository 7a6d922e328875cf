import ArgumentParser
import Foundation
import OData
import ODataService

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A page of entities read and written as JSON, Atom and verbose JSON, and metadata read, beside Foundation.
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
        try await reportWriting("JSON, written", "Products", from: service) {
            _ = try JSONSerialization.data(withJSONObject: object)
        }
        try await measureLegacy(Array(page.atom.utf8), service: service, model: model)
        let metadata = SamplePage.metadata(types: 500)
        try await report("metadata, XML", bytes: metadata.count) {
            _ = try CSDL.document(metadata)
        } foundation: {
            _ = XMLParser(data: Data(metadata)).parse()
        }
        let gateway = SamplePage.gatewayMetadata(types: 1_000)
        try await report("metadata of V2, XML", bytes: gateway.count) {
            _ = try CSDL.document(gateway)
        } foundation: {
            _ = XMLParser(data: Data(gateway)).parse()
        }
        let metadataJSON = try CSDL.json(CSDL.document(metadata).model)
        try await report("metadata, JSON", bytes: metadataJSON.count) {
            _ = try CSDL.document(metadataJSON)
        } foundation: {
            _ = try JSONSerialization.jsonObject(with: Data(metadataJSON))
        }
    }

    private func measureLegacy(_ atom: [UInt8], service: ODataService, model: EdmModel) async throws {
        try await report("Atom, read", bytes: atom.count) {
            _ = try await self.read(atom, type: "application/atom+xml", version: .v2, model: model)
        } foundation: {
            _ = XMLParser(data: Data(atom)).parse()
        }
        try await reportWriting("Atom, written", "v2/Products", from: service)
        let verbose = try await PageStore.page("v2/Products?$format=json", from: service)
        try await report("verbose, read", bytes: verbose.count) {
            _ = try await self.read(verbose, type: "application/json", version: .v2, model: model)
        } foundation: {
            _ = try JSONSerialization.jsonObject(with: Data(verbose))
        }
        try await reportWriting("verbose, written", "v2/Products?$format=json", from: service)
    }

    private func read(
        _ bytes: [UInt8], type: String, version: ODataVersion, model: EdmModel
    ) async throws -> [RowBlock] {
        var configuration = OnlineStore.Configuration()
        configuration.model = model
        configuration.version = version
        configuration.legacy.format = .atom
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

    private func reportWriting(
        _ name: String, _ path: String, from service: ODataService, foundation: (() throws -> Void)? = nil
    ) async throws {
        let bytes = try await PageStore.page(path, from: service).count
        try await report(
            name, bytes: bytes, ours: { _ = try await PageStore.page(path, from: service) }, foundation: foundation)
    }

    /// - Parameter foundation: Nil where Foundation has nothing like it.
    private func report(
        _ name: String, bytes: Int, ours: () async throws -> Void, foundation: (() throws -> Void)?
    ) async throws {
        var rates: (ours: [Double], foundation: [Double]) = ([], [])
        let few = max(1, repetitions / 10)
        try await ours()
        for _ in 0..<rounds {
            var start = ProcessorTime.now
            for _ in 0..<repetitions { try await ours() }
            rates.ours.append(Double(bytes * repetitions) / 1e6 / (ProcessorTime.now - start))
            guard let foundation else { continue }
            start = ProcessorTime.now
            for _ in 0..<few { try foundation() }
            rates.foundation.append(Double(bytes * few) / 1e6 / (ProcessorTime.now - start))
        }
        let rate = rates.ours.sorted()[rounds / 2]
        var line = name.padding(toLength: 18, withPad: " ", startingAt: 0) + String(format: "%8.1f", rate)
        if foundation != nil {
            let other = rates.foundation.sorted()[rounds / 2]
            line += String(format: "  Foundation %7.1f  ratio %6.1f", other, rate / other)
        }
        print(line)
    }
}

/// Seconds that the process has worked.
enum ProcessorTime {
    static var now: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}

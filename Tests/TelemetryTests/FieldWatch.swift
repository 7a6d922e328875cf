import Foundation
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import OData
import ODataService
import ODataTesting
import Synchronization
import Tracing

/// The field service sample behind a service in this process, and a device with its work orders and photos; all of it is
/// gone afterwards.
final class FieldWatch: Sendable {
    let folder: String
    let file: SQLiteStore
    let service: ODataService
    let lines = LogLines()

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/telemetry-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var size = FieldServiceSample.Size()
        (size.partners, size.products, size.orders, size.equipment) = (2, 2, 2, 2)
        (size.workOrders, size.inspections, size.photos) = (20, 20, 6)
        try FieldServiceSample.create(at: folder + "/field-service.db", size: size)
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: "Photos", column: "Content", contentType: "image/png")]
        configuration.tracksChanges = true
        file = try SQLiteStore(path: folder + "/field-service.db", configuration: configuration)
        var serviceConfiguration = ODataService.Configuration()
        serviceConfiguration.logger = lines.logger("service")
        service = ODataService(store: file, configuration: serviceConfiguration)
    }

    deinit {
        try? file.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// - Parameter plan: What the network does to requests.
    func device(_ plan: FaultPlan = .none, middleware: [any HTTPMiddleware] = []) async throws -> OfflineStore {
        let transport = FaultTransport(next: InProcessTransport(service: service), plan: plan).with(middleware)
        var configuration = OfflineStore.Configuration()
        configuration.logger = lines.logger("store")
        let store = try OfflineStore(
            folder: folder + "/device", remote: OnlineStore(serviceRoot: "http://service.test/", transport: transport),
            configuration: configuration)
        try await store.open()
        try await store.setQueries([
            DefiningQuery(name: "orders", query: "WorkOrders"),
            DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true),
        ])
        return store
    }

    /// Another client's change.
    func update(_ entity: String, _ properties: EdmComplexValue) async throws {
        let path = try QueryParser(model: try await file.model()).path(entity)
        _ = try await file.change(ChangeRequest(path, .update(EntityPayload(properties))))
    }
}

/// The lines that loggers have got.
final class LogLines: Sendable {
    private struct Handler: LogHandler {
        let lines: LogLines
        let label: String
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.add("\(label) \(event.level) \(event.message) \(event.metadata ?? [:])") }
    }

    private let record = Mutex<[String]>([])

    var all: [String] { record.withLock { $0 } }

    func logger(_ label: String) -> Logger { Logger(label: label) { Handler(lines: self, label: $0) } }

    private func add(_ line: String) { record.withLock { $0.append(line) } }
}

/// The back ends of an app, in memory.
struct BackEnds {
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()

    func install() {
        MetricsSystem.bootstrap(metrics)
        InstrumentationSystem.bootstrap(tracer)
    }

    /// All that they hold, as text.
    var text: String {
        let spans = tracer.finishedSpans.map { span in
            var text = "\(span.operationName) \(span.errors) \(span.status.map { "\($0)" } ?? "")"
            // The attributes are not a sequence.
            // swift-format-ignore: ReplaceForEachWithForLoop
            span.attributes.forEach { text += " \($0)=\($1)" }
            return text
        }
        let counters = metrics.counters.map { "\($0.label) \($0.dimensions) \($0.totalValue)" }
        let timers = metrics.timers.map { "\($0.label) \($0.dimensions)" }
        let recorders = metrics.recorders.map { "\($0.label) \($0.dimensions)" }
        return (spans + counters + timers + recorders).joined(separator: "\n")
    }

    /// The names of a span and of all those that it is a part of.
    func names(from span: FinishedInMemorySpan) -> [String] {
        let spans = Dictionary(tracer.finishedSpans.map { ($0.spanID, $0) }, uniquingKeysWith: { first, _ in first })
        var names: [String] = []
        var next: FinishedInMemorySpan? = span
        while let span = next {
            names.append(span.operationName)
            next = span.parentSpanID.flatMap { spans[$0] }
        }
        return names
    }

    /// How often a duration was recorded.
    func timings(_ label: String, _ dimensions: [(String, String)]) -> Int {
        metrics.timers(label: label, dimensions: dimensions).reduce(0) { $0 + $1.values.count }
    }

    func total(_ label: String, _ dimensions: [(String, String)]) -> Int64 {
        metrics.counterTotal(label: label, dimensions: dimensions)
    }
}

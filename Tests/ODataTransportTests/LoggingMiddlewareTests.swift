import ByteStreams
import HTTPTypes
import Logging
import ODataTransport
import Synchronization
import Testing

@Suite struct LoggingMiddlewareTests {
    /// Keeps every line with its metadata.
    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.add("\(event.level) \(event.message) \(event.metadata ?? [:])")
        }
    }

    private final class Lines: Sendable {
        private let record = Mutex<[String]>([])
        var all: [String] { record.withLock { $0 } }
        func add(_ line: String) { record.withLock { $0.append(line) } }
    }

    private func logged(
        _ transport: RecordingTransport, _ target: String = "Products", level: Logger.Level = .trace,
        showsValues: Bool = false
    ) async -> [String] {
        let lines = Lines()
        var logger = Logger(label: "test") { _ in Handler(lines: lines) }
        logger.logLevel = level
        let headers = ["Authorization": "Bearer secret1", "Cookie": "secret2", "X-API-Key": "secret3", "Accept": "a/b"]
        _ = try? await transport.with([LoggingMiddleware(logger: logger, showsValues: showsValues)])
            .send(.to("http://user:secret4@h/\(target)", .get, headers), body: nil)
        return lines.all
    }

    @Test func secretsAreNotLogged() async {
        let lines = await logged(RecordingTransport([.status(200, ["Set-Cookie": "secret5", "ETag": "\"1\""])]))
        let text = lines.joined(separator: "\n")
        #expect(!text.contains("secret"))
        #expect(text.contains("Authorization: (not logged)"))
        #expect(text.contains("Accept: a/b"))
        #expect(text.contains("debug GET http://h/Products 200"))
    }

    @Test func headersAreLoggedAtTraceOnly() async {
        let lines = await logged(RecordingTransport([]), level: .debug)
        #expect(lines.count == 1)
    }

    @Test func aFailureIsAWarning() async {
        let lines = await logged(RecordingTransport([.failure(.unreachable)]), level: .info)
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("warning GET http://h/Products failed: unreachable") == true)
    }

    @Test func valuesOfEntitiesAreLoggedOnlyWhereAskedFor() async {
        let target =
            "People(Name='Ada',Number=7)/Orders('x)/y''z')/A(%27x)%27)?$filter=City%20eq%20'Ulm'&$top=3&$count=true"
        let response = { RecordingTransport([.status(201, ["Location": "http://h/People('Ada')", "ETag": "\"1\""])]) }
        let lines = await logged(response(), target).joined(separator: "\n")
        #expect(!lines.contains("Ada") && !lines.contains("Ulm") && !lines.contains("7)"))
        #expect(lines.contains("debug GET http://h/People(…)/Orders(…)/A(…)?$filter&$top&$count 201"))
        let whole = await logged(response(), target, showsValues: true).joined(separator: "\n")
        // Metadata are printed with escaped quotation marks.
        #expect(whole.contains("Location: http://h/People("))
        #expect(whole.contains("City%20eq%20'Ulm'"))
        #expect(!whole.contains("secret"))
    }
}

import Foundation
import HTTPTypes
import InMemoryTracing
import OData
import ODataService
import ODataTesting
import Testing
import Tracing

/// Each in a process of its own: back ends are installed once for a process.
@Suite("Metrics, spans and the log")
struct TelemetryTests {
    @Test("A synchronization is measured: requests, bytes, entities, streams, the queue, retries and cache hits")
    func metrics() async throws {
        let findings = Findings()
        await #expect(processExitsWith: .success) { [path = findings.path as String] in
            await Findings(path: path).collect(TelemetryTests.checkMetrics)
        }
        #expect(try findings.read() == [])
    }

    @Sendable
    private static func checkMetrics(_ watch: FieldWatch, _ backEnds: BackEnds, _ findings: Findings) async throws {
        let retry = RetryMiddleware(pause: { _ in })
        let plan = FaultPlan.once(.refused) { $0.path?.hasPrefix("/WorkOrders") == true }
        let store = try await watch.device(plan, middleware: [retry])
        try await store.sync()
        _ = try await store.change(
            ChangeRequest(store.path("WorkOrders(5003)"), .update(EntityPayload(["State": .string("secret1")])))
        )
        try await store.sync()
        _ = try await store.readStream(StreamRequest(store.path("Photos(9000)"))).content.collect(upTo: 1 << 20)
        _ = try await store.syncState
        try store.close()

        findings.check(backEnds.total("odata.client.retries", [("status", "unreachable")]) == 1)
        findings.check(backEnds.total("odata.offline.entities", [("operation", "download")]) == 27)
        findings.check(backEnds.total("odata.offline.streams", [("outcome", "received")]) == 6)
        findings.check(backEnds.total("odata.offline.requests", [("outcome", "succeeded")]) == 1)
        findings.check(backEnds.total("odata.offline.bytes", [("operation", "download")]) > 1_000)
        findings.check(backEnds.total("odata.offline.cache", [("content", "stream"), ("result", "hit")]) == 1)
        let received = backEnds.metrics.counterTotal(label: "odata.client.received.bytes")
        findings.check(received > 1_000)
        findings.check(backEnds.metrics.counterTotal(label: "odata.service.sent.bytes") == received)
        let sent = backEnds.metrics.counterTotal(label: "odata.client.sent.bytes")
        findings.check(sent > 10)
        findings.check(backEnds.metrics.counterTotal(label: "odata.service.received.bytes") == sent)
        for label in ["odata.service.request.duration", "odata.client.request.duration"] {
            let changes = ["200", "204"].map { backEnds.timings(label, [("method", "PATCH"), ("status", $0)]) }
            findings.check(changes.reduce(0, +) == 1)
        }
        let operation = [("operation", "upload"), ("outcome", "succeeded")]
        findings.check(backEnds.timings("odata.offline.operation.duration", operation) == 1)
        findings.check(backEnds.metrics.recorders(label: "odata.offline.queue.length").first?.values.last == 0)
    }

    @Test("The spans of a synchronization are one trace, from the device to the service")
    func spans() async throws {
        let findings = Findings()
        await #expect(processExitsWith: .success) { [path = findings.path as String] in
            await Findings(path: path).collect(TelemetryTests.checkSpans)
        }
        #expect(try findings.read() == [])
    }

    @Sendable
    private static func checkSpans(_ watch: FieldWatch, _ backEnds: BackEnds, _ findings: Findings) async throws {
        let store = try await watch.device()
        try await store.sync()
        _ = try await store.change(
            ChangeRequest(store.path("WorkOrders(5003)"), .update(EntityPayload(["State": .string("secret1")])))
        )
        backEnds.tracer.clearAll()
        try await store.sync()
        try store.close()

        let spans = backEnds.tracer.finishedSpans
        let sync = try #require(spans.first { $0.operationName == "odata.sync" })
        findings.check(spans.allSatisfy { $0.traceID == sync.traceID })
        let served = try #require(spans.first { $0.operationName == "PATCH" && $0.kind == .server })
        let names = backEnds.names(from: served)
        findings.check(names == ["PATCH", "PATCH", "odata.upload.step", "odata.upload", "odata.sync"])
        let queries = spans.filter { $0.operationName == "odata.download.query" }
        findings.check(Set(queries.compactMap { $0.attributes["odata.query"]?.text }) == ["orders", "photos"])
        findings.check(backEnds.tracer.activeSpans.isEmpty)
    }

    @Test("Values of entities, URLs and secrets are in none of it, also where something fails")
    func noValues() async throws {
        let findings = Findings()
        await #expect(processExitsWith: .success) { [path = findings.path as String] in
            await Findings(path: path).collect(TelemetryTests.checkNoValues)
        }
        #expect(try findings.read() == [])
    }

    @Sendable
    private static func checkNoValues(_ watch: FieldWatch, _ backEnds: BackEnds, _ findings: Findings) async throws {
        let tokens = BearerAuthentication { _ in "secret0" }
        let store = try await watch.device(middleware: [tokens])
        try await store.sync()
        for (order, note) in [("WorkOrders(5003)", "secret1"), ("WorkOrders(5004)", "secret2")] {
            _ = try await store.change(
                ChangeRequest(store.path(order), .update(EntityPayload(["Title": .string(note)]))))
        }
        try await watch.update("WorkOrders(5003)", ["Title": .string("secret3")])
        let path = try store.path("WorkOrders(5004)")
        _ = try await watch.file.change(ChangeRequest(path, .delete))
        let report = try await store.sync()
        findings.check(report.upload?.failed.count == 2)
        _ = await watch.service.respond(
            to: .init(
                method: .get, scheme: nil, authority: nil, path: "/WorkOrders?$filter=Title eq 'secret4'"),
            body: .empty, root: "http://service.test/")
        try store.close()

        findings.check(
            backEnds.total("odata.offline.conflicts", [("set", "WorkOrders"), ("occasion", "upload")]) == 2)
        let lines = watch.lines.all.joined(separator: "\n")
        findings.check(lines.contains("store notice A conflict."))
        findings.check(lines.contains("store warning An operation has ended."))
        findings.check(lines.contains("service debug The service has responded."))
        for text in [lines, backEnds.text] {
            findings.check(
                !text.contains("secret") && !text.contains("5003") && !text.contains("$filter"), "\(text)")
        }
    }

    @Test("A failure is named by its code")
    func failures() async throws {
        let findings = Findings()
        await #expect(processExitsWith: .success) { [path = findings.path as String] in
            await Findings(path: path).collect(TelemetryTests.checkFailures)
        }
        #expect(try findings.read() == [])
    }

    @Sendable
    private static func checkFailures(_ watch: FieldWatch, _ backEnds: BackEnds, _ findings: Findings) async throws {
        let isDown = FaultPlan { $0.request.path?.hasPrefix("/WorkOrders") == true ? .refused : nil }
        let store = try await watch.device(isDown)
        let report = try? await store.sync()
        findings.check(report == nil)
        try store.close()
        let operation = [("operation", "download"), ("outcome", "failed")]
        findings.check(backEnds.timings("odata.offline.operation.duration", operation) == 1)
        let query = try #require(
            backEnds.tracer.finishedSpans.first {
                $0.operationName == "odata.download.query" && $0.status?.code == .error
            })
        findings.check(query.attributes["error.type"]?.text == "unreachable" && query.errors.isEmpty)
        let lines = watch.lines.all
        findings.check(
            lines.contains {
                $0.hasPrefix("store warning An operation has ended.") && $0.contains("unreachable")
            })
    }

    @Test("Short reads that need not wait are measured too")
    func immediateResponses() async throws {
        let findings = Findings()
        await #expect(processExitsWith: .success) { [path = findings.path as String] in
            await Findings(path: path).collect(TelemetryTests.checkImmediateResponses)
        }
        #expect(try findings.read() == [])
    }

    @Sendable
    private static func checkImmediateResponses(_ watch: FieldWatch, _ backEnds: BackEnds, _ findings: Findings)
        async throws
    {
        let (request, root) = (
            HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/WorkOrders(5003)"),
            "http://service.test/"
        )
        // It responds so once it has found out that the reads are short; a machine with other work takes longer.
        var (responses, immediate) = (0, 0)
        while immediate < 2, responses < 10_000 {
            for _ in 0..<3 { _ = await watch.service.respond(to: request, body: .empty, root: root) }
            responses += 3
            for _ in 0..<65 where immediate < 2 {
                let context = ResponderContext()
                guard watch.service.immediateResponse(to: request, root: root, context: context) != nil else {
                    continue
                }
                (responses, immediate) = (responses + 1, immediate + 1)
            }
        }
        let requests = [("method", "GET"), ("status", "200")]
        findings.check(immediate == 2)
        findings.check(backEnds.timings("odata.service.request.duration", requests) == responses)
        findings.check(backEnds.tracer.finishedSpans.filter { $0.kind == .server }.count == responses)
    }

    @Test("Without back ends nothing is measured, and loggers are silent")
    func off() async throws {
        #expect(OfflineStore.Configuration().logger.logLevel == .critical)
        #expect(ODataService.Configuration().logger.logLevel == .critical)
        let watch = try FieldWatch()
        defer { withExtendedLifetime(watch) {} }
        let store = try await watch.device()
        #expect(try await store.sync().isComplete)
        try store.close()
    }
}

extension SpanAttributeConvertible {
    /// Nil for other attributes than texts.
    var text: String? {
        guard case .string(let text) = toSpanAttribute() else { return nil }
        return text
    }
}

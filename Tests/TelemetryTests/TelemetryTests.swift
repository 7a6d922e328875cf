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
    func metrics() async {
        await #expect(processExitsWith: .success) {
            let backEnds = BackEnds()
            backEnds.install()
            let watch = try FieldWatch()
            defer { withExtendedLifetime(watch) {} }
            let retry = RetryMiddleware(pause: { _ in })
            let plan = FaultPlan { $0.request.path?.hasPrefix("/WorkOrders") == true && $0.index == 1 ? .refused : nil }
            let store = try await watch.device(plan, middleware: [retry])
            try await store.sync()
            _ = try await store.change(
                ChangeRequest(store.path("WorkOrders(5003)"), .update(EntityPayload(["State": .string("secret1")]))))
            try await store.sync()
            _ = try await store.readStream(StreamRequest(store.path("Photos(9000)"))).content.collect(upTo: 1 << 20)
            try store.close()

            #expect(backEnds.total("odata.client.retries", [("status", "unreachable")]) == 1)
            #expect(backEnds.total("odata.offline.entities", [("operation", "download")]) == 27)
            #expect(backEnds.total("odata.offline.streams", [("outcome", "received")]) == 6)
            #expect(backEnds.total("odata.offline.requests", [("outcome", "succeeded")]) == 1)
            #expect(backEnds.total("odata.offline.bytes", [("operation", "download")]) > 1_000)
            #expect(backEnds.total("odata.offline.cache", [("content", "stream"), ("result", "hit")]) == 1)
            let received = backEnds.metrics.counterTotal(label: "odata.client.received.bytes")
            #expect(received > 1_000)
            #expect(backEnds.metrics.counterTotal(label: "odata.service.sent.bytes") == received)
            let sent = backEnds.metrics.counterTotal(label: "odata.client.sent.bytes")
            #expect(sent > 10)
            #expect(backEnds.metrics.counterTotal(label: "odata.service.received.bytes") == sent)
            let requests = [("method", "PATCH"), ("status", "200")]
            #expect(backEnds.timings("odata.service.request.duration", requests) == 1, "\(backEnds.text)")
            #expect(backEnds.timings("odata.client.request.duration", requests) == 1)
            let operation = [("operation", "upload"), ("outcome", "succeeded")]
            #expect(backEnds.timings("odata.offline.operation.duration", operation) == 1)
            #expect(backEnds.metrics.recorders(label: "odata.offline.queue.length").first?.values.last == 0)
        }
    }

    @Test("The spans of a synchronization are one trace, from the device to the service")
    func spans() async {
        await #expect(processExitsWith: .success) {
            let backEnds = BackEnds()
            backEnds.install()
            let watch = try FieldWatch()
            defer { withExtendedLifetime(watch) {} }
            let store = try await watch.device()
            try await store.sync()
            _ = try await store.change(
                ChangeRequest(store.path("WorkOrders(5003)"), .update(EntityPayload(["State": .string("secret1")]))))
            backEnds.tracer.clearAll()
            try await store.sync()
            try store.close()

            let spans = backEnds.tracer.finishedSpans
            let sync = try #require(spans.first { $0.operationName == "odata.sync" })
            #expect(spans.allSatisfy { $0.traceID == sync.traceID })
            let byID = Dictionary(spans.map { ($0.spanID, $0) }, uniquingKeysWith: { first, _ in first })
            let served = try #require(spans.first { $0.operationName == "PATCH" && $0.kind == .server })
            var names: [String] = []
            var next: FinishedInMemorySpan? = served
            while let span = next {
                names.append(span.operationName)
                next = span.parentSpanID.flatMap { byID[$0] }
            }
            #expect(names == ["PATCH", "PATCH", "odata.upload.step", "odata.upload", "odata.sync"])
            let queries = spans.filter { $0.operationName == "odata.download.query" }
            #expect(Set(queries.compactMap { $0.attributes["odata.query"]?.text }) == ["orders", "photos"])
            #expect(backEnds.tracer.activeSpans.isEmpty)
        }
    }

    @Test("Values of entities, URLs and secrets are in none of it, also where something fails")
    func noValues() async {
        await #expect(processExitsWith: .success) {
            let backEnds = BackEnds()
            backEnds.install()
            let watch = try FieldWatch()
            defer { withExtendedLifetime(watch) {} }
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
            #expect(report.upload?.failed.count == 2)
            _ = await watch.service.respond(
                to: .init(method: .get, scheme: nil, authority: nil, path: "/WorkOrders?$filter=Title eq 'secret4'"),
                body: .empty, root: "http://service.test/")
            try store.close()

            #expect(backEnds.total("odata.offline.conflicts", [("set", "WorkOrders"), ("occasion", "upload")]) == 2)
            let lines = watch.lines.all.joined(separator: "\n")
            #expect(lines.contains("store notice A conflict."))
            #expect(lines.contains("store warning An operation has ended."))
            #expect(lines.contains("service debug The service has responded."))
            for text in [lines, backEnds.text] {
                #expect(!text.contains("secret") && !text.contains("5003") && !text.contains("$filter"), "\(text)")
            }
        }
    }

    @Test("A failure is named by its code")
    func failures() async {
        await #expect(processExitsWith: .success) {
            let backEnds = BackEnds()
            backEnds.install()
            let watch = try FieldWatch()
            defer { withExtendedLifetime(watch) {} }
            let isDown = FaultPlan { $0.request.path?.hasPrefix("/WorkOrders") == true ? .refused : nil }
            let store = try await watch.device(isDown)
            await #expect(throws: ODataError.self) { try await store.sync() }
            try store.close()
            let operation = [("operation", "download"), ("outcome", "failed")]
            #expect(backEnds.timings("odata.offline.operation.duration", operation) == 1)
            let query = try #require(
                backEnds.tracer.finishedSpans.first {
                    $0.operationName == "odata.download.query" && $0.status?.code == .error
                })
            #expect(query.attributes["error.type"]?.text == "unreachable" && query.errors.isEmpty)
            let lines = watch.lines.all
            #expect(
                lines.contains { $0.hasPrefix("store warning An operation has ended.") && $0.contains("unreachable") })
        }
    }

    @Test("Short reads that need not wait are measured too")
    func immediateResponses() async {
        await #expect(processExitsWith: .success) {
            let backEnds = BackEnds()
            backEnds.install()
            let watch = try FieldWatch()
            defer { withExtendedLifetime(watch) {} }
            let (request, root) = (
                HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/WorkOrders(5003)"),
                "http://service.test/"
            )
            _ = await watch.service.respond(to: request, body: .empty, root: root)
            for _ in 0..<2 {
                _ = try #require(watch.service.immediateResponse(to: request, root: root, context: ResponderContext()))
            }
            let requests = [("method", "GET"), ("status", "200")]
            #expect(backEnds.timings("odata.service.request.duration", requests) == 3, "\(backEnds.text)")
            #expect(backEnds.tracer.finishedSpans.filter { $0.kind == .server }.count == 3)
        }
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

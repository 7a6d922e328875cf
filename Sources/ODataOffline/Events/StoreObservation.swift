import Logging
import ODataStores
import Telemetry

/// The log, the metrics and the spans of a store, where an app has installed back ends for them.
///
/// They hold names of queries and entity sets, codes and numbers: no value of an entity, and so neither URLs nor messages.
struct StoreObservation: Sendable {
    let instruments = Instruments()
    let logger: Logger

    /// Runs an operation of the event log in a span.
    func operation<Result>(_ kind: StoreEvent.Kind, _ body: () async throws -> Result) async throws -> Result {
        logger.debug("An operation begins.", metadata: ["operation": "\(kind.rawValue)"])
        return try await instruments.span("odata.\(kind.rawValue)") { _ in try await body() }
    }

    /// An operation has ended.
    ///
    /// - Parameter failure: Of an operation that failed.
    func note(
        _ kind: StoreEvent.Kind, _ outcome: StoreEvent.Outcome, _ counts: EventCounts, failure: ODataError? = nil
    ) {
        let entities = counts.queries.reduce(0) { $0 + $1.entities }
        let bytes = counts.queries.reduce(0) { $0 + ($1.bytes ?? 0) } + (counts.streams?.bytes ?? 0)
        var metadata: Logger.Metadata = [
            "operation": "\(kind.rawValue)", "outcome": "\(outcome.rawValue)", "seconds": "\(counts.seconds)",
        ]
        if kind == .download || kind == .rebuild {
            metadata["entities"] = "\(entities)"
            metadata["bytes"] = "\(bytes)"
            metadata["streams"] = "\(counts.streams?.finished ?? 0)"
        }
        if let requests = counts.requests { metadata["requests"] = "\(requests)" }
        for (name, count) in counts.results?.named ?? [] where count > 0 { metadata[name] = "\(count)" }
        if let failure { metadata["error"] = "\(failure.code)" }
        let isBad = outcome == .failed || outcome == .partial
        logger.log(level: isBad ? .warning : .info, "An operation has ended.", metadata: metadata)
        guard instruments.hasMetrics else { return }
        let operation = ("operation", kind.rawValue)
        let dimensions = [operation, ("outcome", outcome.rawValue)]
        instruments.record("odata.offline.operation.duration", .seconds(counts.seconds), dimensions)
        instruments.count("odata.offline.entities", by: Int64(entities), [operation])
        instruments.count("odata.offline.bytes", by: bytes, [operation])
        instruments.count("odata.offline.streams", by: Int64(counts.streams?.finished ?? 0), [("outcome", "received")])
        instruments.count("odata.offline.streams", by: Int64(counts.streams?.failed ?? 0), [("outcome", "failed")])
        for (name, count) in counts.results?.named ?? [] {
            instruments.count("odata.offline.requests", by: Int64(count), [("outcome", name)])
        }
    }

    /// The requests in the queue, and those in the error archive.
    func note(_ queue: QueueSummary) {
        instruments.set("odata.offline.queue.length", to: queue.length)
        instruments.set("odata.offline.queue.failed", to: queue.failed)
    }

    /// The service has another version of an entity with waiting changes.
    func note(_ conflict: ChangeConflict) {
        let occasion = "\(conflict.occasion)"
        logger.notice("A conflict.", metadata: ["set": "\(conflict.entitySet)", "occasion": "\(occasion)"])
        instruments.count("odata.offline.conflicts", [("set", conflict.entitySet), ("occasion", occasion)])
    }

    /// A stream or a thumbnail was read.
    ///
    /// - Parameter isHit: Whether it was on the device.
    func noteRead(of kind: String, isHit: Bool) {
        instruments.count("odata.offline.cache", [("content", kind), ("result", isHit ? "hit" : "miss")])
    }

    /// A synchronization that runs by itself is tried again.
    func noteRetry(after delay: Duration, failure: ODataError?) {
        let code = failure?.code.name ?? "none"
        logger.debug(
            "The synchronization is tried again.",
            metadata: ["seconds": "\(delay / .seconds(1))", "error": "\(code)"])
        instruments.count("odata.offline.retries", [("error", code)])
    }
}

extension EventCounts.Results {
    /// As the lists of an ``UploadReport`` are named.
    fileprivate var named: [(String, Int)] {
        [
            ("succeeded", succeeded), ("failed", failed), ("held", held), ("unconfirmed", unconfirmed),
            ("notSent", notSent), ("givenUp", givenUp), ("waitingStreams", waitingStreams ?? 0),
            ("stoppedStreams", stoppedStreams ?? 0),
        ]
    }
}

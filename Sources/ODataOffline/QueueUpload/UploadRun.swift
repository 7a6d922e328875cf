import Foundation
import GRDB
import ODataMedia
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Sends the queue as its plan says.
struct UploadRun {
    private let store: OfflineStore
    private let sender: UploadSender
    private let horizon: Int64
    private let meter: UploadMeter
    private var done = 0
    private var plan: UploadPlan
    private var batches: BatchReliability
    private var report = UploadReport()
    private var stop: ODataError?
    /// In which forms they were sent, by set.
    private var deepInserts: [String: Set<DeepInsertForm>] = [:]
    /// Those that wait in the queue when the upload begins.
    private let streams: [TransferSnapshot]
    private var board: TransferBoard { store.transferBoard }

    private enum Event: Sendable {
        case sent(SendResult)
        /// The app has paused, cancelled or reprioritised a stream.
        case boardChanged
    }

    init(
        store: OfflineStore, offline: OfflineModel, remote: any ODataStore, categories: Set<String>?,
        progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws {
        self.store = store
        meter = UploadMeter(progress)
        let configuration = store.configuration
        let now = Int64(configuration.now().timeIntervalSince1970.rounded(.down))
        let horizon = now - Int64(RepetitionPolicy.days) * 86_400
        let (items, streams, policy, batches, deepInserts, parts) = try await store.database.writing {
            [media = store.media] db in
            try RequestQueue(db: db).recover()
            try StoreValues(db: db).removeSettledUnproven()
            let batches = try BatchReliability(StoreValues(db: db))
            let deepInserts = DeepInsertPolicy(
                choice: configuration.deepInserts, model: offline.model, sendsSingly: batches.sendsSingly)
            let parts = try deepInserts.takeApart(db, offline)
            let hasRepeated = try StoreValues(db: db).integer("hasRepeated") == 1
            let policy = RepetitionPolicy(
                configuration.exactlyOnce, model: offline.model, hasRepeated: hasRepeated)
            let items = try UploadSelection(db: db, policy: policy, horizon: horizon).items(categories)
            return (
                items, try UploadTransfers(db: db, media: media).all(), policy, batches, deepInserts, parts
            )
        }
        self.batches = batches
        try await store.learning.tellEditLinks(offline)
        self.streams = streams
        self.horizon = horizon
        for set in items.compactMap({ parts[$0.id] }) { self.deepInserts[set] = [.parts] }
        sender = UploadSender(
            store: store, offline: offline, remote: remote, policy: policy, deepInserts: deepInserts, meter: meter)
        plan = UploadPlan(
            items, dependents: UploadSelection.dependents(in: offline.schema),
            limit: batches.sendsSingly ? 1 : configuration.batchSize)
    }

    /// - Parameter event: Learns what became of the requests.
    /// - Throws: ``ODataError`` that concerns more than one request; what follows stays unsent.
    mutating func run(noting event: EventRecorder) async throws -> UploadReport {
        let changes = board.beginUploads(streams)
        defer { board.endUploads() }
        await askForModel()
        if stop == nil { try await sendAll(changes) }
        meter.note(requests: plan.count, done: done)
        let singly = batches.sendsSingly && plan.count > 1 ? Self.singly : report.notice
        let notices = [singly, DeepInsertForm.notice(deepInserts)].compactMap(\.self)
        report.notice = notices.isEmpty ? nil : notices.joined(separator: " ")
        report.notSent = try await entries(plan.left)
        event.note(report)
        guard var stop else { return report }
        stop.cause = UploadInterruption(report: report, cause: stop.cause)
        throw stop
    }

    /// A request counts as sent from before it leaves: that one without which a client sends none must have come before.
    private mutating func askForModel() async {
        guard plan.count > 0 else { return }
        meter.note(requests: plan.count, done: done)
        do { _ = try await sender.remote.model() } catch {
            var failure = ODataError(any: error).ofNothingSent
            if !failure.endsUpload {
                // What came instead of the metadata is no response to any request.
                failure.code = .unreachable
                failure.message = "The service's metadata cannot be read: \(failure.message)"
            }
            stop = failure
        }
    }

    /// - Parameter changes: Yields when the app pauses, cancels or reprioritises a stream.
    private mutating func sendAll(_ changes: AsyncStream<Void>) async throws {
        let width = max(1, store.configuration.parallelUploads)
        try await withThrowingTaskGroup(of: Event.self) { [sender] group in
            var running = 0
            var isListening = false
            defer { group.cancelAll() }
            while true {
                while running < width, stop == nil, let step = try await next(isIdle: running == 0) {
                    if case .hold(let units) = step {
                        report.held += try await sender.hold(units)
                        done += units.reduce(0) { $0 + $1.ids.count }
                        continue
                    }
                    guard !Task.isCancelled else {
                        stop = ODataError(
                            .cancelled, "The upload was cancelled; what is not sent stays in the queue.")
                        break
                    }
                    try await tell(step)
                    group.addTask {
                        try await sender.store.observation.instruments.span("odata.upload.step") { span in
                            span.set("odata.requests", to: step.units.reduce(0) { $0 + $1.ids.count })
                            return .sent(try await sender.run(step))
                        }
                    }
                    running += 1
                }
                guard running > 0 else { return }
                if !isListening, !Task.isCancelled {
                    isListening = true
                    group.addTask {
                        for await _ in changes { break }
                        return .boardChanged
                    }
                }
                switch try await group.next() {
                case .sent(let sendResult)?:
                    running -= 1
                    try await settle(sendResult)
                case .boardChanged?: isListening = false
                case nil: return
                }
            }
        }
    }

    /// The next step. Paused streams are not waited for when nothing else is left.
    ///
    /// - Parameter isIdle: Whether no request is in flight.
    private mutating func next(isIdle: Bool) async throws -> UploadPlan.Step? {
        let cancelled = plan.apply(UploadPlan.Control(board.uploadControl))
        try await leave(cancelled)
        if let step = plan.next() { return step }
        guard isIdle else { return nil }
        let paused = plan.blockPaused()
        try await leave(paused)
        return plan.next()
    }

    /// Skips units that the app has paused or cancelled.
    private mutating func leave(_ units: [UploadUnit]) async throws {
        guard !units.isEmpty else { return }
        let left = try await entries(units.flatMap(\.ids))
        report.stoppedStreams += left
        done += units.reduce(0) { $0 + $1.ids.count }
    }

    private func tell(_ step: UploadPlan.Step) async throws {
        let current = try await entries(step.units.first.map { Array($0.ids.prefix(1)) } ?? []).first
        meter.note(requests: plan.count, done: done, current: current)
    }

    private mutating func settle(_ sendResult: SendResult) async throws {
        report.succeeded += sendResult.report.succeeded
        report.failed += sendResult.report.failed
        report.unconfirmed += sendResult.report.unconfirmed
        report.givenUp += sendResult.report.givenUp
        report.waitingStreams += sendResult.report.waitingStreams
        report.stoppedStreams += sendResult.report.stoppedStreams
        for (unit, outcome) in sendResult.outcomes {
            plan.settle(unit, outcome)
            board.note(unit, sendResult)
            if [.executed, .blocked, .stopped].contains(outcome) { done += unit.ids.count }
        }
        deepInserts.merge(sendResult.deepInserts) { $0.union($1) }
        // Parts that continue by themselves are done later.
        done -= sendResult.made.filter { plan.contains($0.id) }.count
        let items = sendResult.made + sendResult.changed
        plan.add(sendResult.made)
        plan.add(try await missing(for: items))
        plan.update(items)
        try await note(sendResult)
        if let refused = sendResult.refusedCount { plan.reduceLimit(below: refused) }
        if let error = sendResult.stop { stop = stop ?? (error.isOutcomeUnknown ? error.noResponse : error) }
    }

    /// Whether the service supports batches.
    private mutating func note(_ sendResult: SendResult) async throws {
        let before = batches
        switch sendResult.batch {
        case let sign?: batches.note(sign)
        case nil: if !sendResult.report.succeeded.isEmpty { batches.noteSingle() }
        }
        guard batches != before else { return }
        try await store.database.writingDurably { [batches] db in try batches.keep(StoreValues(db: db)) }
        if batches.sendsSingly { report.notice = Self.singly }
    }

    private static let singly = "The service fails batches as a whole: requests are sent one by one."

    /// What the requests wait for now and is not part of the upload yet: it is of another category, or was made since.
    private func missing(for items: [UploadItem]) async throws -> [UploadItem] {
        let ids = Set(items.flatMap(\.dependsOn)).filter { !plan.contains($0) }
        guard !ids.isEmpty else { return [] }
        let needed = try await store.database.readingToEnd { [policy = sender.policy, horizon] db in
            try UploadSelection(db: db, policy: policy, horizon: horizon).items(needed: ids)
        }
        return needed.filter { !plan.contains($0.id) }
    }

    private func entries(_ ids: [Int64]) async throws -> [QueueEntry] {
        try await store.database.readingToEnd { db in
            let queue = RequestQueue(db: db)
            return try ids.compactMap { try queue.record($0).map(QueueEntry.init) }
        }
    }
}

extension UploadPlan.Step {
    var units: [UploadUnit] {
        switch self {
        case .send(let units), .hold(let units): units
        case .confirm(let unit): [unit]
        }
    }
}

extension UploadSender {
    fileprivate func run(_ step: UploadPlan.Step) async throws -> SendResult {
        switch step {
        case .send(let units): try await send(units)
        case .confirm(let unit): try await LostResponse(sender: self).run(unit)
        case .hold: SendResult()
        }
    }
}

extension ODataError {
    fileprivate var noResponse: ODataError {
        var failure = ODataError(
            .unreachable,
            "There was no response: the request may have been executed. The next upload determines this. " + message,
            cause: self)
        failure.request = request
        return failure
    }
}

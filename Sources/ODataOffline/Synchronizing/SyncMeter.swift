import Foundation
import ODataStores
import Synchronization

/// Adds up the progress of an upload, a download or both, and shows it in the store's ``SyncState``.
final class SyncMeter: Sendable {
    private struct State {
        var progress = SyncProgress(phase: .idle)
        var sum = SyncFraction()
        var rate = ByteRate()
        var streamBytes: Int64 = 0
        var sentBytes: Int64 = 0

        mutating func update(at time: Date) {
            progress.bytes = progress.queries.reduce(streamBytes + sentBytes) { $0 + $1.bytes }
            progress.bytesPerSecond = rate.note(progress.bytes, at: time)
            progress.fraction = sum.fraction(of: progress, atLeast: progress.fraction)
        }
    }

    private let board: SyncBoard
    private let now: @Sendable () -> Date
    private let report: @Sendable (SyncProgress) -> Void
    private let state = Mutex(State())

    init(_ store: OfflineStore, report: @escaping @Sendable (SyncProgress) -> Void = { _ in }) {
        board = store.syncBoard
        now = store.configuration.now
        self.report = report
    }

    /// Shows the run while `body` runs, and its error afterwards.
    func following<Result>(_ body: (SyncMeter) async throws -> Result) async throws -> Result {
        do {
            let result = try await body(self)
            end(with: nil)
            return result
        } catch {
            end(with: ODataError(any: error))
            throw error
        }
    }

    private func end(with failure: ODataError?) {
        board.update { state in
            (state.phase, state.progress) = (.idle, nil)
            guard failure?.code != .cancelled else { return }
            state.failure = failure
            state.isConnected = failure.map { $0.code != .unreachable || $0.status != nil } ?? true
        }
    }

    /// What the run has to do, as far as it is known before.
    func expect(requests: Int, queries: [QueryRecord]) {
        change { state in
            state.progress.phase = requests > 0 ? .uploading : .downloading
            state.progress.requests = requests
            state.sum = SyncFraction(hasRequests: requests > 0, queries: queries.map(\.definition))
        }
    }

    func enter(_ phase: SyncState.Phase) { change { $0.progress.phase = phase } }

    private func note(_ step: UploadProgress) {
        change { state in
            (state.progress.requests, state.progress.finishedRequests) = (step.requests, step.done)
            state.sentBytes = step.acknowledgedBytes
        }
    }

    private func note(_ step: DownloadProgress) {
        guard !step.query.isEmpty || step.phase == .streams else { return }
        change { state in
            guard step.phase != .streams else {
                state.progress.streams = step.streams
                state.progress.finishedStreams = step.finishedStreams + step.failedStreams
                state.streamBytes = step.bytes
                return
            }
            let index = state.progress.index(of: step.query)
            state.progress.queries[index].note(step)
        }
    }

    /// Notes the progress and reports it to `progress`.
    func noting(_ progress: @escaping @Sendable (DownloadProgress) -> Void) -> @Sendable (DownloadProgress) -> Void {
        { step in
            self.note(step)
            progress(step)
        }
    }

    /// Notes the progress and reports it to `progress`.
    func noting(_ progress: @escaping @Sendable (UploadProgress) -> Void) -> @Sendable (UploadProgress) -> Void {
        { step in
            self.note(step)
            progress(step)
        }
    }

    /// A query is up to date.
    func ended(_ query: String) {
        change { state in
            let index = state.progress.index(of: query)
            state.progress.queries[index].fraction = 1
        }
    }

    func succeeded(_ time: String) { board.update { $0.lastSuccess = StoreTime.date(of: time) } }

    private func change(_ body: (inout State) -> Void) {
        let time = now()
        // In their order, so that no fraction is less than one before.
        state.withLock { state in
            body(&state)
            state.update(at: time)
            let progress = state.progress
            board.update { shown in (shown.phase, shown.progress) = (progress.phase, progress) }
            report(progress)
        }
    }
}

extension SyncProgress {
    fileprivate mutating func index(of query: String) -> Int {
        if let index = queries.firstIndex(where: { $0.name == query }) { return index }
        queries.append(Query(name: query))
        return queries.count - 1
    }
}

extension SyncProgress.Query {
    /// All entities are received before they are published, which is the rest.
    private static let receiving = 0.95

    fileprivate mutating func note(_ step: DownloadProgress) {
        (entities, totalEntities) = (step.entities, step.totalEntities ?? step.expectedEntities)
        bytes = max(step.bytes, step.receivedBytes)
        guard let part = step.fraction else { return }
        fraction = max(fraction ?? 0, part * Self.receiving)
    }
}

/// The fraction of a run that is done. Queries count three times as much as requests and as streams, of which the number
/// is known late.
private struct SyncFraction {
    private static let queryWeight = 3.0
    private var hasRequests = false
    private var queries = 0
    private var hasStreams = false

    init() {}

    init(hasRequests: Bool, queries: [DefiningQuery]) {
        self.hasRequests = hasRequests
        self.queries = queries.count
        hasStreams = queries.contains(where: \.retrievesStreams)
    }

    func fraction(of progress: SyncProgress, atLeast before: Double) -> Double {
        var (done, all) = (0.0, 0.0)
        if hasRequests || progress.requests > 0 {
            all += 1
            let part = Double(progress.finishedRequests) / Double(max(1, progress.requests))
            done += progress.phase == .downloading ? 1 : min(1, part)
        }
        let count = max(queries, progress.queries.count)
        if count > 0 {
            all += Self.queryWeight
            done += progress.queries.reduce(0) { $0 + ($1.fraction ?? 0) } / Double(count) * Self.queryWeight
        }
        if hasStreams {
            all += 1
            if progress.streams > 0 { done += Double(progress.finishedStreams) / Double(progress.streams) }
        }
        return all > 0 ? max(before, min(1, done / all)) : before
    }
}

/// Bytes per second over the last seconds.
private struct ByteRate {
    private static let window = 5.0
    private var samples: [(time: Date, bytes: Int64)] = []

    init() {}

    /// - Returns: Nil within the first moments.
    mutating func note(_ bytes: Int64, at time: Date) -> Double? {
        // A sample for each tenth of a second at most.
        if let last = samples.last, samples.count > 1, abs(time.timeIntervalSince(last.time)) < 0.1 {
            samples[samples.count - 1].bytes = bytes
        } else {
            samples.append((time, bytes))
        }
        samples.removeAll { abs(time.timeIntervalSince($0.time)) > Self.window }
        guard let first = samples.first, time.timeIntervalSince(first.time) >= 0.1, bytes >= first.bytes else {
            return nil
        }
        return Double(bytes - first.bytes) / time.timeIntervalSince(first.time)
    }
}

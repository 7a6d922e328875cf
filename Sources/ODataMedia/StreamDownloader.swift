import MediaFiles
import ODataStores

/// Downloads streams from any store into a media folder, some of them at a time.
///
/// The received bytes of a stream are kept when the transfer breaks off, when the task is cancelled or the process
/// ends, and is continued by the next run. A stream that fails does so alone; one that waits before it is tried again
/// leaves its place to others, unless streams come one at a time or in parts.
package struct StreamDownloader: Sendable {
    let store: any ODataStore
    let folder: MediaFolder
    let board: TransferBoard
    let plan: RetryPlan
    let segments: SegmentPlan?
    let pause: @Sendable (Duration) async throws -> Void
    /// Streams of up to so many bytes are handed out and not put into the folder.
    let smallLimit: Int
    let admits: Admission
    let arrived: Arrival
    let finish: Finish

    /// Whether a stream is transferred in this run; evaluated when it is next.
    package typealias Admission = @Sendable (StreamDownloadRequest) async -> Bool

    /// Called with the length in bytes of each stream that is complete, before the next one is admitted.
    package typealias Arrival = @Sendable (_ length: Int64) -> Void

    /// Makes a complete stream out of a partial one, of an expected length and digest where these are known.
    package typealias Finish =
        @Sendable (_ partial: PartialMedia, _ length: Int64?, _ digest: String?) throws -> StoredMedia

    /// - Parameters:
    ///   - board: Says how many streams are downloaded at a time, and which. It has one run at a time.
    ///   - segments: Which streams come in parts, several at a time; nil for none.
    ///   - pause: Waits before a transfer is tried again; throws when the task is cancelled.
    ///   - smallLimit: Streams of up to so many bytes are handed out and not put into the folder; 0: none.
    ///   - admits: Streams that are not admitted have no result.
    ///   - finish: Who records what is in the folder does so here.
    package init(
        store: any ODataStore, folder: MediaFolder, board: TransferBoard = TransferBoard(limit: 4),
        plan: RetryPlan = RetryPlan(), segments: SegmentPlan? = nil,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        smallLimit: Int = 0, admits: @escaping Admission = { _ in true }, arrived: @escaping Arrival = { _ in },
        finish: @escaping Finish = { try $0.finish(expectedLength: $1, expectedDigest: $2) }
    ) {
        self.store = store
        self.folder = folder
        self.board = board
        self.plan = plan
        self.segments = segments
        self.pause = pause
        self.smallLimit = smallLimit
        self.admits = admits
        self.arrived = arrived
        self.finish = finish
    }

    fileprivate enum Event: Sendable {
        case ended(StreamDownloadRequest, StreamTransfer.Ending)
        /// The app has paused or cancelled it.
        case stopped(StreamDownloadRequest)
        /// A wait is over.
        case time(Duration)
        /// Something on the board has changed.
        case boardChanged
    }

    /// Downloads all `requests` and hands out each result as soon as it is there, one after the other. A name that
    /// occurs twice is downloaded once. What the app has paused has no result.
    ///
    /// - Parameters:
    ///   - progress: Called for every piece of every stream; not for long.
    ///   - handle: Takes a result in. If it throws, the rest is cancelled.
    /// - Throws: What `handle` throws, and `CancellationError`.
    package func download(
        _ requests: [StreamDownloadRequest],
        progress: @escaping @Sendable (StreamDownloadProgress) -> Void = { _ in },
        handle: (StreamDownloadResult) async throws -> Void
    ) async throws {
        var rest = requests
        try await download(
            requests.count, progress: progress,
            more: { _ in
                defer { rest = [] }
                return StreamDownloadBatch(requests: rest)
            }, handle: handle)
    }

    /// Downloads streams of which no more are known at a time than ``TransferBoard`` has room for.
    ///
    /// - Parameters:
    ///   - count: How many there are, as far as is known.
    ///   - more: Gives the next ones, about so many; none if there are no more. One that is known and not over may come again.
    package func download(
        _ count: Int, progress: @escaping @Sendable (StreamDownloadProgress) -> Void = { _ in },
        more: (_ limit: Int) async throws -> StreamDownloadBatch,
        handle: (StreamDownloadResult) async throws -> Void
    ) async throws {
        let meter = StreamDownloadMeter(streams: count, report: progress)
        // Those that are not over.
        var known: [TransferSnapshot.ID: StreamDownloadRequest] = [:]
        var courses: [TransferSnapshot.ID: StreamTransfer.Course] = [:]
        var (given, isWhole) = (0, false)
        func handleCancelled(_ request: StreamDownloadRequest) async throws {
            known[request.id] = nil
            courses[request.id] = nil
            try await handle(cancelled(request, meter))
        }
        func take() async throws {
            let batch = try await more(board.batch)
            if batch.fewer > 0 { meter.note { $0.streams -= batch.fewer } }
            let before = known.count
            known.merge(batch.requests.map { ($0.id, $0) }) { first, _ in first }
            given += known.count - before
            isWhole = batch.requests.isEmpty
            meter.know(given, all: isWhole)
            board.add(batch.requests)
        }
        let changes = board.begin()
        defer { board.end(known.keys) }
        try await take()
        let beginning = ContinuousClock.now
        // A wait that is over counts, whatever the clock says.
        var waited = Duration.zero
        var now: Duration { max(waited, beginning.duration(to: .now)) }
        try await withThrowingTaskGroup(of: Event.self) { group in
            func listen() {
                group.addTask {
                    for await _ in changes { break }
                    return .boardChanged
                }
            }
            func start() {
                var turns = board.start(at: now)[...]
                while let turn = turns.popFirst() {
                    guard let request = known[turn.id] else {
                        // It is over: its place is another one's.
                        board.notAdmitted(turn.id)
                        turns += board.start(at: now)
                        continue
                    }
                    let transfer = StreamTransfer(
                        request: request, downloader: self, meter: meter,
                        course: courses.removeValue(forKey: turn.id))
                    group.addTask { try await transfer.run(until: turn.stop) }
                }
            }
            listen()
            while true {
                try Task.checkCancellation()
                start()
                while !isWhole, board.hasRoom {
                    try await take()
                    start()
                }
                for id in board.takeCancelled() {
                    if let request = known[id] { try await handleCancelled(request) }
                }
                guard board.isBusy, let event = try await group.next() else { break }
                switch event {
                case .boardChanged:
                    listen()
                case .time(let time):
                    waited = max(waited, time)
                case .stopped(let request):
                    let goesOn = board.stopped(request.id)
                    start()
                    if !goesOn { try await handleCancelled(request) }
                case .ended(let request, .notAdmitted):
                    board.notAdmitted(request.id)
                    known[request.id] = nil
                case .ended(let request, .over(let result)):
                    board.ended(request.id, result.outcome.map(\.media.length).mapError(\.storeError))
                    known[request.id] = nil
                    if case .success(let stream) = result.outcome { arrived(stream.media.length) }
                    start()
                    try await handle(result)
                case .ended(let request, .later(let course, after: let delay)):
                    let time = now + delay
                    courses[request.id] = course
                    let goesOn = board.stopped(
                        request.id, until: time, holdsHost: course.download.isHeldByService)
                    group.addTask {
                        try await pause(delay)
                        return .time(time)
                    }
                    start()
                    if !goesOn { try await handleCancelled(request) }
                }
            }
            group.cancelAll()
        }
    }

    private func cancelled(_ request: StreamDownloadRequest, _ meter: StreamDownloadMeter) -> StreamDownloadResult {
        meter.note { $0.failed += 1 }
        let error = ODataError(.cancelled, "The app has cancelled the download of \(request.name).")
        return StreamDownloadResult(
            request: request, outcome: .failure(StreamDownloadError(cause: error, attempts: 0)))
    }
}

extension StreamTransfer {
    /// As ``run()``, but ends early when `stop` does.
    fileprivate func run(until stop: AsyncStream<Void>) async throws -> StreamDownloader.Event {
        try await withThrowingTaskGroup(of: Ending?.self) { group in
            group.addTask { try await run() }
            group.addTask {
                for await _ in stop {}
                return nil
            }
            defer { group.cancelAll() }
            if let ending = try await group.next() ?? nil { return .ended(request, ending) }
            group.cancelAll()
            do {
                // It may have come to its end meanwhile. In any case it has left its partial stream when this returns.
                if let ending = try await group.next() ?? nil { return .ended(request, ending) }
            } catch is CancellationError {
                try Task.checkCancellation()
            }
            return .stopped(request)
        }
    }
}

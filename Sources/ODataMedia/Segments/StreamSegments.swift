import MediaFiles
import ODataStores
import Synchronization

/// The parts of one stream that come beside its beginning, each into a partial stream of its own, which only grows at
/// its end as any other does.
///
/// The beginning is received with the request for all, and read up to the first part that the service returns as it was
/// requested (206); then the part is appended, and so on. A part that the service does not give so is left to the
/// beginning, which is read on. The next run continues an incomplete part.
final class StreamSegments: Sendable {
    /// One of them.
    struct Part: Sendable {
        let range: Range<Int64>
        let partial: PartialMedia
        /// Ends when no more bytes follow.
        let coming = AsyncStream.makeStream(of: Void.self)
    }

    private struct State {
        /// Where the beginning has come to.
        var position: Int64 = 0
        /// Nil before they have begun.
        var origin: PartialOrigin?
        /// Those that are not appended yet, in order.
        var parts: [Part] = []
        /// Where those begin that the service gives.
        var accepted: Set<Int64> = []
        /// Whether the stream is another one now.
        var isOver = false
        var transferred: Int64 = 0

        /// Where the beginning ends, for now.
        var end: Int64? { isOver ? nil : accepted.filter { $0 >= position }.min() }
    }

    let request: StreamDownloadRequest
    let downloader: StreamDownloader
    let meter: StreamDownloadMeter
    private let plan: SegmentPlan
    private let work = AsyncStream.makeStream(of: [Part].self)
    private let state = Mutex(State())

    init(
        request: StreamDownloadRequest, downloader: StreamDownloader, meter: StreamDownloadMeter, plan: SegmentPlan
    ) {
        (self.request, self.downloader, self.meter, self.plan) = (request, downloader, meter, plan)
    }

    /// The bytes received beside the beginning in this run.
    var transferred: Int64 { state.withLock(\.transferred) }

    /// Downloads the parts as soon as it is known which. Returns when it is cancelled, if these never begin.
    func run() async {
        for await parts in work.stream {
            if let origin = state.withLock(\.origin) { await transfer(parts, of: origin) }
        }
    }

    /// The beginning is about to come from `position` on. The first call, if the stream has a strong tag and a known
    /// length, begins the parts: those of an earlier run, else as planned.
    func begin(_ origin: PartialOrigin?, at position: Int64) throws {
        let isFirst = state.withLock { state in
            state.position = position
            guard state.origin == nil, !state.isOver else { return false }
            state.origin = origin ?? PartialOrigin()
            return true
        }
        guard isFirst else { return }
        defer { work.continuation.finish() }
        guard let origin, origin.strongETag != nil, let total = origin.totalLength, position < total,
            plan.divides(total)
        else { return }
        let parts = try parts(of: origin, from: position, to: total)
        guard !parts.isEmpty else { return }
        state.withLock { state in
            state.parts = parts
            state.accepted = Set(parts.filter { $0.partial.length > 0 }.map(\.range.lowerBound))
        }
        work.continuation.yield(parts)
    }

    /// The beginning begins anew, with the bytes of this stream.
    func restart(_ origin: PartialOrigin) {
        state.withLock { state in
            state.position = 0
            if let known = state.origin, known.strongETag != origin.strongETag { state.isOver = true }
        }
    }

    /// How many of the next `count` bytes belong to the beginning.
    func take(_ count: Int) -> Int {
        state.withLock { state in
            let own = min(Int64(count), (state.end ?? .max) - state.position)
            state.position += own
            return Int(own)
        }
    }

    /// The part that is next, if the service gives it.
    func next(at position: Int64) -> Part? {
        state.withLock { state in
            guard state.end == position else { return nil }
            return state.parts.first { $0.range.lowerBound == position }
        }
    }

    /// The bytes of a part have been appended, so many of them as there were.
    func joined(_ part: Part, _ count: Int64) throws {
        state.withLock { state in
            state.position += count
            _ = state.accepted.remove(part.range.lowerBound)
            state.parts.removeAll { $0.range == part.range }
        }
        try part.partial.discard()
    }

    /// Ends the work, after ``run()`` has returned.
    ///
    /// - Parameter result: Nil if the download was broken off.
    func close(after result: StreamDownloadResult?) throws {
        let keepsBytes = result?.isContinued ?? true
        let (parts, accepted) = state.withLock { ($0.parts, $0.isOver ? [] : $0.accepted) }
        for part in parts {
            if keepsBytes, accepted.contains(part.range.lowerBound), part.partial.length > 0 {
                try part.partial.synchronise()
            } else {
                try part.partial.discard()
            }
        }
        // What is left of a run that ended after it had appended a part.
        guard case .success(let stream)? = result?.outcome, plan.divides(stream.media.length) else { return }
        for start in try downloader.folder.parts(named: request.name) {
            try downloader.folder.partial(named: request.name, part: start).discard()
        }
    }

    /// - Returns: False if the beginning has come further already, or the stream is another one.
    func accept(_ part: Part) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            if state.accepted.contains(part.range.lowerBound) { return true }
            guard state.position <= part.range.lowerBound else { return false }
            state.accepted.insert(part.range.lowerBound)
            return true
        }
    }

    /// The received bytes of a part do not match the service's digest: the beginning is read on instead.
    func withdraw(_ part: Part) throws {
        state.withLock { _ = $0.accepted.remove(part.range.lowerBound) }
        try part.partial.discard()
    }

    func isAccepted(_ part: Part) -> Bool { state.withLock { $0.accepted.contains(part.range.lowerBound) } }

    var isOver: Bool { state.withLock(\.isOver) }

    func note(_ count: Int) {
        state.withLock { $0.transferred += Int64(count) }
        meter.note { $0.transferred += Int64(count) }
    }

    /// The bytes of an earlier run are used if they are of the same version and before the beginning.
    private func parts(of origin: PartialOrigin, from position: Int64, to total: Int64) throws -> [Part] {
        let (folder, name) = (downloader.folder, request.name)
        var partials: [(start: Int64, partial: PartialMedia)] = []
        for start in try folder.parts(named: name) {
            let partial = try folder.partial(named: name, part: start)
            if (position..<total).contains(start), partial.origin?.strongETag == origin.strongETag {
                partials.append((start, partial))
            } else {
                try partial.discard()
            }
        }
        if partials.isEmpty {
            partials = try plan.starts(from: position, to: total).map {
                (start: $0, partial: try folder.partial(named: name, part: $0))
            }
        }
        let ends = partials.dropFirst().map { $0.start } + [total]
        return zip(partials, ends).map { Part(range: $0.start..<$1, partial: $0.partial) }
    }
}

import MediaFiles
import ODataStores

/// Downloads streams from any store into a media folder, some of them at a time.
///
/// What came of a stream is kept when it breaks off, when the task is cancelled or the process ends, and is continued
/// by the next run. A stream that fails does so alone.
package struct StreamDownloader: Sendable {
    let store: any ODataStore
    let folder: MediaFolder
    /// How many streams are downloaded at a time.
    let limit: Int
    let plan: RetryPlan
    let pause: @Sendable (Duration) async throws -> Void

    /// - Parameter pause: Waits before a transfer is tried again; throws when the task is cancelled.
    package init(
        store: any ODataStore, folder: MediaFolder, limit: Int = 4, plan: RetryPlan = RetryPlan(),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.store = store
        self.folder = folder
        self.limit = max(1, limit)
        self.plan = plan
        self.pause = pause
    }

    /// Downloads all `requests` and hands out each result as soon as it is there, one after the other.
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
        let meter = StreamDownloadMeter(streams: requests.count, report: progress)
        var waiting = inOrder(requests).makeIterator()
        try await withThrowingTaskGroup(of: StreamDownloadResult.self) { group in
            for request in Array(waiting.next(limit)) { start(request, in: &group, meter: meter) }
            while let result = try await group.next() {
                if let request = waiting.next() { start(request, in: &group, meter: meter) }
                try await handle(result)
            }
        }
    }

    private func start(
        _ request: StreamDownloadRequest, in group: inout ThrowingTaskGroup<StreamDownloadResult, any Error>,
        meter: StreamDownloadMeter
    ) {
        group.addTask {
            try await StreamTransfer(request: request, downloader: self, meter: meter).run()
        }
    }

    /// The greatest priority first; a name that comes twice is downloaded once.
    private func inOrder(_ requests: [StreamDownloadRequest]) -> [StreamDownloadRequest] {
        var names: Set<String> = []
        let distinct = requests.filter { names.insert($0.name).inserted }
        return distinct.enumerated()
            .sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }
            .map(\.element)
    }
}

extension IteratorProtocol {
    /// The next elements, at most `count`.
    fileprivate mutating func next(_ count: Int) -> [Element] {
        var elements: [Element] = []
        while elements.count < count, let element = next() { elements.append(element) }
        return elements
    }
}

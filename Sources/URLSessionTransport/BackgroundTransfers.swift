#if canImport(Darwin)
    import Foundation
    import HTTPTypes
    import ODataTransport
    import Synchronization

    /// Transfers of files that continue while the app does not run, and are found again when it is started anew.
    ///
    /// Make one with the same identifier at each start of the app: ``events`` then reports what ended meanwhile, and
    /// ``pending()`` what is still under way. Each transfer has an id that the app gives, such as the path of the
    /// entity whose stream it is. A downloaded file stays in the folder until the app takes it.
    ///
    /// Only for Apple platforms; it has not been run on Linux, where sessions have no background.
    public final class BackgroundTransfers: Sendable {
        /// The end of a transfer.
        public struct Event: Sendable {
            public var id: String
            /// Nil without a response.
            public var status: Int?
            /// What was downloaded; nil for uploads and failures.
            public var file: URL?
            /// The transfer has to be started again.
            public var error: TransportError?
        }

        /// One after the other, for one consumer.
        public let events: AsyncStream<Event>
        private let session: URLSession
        private let delegate: BackgroundDelegate

        /// - Parameters:
        ///   - identifier: Of the session; the same at each start of the app.
        ///   - folder: Where downloaded files are put; it must exist.
        public init(identifier: String, folder: URL) {
            let (events, reporter) = AsyncStream<Event>.makeStream()
            self.events = events
            let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
            configuration.httpCookieStorage = nil
            delegate = BackgroundDelegate(folder: folder, reporter: reporter)
            session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        }

        /// Calls `completion` when the session has reported all transfers that ended while the app did not run.
        ///
        /// For `application(_:handleEventsForBackgroundURLSession:completionHandler:)`, with which the system starts the
        /// app: make the transfers with that identifier, and give the handler here.
        public func whenEventsAreReported(_ completion: @escaping @MainActor () -> Void) {
            delegate.completion.withLock { $0 = completion }
        }

        /// The ids of transfers that have not ended.
        public func pending() async -> Set<String> {
            Set(await session.allTasks.compactMap(\.taskDescription))
        }

        /// Starts a download; `request` carries its authorization with it.
        ///
        /// - Throws: ``OData/TransportError`` with code `invalidURL`.
        public func download(_ request: HTTPRequest, id: String) throws {
            var request = request
            // Its length is checked.
            if request.headerFields[.acceptEncoding] == nil { request.headerFields[.acceptEncoding] = "identity" }
            start(session.downloadTask(with: try URLRequest(sending: request)), id: id)
        }

        /// Starts an upload of the file, which must stay until the transfer has ended.
        ///
        /// - Throws: ``OData/TransportError`` with code `invalidURL`.
        public func upload(_ file: URL, request: HTTPRequest, id: String) throws {
            start(session.uploadTask(with: try URLRequest(sending: request), fromFile: file), id: id)
        }

        /// Ends the transfer; its event has the code `cancelled`.
        public func cancel(id: String) async {
            for task in await session.allTasks where task.taskDescription == id { task.cancel() }
        }

        private func start(_ task: URLSessionTask, id: String) {
            task.taskDescription = id
            task.resume()
        }
    }

    private final class BackgroundDelegate: NSObject, URLSessionDownloadDelegate {
        private let folder: URL
        private let reporter: AsyncStream<BackgroundTransfers.Event>.Continuation
        private let files = Mutex<[Int: URL]>([:])
        let completion = Mutex<(@MainActor () -> Void)?>(nil)

        init(folder: URL, reporter: AsyncStream<BackgroundTransfers.Event>.Continuation) {
            self.folder = folder
            self.reporter = reporter
        }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {
            let file = folder.appendingPathComponent("transfer-\(UUID().uuidString)")
            guard (try? FileManager.default.moveItem(at: location, to: file)) != nil else { return }
            files.withLock { $0[downloadTask.taskIdentifier] = file }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let file = files.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            var event = BackgroundTransfers.Event(id: task.taskDescription ?? "", file: file)
            event.status = (task.response as? HTTPURLResponse)?.statusCode
            event.error = failure(of: task, file: file, error: error)
            reporter.yield(event)
        }

        func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            guard let completion = completion.withLock({ $0.take() }) else { return }
            Task { @MainActor in completion() }
        }

        private func failure(of task: URLSessionTask, file: URL?, error: (any Error)?) -> TransportError? {
            if let error {
                return TransportError.wrap(error, host: task.originalRequest?.url?.host() ?? "") as? TransportError
            }
            if task is URLSessionDownloadTask {
                guard let file else { return TransportError(.interrupted, "The downloaded file could not be kept.") }
                let length = (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize).flatMap { Int64($0) }
                let expected = task.countOfBytesExpectedToReceive
                guard expected >= 0, length != expected else { return nil }
                return TransportError(.truncated, "\(length ?? 0) of \(expected) bytes arrived.")
            }
            guard task.countOfBytesSent != task.countOfBytesExpectedToSend else { return nil }
            return TransportError(
                .truncated, "\(task.countOfBytesSent) of \(task.countOfBytesExpectedToSend) bytes were sent.")
        }
    }
#endif

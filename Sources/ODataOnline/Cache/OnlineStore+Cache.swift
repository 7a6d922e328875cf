import ODataStores

extension OnlineStore {
    /// Where the results of a read come from.
    public enum CacheMode: Hashable, Sendable {
        /// First the response that is in the cache, if there is one, then the service's: an app shows at once what it
        /// knows, and then what is true.
        case active
        /// The response that is in the cache, and nothing else: an app without a network.
        case passive
    }

    /// A result with its source.
    public struct SourcedResult: Sendable {
        /// Who gave the result.
        public enum Source: Hashable, Sendable {
            /// The response cache, as the service responded some time ago.
            case cache
            /// The service has responded now, be it only to confirm what is in the cache.
            case service
        }

        /// Who has vouched for the result: in mode `passive` always the cache.
        public var source: Source
        /// The service confirmed what is in the cache: the result is the same as the one before.
        public var isConfirmed: Bool
        /// To be read as that of ``OnlineStore/read(_:)``.
        public var result: ReadResult
    }

    /// Reads by way of ``Configuration/responseCache``.
    ///
    /// ```swift
    /// for try await response in store.results(of: request) where !response.isConfirmed { show(response.result) }
    /// ```
    ///
    /// In mode `active` there are one or two results; if the service fails, its ``ODataError`` ends the
    /// sequence after what the cache had. In mode `passive` there is one result, or an error with code `notInCache`.
    /// Rows are read as of any result; what is kept for later is the whole of a page that was read to its end.
    public func results(
        of request: ReadRequest, mode: CacheMode = .active
    ) -> AsyncThrowingStream<SourcedResult, any Error> {
        let (stream, reporter) = AsyncThrowingStream<SourcedResult, any Error>.makeStream()
        let task = Task {
            do {
                try await self.report(request, mode: mode) { reporter.yield($0) }
                reporter.finish()
            } catch {
                reporter.finish(throwing: error)
            }
        }
        reporter.onTermination = { _ in task.cancel() }
        return stream
    }

    private func report(
        _ request: ReadRequest, mode: CacheMode, to yield: (SourcedResult) -> Void
    ) async throws {
        do {
            let (result, _) = try await read(request, cacheUse: .only)
            yield(SourcedResult(source: .cache, isConfirmed: false, result: result))
        } catch let error as ODataError where mode == .active && error.code == .notInCache {}
        guard mode == .active else { return }
        let (result, isCached) = try await read(request, cacheUse: .asking)
        yield(SourcedResult(source: .service, isConfirmed: isCached, result: result))
    }
}

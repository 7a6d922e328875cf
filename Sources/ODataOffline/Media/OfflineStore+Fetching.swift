import ODataModel
import ODataQuery
import ODataStores

extension OfflineStore {
    /// The response to the read of a stream that is not in the store, once it was fetched; nil if no query with streams
    /// holds it.
    ///
    /// - Throws: ``ODataError`` `mediaNotInStore` if it cannot be fetched now, `cancelled`.
    func fetch(
        _ stored: StoredStream, for request: StreamRequest, from remote: any ODataStore
    ) async throws -> StreamResult? {
        let refresh = StreamRefresh(store: self, offline: try offlineModel(), remote: remote, progress: { _ in })
        switch try await mappingErrors({ try await refresh.fetch(stored.place) }) {
        case nil: return nil
        case .kept:
            let kept = try await reads.stream(at: request.path)
            var result = try kept.result(for: request, in: self)
            result.isCached = false
            // What was asked for is given, whether its room can be made or not.
            try? await streams.makeRoom(sparing: kept.digest)
            return result
        case .busy(let readLink):
            // A download or another reader fetches it.
            var direct = request
            direct.readLink = readLink
            return try await remote.readStream(direct)
        case .forbidden: throw stored.notHere("and the network policy does not allow it to be fetched now.")
        case .failed(let error): throw stored.notHere("and cannot be fetched: \(error.message)", cause: error)
        }
    }
}

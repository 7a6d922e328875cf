import ODataModel
import ODataQuery
import ODataStores

extension OfflineStore {
    private static let thumbnailSizes = 1...4_096

    /// A small image of a stream in the store, which is fetched as by ``readStream(_:)``. It is created once and stored
    /// beside the stream, encrypted if the stream is; it counts for ``Configuration/mediaQuota``, and is evicted before
    /// or with the stream.
    ///
    /// - Parameters:
    ///   - path: A media entity or a stream property.
    ///   - pixels: The length of the sides of the square that it fits into, at most 4,096. Few sizes make few files.
    /// - Throws: ``ODataError`` `mediaNotInStore` if the stream is not in the store and cannot be fetched, `notFound`
    ///   if there is no stream, `unsupportedMediaType` if it is not an image that can be read, `tooLarge`,
    ///   `notImplemented` without a ``Configuration/thumbnailer`` on this platform. `cancelled`, `storage`.
    public func thumbnail(of path: ResourcePath, fitting pixels: Int) async throws -> StreamResult {
        guard Self.thumbnailSizes.contains(pixels) else {
            throw ODataError(.badRequest, "A thumbnail has from 1 to \(Self.thumbnailSizes.upperBound) pixels a side.")
        }
        if case .property(let property) = path.target {
            throw ODataError(.badRequest, "\(property.name) is not a stream.")
        }
        var stored = try await reads.stream(at: path)
        if stored.isAbsent(from: self) {
            // It is fetched where it can be.
            _ = try await readStream(StreamRequest(path))
            stored = try await reads.stream(at: path)
        }
        guard !stored.isAbsent(from: self) else { throw stored.notHere("but on its way: ask again later.") }
        guard let digest = stored.digest else { throw ODataError.noStream(of: stored.url) }
        do {
            return try await StoredThumbnails(store: self, digest: digest, pixels: pixels).result {
                try stored.result(for: StreamRequest(path), in: self).content
            }
        } catch is CancellationError {
            throw ODataError(.cancelled, "The making of a thumbnail was cancelled.")
        } catch {
            throw ODataError(any: error)
        }
    }
}

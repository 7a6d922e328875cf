import ByteStreams
import MediaFiles
import MediaIndexes
import ODataModel
import ODataQuery
import ODataSQLite
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
        var stored = try await storedStream(at: path)
        if stored.isAbsent(from: self) {
            // It is fetched where it can be.
            _ = try await readStream(StreamRequest(path))
            stored = try await storedStream(at: path)
        }
        guard !stored.isAbsent(from: self) else { throw stored.notHere("but on its way: ask again later.") }
        guard let digest = stored.digest else { throw ODataError.noStream(of: stored.url) }
        if let kept = await media.derived(of: digest, size: pixels) { return kept.result }
        do {
            return try await thumbnailTurns.taking {
                // Who had the turn before may have made it.
                if let kept = await media.derived(of: digest, size: pixels) { return kept.result }
                let original = try stored.result(for: StreamRequest(path), in: self)
                return try await makeThumbnail(of: original.content, digest: digest, fitting: pixels).result
            }
        } catch is CancellationError {
            throw ODataError(.cancelled, "The making of a thumbnail was cancelled.")
        } catch {
            throw ODataError(any: error)
        }
    }

    private func storedStream(at path: ResourcePath) async throws -> StoredStream {
        let (offline, database) = try working()
        if case .property(let property) = path.target {
            throw ODataError.notAStream(property.name)
        }
        try await makeTables(for: QuerySets(path).names, offline, in: database)
        return try await database.reading { db in try StoredStream(path: path, offline: offline, in: db) }
    }

    private func makeThumbnail(
        of content: ByteContent, digest: String, fitting pixels: Int
    ) async throws -> DerivedMedia {
        guard let thumbnailer = configuration.thumbnailer ?? deviceThumbnailer() else {
            throw ODataError(
                .notImplemented,
                "Nothing makes thumbnails here: install vipsthumbnail or gdk-pixbuf-thumbnailer, or set "
                    + "Configuration.thumbnailer.")
        }
        let made = try await thumbnailer.thumbnail(of: content, fitting: pixels)
        let derived = DerivedMedia(bytes: made.bytes, contentType: made.contentType)
        // Where it cannot be kept, or has no room, it is made again.
        if !database.isReadOnly, (try? media.keep(derived, of: digest, size: pixels)) != nil {
            try? await makeRoom(sparing: digest)
        }
        return derived
    }
}

extension DerivedMedia {
    fileprivate var result: StreamResult {
        var result = StreamResult(
            content: ByteContent(bytes), contentType: contentType, totalLength: Int64(bytes.count))
        result.isCached = true
        return result
    }
}

extension ODataError {
    static var noImage: ODataError {
        ODataError(.unsupportedMediaType, "The stream is not an image of which a thumbnail can be made.")
    }
}

import ByteStreams
import MediaFiles
import MediaIndexes
import ODataStores

/// The thumbnails of one size of a stream, which the media folder keeps.
struct StoredThumbnails {
    let store: OfflineStore
    /// Of the stream.
    let digest: String
    let pixels: Int

    /// The thumbnail that is kept, or one that is made out of `original`.
    func result(of original: () throws -> ByteContent) async throws -> StreamResult {
        let kept = await store.media.derived(of: digest, size: pixels)
        store.observation.noteRead(of: "thumbnail", isHit: kept != nil)
        if let kept { return kept.result }
        return try await store.thumbnailTurns.taking {
            // Who had the turn before may have made it.
            if let kept = await store.media.derived(of: digest, size: pixels) { return kept.result }
            return try await make(of: original()).result
        }
    }

    private func make(of content: ByteContent) async throws -> DerivedMedia {
        guard let thumbnailer = store.configuration.thumbnailer ?? deviceThumbnailer() else {
            throw ODataError(
                .notImplemented,
                "Nothing makes thumbnails here: install vipsthumbnail or gdk-pixbuf-thumbnailer, or set "
                    + "Configuration.thumbnailer.")
        }
        let made = try await thumbnailer.thumbnail(of: content, fitting: pixels)
        let derived = DerivedMedia(bytes: made.bytes, contentType: made.contentType)
        // Where it cannot be kept, or has no room, it is made again.
        if !store.database.isReadOnly, (try? store.media.keep(derived, of: digest, size: pixels)) != nil {
            try? await store.streams.makeRoom(sparing: digest)
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

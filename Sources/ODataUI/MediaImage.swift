import OData
import Observation

/// The image of a stream, for views: nothing at first, then a thumbnail, then the whole.
///
/// ```swift
/// @State private var image = MediaImage(of: photo, in: service.photos)
///
/// MediaImageView(image)                       // loads the thumbnail
/// Button("Open") { Task { await image.loadFull() } }
/// ```
///
/// Thumbnails are made by an offline store (`OfflineStore.thumbnail(of:fitting:)`); of other stores, and where none can
/// be made, the whole image is read at once.
@MainActor @Observable
public final class MediaImage {
    /// What can be shown.
    public enum State: Sendable {
        /// Nothing was read yet.
        case placeholder
        /// A small image.
        case thumbnail(Picture)
        /// The whole.
        case full(Picture)
        /// There is nothing to show, for this reason.
        case failed(ODataError)
    }

    /// Bytes of an image file.
    public struct Picture: Hashable, Sendable {
        /// A file in the format of ``contentType``.
        public let bytes: [UInt8]
        /// `image/jpeg`; nil where it is not known.
        public let contentType: String?
    }

    /// What can be shown now. An error does not take away what was shown before.
    public private(set) var state = State.placeholder
    /// How much of the whole was read, from 0 to 1; nil while nothing is read, and where the length is not known.
    public private(set) var fraction: Double?
    /// Why the last read failed; nil after one that succeeded.
    public private(set) var error: ODataError?

    @ObservationIgnored private let store: any ODataStore
    @ObservationIgnored private let request: @Sendable () async throws -> StreamRequest
    @ObservationIgnored private let pixels: Int
    @ObservationIgnored private let limit: Int

    /// - Parameters:
    ///   - path: A media entity or a stream property.
    ///   - store: Where it is.
    ///   - pixels: The length of the sides of the square that a thumbnail fits into, at most 4,096.
    ///   - limit: The most bytes that are read into memory.
    public init(_ path: ResourcePath, in store: any ODataStore, fitting pixels: Int = 400, limit: Int = 64 << 20) {
        (self.store, self.pixels, self.limit) = (store, pixels, limit)
        request = { StreamRequest(path) }
    }

    /// The stream of a media entity.
    public init<Element>(
        of element: Element, in collection: EntityCollection<Element>, fitting pixels: Int = 400,
        limit: Int = 64 << 20
    ) {
        (store, self.pixels, self.limit) = (collection.store, pixels, limit)
        request = { try await collection.streamRequest(of: element) }
    }

    /// The picture that can be shown now; nil for none.
    public var picture: Picture? {
        switch state {
        case .thumbnail(let picture), .full(let picture): picture
        case .placeholder, .failed: nil
        }
    }

    /// Reads a thumbnail, or the whole where none can be made. Nothing is done where there is a picture already.
    public func loadThumbnail() async {
        guard picture == nil else { return }
        guard let offline = store as? OfflineStore else { return await loadFull() }
        do {
            let result = try await offline.thumbnail(of: try await request().path, fitting: pixels)
            let bytes = try await result.content.collect(upTo: limit)
            show(.thumbnail(Picture(bytes: bytes, contentType: result.contentType)))
        } catch let error as ODataError where [.notImplemented, .unsupportedMediaType].contains(error.code) {
            await loadFull()
        } catch {
            note(error)
        }
    }

    /// Reads the whole; once, if that succeeds.
    public func loadFull() async {
        if case .full = state { return }
        do {
            let handle = store.stream(try await request())
            let events = Task { [weak self] in
                var contentType: String?
                for await event in handle.events {
                    switch event {
                    case .cacheResponse(let response), .serverResponse(let response):
                        contentType = response.contentType ?? contentType
                    case .progress(let bytes, let total?) where total > 0:
                        self?.fraction = min(Double(bytes) / Double(total), 1)
                    default: break
                    }
                }
                return contentType
            }
            let bytes = try await collect(handle)
            show(.full(Picture(bytes: bytes, contentType: await events.value)))
        } catch {
            note(error)
        }
    }

    private func collect(_ handle: StreamHandle) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in try handle.chunks() {
            guard bytes.count + chunk.count <= limit else {
                handle.cancel()
                throw ODataError(.tooLarge, "The image has more than \(limit) bytes: it is not read into memory.")
            }
            bytes += chunk
        }
        return bytes
    }

    private func show(_ state: State) {
        // A thumbnail that comes late does not take the place of the whole.
        if case .full = self.state { return }
        (self.state, error, fraction) = (state, nil, nil)
    }

    private func note(_ error: any Error) {
        let error = error as? ODataError ?? ODataError(.invalidResponse, "\(error)", cause: error)
        fraction = nil
        guard error.code != .cancelled else { return }
        self.error = error
        if picture == nil { state = .failed(error) }
    }
}

import ByteStreams
import ODataModel
import ODataQuery
import ODataStores
import Synchronization

/// A store of one set of photos whose bytes are made while they are read.
final class PhotoStore: ODataStore {
    private let photos: @Sendable (EdmValue?) -> ByteContent
    private let query: @Sendable () async -> Void
    private let received = Mutex<[[UInt8]]>([])

    /// - Parameters:
    ///   - query: What a query does before it is refused.
    ///   - photos: The bytes of the photo with a key.
    init(
        query: @escaping @Sendable () async -> Void = {}, _ photos: @escaping @Sendable (EdmValue?) -> ByteContent
    ) {
        self.query = query
        self.photos = photos
    }

    /// The chunks of the stream that was stored last.
    var chunks: [[UInt8]] { received.withLock { $0 } }

    func model() async throws -> EdmModel {
        let name = EdmQualifiedName("Test.Photo")
        let type = EdmStructuredTypeDeclaration(
            name: name, hasStream: true, key: ["ID"],
            properties: [EdmProperty(name: "ID", type: .int32, isNullable: false)])
        return try EdmModel(schemas: [
            EdmSchema(
                namespace: "Test", types: [type], container: "Container",
                entitySets: [EdmEntitySetDeclaration(name: "Photos", type: name)])
        ])
    }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        await query()
        throw ODataError(.notImplemented, "Only streams are here.")
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        let media: MediaContent
        switch request.operation {
        case .replaceStream(let content), .createMedia(let content, _): media = content
        default: throw ODataError(.notImplemented, "Only streams are here.")
        }
        received.withLock { $0 = [] }
        for try await chunk in try media.content.chunks() { received.withLock { $0.append(chunk) } }
        return ChangeResult(.updated, etag: "\"1\"")
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        throw ODataError(.notImplemented, "Only streams are here.")
    }

    func readStream(_ request: StreamRequest) async throws -> StreamResult {
        guard case .key(let key) = request.path.segments.first else { throw ODataError(.notFound, "No such photo.") }
        let content = photos(key["ID"])
        return StreamResult(
            content: content, contentType: "image/png", etag: "\"1\"", totalLength: content.length)
    }
}

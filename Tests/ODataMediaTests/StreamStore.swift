import ByteStreams
import ODataModel
import ODataQuery
import ODataStores
import Synchronization

/// A store that has nothing but the streams of its set `Photos`, and responses ranges as a service does; with faults on
/// request.
final class StreamStore: ODataStore {
    struct Stream: Sendable {
        var bytes: [UInt8]
        var etag: String? = "\"1\""
        var announcedLength: Int64?
        var digest: String?
        /// What happens to the requests, in turn; then none.
        var faults: [Fault] = []
    }

    enum Fault: Sendable {
        case error(ODataError)
        /// The connection breaks after so many bytes of the response.
        case cut(after: Int)
        /// Nothing more comes after so many bytes, until the reader gives up.
        case stall(after: Int)
        /// The response ends early as if it were complete.
        case short(by: Int)
        /// Ranges are not taken up.
        case whole
        /// Other bytes come than those whose digest is told: of the whole stream, or else of what is sent.
        case damage
        case change(to: [UInt8], etag: String)
        /// Nothing more comes after so many bytes until so many responses are being read.
        case wait(after: Int, responses: Int)
    }

    struct Log: Sendable {
        var requests: [String] = []
        var open = 0
        var mostOpen = 0
    }

    let set: EdmEntitySet
    private let contents: EdmModel
    private let streams: Mutex<[Int64: Stream]>
    private let log = Mutex(Log())
    /// Finish as the first, the second … response begins to be read.
    private let responses = (0..<4).map { _ in AsyncStream.makeStream(of: Void.self) }
    private let responsesRead = Mutex(0)

    init(_ streams: [Int64: Stream]) throws {
        let name = EdmQualifiedName("Media.Photo")
        let type = EdmStructuredTypeDeclaration(
            name: name, hasStream: true, key: ["ID"],
            properties: [EdmProperty(name: "ID", type: .int64, isNullable: false)])
        contents = try EdmModel(schemas: [
            EdmSchema(
                namespace: "Media", types: [type], container: "Container",
                entitySets: [EdmEntitySetDeclaration(name: "Photos", type: name)])
        ])
        set = try contents.entitySet(named: "Photos").unwrapped()
        self.streams = Mutex(streams)
    }

    var requests: [String] { log.withLock(\.requests) }
    var mostOpen: Int { log.withLock(\.mostOpen) }

    func path(_ number: Int64) -> ResourcePath { ResourcePath(set, key: EntityKey("ID", .integer(number))) }

    func model() async throws -> EdmModel { contents }
    func read(_ request: ReadRequest) async throws -> ReadResult { throw ODataError(.notImplemented, "read") }
    func change(_ request: ChangeRequest) async throws -> ChangeResult { throw ODataError(.notImplemented, "change") }
    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        throw ODataError(.notImplemented, "changeSet")
    }

    func readStream(_ request: StreamRequest) async throws -> StreamResult {
        guard case .key(let key) = request.path.segments.first, case .integer(let number) = key["ID"] else {
            throw ODataError(.badRequest, "no key")
        }
        log.withLock {
            $0.requests.append(
                "\(number) from \(request.offset)" + (request.count.map { " count \($0)" } ?? "")
                    + (request.ifRange.map { " if \($0)" } ?? ""))
        }
        var (stream, fault) = try streams.withLock { streams in
            guard var stream = streams[number] else { throw ODataError(.notFound, "no stream \(number)") }
            let fault = stream.faults.isEmpty ? nil : stream.faults.removeFirst()
            if case .change(let bytes, let etag) = fault { (stream.bytes, stream.etag) = (bytes, etag) }
            streams[number] = stream
            return (stream, fault)
        }
        if case .error(let error) = fault { throw error }
        let takesRange = request.ifRange == nil || request.ifRange == stream.etag
        var (offset, count) = takesRange ? (request.offset, request.count) : (0, nil)
        if case .whole = fault { (offset, count) = (0, nil) }
        guard offset < stream.bytes.count || offset == 0 else { throw ODataError(.rangeNotSatisfiable, "416") }
        let total = stream.announcedLength ?? Int64(stream.bytes.count)
        if case .short(let missing) = fault { stream.bytes.removeLast(missing) }
        if case .damage = fault { stream.bytes = stream.bytes.map { $0 ^ 1 } }
        let wanted = stream.bytes.dropFirst(Int(offset)).prefix(count.map { Int($0) } ?? .max)
        var result = StreamResult(
            content: ByteContent(response(Array(wanted), fault), length: nil),
            contentType: "image/png", etag: stream.etag, offset: offset, totalLength: total)
        result.digest = stream.digest
        if case .damage = fault { result.contentDigest = String(repeating: "0", count: 64) }
        return result
    }

    private func response(_ bytes: [UInt8], _ fault: Fault?) -> ByteChunks {
        let left = Mutex(bytes[...])
        let sent = Mutex(0)
        let isNew = Mutex(true)
        log.withLock {
            $0.open += 1
            $0.mostOpen = max($0.mostOpen, $0.open)
        }
        return ByteChunks { [self] in
            await Task.yield()
            if isNew.withLock({ $0 }) {
                isNew.withLock { $0 = false }
                noteReader()
            }
            if case .wait(let limit, let count) = fault, sent.withLock({ $0 >= limit }) {
                for await _ in responses[count - 1].stream {}
            }
            if case .cut(let limit) = fault, sent.withLock({ $0 >= limit }) {
                log.withLock { $0.open -= 1 }
                throw ODataError(.unreachable, "The connection was cut.")
            }
            if case .stall(let limit) = fault, sent.withLock({ $0 >= limit }) {
                let (never, continuation) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                continuation.finish()
                throw CancellationError()
            }
            let piece = left.withLock { left in
                defer { left = left.dropFirst(3) }
                return Array(left.prefix(3))
            }
            sent.withLock { $0 += piece.count }
            if piece.isEmpty { log.withLock { $0.open -= 1 } }
            return piece.isEmpty ? nil : piece
        }
    }

    private func noteReader() {
        let count = responsesRead.withLock { count in
            count += 1
            return count
        }
        if count <= responses.count { responses[count - 1].continuation.finish() }
    }
}

extension Optional {
    func unwrapped() throws -> Wrapped {
        guard let self else { throw ODataError(.internalError, "nothing there") }
        return self
    }
}

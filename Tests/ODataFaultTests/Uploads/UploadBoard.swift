import ByteStreams
import HTTPTypes
import ODataService
import Synchronization

/// The uploads that a service knows, and what has become of them.
final class UploadBoard: Sendable {
    struct Upload: Sendable {
        /// Where the whole stream is put: `/Photos(1)/$value`
        var target: String
        var contentType: String
        /// All bytes, where that is known.
        var length: Int?
        var bytes: [UInt8] = []
        /// Which request may append: an older one whose connection is cut may still go on.
        var turn = 0
        /// The stream was put, where the protocol tells that afterwards.
        var isDone = false
    }

    private struct State {
        var uploads: [String: Upload] = [:]
        var begun = 0
        var executed = 0
        var received = 0
        var refusals: [Int] = []
    }

    private let service: any HTTPResponder
    private let state = Mutex(State())

    init(_ service: any HTTPResponder) {
        self.service = service
    }

    var begun: Int { state.withLock { $0.begun } }
    /// How often a whole stream was put.
    var executed: Int { state.withLock { $0.executed } }
    /// The bytes that were taken.
    var received: Int { state.withLock { $0.received } }
    /// The statuses of what was refused.
    var refusals: [Int] { state.withLock { $0.refusals } }

    func note(_ refusal: Int) { state.withLock { $0.refusals.append(refusal) } }

    func begin(_ upload: Upload) -> String {
        state.withLock { state in
            state.begun += 1
            state.uploads["\(state.begun)"] = upload
            return "\(state.begun)"
        }
    }

    /// - Throws: 404.
    func upload(_ id: String) throws -> Upload { try change(id) { $0 } }

    /// - Throws: 404, and what `body` throws.
    func change<Result: Sendable>(_ id: String, _ body: (inout Upload) throws -> Result) throws -> Result {
        try state.withLock { state in
            guard var upload = state.uploads[id] else { throw UploadRefusal(status: 404) }
            let before = upload.bytes.count
            let result = try body(&upload)
            state.received += upload.bytes.count - before
            state.uploads[id] = upload
            return result
        }
    }

    /// - Throws: 404.
    func remove(_ id: String) throws {
        _ = try upload(id)
        state.withLock { $0.uploads[id] = nil }
    }

    /// The stream is whole.
    ///
    /// - Throws: What the service says.
    func execute(_ id: String, root: String) async throws {
        let upload = try upload(id)
        var request = HTTPRequest(method: .put, scheme: nil, authority: nil, path: upload.target)
        request.headerFields[.contentType] = upload.contentType
        request.headerFields[.contentLength] = "\(upload.bytes.count)"
        state.withLock { $0.executed += 1 }
        let response = await service.respond(to: request, body: ByteContent(upload.bytes), root: root)
        guard response.head.status.kind == .successful else {
            throw UploadRefusal(status: response.head.status.code)
        }
    }
}

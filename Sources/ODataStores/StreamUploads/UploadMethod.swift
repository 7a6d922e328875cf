import ByteStreams

/// A way to send a stream in pieces that continues after a cut, instead of one PUT or POST of the whole.
///
/// A method is asked by one task at a time. It keeps nothing itself: what it must know later is in the ``UploadSession``,
/// which outlives the process. Its errors are ``ODataError``: after one about the connection (`unreachable`, 5xx, 429)
/// the upload requests its offset and continues; any other ends it.
public protocol UploadMethod: Sendable {
    /// What the method is called where sessions are kept: `resumable`.
    var name: String { get }

    /// Whether the change is carried out by ``commit(_:of:)`` and not with the last append.
    var commits: Bool { get }

    /// Makes a place for the bytes. The change is not carried out by it: a place that is forgotten does no harm. A service
    /// that does not know the method (``UploadStep/unsupported``) is sent the stream whole. The step is `completed` if the
    /// service took the request for the whole, and may have carried the change out without bytes.
    func begin(_ job: UploadJob) async throws -> UploadStep

    /// Asks how many bytes the service has. The last append was not sent yet.
    func resume(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep

    /// Sends bytes.
    ///
    /// - Parameters:
    ///   - content: With a known length: from `offset` on, no more than ``UploadSession/partSize``.
    ///   - offset: How many bytes the service has, as it reported last.
    ///   - isLast: These are the last bytes, and the change is to be carried out with them; they may be none then.
    ///   - session: The place of the bytes, as the service returned last.
    ///   - job: What is uploaded.
    func append(
        _ content: ByteContent, at offset: Int64, isLast: Bool, to session: UploadSession, of job: UploadJob
    ) async throws -> UploadStep

    /// Has the change carried out, where ``commits`` says so. All bytes are there.
    func commit(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep

    /// Asks what became of the change after the response to the last append or the commit was lost.
    func probe(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep

    /// Gives the upload up: the service may remove what it has.
    ///
    /// - Throws: ``ODataError`` unless it is sure that the change will not be carried out any more.
    func abort(_ session: UploadSession, of job: UploadJob) async throws
}

/// A method of which the last append carries the change out, and that reports the result where it reports how far it
/// is.
extension UploadMethod {
    public var commits: Bool { false }

    public func commit(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep {
        try await probe(session, of: job)
    }

    public func probe(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep {
        try await resume(session, of: job)
    }
}

/// Where an upload is, as the service says.
public enum UploadStep: Sendable {
    /// It has so many bytes from the start, and the change is not carried out yet.
    case acknowledged(Int64, UploadSession)
    /// It has all bytes, the change is carried out, and this is its result.
    case executed(ChangeResult)
    /// The change is carried out, but the service does not report its result any more.
    case completed
    /// The service has all bytes and refuses the change.
    case refused(ODataError)
    /// The service does not know the session any more.
    case gone
    /// The service does not know the method, and has done nothing. Only in response to ``UploadMethod/begin(_:)``.
    case unsupported
}

/// What is to be uploaded: a change with a stream in it.
public struct UploadJob: Sendable {
    /// The change, with its headers, conditions and ``RepeatabilityHeaders``.
    public let request: ChangeRequest
    /// The stream in ``request``, which can be read again and again.
    public let media: MediaContent
    /// All bytes.
    public let length: Int64
    /// Their SHA-256 as 64 lower-case hexadecimal digits, where known.
    public let digest: String?

    /// Nil for a change without a stream, or with one of unknown length or that can be read only once.
    ///
    /// - Parameters:
    ///   - request: The change.
    ///   - digest: The SHA-256 of the stream, where it is known.
    ///   - length: All bytes of what was to be uploaded, where the request does not have them any more: then it can
    ///     only be asked what became of them.
    public init?(_ request: ChangeRequest, digest: String? = nil, length: Int64? = nil) {
        switch request.operation {
        case .createMedia(let media, _), .replaceStream(let media): self.media = media
        default: return nil
        }
        guard media.content.isReplayable, let length = length ?? media.content.length else { return nil }
        self.request = request
        self.length = length
        self.digest = digest
    }
}

/// The place of an upload at a service, kept as JSON. Who has it may need no other secret to write there.
public struct UploadSession: Hashable, Sendable, Codable {
    /// The URL that takes the bytes.
    public var location: String
    /// The most bytes of one append; nil: no limit is known.
    public var partSize: Int64?
    /// What the method keeps besides.
    public var details: [String: String]

    /// A place at this URL, without a known limit, unless one is given.
    public init(location: String, partSize: Int64? = nil, details: [String: String] = [:]) {
        self.location = location
        self.partSize = partSize
        self.details = details
    }
}

/// A store that can send streams in pieces.
public protocol UploadingStore: ODataStore {
    /// The method for a change with a stream; nil to send it whole.
    ///
    /// - Parameters:
    ///   - request: The change.
    ///   - length: Of the stream, in bytes.
    func uploadMethod(for request: ChangeRequest, length: Int64) async throws -> (any UploadMethod)?

    /// The method of a session that was begun for the change earlier; nil if it is not known any more.
    func uploadMethod(named name: String, for request: ChangeRequest) async throws -> (any UploadMethod)?

    /// The service, which does not know the method of this name for the change (``UploadStep/unsupported``), has taken the
    /// stream whole, or the beginning of an upload for it: ``uploadMethod(for:length:)`` need not give the method again.
    func noteUnsupported(_ name: String, for request: ChangeRequest) async
}

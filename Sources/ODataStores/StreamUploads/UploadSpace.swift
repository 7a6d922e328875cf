import ByteStreams

/// A store that keeps uploads which come in several requests, until they are whole.
package protocol UploadKeepingStore: ODataStore {
    /// Nil where it keeps none.
    var uploadSpace: (any UploadSpace)? { get }
}

/// What has come of uploads. It outlives the process, and a power cut.
///
/// All errors are ``ODataError``. Who calls takes care that one upload is not appended to twice at a time. Another process
/// that has the same file gets errors: `gone` after the upload has ended there, `busy` where it appends or has
/// continued.
package protocol UploadSpace: Sendable {
    /// The clock that uploads expire by, in seconds after 1970.
    var now: Int64 { get }

    /// The longest stream that the store takes, in bytes; nil for any.
    var maximalLength: Int64? { get }

    /// Refuses a change of a stream or an update of an entity that could not be carried out as things are, without
    /// reading the stream or the properties.
    func check(_ change: ChangeRequest) async throws

    /// Keeps a new upload, and lets those go that have expired.
    func begin(_ upload: IncomingUpload, limits: UploadSpaceLimits) async throws -> UploadAdmission

    /// The upload with this name; nil if there is none, or not any more.
    func upload(_ token: String) async throws -> IncomingUpload?

    /// What all uploads that are not finished take, in bytes: each at least the length it is to have.
    func reservedSize() async throws -> Int64

    /// Appends `content` to an upload as it was found, and notes its length. If reading the content throws, the bytes
    /// before are kept, but none if the error is `ByteStreamError` `changed`.
    ///
    /// - Returns: The upload as it is then.
    func append(
        _ content: ByteContent, to upload: IncomingUpload, limits: UploadAppendLimits
    ) async throws -> IncomingUpload

    /// All that has come.
    func content(of upload: IncomingUpload) throws -> ByteContent

    /// Keeps what became of an upload, and lets its bytes go.
    func finish(_ upload: IncomingUpload, response: [UInt8], lifetime: Int64) async throws

    /// Forgets an upload.
    func remove(_ upload: IncomingUpload) async throws
}

/// How much a space keeps.
package struct UploadSpaceLimits: Hashable, Sendable {
    /// Uploads of one owner that are not finished.
    package var uploadsPerOwner: Int
    /// Of all of them together, in bytes.
    package var size: Int64

    package init(uploadsPerOwner: Int, size: Int64) {
        self.uploadsPerOwner = uploadsPerOwner
        self.size = size
    }
}

/// What holds for one append.
package struct UploadAppendLimits: Hashable, Sendable {
    /// How long the upload may get, in bytes; `tooLarge` beyond.
    package var length: Int64
    /// Of all uploads together, in bytes, if this one takes more than before; `storage` beyond. Nil for one that has had
    /// its room from its beginning.
    package var size: Int64?
    /// Seconds from each step forward for which the upload is kept.
    package var lifetime: Int64

    package init(length: Int64, size: Int64?, lifetime: Int64) {
        self.length = length
        self.size = size
        self.lifetime = lifetime
    }
}

extension ODataError {
    /// 507
    package static let noRoomForUploads = ODataError(
        .storage, "There is no room for more uploads that wait to be continued.")
}

/// Whether an upload may begin.
package enum UploadAdmission: Hashable, Sendable {
    case admitted
    /// The owner has as many as are allowed.
    case tooMany
    /// It would be more than all together may have.
    case noRoom
}

extension OperationStore: UploadKeepingStore {
    package var uploadSpace: (any UploadSpace)? { (base as? any UploadKeepingStore)?.uploadSpace }
}

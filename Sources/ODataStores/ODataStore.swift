import ByteStreams
import ODataModel
import ODataQuery

/// Everything that executes OData requests: a service over HTTP, an SQLite file, an offline store.
///
/// One contract, so that an app asks the same way of every store. All errors are ``ODataError``.
public protocol ODataStore: Sendable {
    /// Whether a change with ``ChangeRequest/repeatability`` is carried out once, however often it is asked for. A
    /// service that publishes the store informs its clients.
    var recognizesRepeatedRequests: Bool { get }

    /// The same of calls of one action.
    func recognizesRepeatedCalls(of action: EdmOperationDeclaration) -> Bool

    /// The model that requests are checked against.
    func model() async throws -> EdmModel

    /// The model as it is now: asks the service again where ``model()`` may be older.
    func currentModel() async throws -> EdmModel

    /// Responds to a read of entities, a value or a count.
    ///
    /// - Throws: ``ODataError``: `notFound` where the path leads nowhere, `notImplemented` naming what the store
    ///   cannot do. Reading the result's rows throws it too.
    func read(_ request: ReadRequest) async throws -> ReadResult

    /// Applies one change. It has happened completely when this returns, and not at all if it throws, except where
    /// the error's ``ODataError/isOutcomeUnknown`` says otherwise.
    func change(_ request: ChangeRequest) async throws -> ChangeResult

    /// Makes a media entity with its stream, and with properties in the same call.
    ///
    /// - Parameters:
    ///   - content: The stream and its type.
    ///   - target: A set of media entities, or a collection that leads to one: `Inspections(1)/Photos`.
    ///   - slug: What the service may name the entity after.
    ///   - properties: Of the entity; omitted properties get the service's defaults.
    func createMedia(
        _ content: MediaContent, in target: ResourcePath, slug: String?, properties: EntityPayload
    ) async throws -> ChangeResult

    /// Applies all changes or none, in their order. A later one may refer to an earlier one by its content id.
    ///
    /// - Throws: ``ODataError`` of the first that failed; its `requestIndex` says which.
    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult]

    /// Applies change sets that do not depend on each other, in one request where the store can: each of them as a
    /// whole or not at all. A set of one change is that change.
    ///
    /// - Returns: For each set its results or its error, in their order. A set that was not tried because an earlier
    ///   one failed for a reason that concerns all (no network, no authorization) has that error; one whose response is
    ///   missing has ``ODataError/isOutcomeUnknown``.
    func batch(_ changeSets: [[ChangeRequest]]) async -> [Result<[ChangeResult], ODataError>]

    /// Opens the stream of a media entity, a stream property, or the raw value of a property. That a property is null is a
    /// result: see ``StreamResult/isNull``.
    func readStream(_ request: StreamRequest) async throws -> StreamResult
}

extension ODataStore {
    /// False.
    public var recognizesRepeatedRequests: Bool { false }

    /// The same as ``recognizesRepeatedRequests``.
    public func recognizesRepeatedCalls(of action: EdmOperationDeclaration) -> Bool { recognizesRepeatedRequests }

    /// Two requests, since the one that brings a stream has no room for properties: a POST of the stream, then a PATCH
    /// of the properties. If the second fails, the entity stays without them: the error says so and names it
    /// (``ODataError/createdID``).
    ///
    /// [OData-Protocol, section 11.4.7.1]
    public func createMedia(
        _ content: MediaContent, in target: ResourcePath, slug: String?, properties: EntityPayload
    ) async throws -> ChangeResult {
        let made = try await change(ChangeRequest(target, .createMedia(content, slug: slug)))
        guard properties != EntityPayload() else { return made }
        guard let path = made.path else {
            throw ODataError(
                .invalidResponse,
                "\(target.url) has a new media entity, but its response does not report where: it has "
                    + "only what the service gave it.")
        }
        var update = ChangeRequest(path, .update(properties))
        update.ifMatch = made.etag ?? made.entity?.etag
        update.returnPreference = .representation
        do {
            var result = try await change(update)
            (result.outcome, result.path) = (.created, result.path ?? path)
            return result
        } catch var error as ODataError {
            error.message = "\(path.url) was made with its stream, but without its properties: \(error.message)"
            error.createdID = made.entityID ?? path.url
            throw error
        }
    }

    /// The same as ``model()``.
    public func currentModel() async throws -> EdmModel { try await model() }
}

/// A read.
public struct ReadRequest: Sendable {
    /// What is asked for: bound to the store's model.
    public var query: BoundQuery
    /// A next link or delta link that this store gave for ``query``: what is read instead. Opaque to the caller.
    public var continuation: String?
    /// `Prefer: maxpagesize`: a wish.
    public var maxPageSize: Int?
    /// `Prefer: track-changes`: asks for a delta link with the last page.
    public var tracksChanges = false
    /// `Prefer: include-annotations`: the requested instance annotations, as `*,-OfflineStore.mediaIsOffline`; nil:
    /// none. Stores that make none pass it over. [OData-Protocol, section 8.2.8.4]
    public var annotations: String?
    /// How many bytes all streams may have together whose content `$expand` asks for: beyond, the read is refused as
    /// `badRequest`. 16 MiB by default.
    public var expandedStreamSize = 16 * 1024 * 1024
    /// The result is not sent if it still has this ETag; `*` for any.
    public var ifNoneMatch: String?
    /// `If-Match`: the read is refused as `preconditionFailed` unless the result has this ETag.
    public var ifMatch: String?
    /// Sent along as they are; stores other than the online store pass them over.
    public var headers: [HeaderField] = []
    /// Whether the caller itself asks in another way where this is refused: the store need not try without preferences.
    package var isTentative = false
    /// The context of a request that a service passes to the store.
    package var scope = WorkScope()
    /// Called with the number of bytes of the response whenever some of them arrive; not by stores that do not receive
    /// their results as bytes.
    package var onBytes: (@Sendable (Int) -> Void)?

    /// The first page of the query, or what `continuation` leads to; without conditions.
    public init(_ query: BoundQuery, continuation: String? = nil) {
        self.query = query
        self.continuation = continuation
    }
}

/// A header that the app adds to a request.
public struct HeaderField: Hashable, Sendable, Codable {
    /// `Accept-Language`; upper and lower case do not matter.
    public var name: String
    /// As it is sent; it cannot have line breaks.
    public var value: String

    /// What HTTP does not allow in names and values is refused where the header is used.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// The response to a read.
public struct ReadResult: Sendable {
    /// The result, by the kind of resource that the path leads to.
    public enum Body: Sendable {
        /// Rows; for a path to one entity (or `/$ref` of one) exactly one row of depth 0.
        case entities(any EntityReader)
        /// The value of a property.
        case value(EdmValue, EdmTypeReference)
        /// `/$count`
        case count(Int64)
        /// A single-valued navigation property that is not set, or a property that is null: 204.
        case nothing
        /// The ETag given in ``ReadRequest/ifNoneMatch`` still holds: 304.
        case notModified
    }

    /// The response itself; rows are read after the result has come.
    public var body: Body
    /// The ETag of the entity or value, where there is one.
    public var etag: String?
    /// Whether the store took up ``ReadRequest/tracksChanges``.
    public var tracksChanges = false
    /// The number of members of a collection of values, where `$count=true` asks for it; entities have theirs in
    /// their first block.
    public var count: Int64?

    /// The response of a store that does not track changes and has counted nothing.
    public init(_ body: Body, etag: String? = nil) {
        self.body = body
        self.etag = etag
    }
}

/// A read of bytes.
public struct StreamRequest: Sendable {
    /// A path to a media entity (with or without `$value`), a stream property, or a primitive property with `$value`.
    public var path: ResourcePath
    /// The first byte to read.
    public var offset: Int64 = 0
    /// How many bytes to read; nil for all that follow.
    public var count: Int64?
    /// Reads this number of last bytes (`bytes=-500`); ``offset`` and ``count`` are ignored then.
    public var suffixLength: Int64?
    /// The range holds only while the stream has this ETag; else the whole stream is returned.
    public var ifRange: String?
    /// `If-Match`: the read is refused as `preconditionFailed` unless the stream has this ETag.
    public var ifMatch: String?
    /// `If-None-Match`: nothing is sent if the stream still has this ETag: see ``StreamResult/isNotModified``.
    public var ifNoneMatch: String?
    /// A media read link that the service gave, where it is not the conventional one.
    public var readLink: String?
    /// Sent along as they are; stores other than the online store pass them over.
    public var headers: [HeaderField] = []
    /// `If-Modified-Since`, for streams without an ETag: nothing is sent if the stream is still that of this time, as it
    /// was in ``StreamResult/lastModified``.
    package var ifModifiedSince: String?
    /// The context of a request that a service passes to the store.
    package var scope = WorkScope()

    /// The whole stream, without conditions.
    public init(_ path: ResourcePath) {
        self.path = path
    }
}

/// A stream that is still arriving.
public struct StreamResult: Sendable {
    /// From ``offset`` on.
    public var content: ByteContent
    /// `image/jpeg`; nil where the store does not know it.
    public var contentType: String?
    /// The name under which a person would save the stream, as it was given and not checked; nil where the store does
    /// not know one.
    public var fileName: String?
    /// The ETag that was sent with the bytes; nil for none. Only with a strong one a read continues after a cut.
    public var etag: String?
    /// Where ``content`` starts in the stream: 0 if a range was asked for and the store sent all.
    public var offset: Int64
    /// The length of the whole stream in bytes, where known.
    public var totalLength: Int64?
    /// The SHA-256 of the whole stream where the store reports it, as 64 lower-case hexadecimal digits: for the reader
    /// to check the bytes.
    public var digest: String?
    /// The same of ``content`` where that is a part of the stream.
    public var contentDigest: String?
    /// When the stream was written last, as the service reports it, where that distinguishes it from later versions.
    package var lastModified: String?
    /// Whether the store returned a stored stream without a request.
    public var isCached = false
    /// True if nothing was sent because the ETag still holds.
    public var isNotModified: Bool
    /// True if the stream property, or the property whose raw value was requested, is null: there is no content.
    /// [OData-Protocol, sections 11.2.4.1 and 11.4.8.2]
    public var isNull = false

    /// The whole stream unless something else is said, with nothing known but what is given.
    public init(
        content: ByteContent, contentType: String? = nil, etag: String? = nil, offset: Int64 = 0,
        totalLength: Int64? = nil, isNotModified: Bool = false, digest: String? = nil
    ) {
        self.content = content
        self.contentType = contentType
        self.etag = etag
        self.offset = offset
        self.totalLength = totalLength
        self.isNotModified = isNotModified
        self.digest = digest
    }

    /// The result of a stream or raw value that is null.
    public static var null: StreamResult {
        var result = StreamResult(content: .empty)
        result.isNull = true
        return result
    }

    /// - Throws: ``ODataError`` of code `notFound` where the stream of `request` is null.
    package func requiringContent(of request: StreamRequest) throws -> StreamResult {
        guard isNull else { return self }
        throw ODataError(.notFound, "\(request.path.url) is null: it has no content.")
    }
}

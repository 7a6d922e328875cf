import ByteStreams
import ODataModel
import ODataQuery

/// A change to one resource.
///
/// [OData-Protocol, section 11.4]
public struct ChangeRequest: Sendable {
    /// What is done to the target: the method of the request and its body.
    public enum Operation: Sendable {
        /// POST to a collection. Clients of a service (`OnlineStore`, `OfflineStore`) refuse it for media entities
        /// (`badRequest`): there the body is the stream, and properties in it would be lost.
        ///
        /// [OData-Protocol, section 11.4.7.1]
        case create(EntityPayload)
        /// POST of a stream to a set of media entities. Properties follow as an update.
        case createMedia(MediaContent, slug: String?)
        /// PATCH: properties that are not given keep their values.
        case update(EntityPayload)
        /// PUT: properties that are not given get their default values.
        case replace(EntityPayload)
        /// DELETE of an entity.
        case delete
        /// PUT or DELETE (null) of a property.
        case setValue(EdmValue)
        /// PUT of a property's raw value, in its lexical form.
        case setRawValue([UInt8], contentType: String?)
        /// POST to a collection of primitive or complex values: appended, or inserted at the position that `$index`
        /// gives (from 0; negative from the end).
        case insertValue(EdmValue, at: Int?)
        /// POST to `Orders(1)/Items/$ref`, PUT to `Orders(1)/Customer/$ref`.
        case addReference(EntityReference)
        /// DELETE of `Orders(1)/Customer/$ref`, or of a member of `Orders(1)/Items/$ref`.
        case removeReference(EntityReference?)
        /// PUT of a media stream or stream property.
        case replaceStream(MediaContent)
        /// DELETE of a stream property; of a media entity with its stream.
        case deleteStream
        /// POST of an action: the target ends with it. Arguments that are entities are complex values with `@odata.id`.
        case call(arguments: EdmComplexValue)
    }

    /// What the service is asked to return.
    ///
    /// [OData-Protocol, section 8.2.8.7]
    public enum ReturnPreference: String, Sendable, Codable {
        /// `Prefer: return=representation`: the entity or value as it is after the change.
        case representation
        /// `Prefer: return=minimal`: no more than that it was done, which saves reading and sending the entity.
        case minimal
    }

    /// The resource that is changed: the path of the request's URL.
    public var target: ResourcePath
    /// The method of the request and its body. The target must go with it: a collection with `create`, for one.
    public var operation: Operation
    /// `If-Match`: refused as `preconditionFailed` unless the target has this ETag; `*` for any. An offline store
    /// compares with the version that it holds. [OData-Protocol, section 8.2.4]
    public var ifMatch: String?
    /// `If-None-Match`: refused as `preconditionFailed` if the target has this ETag; with `*`, if it exists.
    /// [OData-Protocol, section 8.2.5]
    public var ifNoneMatch: String?
    /// Makes the request safe to repeat at a service that knows Repeatable Requests.
    public var repeatability: RepeatabilityHeaders?
    /// Nil: the store or service decides.
    public var returnPreference: ReturnPreference?
    /// An update or replacement of an entity that is not there creates it: false for PATCH and PUT with `If-Match`,
    /// and where the app requests an error.
    ///
    /// [OData-Protocol, section 11.4.4: Upsert an Entity]
    public var allowsCreate = false
    /// What the request's URL asks of the result of an action, or of the members of `/$each`: `$select`, `$expand`,
    /// `$filter` and the like.
    public var resultOptions = QueryOptions()
    /// Names the request for later ones of the same change set (`$1`).
    public var contentID: String?
    /// The edit link that the service gave, where it is not the conventional one: of a stream for changes of streams
    /// (``EdmEntity/StreamInfo/editLink``), else of the entity (``EdmEntity/editLink``). An online store knows those of the
    /// entities that it has read.
    public var editLink: String?
    /// Sent along as they are, by an offline store with its upload; stores that send nothing pass them over.
    public var headers: [HeaderField] = []
    /// The context of a request that a service passes to the store.
    package var scope = WorkScope()

    /// A change without conditions, whose response the store chooses.
    public init(_ target: ResourcePath, _ operation: Operation) {
        self.target = target
        self.operation = operation
    }
}

/// The identity of a request that may be sent more than once and must be executed once.
///
/// [Repeatable Requests 1.0, section 3]
public struct RepeatabilityHeaders: Hashable, Sendable, Codable {
    /// `Repeatability-Request-ID`
    public var requestID: String
    /// `Repeatability-First-Sent`, an IMF-fixdate.
    public var firstSent: String

    /// - Parameters:
    ///   - requestID: Of this request alone, such as a UUID.
    ///   - firstSent: `Sun, 06 Nov 1994 08:49:37 GMT`; the same with each repetition.
    public init(requestID: String, firstSent: String) {
        self.requestID = requestID
        self.firstSent = firstSent
    }
}

/// Bytes for a media stream, with their media type.
public struct MediaContent: Sendable {
    /// Read once where the request is sent once. Repetitions need content that can be read again.
    public var content: ByteContent
    /// `image/jpeg`
    public var contentType: String

    /// - Parameters:
    ///   - content: The bytes.
    ///   - contentType: `image/jpeg`
    public init(_ content: ByteContent, contentType: String) {
        self.content = content
        self.contentType = contentType
    }
}

/// What a change led to.
public struct ChangeResult: Sendable {
    /// What was done.
    public enum Outcome: Sendable {
        /// There is an entity that was not there before; an upsert may end so too.
        case created
        /// Updated, or set.
        case updated
        /// The entity, stream or members are gone; a property that is set to null is `updated`.
        case deleted
        /// An action was called: see ``ChangeResult/called``.
        case called
    }

    /// What was done: of an upsert it reports whether the entity was created.
    public var outcome: Outcome
    /// The entity as the store has it now; nil where it was not asked for or is gone.
    public var entity: EdmEntity?
    /// The canonical path of the entity that was created or changed, where known.
    public var path: ResourcePath?
    /// The id as the service gave it: `OData-EntityId`, `Location`.
    public var entityID: String?
    /// The new ETag: of the entity, or of the stream for changes of streams.
    public var etag: String?
    /// What an action gave.
    public var called: ReadResult?
    /// How many members a request to `/$each` changed or deleted.
    public var memberCount: Int?
    /// These members, where an update of them asks for its representation and the store gives it.
    public var members: ReadResult?
    /// Whether the service says it honoured ``ChangeRequest/repeatability``.
    public var isRepeatable: Bool
    /// The kind of a response without content that did not report the version, where the service reports it with
    /// others: `delete 204`. What the service shows decides whether the change was executed.
    package var unproven: String?

    /// A result of which nothing is known but what is given.
    public init(
        _ outcome: Outcome, entity: EdmEntity? = nil, path: ResourcePath? = nil, entityID: String? = nil,
        etag: String? = nil, isRepeatable: Bool = false
    ) {
        self.outcome = outcome
        self.entity = entity
        self.path = path
        self.entityID = entityID
        self.etag = etag
        self.isRepeatable = isRepeatable
    }
}

/// A vocabulary annotation whose value is a constant or a collection of constants; anything else is kept as `.other`.
///
/// [OData-CSDLXML, section 14.3: Annotation]
public struct Annotation: Hashable, Sendable {
    public indirect enum Value: Hashable, Sendable {
        case bool(Bool)
        case int(Int64)
        case string(String)
        case collection([Value])
        case record([String: Value])
        /// A path, enumeration member or dynamic expression, as written.
        case other(String)
    }

    /// The full name of the term: `Org.OData.Core.V1.Computed`.
    public var term: String
    public var value: Value

    public init(term: String, value: Value = .bool(true)) {
        self.term = term
        self.value = value
    }
}

extension Annotation {
    /// The service makes the value on insert and update; clients cannot set it.
    public static let computed = "Org.OData.Core.V1.Computed"
    /// The service makes the value on insert if the client gives none.
    public static let computedDefaultValue = "Org.OData.Core.V1.ComputedDefaultValue"
    /// The value is fixed once the entity exists.
    public static let immutable = "Org.OData.Core.V1.Immutable"
    /// A parameter that a call may leave out.
    public static let optionalParameter = "Org.OData.Core.V1.OptionalParameter"
    /// A human-readable description.
    public static let coreDescription = "Org.OData.Core.V1.Description"
    /// The media type of a stream or binary property.
    public static let mediaType = "Org.OData.Core.V1.MediaType"
    /// The set takes inserts.
    public static let insertable = "Org.OData.Capabilities.V1.InsertRestrictions"
    /// The set takes updates.
    public static let updatable = "Org.OData.Capabilities.V1.UpdateRestrictions"
    /// The set takes deletes.
    public static let deletable = "Org.OData.Capabilities.V1.DeleteRestrictions"
    /// The set can be tracked with delta links.
    public static let changeTracking = "Org.OData.Capabilities.V1.ChangeTracking"
}

/// Something that carries vocabulary annotations.
public protocol Annotated {
    var annotations: [Annotation] { get }
}

extension Annotated {
    /// Whether the tagging term is present and not `false`.
    public func isTagged(_ term: String) -> Bool {
        annotations.contains { $0.term == term && $0.value != .bool(false) }
    }

    /// The value of the annotation with `term`, if there is one.
    public func annotation(_ term: String) -> Annotation.Value? {
        annotations.first { $0.term == term }?.value
    }
}

/// A vocabulary annotation: a term with a value.
///
/// Constants, collections and records are values to use; paths and other expressions are kept as they stand and not
/// evaluated. [OData-CSDLXML, section 14.2: Annotation]
public struct EdmAnnotation: Hashable, Sendable, EdmAnnotated {
    /// [OData-CSDLXML, sections 14.3 and 14.4]
    public indirect enum Value: Hashable, Sendable {
        /// `<Null/>`; one with annotations of its own is an ``expression(_:)``.
        case null
        /// `Bool="true"`
        case bool(Bool)
        /// `Int="42"`
        case int(Int64)
        /// `String="…"`; also a constant that could not be read as what it should be.
        case string(String)
        /// A constant of another primitive type, as written: `Date="2000-01-01"`, `Decimal="1.50"`.
        case constant(EdmPrimitiveType, String)
        /// `EnumMember="Model.Color/Red Model.Color/Blue"`: the type and the members.
        case enumMember(EdmQualifiedName, [String])
        /// `Path="Address/City"`, `PropertyPath="Name"`, with full names in place of aliases.
        case path(PathKind, String)
        /// `<Collection>`: values in their order.
        case collection([Value])
        /// `<Record>`: a value with named members.
        case record(Record)
        /// Any other expression: operators, casts, function calls, labels.
        case expression(Expression)
    }

    /// What a path leads to, by the name of its XML element.
    ///
    /// [OData-CSDLXML, section 14.4.1: Path Expressions]
    public enum PathKind: String, Hashable, Sendable, CaseIterable {
        /// The value at the end of the path is meant, not the path itself.
        case value = "Path"
        /// Leads to an annotation: `Supplier/@Communication.Contact`. [OData-CSDLXML, section 14.4.1.3]
        case annotation = "AnnotationPath"
        /// Leads to a structural property or a navigation property.
        case anyProperty = "AnyPropertyPath"
        /// Leads to any element of the model: `/Model.Container/Products`.
        case modelElement = "ModelElementPath"
        /// Leads to a navigation property: `Supplier`, `Address/Country`.
        case navigationProperty = "NavigationPropertyPath"
        /// Leads to a structural property: `Name`, `Address/City`.
        case property = "PropertyPath"
    }

    /// The full name of the term, with the qualifier if there is one: `Org.OData.Core.V1.Computed`,
    /// `Org.OData.Core.V1.Description#Short`.
    public var term: String
    /// True where the document gives no value: a tag like `<Annotation Term="Core.Computed"/>`. A default value that
    /// the term declares is not looked up.
    public var value: Value
    /// Of the annotation itself.
    public var annotations: [EdmAnnotation]

    /// An annotation; without a value it is a tag.
    public init(term: String, value: Value = .bool(true), annotations: [EdmAnnotation] = []) {
        self.term = term
        self.value = value
        self.annotations = annotations
    }

    /// What follows `#` in ``term``.
    public var qualifier: String? {
        term.firstIndex(of: "#").map { String(term[term.index(after: $0)...]) }
    }
}

extension EdmAnnotation.Value {
    /// The text of a string constant.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of a Boolean constant; nil for other values.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The record, where this is one; nil for other values.
    public var record: EdmAnnotation.Record? { if case .record(let record) = self { record } else { nil } }

    /// The values of a collection in their order; nil for other values.
    public var elements: [EdmAnnotation.Value]? { if case .collection(let elements) = self { elements } else { nil } }

    /// A path of any kind.
    public var path: String? { if case .path(_, let path) = self { path } else { nil } }

    /// The value of the named member, where this is a record that has it.
    public subscript(member: String) -> EdmAnnotation.Value? { record?[member] }
}

extension EdmAnnotation {
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
    /// The media types that a stream may have, also as `image/*`.
    public static let acceptableMediaTypes = "Org.OData.Core.V1.AcceptableMediaTypes"
    /// The greatest value; of a stream the most bytes.
    public static let maximum = "Org.OData.Validation.V1.Maximum"
    /// The most items of a collection.
    public static let maxItems = "Org.OData.Validation.V1.MaxItems"
    /// The set takes inserts.
    public static let insertable = "Org.OData.Capabilities.V1.InsertRestrictions"
    /// Whether the service takes entities nested in a new one, as `Supported` of a record.
    public static let deepInsert = "Org.OData.Capabilities.V1.DeepInsertSupport"
    /// How the service takes batches, as a record; whether it does, in its member `Supported`.
    public static let batchSupport = "Org.OData.Capabilities.V1.BatchSupport"
    /// Whether the service takes batches.
    public static let batchSupported = "Org.OData.Capabilities.V1.BatchSupported"
    /// The set takes updates.
    public static let updatable = "Org.OData.Capabilities.V1.UpdateRestrictions"
    /// The set takes deletes.
    public static let deletable = "Org.OData.Capabilities.V1.DeleteRestrictions"
    /// The set can be tracked with delta links.
    public static let changeTracking = "Org.OData.Capabilities.V1.ChangeTracking"
    /// Whether the entities of the set can be counted.
    public static let countRestrictions = "Org.OData.Capabilities.V1.CountRestrictions"
    /// A hierarchy of entities and their parents; the qualifier follows. [OData-Aggregation, section 5.5.2]
    public static let recursiveHierarchy = "Org.OData.Aggregation.V1.RecursiveHierarchy"
    /// The service carries out a request with `Repeatability-Request-ID` once.
    public static let repeatability = "Org.OData.Repeatability.V1.Supported"
    /// How streams can be uploaded in pieces, as a string: `resumable` for draft-ietf-httpbis-resumable-upload, `tus`,
    /// `dataverse`, `graph`. Of a stream property, an entity set, or all of a container. A term of this library's own.
    public static let uploadMethod = "SwiftOData.Uploads.V1.Method"
}

extension [EdmAnnotation] {
    /// The media types that `Org.OData.Core.V1.AcceptableMediaTypes` lists; nil if it lists none, or elements other
    /// than constants: it may allow anything.
    package var acceptableMediaTypes: [String]? {
        let elements = first { $0.term == EdmAnnotation.acceptableMediaTypes }?.value.elements ?? []
        let constants = elements.compactMap(\.string)
        return constants.isEmpty || constants.count < elements.count ? nil : constants
    }
}

/// Something that carries vocabulary annotations.
public protocol EdmAnnotated {
    /// Those that metadata give the element, with aliases replaced: each term once for a qualifier.
    var annotations: [EdmAnnotation] { get }
}

extension EdmAnnotated {
    /// Whether the tagging term is present and not `false`.
    public func isTagged(_ term: String) -> Bool {
        annotations.contains { $0.term == term && $0.value != .bool(false) }
    }

    /// The value of the annotation with `term`, if there is one.
    public func annotation(_ term: String) -> EdmAnnotation.Value? {
        annotations.first { $0.term == term }?.value
    }
}

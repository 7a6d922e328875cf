import ODataModel

/// How the store computes a value that clients do not set.
public enum ComputedValue: Hashable, Sendable {
    /// When the entity was created.
    case creationTime
    /// When the entity was created or last changed.
    case changeTime
    /// 1 for a new entity, incremented with each change.
    case version
    /// The bytes of the stream of the media entity.
    case mediaLength
    /// The media type of the stream of the media entity.
    case mediaType
    /// The `Slug` that was sent with the stream of the media entity; clients can set it afterwards.
    case slug
    /// The name of the entity's type without its namespace. A new entity that sets it to the name of a derived type,
    /// and has no other type information, is of that type.
    case typeName
}

/// The rules of a store for a declared model that the model itself does not express.
///
/// Properties are named as paths: `Products/CreatedAt`.
public struct TableRules: Sendable {
    /// How values are computed. Without a rule, an integer tagged `Core.Computed` that the set's
    /// `Core.OptimisticConcurrency` names is a version, and instants tagged `Core.Computed` are the creation time;
    /// anything else stays null. ETags depend on the version and on the properties of `Core.OptimisticConcurrency`;
    /// without either, on all values.
    public var computed: [String: ComputedValue] = [:]
    /// The properties that `$search` searches, by entity set, also as paths into complex properties. Without an entry
    /// all text is searched.
    public var searchable: [String: [String]] = [:]
    /// Properties with unique values, by entity set.
    public var unique: [String: [[String]]] = [:]

    /// No rules: values are computed as ``computed`` describes, all text is searched, and only keys are unique.
    public init() {}
}

/// A model whose tables the store creates.
struct DeclaredModel: Sendable {
    var model: EdmModel
    var rules: TableRules
}

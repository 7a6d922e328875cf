import ODataModel

/// How the store makes a value that clients do not set.
public enum ComputedValue: Hashable, Sendable {
    /// When the entity was created.
    case creationTime
    /// When the entity was created or last changed.
    case changeTime
    /// 1 for a new entity, and one more with each change.
    case version
    /// The bytes of the stream of the media entity.
    case mediaLength
    /// The media type of the stream of the media entity.
    case mediaType
    /// The `Slug` that was sent with the stream of the media entity; clients can set it afterwards.
    case slug
    /// The name of the entity's type without its namespace. A new entity that gives the name of a derived type, and no
    /// type otherwise, is of that type.
    case typeName
}

/// What a store needs to know of a declared model that the model does not say.
///
/// Properties are named as paths: `Products/CreatedAt`.
public struct TableRules: Sendable {
    /// How computed values are made. Without a rule, an integer tagged `Core.Computed` that the set's
    /// `Core.OptimisticConcurrency` names is a version, and instants tagged `Core.Computed` are the creation time;
    /// anything else stays null. ETags stand for the version and for what `Core.OptimisticConcurrency` names; where
    /// there is neither, for all values.
    public var computed: [String: ComputedValue] = [:]
    /// What `$search` looks into, by entity set: properties, and paths into complex ones. Without an entry, all text.
    public var searchable: [String: [String]] = [:]
    /// Properties, by entity set, whose values no two entities have in common.
    public var unique: [String: [[String]]] = [:]

    /// No rules: values are computed as ``computed`` says, all text is searched, nothing but keys is unique.
    public init() {}
}

/// A model that has tables made for it.
struct DeclaredModel: Sendable {
    var model: EdmModel
    var rules: TableRules
}

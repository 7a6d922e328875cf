/// Whether a payload holds a collection of entities or one entity. Delta payloads are collections.
public enum PayloadKind: Hashable, Sendable {
    /// Any number of entities, in an array or a feed.
    case collection
    /// Exactly one entity, which is by itself.
    case entity
}

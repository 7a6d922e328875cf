import ODataModel
import ODataQuery

/// An entity as a store finds it.
package protocol ChangeableRow: Sendable {
    /// The entity set that holds it; for contained entities the name of the store's own: `Orders/Items`
    var setName: String { get }
}

/// What a ``ChangePlanner`` reads from a store, in the transaction of the change.
package protocol ChangeableRows {
    associatedtype Row: ChangeableRow
    /// The same for two rows that are the same entity.
    associatedtype Identity: Hashable

    var model: EdmModel { get }
    var parser: QueryParser { get }
    /// Whether the store holds all entities and decides on values that a change omits. The store of a device holds some,
    /// and the service decides.
    var isComplete: Bool { get }
    /// Whether values are accepted that clients cannot set: while a store is filled.
    var isLoading: Bool { get }

    /// The entity that a path leads to; nil if the store does not hold it. The path has no content ids, and leads to an
    /// entity.
    func row(at path: ResourcePath) throws -> Row?
    /// The canonical path of an entity.
    func path(of row: Row) throws -> ResourcePath
    /// The entity with a key; nil if the store does not hold it.
    func row(of set: String, key: EntityKey) throws -> Row?
    func identity(of row: Row) throws -> Identity

    /// The set of a name, also that of contained entities.
    func entitySet(named name: String) throws -> EdmEntitySet
    /// The types that entities of a set have.
    func types(of set: EdmEntitySet) -> [EdmStructuredType]
    /// Whether a new entity needs its media stream.
    func needsStream(_ type: EdmStructuredType, in set: EdmEntitySet) -> Bool
    /// - Throws: ``ODataError`` if the entities of a set cannot be changed so.
    func check(_ access: ChangeAccess, of set: EdmEntitySet) throws
    /// Whether the store ignores the value that a client gives for a property, beside those tagged `Core.Computed`.
    func ignores(_ property: EdmProperty, _ value: EdmValue, of set: EdmEntitySet, isNew: Bool) -> Bool
    /// The payload of a new entity with what the store adds to it before it is checked.
    func prepared(_ payload: EntityPayload, of set: EdmEntitySet, isNew: Bool) throws -> EntityPayload
    /// The type that a property of a payload names; nil if none does.
    func namedType(_ properties: EdmComplexValue, of set: EdmEntitySet) -> EdmStructuredType?

    func type(of row: Row) throws -> EdmStructuredType
    /// The current value of a declared or dynamic property, null if there is none.
    func value(of property: String, of row: Row) throws -> EdmValue
    func key(of row: Row) throws -> EntityKey
    /// The ETags that conditions are compared with.
    func etags(of row: Row) throws -> [String]
    /// - Parameter property: A stream property; nil for the media stream.
    func streamETag(_ property: String?, of row: Row) throws -> String?

    /// How the store keeps a navigation property of entities of `type`.
    func navigation(_ name: String, of set: EdmEntitySet, as type: EdmStructuredType) throws -> ChangeableNavigation
    /// The entities that a navigation property leads to.
    func linked(_ navigation: ChangeableNavigation, from row: Row) throws -> [Row]
    /// Whether a navigation property leads to an entity. Where the store cannot know, it does.
    func isLinked(_ navigation: ChangeableNavigation, from row: Row, to target: Row) throws -> Bool

    /// The error for an entity that the store does not hold.
    func missing(_ path: ResourcePath) -> ODataError
}

/// What is done to an entity of a set.
package enum ChangeAccess: Sendable {
    case insert, update, delete

    package var participle: String {
        switch self {
        case .insert: "inserted"
        case .update: "updated"
        case .delete: "deleted"
        }
    }
}

/// How a store keeps a navigation property.
package struct ChangeableNavigation: Sendable {
    package enum Storage: Sendable {
        /// Properties of the entity refer to the target.
        case ownKey
        /// Properties of the target refer to the entity.
        case targetKey
        /// Pairs of entities in a table of their own.
        case links
    }

    package var property: EdmNavigationProperty
    /// The set whose entities have it, and its ``BoundNavigation/name`` there.
    package var set: String
    package var name: String
    package var targetSet: String
    package var storage: Storage
    /// The properties that hold the reference: of the entity or of the target; those of the other side that they equal.
    package var references: [(property: String, referenced: String)]
    /// Whether the key of the side that holds the reference contains it.
    package var isPartOfKey: Bool
    /// Whether a property that holds the reference must have a value.
    package var isRequired: Bool

    package init(
        _ property: EdmNavigationProperty, set: String, name: String, targetSet: String, storage: Storage,
        references: [(property: String, referenced: String)] = [], isPartOfKey: Bool = false, isRequired: Bool = false
    ) {
        (self.property, self.set, self.name, self.targetSet) = (property, set, name, targetSet)
        (self.storage, self.references) = (storage, references)
        (self.isPartOfKey, self.isRequired) = (isPartOfKey, isRequired)
    }

    /// Whether a change of the entity itself says which one it leads to: such an entity is inserted first.
    package var isHeldBySource: Bool { storage == .ownKey || storage == .links && !isCollection }

    package var isCollection: Bool { property.isCollection }
    /// Whether entities that it leads to cannot exist without the entity: a contained one, or one with its key.
    package var hasParts: Bool { property.containsTarget || storage == .targetKey && isPartOfKey }
}

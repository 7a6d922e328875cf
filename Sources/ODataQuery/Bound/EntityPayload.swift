import ODataModel

/// The properties, navigation properties and nested entities of a create or update.
///
/// [OData-Protocol, sections 11.4.2.2 and 11.4.3.1]
public struct EntityPayload: Hashable, Sendable {
    /// A relationship to existing entities: `"Category@odata.bind":"Categories(1)"`.
    public struct Binding: Hashable, Sendable {
        /// The name of the navigation property that is set: `Category`
        public var navigation: String
        /// Empty: the relationship is removed.
        public var references: [EntityReference]

        /// A relationship to existing entities; without entities it is removed.
        public init(navigation: String, references: [EntityReference]) {
            self.navigation = navigation
            self.references = references
        }
    }

    /// Related entities in the payload itself: `"Items":[{"Quantity":1}]`.
    public struct Nested: Hashable, Sendable {
        /// The name of the navigation property that leads to them: `Items`
        public var navigation: String
        /// To be created with the entity around them; in an update also changed, where id or key are those of an entity
        /// that is there. One at most for a single-valued navigation property: none empties it.
        public var entities: [EntityPayload]
        /// `Items@delta`: entities that are not given keep their relationship; else they lose it.
        public var isDelta: Bool
        /// What a delta takes away or deletes.
        public var removed: [Removal]

        /// Replaces the whole relationship unless it is a delta.
        public init(navigation: String, entities: [EntityPayload], isDelta: Bool = false, removed: [Removal] = []) {
            self.navigation = navigation
            self.entities = entities
            self.isDelta = isDelta
            self.removed = removed
        }
    }

    /// `{"@removed":{"reason":"deleted"},"@id":"Items(3)"}`
    public struct Removal: Hashable, Sendable {
        /// The entity that is removed from the relationship.
        public var reference: EntityReference
        /// The entity itself is to be deleted, and not only its relationship.
        public var isDeleted: Bool

        /// Removes an entity from the relationship, and deletes it too if `isDeleted` says so.
        public init(_ reference: EntityReference, isDeleted: Bool) {
            self.reference = reference
            self.isDeleted = isDeleted
        }
    }

    /// `@type`: a type that derives from the declared one.
    public var type: EdmQualifiedName?
    /// `@id`: the existing entity that a nested payload of a deep update names.
    public var id: EntityReference?
    /// `@etag` of a nested payload: the update is refused where the entity has another.
    public var etag: String?
    /// Structural and dynamic properties by their names; streams are not among them.
    public var properties: EdmComplexValue
    /// `Category@odata.bind`
    public var bindings: [Binding]
    /// Deep insert, and deep update.
    public var nested: [Nested]

    /// Of the declared type and without control information; ``type``, ``id`` and ``etag`` are set afterwards.
    public init(_ properties: EdmComplexValue = EdmComplexValue(), bindings: [Binding] = [], nested: [Nested] = []) {
        self.properties = properties
        self.bindings = bindings
        self.nested = nested
    }
}

/// Names an entity.
public enum EntityReference: Hashable, Sendable {
    /// A canonical path.
    case path(ResourcePath)
    /// A URL the store gave, relative to the service root or absolute.
    case url(String)
}

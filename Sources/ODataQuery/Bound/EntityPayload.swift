import ODataModel

/// The properties, relations and nested entities of a create or update.
///
/// [OData-Protocol, sections 11.4.2.2 and 11.4.3.1]
public struct EntityPayload: Hashable, Sendable {
    /// A relation to entities that exist: `"Category@odata.bind":"Categories(1)"`.
    public struct Binding: Hashable, Sendable {
        /// The name of the navigation property that gets the relation: `Category`
        public var navigation: String
        /// Empty: the relation is taken away.
        public var references: [EntityReference]

        /// A relation to entities that exist already; to none takes it away.
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
        /// that is there. One at most for a single-valued relation: none empties it.
        public var entities: [EntityPayload]
        /// `Items@delta`: entities that are not given keep their relation; else they lose it.
        public var isDelta: Bool
        /// What a delta takes away or deletes.
        public var removed: [Removal]

        /// Takes the place of the whole relation unless it is a delta.
        public init(navigation: String, entities: [EntityPayload], isDelta: Bool = false, removed: [Removal] = []) {
            self.navigation = navigation
            self.entities = entities
            self.isDelta = isDelta
            self.removed = removed
        }
    }

    /// `{"@removed":{"reason":"deleted"},"@id":"Items(3)"}`
    public struct Removal: Hashable, Sendable {
        /// The entity that leaves the relation.
        public var reference: EntityReference
        /// The entity itself is to be deleted, and not only its relation.
        public var isDeleted: Bool

        /// Takes an entity out of the relation, and deletes it too if `isDeleted` says so.
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

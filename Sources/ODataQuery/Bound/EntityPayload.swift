import ODataModel

/// The properties, relations and nested entities of a create or update.
///
/// [OData-Protocol, sections 11.4.2.2 and 11.4.3.1]
public struct EntityPayload: Hashable, Sendable {
    /// A relation to entities that exist: `"Category@odata.bind":"Categories(1)"`.
    public struct Binding: Hashable, Sendable {
        public var navigation: String
        /// Empty: the relation is taken away.
        public var references: [EntityReference]

        public init(navigation: String, references: [EntityReference]) {
            self.navigation = navigation
            self.references = references
        }
    }

    /// Related entities in the payload itself: `"Items":[{"Quantity":1}]`.
    public struct Nested: Hashable, Sendable {
        public var navigation: String
        public var entities: [EntityPayload]
        /// `Items@delta`: entities that are not given keep their relation; else they lose it.
        public var isDelta: Bool
        /// What a delta takes away or deletes.
        public var removed: [Removal]

        public init(navigation: String, entities: [EntityPayload], isDelta: Bool = false, removed: [Removal] = []) {
            self.navigation = navigation
            self.entities = entities
            self.isDelta = isDelta
            self.removed = removed
        }
    }

    /// `{"@removed":{"reason":"deleted"},"@id":"Items(3)"}`
    public struct Removal: Hashable, Sendable {
        public var reference: EntityReference
        /// The entity itself is to be deleted, and not only its relation.
        public var isDeleted: Bool

        public init(_ reference: EntityReference, isDeleted: Bool) {
            self.reference = reference
            self.isDeleted = isDeleted
        }
    }

    /// `@type`: a type that derives from the declared one.
    public var type: QualifiedName?
    /// `@id`: the existing entity that a nested payload of a deep update names.
    public var id: EntityReference?
    /// `@etag` of a nested payload: the update is refused where the entity has another.
    public var etag: String?
    public var properties: ComplexValue
    /// `Category@odata.bind`
    public var bindings: [Binding]
    /// Deep insert, and deep update.
    public var nested: [Nested]

    public init(_ properties: ComplexValue = ComplexValue(), bindings: [Binding] = [], nested: [Nested] = []) {
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

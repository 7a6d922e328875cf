import ODataModel

/// The properties, relations and nested entities of a create or update.
public struct EntityPayload: Hashable, Sendable {
    public struct Binding: Hashable, Sendable {
        public var navigation: String
        /// Empty: the relation is taken away.
        public var references: [EntityReference]

        public init(navigation: String, references: [EntityReference]) {
            self.navigation = navigation
            self.references = references
        }
    }

    public struct Nested: Hashable, Sendable {
        public var navigation: String
        public var entities: [EntityPayload]

        public init(navigation: String, entities: [EntityPayload]) {
            self.navigation = navigation
            self.entities = entities
        }
    }

    public var properties: ComplexValue
    /// `Category@odata.bind`
    public var bindings: [Binding]
    /// Deep insert.
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

/// The key of an entity: the values of its key properties in the order of the key.
///
/// [OData-URL, section 4.3.1: Canonical URL]
public struct EntityKey: Hashable, Sendable {
    /// The key properties with their values, in the order of the key. Two keys are equal only in the same order.
    public private(set) var components: [EdmComplexValue.Member]

    /// The key with these properties, which are to be in the order of the type's key.
    public init(_ components: [EdmComplexValue.Member]) {
        self.components = components
    }

    /// The key with one property.
    public init(_ name: String, _ value: EdmValue) {
        components = [.init(name: name, value: value)]
    }

    /// Takes the values of the key properties of `type` out of the properties of an entity, also those in complex values;
    /// nil if one is absent or null.
    public init?(of type: EdmStructuredType, in values: EdmComplexValue) {
        self.init(of: type) { part in values.value(at: type.keyPaths[part]) }
    }

    /// Takes the parts of the key out of values that are called as key predicates call them; nil if one is absent or null.
    package init?(of type: EdmStructuredType, parts: EdmComplexValue) {
        self.init(of: type) { part in parts[type.key[part]] }
    }

    private init?(of type: EdmStructuredType, value: (Int) -> EdmValue?) {
        var components: [EdmComplexValue.Member] = []
        for (part, name) in type.key.enumerated() {
            guard let value = value(part), !value.isNull else { return nil }
            components.append(.init(name: name, value: value))
        }
        guard !components.isEmpty else { return nil }
        self.components = components
    }

    /// The values without their names, in the order of the key.
    public var values: [EdmValue] { components.map(\.value) }

    /// The value of the key property of this name; nil if the key has no such property.
    public subscript(name: String) -> EdmValue? { components.first { $0.name == name }?.value }
}

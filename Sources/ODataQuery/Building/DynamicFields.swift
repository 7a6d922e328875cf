import ODataModel

/// The properties of entities whose type only the service knows, by their names.
///
/// ```swift
/// products.where { $0["Price"] > 20 && $0.many("Tags").contains { $0["Name"] == "new" } }
/// ```
///
/// Names are paths (`Address/City`, `Category/Name`); what the model does not have is refused when the store is asked.
public struct DynamicFields: QueryFields {
    public let path: FieldPath

    public init(path: FieldPath) { self.path = path }

    /// A property of any type.
    public subscript(name: String) -> QueryOperand<EdmValue> { path.property(name) }

    /// A navigation property to one entity.
    public func one(_ name: String) -> ToOne<DynamicElement> { path.toOne(name) }

    /// A navigation property to many entities.
    public func many(_ name: String) -> ToMany<DynamicElement> { path.toMany(name) }
}

/// What a navigation property leads to whose entities only the service knows.
public enum DynamicElement: QueryElement {
    public typealias Fields = DynamicFields
}

import ODataModel

/// An entity of an open type as a structure: properties that the metadata do not declare are set by their names.
///
/// ```swift
/// product["Colour"] = .string("red")      // PATCH Products(1)  {"Colour":"red"}
/// ```
///
/// A structure of a type that is not open refuses this when it is compiled.
///
/// [OData-CSDLXML, section 6.3: Open Entity Type]
public protocol OpenTypedEntity: TypedEntity {
    /// Dynamic properties that were set here; what was read is in ``EntityOrigin/properties``.
    var additional: EdmComplexValue { get set }
}

extension OpenTypedEntity {
    /// The value of the named property. A dynamic one is sent as it is set, ``EdmValue/null`` takes it away; nil makes it
    /// again what was read. The names of the structure's own properties change nothing.
    public subscript(name: String) -> EdmValue? {
        get {
            guard let index = Self.propertyNames.firstIndex(of: name) else {
                return additional[name] ?? origin?.properties[name]
            }
            return value(at: index)
        }
        set { if !Self.propertyNames.contains(name) { additional[name] = newValue } }
    }
}

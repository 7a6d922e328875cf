/// Values of payloads as literals of Swift: `["Name": "Chai", "Price": 9.99, "Tags": ["tea", "hot"]]`.
///
/// A text stays text until a store knows the property: for one of `Edm.Guid`, `Edm.Date`, `Edm.DateTimeOffset`,
/// `Edm.TimeOfDay` or `Edm.Duration` it is read as a value of that type then, for one of an enumeration as the name of a
/// member, and the change is refused where that cannot be done. A literal therefore never ends the program. Null is ``null``:
/// `nil` stands for a value that is absent.
extension EdmValue: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension EdmValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

/// The compiler makes a double of the literal: ``EdmDecimal`` has all digits of a text.
extension EdmValue: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension EdmValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension EdmValue: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: EdmValue...) { self = .collection(elements) }
}

/// `["Street": "Obere Str. 57", "City": "Berlin"]`
extension EdmValue: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, EdmValue)...) {
        self = .complex(EdmComplexValue(elements.map { .init(name: $0.0, value: $0.1) }))
    }
}

extension EdmValue {
    /// A value of a type that properties have: `EdmValue(order.createdAt)`; ``null`` for nil.
    public init(_ value: (some PropertyValue)?) { self = value?.edm ?? .null }
}

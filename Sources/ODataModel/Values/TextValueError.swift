/// Text that is not a value of a type: what `EdmGuid(parsing:)` and the like throw.
public struct TextValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String
    /// `Edm.Date`
    public let type: String
    /// A text that would be one: `2024-02-29`.
    public let example: String

    /// “2024-02-30” is not an Edm.Date: write it like 2024-02-29.
    public var description: String { "“\(text.prefix(100))” is not an \(type): write it like \(example)." }
}

/// Types whose values are text in payloads and URLs.
public protocol TextPropertyValue: PropertyValue {
    /// Reads the text; nil for anything else.
    init?(_ text: some StringProtocol)

    /// The name of the type, and a text of one of its values.
    static var textForm: (type: EdmPrimitiveType, example: String) { get }
}

extension TextPropertyValue {
    /// Reads the text: `Order(id: try EdmGuid(parsing: "01234567-89ab-cdef-0123-456789abcdef"))`.
    ///
    /// - Throws: ``TextValueError`` with the text, the type, and an example.
    public init(parsing text: some StringProtocol) throws(TextValueError) {
        guard let value = Self(text) else {
            let (type, example) = Self.textForm
            throw TextValueError(text: String(text), type: "\(EdmTypeReference.primitive(type))", example: example)
        }
        self = value
    }
}

extension EdmGuid: TextPropertyValue {
    public static var textForm: (type: EdmPrimitiveType, example: String) {
        (.guid, "01234567-89ab-cdef-0123-456789abcdef")
    }
}

extension EdmDecimal: TextPropertyValue {
    public static var textForm: (type: EdmPrimitiveType, example: String) { (.decimal, "9.99") }
}

extension EdmDate: TextPropertyValue {
    public static var textForm: (type: EdmPrimitiveType, example: String) { (.date, "2024-02-29") }
}

extension EdmTimeOfDay: TextPropertyValue {
    public static var textForm: (type: EdmPrimitiveType, example: String) { (.timeOfDay, "07:59:59.999") }
}

extension EdmDateTimeOffset: TextPropertyValue {
    public static var textForm: (type: EdmPrimitiveType, example: String) {
        (.dateTimeOffset, "2024-02-29T07:59:59Z")
    }
}

extension EdmDuration: TextPropertyValue {
    public static var textForm: (type: EdmPrimitiveType, example: String) { (.duration, "PT1H30M") }
}

/// A Swift type that values of properties have in typed entities and in the builder of queries.
///
/// | Swift | EDM |
/// | --- | --- |
/// | `Bool`, `String`, `Double`, `Float` | `Edm.Boolean`, `Edm.String`, `Edm.Double`, `Edm.Single` |
/// | `UInt8`, `Int8`, `Int16`, `Int32`, `Int64`, `Int` | the integer types |
/// | `[UInt8]` | `Edm.Binary` |
/// | ``EdmDecimal``, ``EdmGuid``, ``EdmDate``, ``EdmTimeOfDay``, ``EdmDateTimeOffset``, ``EdmDuration`` | theirs |
/// | ``EdmGeo`` | geography and geometry |
/// | arrays of these | collections |
/// | optionals of these | members of collections that may be null |
/// | ``EdmValue`` | any, `Edm.Untyped` |
///
/// Enumerations are ``EnumerationValue`` or ``FlagsValue``, complex types ``ComplexPropertyValue``. Null is not a value
/// of any of them: properties that may be null are optional, and so are the members of collections that may.
public protocol PropertyValue: Hashable, Sendable {
    /// Nil if `value` is not of this type.
    init?(edm value: EdmValue)

    /// The value as stores read and write it.
    var edm: EdmValue { get }

    /// The same as ``init(edm:)`` out of a row: nil for what is null, absent or none of this type.
    init?(slot: RowSlot, in rows: RowSlotSource, type: RowSlotType)
}

extension PropertyValue {
    public init?(slot: RowSlot, in rows: RowSlotSource, type: RowSlotType) {
        guard let value = rows.value(of: slot, type) else { return nil }
        self.init(edm: value)
    }
}

extension EdmValue: PropertyValue {
    public init?(edm value: EdmValue) { self = value }
    public var edm: EdmValue { self }
}

extension Bool: PropertyValue {
    public init?(edm value: EdmValue) {
        guard case .boolean(let value) = value else { return nil }
        self = value
    }

    public var edm: EdmValue { .boolean(self) }

    public init?(slot: RowSlot, in rows: RowSlotSource, type: RowSlotType) {
        guard slot.kind == .boolean else { return nil }
        self = slot.bits != 0
    }
}

extension String: PropertyValue {
    public init?(edm value: EdmValue) {
        guard case .string(let value) = value else { return nil }
        self = value
    }

    public var edm: EdmValue { .string(self) }

    public init?(slot: RowSlot, in rows: RowSlotSource, type: RowSlotType) {
        guard slot.kind == .text, type.primitive == .string else { return nil }
        self = String(decoding: rows.bytes(of: slot), as: UTF8.self)
    }
}

/// The integer types of Swift that EDM has.
public protocol IntegerPropertyValue: PropertyValue, FixedWidthInteger {}

extension IntegerPropertyValue {
    public init?(edm value: EdmValue) {
        guard case .integer(let value) = value else { return nil }
        self.init(exactly: value)
    }

    public var edm: EdmValue { .integer(Int64(self)) }

    public init?(slot: RowSlot, in rows: RowSlotSource, type: RowSlotType) {
        guard slot.kind == .integer else { return nil }
        self.init(exactly: slot.bits)
    }
}

extension UInt8: IntegerPropertyValue {}
extension Int8: IntegerPropertyValue {}
extension Int16: IntegerPropertyValue {}
extension Int32: IntegerPropertyValue {}
extension Int64: IntegerPropertyValue {}
extension Int: IntegerPropertyValue {}

extension Double: PropertyValue {
    public init?(edm value: EdmValue) {
        switch value {
        case .double(let value): self = value
        case .integer(let value): self.init(exactly: value)
        default: return nil
        }
    }

    public var edm: EdmValue { .double(self) }

    public init?(slot: RowSlot, in rows: RowSlotSource, type: RowSlotType) {
        if slot.kind == .double {
            self = slot.doubleValue
        } else {
            guard let value = rows.value(of: slot, type) else { return nil }
            self.init(edm: value)
        }
    }
}

extension Float: PropertyValue {
    public init?(edm value: EdmValue) {
        guard let double = Double(edm: value) else { return nil }
        self.init(double)
    }

    /// With the digits that name this number among those of its type: 0.1 and not 0.10000000149011612.
    public var edm: EdmValue { .double(Double("\(self)") ?? Double(self)) }
}

extension EdmDecimal: PropertyValue {
    public init?(edm value: EdmValue) {
        switch value {
        case .decimal(let value): self = value
        case .integer(let value): self.init(value)
        default: return nil
        }
    }

    public var edm: EdmValue { .decimal(self) }

    public init?(slot: RowSlot, in rows: RowSlotSource, type: RowSlotType) {
        switch slot.kind {
        case .text: self.init(utf8: rows.bytes(of: slot))
        case .integer: self.init(slot.bits)
        default: return nil
        }
    }
}

extension EdmDecimal: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self.init(value) }
}

/// `9.99` is 9.99, as is every literal of at most 15 significant digits. The compiler makes a double of it first, so
/// that of more digits the last ones get lost: such numbers are read from text.
extension EdmDecimal: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = EdmDecimal("\(value)") ?? .zero }
}

extension EdmGuid: PropertyValue {
    public init?(edm value: EdmValue) {
        guard case .guid(let value) = value else { return nil }
        self = value
    }

    public var edm: EdmValue { .guid(self) }
}

extension EdmDate: PropertyValue {
    public init?(edm value: EdmValue) {
        guard case .date(let value) = value else { return nil }
        self = value
    }

    public var edm: EdmValue { .date(self) }

    public init?(slot: RowSlot, in rows: RowSlotSource, type: RowSlotType) {
        guard slot.kind == .text, type.primitive == .date else { return nil }
        self.init(utf8: rows.bytes(of: slot))
    }
}

extension EdmTimeOfDay: PropertyValue {
    public init?(edm value: EdmValue) {
        guard case .timeOfDay(let value) = value else { return nil }
        self = value
    }

    public var edm: EdmValue { .timeOfDay(self) }
}

extension EdmDateTimeOffset: PropertyValue {
    public init?(edm value: EdmValue) {
        guard case .dateTimeOffset(let value) = value else { return nil }
        self = value
    }

    public var edm: EdmValue { .dateTimeOffset(self) }
}

extension EdmDuration: PropertyValue {
    public init?(edm value: EdmValue) {
        guard case .duration(let value) = value else { return nil }
        self = value
    }

    public var edm: EdmValue { .duration(self) }
}

/// A geography or geometry value: its text in GeoJSON.
///
/// [OData-JSON, section 7.1; RFC 7946]
public struct EdmGeo: PropertyValue {
    /// `{"type":"Point","coordinates":[142.1,64.1]}`
    public var text: String

    /// Takes the text of a GeoJSON object as it is: it is not checked.
    public init(_ text: String) { self.text = text }

    public init?(edm value: EdmValue) {
        guard case .geo(let text) = value else { return nil }
        self.text = text
    }

    public var edm: EdmValue { .geo(text) }
}

extension Array: PropertyValue where Element: PropertyValue {
    /// A collection whose members are all of the element's type; bytes for `[UInt8]`.
    public init?(edm value: EdmValue) {
        switch value {
        case .binary(let bytes):
            guard Element.self == UInt8.self, let bytes = bytes as? Self else { return nil }
            self = bytes
        case .collection(let values):
            var members: Self = []
            members.reserveCapacity(values.count)
            for value in values {
                guard let member = Element(edm: value) else { return nil }
                members.append(member)
            }
            self = members
        default: return nil
        }
    }

    public var edm: EdmValue {
        // An empty array can be taken for one of any other type.
        if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .binary(bytes) }
        return .collection(map(\.edm))
    }
}

/// A member of a collection that may be null: `[String?]`.
extension Optional: PropertyValue where Wrapped: PropertyValue {
    /// Nil inside for null; nil itself for what is neither null nor of the type.
    public init?(edm value: EdmValue) {
        if value.isNull {
            self = Self.none
        } else {
            guard let value = Wrapped(edm: value) else { return nil }
            self = .some(value)
        }
    }

    public var edm: EdmValue { self?.edm ?? .null }
}

/// A built-in primitive type of the Entity Data Model.
///
/// [OData-CSDLXML, section 3.3: Primitive Types]
public enum PrimitiveType: String, Hashable, Sendable, CaseIterable {
    case binary = "Binary"
    case boolean = "Boolean"
    case byte = "Byte"
    case date = "Date"
    case dateTimeOffset = "DateTimeOffset"
    case decimal = "Decimal"
    case double = "Double"
    case duration = "Duration"
    case guid = "Guid"
    case int16 = "Int16"
    case int32 = "Int32"
    case int64 = "Int64"
    case sByte = "SByte"
    case single = "Single"
    case stream = "Stream"
    case string = "String"
    case timeOfDay = "TimeOfDay"
    case geography = "Geography"
    case geographyPoint = "GeographyPoint"
    case geographyLineString = "GeographyLineString"
    case geographyPolygon = "GeographyPolygon"
    case geographyMultiPoint = "GeographyMultiPoint"
    case geographyMultiLineString = "GeographyMultiLineString"
    case geographyMultiPolygon = "GeographyMultiPolygon"
    case geographyCollection = "GeographyCollection"
    case geometry = "Geometry"
    case geometryPoint = "GeometryPoint"
    case geometryLineString = "GeometryLineString"
    case geometryPolygon = "GeometryPolygon"
    case geometryMultiPoint = "GeometryMultiPoint"
    case geometryMultiLineString = "GeometryMultiLineString"
    case geometryMultiPolygon = "GeometryMultiPolygon"
    case geometryCollection = "GeometryCollection"
    /// The abstract `Edm.PrimitiveType`: any of the others.
    case primitiveType = "PrimitiveType"
    /// A value of any type, described by the payload only.
    case untyped = "Untyped"

    /// The closed range of values of an integer type; nil for the other types.
    public var integerRange: ClosedRange<Int64>? {
        switch self {
        case .byte: 0...255
        case .sByte: -128...127
        case .int16: -32_768...32_767
        case .int32: -2_147_483_648...2_147_483_647
        case .int64: .min ... .max
        default: nil
        }
    }

    /// Whether arithmetic operators apply: the integer types, `Decimal`, `Double` and `Single`.
    public var isNumeric: Bool {
        integerRange != nil || self == .decimal || self == .double || self == .single
    }

    /// Whether this is one of the geography or geometry types.
    public var isGeospatial: Bool { rawValue.hasPrefix("Geo") }
}

/// A built-in primitive type of the Entity Data Model.
///
/// [OData-CSDLXML, section 3.3: Primitive Types]
public enum EdmPrimitiveType: String, Hashable, Sendable, CaseIterable {
    /// Bytes; in JSON as base64url.
    case binary = "Binary"
    /// True or false.
    case boolean = "Boolean"
    /// A whole number of 8 bits without a sign: 0 to 255.
    case byte = "Byte"
    /// A day without a time zone: `2024-02-29`.
    case date = "Date"
    /// An instant with the offset from UTC that it was given in: `2024-01-02T03:04:05Z`.
    case dateTimeOffset = "DateTimeOffset"
    /// A decimal number with as many digits as its facets allow, without binary rounding.
    case decimal = "Decimal"
    /// A floating-point number of 64 bits (IEEE 754): 15 to 17 decimal digits; also `INF`, `-INF` and `NaN`.
    case double = "Double"
    /// A signed span of days, hours, minutes and seconds: `P1DT2H`.
    case duration = "Duration"
    /// A number of 128 bits that identifies something, as 32 hexadecimal digits in groups.
    case guid = "Guid"
    /// A whole number of 16 bits: -32,768 to 32,767.
    case int16 = "Int16"
    /// A whole number of 32 bits: -2,147,483,648 to 2,147,483,647.
    case int32 = "Int32"
    /// A whole number of 64 bits.
    case int64 = "Int64"
    /// A whole number of 8 bits with a sign: -128 to 127.
    case sByte = "SByte"
    /// A floating-point number of 32 bits (IEEE 754): 6 to 9 decimal digits; also `INF`, `-INF` and `NaN`.
    case single = "Single"
    /// Bytes with a URL of their own; the values of an entity are without them.
    case stream = "Stream"
    /// Unicode text; an empty one differs from null.
    case string = "String"
    /// A time of day without a date and a time zone: `07:59:59.999`.
    case timeOfDay = "TimeOfDay"
    /// Any of the types on the round earth, whose coordinates are degrees.
    case geography = "Geography"
    /// A place on the earth: longitude and latitude, in GeoJSON `{"type":"Point","coordinates":[13.4,52.5]}`.
    case geographyPoint = "GeographyPoint"
    /// A line through places on the earth.
    case geographyLineString = "GeographyLineString"
    /// An area on the earth, which may have holes.
    case geographyPolygon = "GeographyPolygon"
    /// Several places on the earth.
    case geographyMultiPoint = "GeographyMultiPoint"
    /// Several lines on the earth.
    case geographyMultiLineString = "GeographyMultiLineString"
    /// Several areas on the earth.
    case geographyMultiPolygon = "GeographyMultiPolygon"
    /// Geography values of any types together.
    case geographyCollection = "GeographyCollection"
    /// Any of the types in a plane, with coordinates of the system that ``EdmFacets/srid`` names.
    case geometry = "Geometry"
    /// A place in a plane.
    case geometryPoint = "GeometryPoint"
    /// A line through places in a plane.
    case geometryLineString = "GeometryLineString"
    /// An area in a plane, which may have holes.
    case geometryPolygon = "GeometryPolygon"
    /// Several places in a plane.
    case geometryMultiPoint = "GeometryMultiPoint"
    /// Several lines in a plane.
    case geometryMultiLineString = "GeometryMultiLineString"
    /// Several areas in a plane.
    case geometryMultiPolygon = "GeometryMultiPolygon"
    /// Geometry values of any types together.
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

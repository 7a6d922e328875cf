import ODataModel

/// Reads `SRID=4326;Point(142.1 64.1)`, and `POINT (142.1 64.1)`.
struct WellKnownText {
    private let bytes: [UInt8]
    private var position = 0

    private static let maxDepth = 32

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func read() -> GeoShape? {
        if bytes.starts(with: "SRID=".utf8) || bytes.starts(with: "srid=".utf8) {
            guard let end = bytes.firstIndex(of: UInt8(ascii: ";")) else { return nil }
            position = end + 1
        }
        guard let shape = shape(depth: 0) else { return nil }
        skipSpace()
        return position == bytes.count ? shape : nil
    }

    private mutating func shape(depth: Int) -> GeoShape? {
        guard depth < Self.maxDepth else { return nil }
        switch word() {
        case "point": return list { $0.numbers() }.flatMap { $0.count == 1 ? $0.first.map(GeoShape.point) : nil }
        case "linestring": return line().map(GeoShape.lineString)
        case "polygon": return lines().map(GeoShape.polygon)
        case "multipoint": return list { $0.pointInList() }.map(GeoShape.multiPoint)
        case "multilinestring": return lines().map(GeoShape.multiLineString)
        case "multipolygon": return list { $0.lines() }.map(GeoShape.multiPolygon)
        case "collection", "geometrycollection": return list { $0.shape(depth: depth + 1) }.map(GeoShape.collection)
        default: return nil
        }
    }

    private mutating func line() -> [GeoShape.Position]? { list { $0.numbers() } }

    private mutating func lines() -> [[GeoShape.Position]]? { list { $0.line() } }

    private mutating func pointInList() -> GeoShape.Position? {
        skipSpace()
        guard next == UInt8(ascii: "(") else { return numbers() }
        return line()?.first
    }

    private mutating func list<Part>(_ part: (inout Self) -> Part?) -> [Part]? {
        guard take("(") else { return nil }
        var parts: [Part] = []
        repeat {
            guard let next = part(&self) else { return nil }
            parts.append(next)
        } while take(",")
        return take(")") ? parts : nil
    }

    private mutating func numbers() -> GeoShape.Position? {
        var numbers: GeoShape.Position = []
        while let number = number() { numbers.append(number) }
        return (2...4).contains(numbers.count) ? numbers : nil
    }

    private mutating func number() -> Double? {
        skipSpace()
        let start = position
        while let byte = next, byte.isDigit || "+-.eE".utf8.contains(byte) { position += 1 }
        return start == position ? nil : Double(digits: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func word() -> String {
        skipSpace()
        let start = position
        while let byte = next, (0x41...0x5A).contains(byte & 0xDF) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() { while next == 0x20 { position += 1 } }
}

extension GeoShape {
    /// `Point(142.1 64.1)`
    var wellKnownText: String {
        switch self {
        case .point(let position): "Point(\(Self.text(position)))"
        case .lineString(let line): "LineString\(Self.text(line))"
        case .polygon(let rings): "Polygon(\(rings.map(Self.text).joined(separator: ",")))"
        case .multiPoint(let points): "MultiPoint(\(points.map { "(\(Self.text($0)))" }.joined(separator: ",")))"
        case .multiLineString(let lines): "MultiLineString(\(lines.map(Self.text).joined(separator: ",")))"
        case .multiPolygon(let polygons):
            "MultiPolygon(\(polygons.map { "(\($0.map(Self.text).joined(separator: ",")))" }.joined(separator: ",")))"
        case .collection(let shapes): "Collection(\(shapes.map(\.wellKnownText).joined(separator: ",")))"
        }
    }

    private static func text(_ line: [Position]) -> String { "(\(line.map(Self.text).joined(separator: ",")))" }

    private static func text(_ position: Position) -> String {
        position.map { EdmValue.double($0).lexical }.joined(separator: " ")
    }
}

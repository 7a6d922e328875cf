/// The shape of a geography or geometry value.
///
/// [RFC 7946, section 3; OData-ABNF, `fullPointLiteral` and the rules around it]
package indirect enum GeoShape: Hashable, Sendable {
    /// Longitude and latitude in degrees, or x and y; more coordinates are kept but not measured.
    package typealias Position = [Double]

    case point(Position)
    case lineString([Position])
    case polygon([[Position]])
    case multiPoint([Position])
    case multiLineString([[Position]])
    case multiPolygon([[[Position]]])
    case collection([GeoShape])

    /// Nil if `node` is not GeoJSON.
    package init?(_ node: JSONNode) {
        guard let type = node["type"]?.string else { return nil }
        if type == "GeometryCollection" {
            guard let shapes = node["geometries"].flatMap({ Self.list($0) { GeoShape($0) } }) else { return nil }
            self = .collection(shapes)
            return
        }
        guard let value = node["coordinates"], let shape = Self.shape(type, value) else { return nil }
        self = shape
    }

    private static func shape(_ type: String, _ value: JSONNode) -> GeoShape? {
        switch type {
        case "Point": position(value).map(GeoShape.point)
        case "LineString": list(value, position).map(GeoShape.lineString)
        case "MultiPoint": list(value, position).map(GeoShape.multiPoint)
        case "Polygon": list(value, line).map(GeoShape.polygon)
        case "MultiLineString": list(value, line).map(GeoShape.multiLineString)
        case "MultiPolygon": list(value) { list($0, line) }.map(GeoShape.multiPolygon)
        default: nil
        }
    }

    private static func line(_ node: JSONNode) -> [Position]? { list(node, position) }

    private static func list<Part>(_ node: JSONNode, _ part: (JSONNode) -> Part?) -> [Part]? {
        guard let elements = node.elements else { return nil }
        let parts = elements.compactMap(part)
        return parts.count == elements.count ? parts : nil
    }

    private static func position(_ node: JSONNode) -> Position? {
        let numbers = list(node) { element -> Double? in
            if case .number(let digits) = element.content { Double(digits: digits) } else { nil }
        }
        return numbers.flatMap { $0.count >= 2 ? $0 : nil }
    }

    /// As in the names of types: `Point` for `Edm.GeographyPoint`; a collection of shapes is `Collection`.
    package var name: String {
        switch self {
        case .point: "Point"
        case .lineString: "LineString"
        case .polygon: "Polygon"
        case .multiPoint: "MultiPoint"
        case .multiLineString: "MultiLineString"
        case .multiPolygon: "MultiPolygon"
        case .collection: "Collection"
        }
    }

    // MARK: Text

    /// `Point(142.1 64.1)`
    package var wellKnownText: String {
        switch self {
        case .point(let position): "Point(\(Self.text(position)))"
        case .multiPoint(let points): "MultiPoint(\(points.map { "(\(Self.text($0)))" }.joined(separator: ",")))"
        case .lineString(let line): name + Self.text(line)
        case .polygon(let lines), .multiLineString(let lines): name + Self.text(lines)
        case .multiPolygon(let polygons): "MultiPolygon(\(polygons.map(Self.text).joined(separator: ",")))"
        case .collection(let shapes): "GeometryCollection(\(shapes.map(\.wellKnownText).joined(separator: ",")))"
        }
    }

    /// `142.1 64.1`
    package static func text(_ position: Position) -> String { position.map(text).joined(separator: " ") }

    private static func text(_ line: [Position]) -> String { "(\(line.map { text($0) }.joined(separator: ",")))" }

    private static func text(_ lines: [[Position]]) -> String { "(\(lines.map { text($0) }.joined(separator: ",")))" }

    /// `12` and not `12.0`.
    private static func text(_ number: Double) -> String {
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return "\(whole)" }
        return "\(number)"
    }

    /// The value as GeoJSON.
    ///
    /// - Parameter crs: The EPSG code of the coordinate system; nil for the usual one.
    package func json(crs: Int? = nil) -> String {
        let system = crs.map { #","crs":{"type":"name","properties":{"name":"EPSG:\#($0)"}}"# } ?? ""
        if case .collection(let shapes) = self {
            let members = shapes.map { $0.json() }.joined(separator: ",")
            return #"{"type":"GeometryCollection","geometries":[\#(members)]\#(system)}"#
        }
        return #"{"type":"\#(name)","coordinates":\#(coordinates)\#(system)}"#
    }

    private var coordinates: String {
        switch self {
        case .point(let position): Self.json(position)
        case .lineString(let line), .multiPoint(let line): Self.array(line.map(Self.json))
        case .polygon(let lines), .multiLineString(let lines): Self.json(lines)
        case .multiPolygon(let polygons): Self.array(polygons.map(Self.json))
        case .collection: "[]"
        }
    }

    private static func array(_ parts: [String]) -> String { "[\(parts.joined(separator: ","))]" }

    private static func json(_ position: Position) -> String { array(position.map(text)) }

    private static func json(_ lines: [[Position]]) -> String { array(lines.map { array($0.map(json)) }) }
}

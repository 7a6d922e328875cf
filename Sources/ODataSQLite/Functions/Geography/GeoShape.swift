import ODataModel

/// A geography or geometry value.
///
/// [RFC 7946, section 3; OData-ABNF, `fullPointLiteral` and the rules around it]
indirect enum GeoShape: Hashable {
    /// Longitude and latitude in degrees, or x and y; more coordinates are kept but not measured.
    typealias Position = [Double]

    case point(Position)
    case lineString([Position])
    case polygon([[Position]])
    case multiPoint([Position])
    case multiLineString([[Position]])
    case multiPolygon([[[Position]]])
    case collection([GeoShape])

    /// Reads GeoJSON, or well-known text as some files hold it.
    init?(_ text: String) {
        if text.utf8.first == UInt8(ascii: "{") {
            guard let node = try? JSONParser.parse(Array(text.utf8)[...]) else { return nil }
            self.init(node)
        } else {
            var reader = WellKnownText(text)
            guard let shape = reader.read() else { return nil }
            self = shape
        }
    }

    init?(_ node: JSONNode) {
        guard let type = node["type"]?.string else { return nil }
        if type == "GeometryCollection" {
            guard let shapes = node["geometries"]?.elements?.map({ GeoShape($0) }), !shapes.contains(nil) else {
                return nil
            }
            self = .collection(shapes.compactMap { $0 })
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

    /// The name of the kind: `Point`, `GeometryCollection`.
    var kind: String {
        switch self {
        case .point: "Point"
        case .lineString: "LineString"
        case .polygon: "Polygon"
        case .multiPoint: "MultiPoint"
        case .multiLineString: "MultiLineString"
        case .multiPolygon: "MultiPolygon"
        case .collection: "GeometryCollection"
        }
    }
}

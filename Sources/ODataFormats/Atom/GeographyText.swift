import ODataMetadata
import ODataModel

/// Writes GML for GeoJSON, the counterpart of ``GeographyBuilder``.
enum GeographyText {
    /// Nil if `geoJSON` is not valid.
    static func gml(geoJSON: String) -> String? {
        guard let node = try? JSONParser.parse(Array(geoJSON.utf8)[...]) else { return nil }
        var attributes = " xmlns:gml=\"\(AtomNamespace.gml)\""
        if let name = node["crs"]?["properties"]?["name"]?.string, let code = name.split(separator: ":").last {
            attributes += " gml:srsName=\"http://www.opengis.net/def/crs/EPSG/0/\(XMLTree.escaped(String(code)))\""
        }
        return GeoShape(node).map { geometry($0, attributes) }
    }

    private static func geometry(_ shape: GeoShape, _ attributes: String = "") -> String {
        func parts<Part>(_ name: String, _ members: String, _ parts: [Part], _ part: (Part) -> String) -> String {
            tag(name, tag(members, parts.map(part).joined()), attributes)
        }
        return switch shape {
        case .point(let position): point(position, attributes)
        case .lineString(let line): self.line(line, attributes)
        case .polygon(let rings): polygon(rings, attributes)
        case .multiPoint(let points): parts("MultiPoint", "pointMembers", points) { point($0) }
        case .multiLineString(let lines): parts("MultiCurve", "curveMembers", lines) { line($0) }
        case .multiPolygon(let polygons): parts("MultiSurface", "surfaceMembers", polygons) { polygon($0) }
        case .collection(let shapes): parts("MultiGeometry", "geometryMembers", shapes) { geometry($0) }
        }
    }

    private static func tag(_ name: String, _ content: String, _ attributes: String = "") -> String {
        "<gml:\(name)\(attributes)>\(content)</gml:\(name)>"
    }

    private static func point(_ position: GeoShape.Position, _ attributes: String = "") -> String {
        tag("Point", self.position(position), attributes)
    }

    /// `[13.4,52.5]` as `52.5 13.4`.
    private static func position(_ position: GeoShape.Position) -> String {
        var numbers = position
        numbers.swapAt(0, 1)
        return tag("pos", GeoShape.text(numbers))
    }

    private static func line(_ line: [GeoShape.Position], _ attributes: String = "") -> String {
        tag("LineString", line.map(position).joined(), attributes)
    }

    private static func polygon(_ rings: [[GeoShape.Position]], _ attributes: String = "") -> String {
        let content = rings.enumerated().map { index, ring in
            tag(index == 0 ? "exterior" : "interior", tag("LinearRing", ring.map(position).joined()))
        }
        return tag("Polygon", content.joined(), attributes)
    }
}

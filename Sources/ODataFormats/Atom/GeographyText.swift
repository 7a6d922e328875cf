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
        return geometry(node, attributes)
    }

    private static func geometry(_ node: JSONNode, _ attributes: String = "") -> String? {
        guard let type = node["type"]?.string else { return nil }
        let coordinates = node["coordinates"]
        switch type {
        case "Point": return coordinates.flatMap(position).map { tag("Point", "<gml:pos>\($0)</gml:pos>", attributes) }
        case "LineString": return coordinates.flatMap { line($0, attributes) }
        case "Polygon": return coordinates.flatMap { polygon($0, attributes) }
        case "MultiPoint":
            return parts(coordinates, "MultiPoint", "pointMembers", attributes) { point in
                position(point).map { tag("Point", "<gml:pos>\($0)</gml:pos>") }
            }
        case "MultiLineString": return parts(coordinates, "MultiCurve", "curveMembers", attributes) { line($0) }
        case "MultiPolygon": return parts(coordinates, "MultiSurface", "surfaceMembers", attributes) { polygon($0) }
        case "GeometryCollection":
            return parts(node["geometries"], "MultiGeometry", "geometryMembers", attributes) { geometry($0) }
        default: return nil
        }
    }

    private static func tag(_ name: String, _ content: String, _ attributes: String = "") -> String {
        "<gml:\(name)\(attributes)>\(content)</gml:\(name)>"
    }

    /// `[13.4,52.5]` as `52.5 13.4`.
    private static func position(_ node: JSONNode) -> String? {
        guard var numbers = node.elements?.map({ VerboseValueDecoder.text($0) ?? "0" }), numbers.count >= 2 else {
            return nil
        }
        numbers.swapAt(0, 1)
        return numbers.joined(separator: " ")
    }

    private static func positions(_ node: JSONNode) -> String? {
        guard let elements = node.elements else { return nil }
        let list = elements.map(position)
        guard !list.contains(nil) else { return nil }
        return list.compactMap { $0.map { "<gml:pos>\($0)</gml:pos>" } }.joined()
    }

    private static func line(_ node: JSONNode, _ attributes: String = "") -> String? {
        positions(node).map { tag("LineString", $0, attributes) }
    }

    private static func polygon(_ node: JSONNode, _ attributes: String = "") -> String? {
        guard let rings = node.elements?.map(positions), !rings.contains(nil) else { return nil }
        let content = rings.compactMap(\.self).enumerated().map { index, ring in
            tag(index == 0 ? "exterior" : "interior", tag("LinearRing", ring))
        }
        return tag("Polygon", content.joined(), attributes)
    }

    private static func parts(
        _ node: JSONNode?, _ name: String, _ members: String, _ attributes: String, _ part: (JSONNode) -> String?
    ) -> String? {
        guard let parts = node?.elements?.map(part), !parts.contains(nil) else { return nil }
        return tag(name, tag(members, parts.compactMap(\.self).joined()), attributes)
    }
}

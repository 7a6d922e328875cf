/// Makes GeoJSON of the GML that V3 writes geography and geometry values in.
///
/// ```xml
/// <gml:Point gml:srsName="http://www.opengis.net/def/crs/EPSG/0/4326"><gml:pos>52.5 13.4</gml:pos></gml:Point>
/// ```
///
/// In GML the latitude is first, in GeoJSON the longitude. [OGC 10-100r3; RFC 7946]
struct GeographyBuilder {
    private struct Element {
        var name: String
        var text: [UInt8] = []
        var children: [Element] = []

        func all(_ names: Set<String>) -> [Element] {
            children.flatMap { names.contains($0.name) ? [$0] : $0.all(names) }
        }
    }

    private var open: [Element] = []
    private var root: Element?

    mutating func start(_ name: String, _ reference: String?) { open.append(Element(name: name)) }

    mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text.append(contentsOf: text)
    }

    mutating func end() {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    /// Nil if it is not GML that is known.
    var geoJSON: String? { root.flatMap(Self.geometry) }

    private static let shapes: Set<String> = [
        "Point", "LineString", "Polygon", "MultiPoint", "MultiCurve", "MultiSurface", "MultiGeometry",
    ]

    private static func geometry(_ element: Element) -> String? {
        switch element.name {
        case "Point":
            guard let list = positions(element) else { return nil }
            return list.first.map { object("Point", $0) } ?? object("Point", "[]")
        case "LineString": return positions(element).map { object("LineString", array($0)) }
        case "Polygon": return rings(element).map { object("Polygon", $0) }
        case "MultiPoint":
            let points = element.all(["Point"]).map { positions($0)?.first }
            return points.contains(nil) ? nil : object("MultiPoint", array(points.compactMap(\.self)))
        case "MultiCurve":
            let lines = element.all(["LineString"]).map { positions($0).map(array) }
            return lines.contains(nil) ? nil : object("MultiLineString", array(lines.compactMap(\.self)))
        case "MultiSurface":
            let polygons = element.all(["Polygon"]).map(rings)
            return polygons.contains(nil) ? nil : object("MultiPolygon", array(polygons.compactMap(\.self)))
        case "MultiGeometry":
            let parts = element.all(shapes).map(geometry)
            guard !parts.contains(nil) else { return nil }
            return "{\"type\":\"GeometryCollection\",\"geometries\":\(array(parts.compactMap(\.self)))}"
        default: return nil
        }
    }

    private static func rings(_ polygon: Element) -> String? {
        let rings = polygon.all(["exterior"]) + polygon.all(["interior"])
        let lines = rings.map { positions($0).map(array) }
        return lines.contains(nil) ? nil : array(lines.compactMap(\.self))
    }

    /// Of `pos` and `posList` elements, as JSON arrays with the two first coordinates swapped.
    private static func positions(_ element: Element) -> [String]? {
        var positions: [String] = []
        for item in element.all(["pos", "posList"]) {
            let numbers = String(decoding: item.text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard numbers.allSatisfy({ Double($0)?.isFinite == true }) else { return nil }
            let size = item.name == "pos" ? numbers.count : 2
            guard size >= 2 else {
                if numbers.isEmpty { continue }
                return nil
            }
            guard numbers.count % size == 0 else { return nil }
            for start in stride(from: 0, to: numbers.count, by: size) {
                let rest = numbers[(start + 2)..<(start + size)].map { "," + json($0) }.joined()
                positions.append("[\(json(numbers[start + 1])),\(json(numbers[start]))\(rest)]")
            }
        }
        return positions
    }

    private static func json(_ number: Substring) -> String {
        guard let value = Double(number) else { return "0" }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return "\(whole)" }
        return "\(value)"
    }

    private static func array(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

    private static func object(_ type: String, _ coordinates: String) -> String {
        "{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}"
    }
}

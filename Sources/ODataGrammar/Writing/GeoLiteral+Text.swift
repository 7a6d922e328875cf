import ODataQuery

extension GeoLiteral {
    /// `geography'SRID=4326;Point(142.1 64.1)'`
    var text: String { (isGeography ? "geography" : "geometry") + "'" + fullText + "'" }

    /// `SRID=4326;Point(142.1 64.1)`
    var fullText: String { "SRID=\(srid);" + shape.text }
}

extension GeoLiteral.Shape {
    /// `Point(142.1 64.1)`
    var text: String {
        switch self {
        case .point(let position): "Point(" + Self.text(position) + ")"
        case .lineString(let line): "LineString" + Self.text(line)
        case .polygon(let rings): "Polygon" + Self.text(rings)
        case .multiPoint(let points):
            "MultiPoint(" + points.map { "(" + Self.text($0) + ")" }.joined(separator: ",") + ")"
        case .multiLineString(let lines): "MultiLineString" + Self.text(lines)
        case .multiPolygon(let polygons): "MultiPolygon(" + polygons.map { Self.text($0) }.joined(separator: ",") + ")"
        case .collection(let shapes): "GeometryCollection(" + shapes.map(\.text).joined(separator: ",") + ")"
        }
    }

    private static func text(_ position: GeoLiteral.Position) -> String { position.map(text).joined(separator: " ") }

    private static func text(_ line: [GeoLiteral.Position]) -> String {
        "(" + line.map { text($0) }.joined(separator: ",") + ")"
    }

    private static func text(_ lines: [[GeoLiteral.Position]]) -> String {
        "(" + lines.map { text($0) }.joined(separator: ",") + ")"
    }

    private static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-INF" : "INF" }
        if let whole = Int64(exactly: number), abs(whole) < 1 << 53 { return "\(whole)" }
        return "\(number)"
    }
}

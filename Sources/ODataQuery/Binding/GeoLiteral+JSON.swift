import ODataModel

extension GeoLiteral {
    /// `Edm.GeographyPoint`, `Edm.GeometryPolygon`, ...
    var type: EdmPrimitiveType {
        EdmPrimitiveType(rawValue: (isGeography ? "Geography" : "Geometry") + shape.name) ?? .untyped
    }

    /// The literal as GeoJSON, with the coordinate system where it is not the usual one.
    ///
    /// [OData-JSON, section 7.1; RFC 7946]
    var json: String {
        let usual = isGeography ? 4326 : 0
        return shape.json(crs: srid == usual ? nil : srid)
    }
}

extension GeoLiteral.Shape {
    var name: String {
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

    func json(crs: Int?) -> String {
        let system = crs.map { #","crs":{"type":"name","properties":{"name":"EPSG:\#($0)"}}"# } ?? ""
        if case .collection(let shapes) = self {
            let members = shapes.map { $0.json(crs: nil) }.joined(separator: ",")
            return #"{"type":"GeometryCollection","geometries":[\#(members)]\#(system)}"#
        }
        return #"{"type":"\#(name)","coordinates":\#(coordinates)\#(system)}"#
    }

    private var coordinates: String {
        switch self {
        case .point(let position): Self.text(position)
        case .lineString(let positions), .multiPoint(let positions): Self.text(positions)
        case .polygon(let rings), .multiLineString(let rings): Self.text(rings)
        case .multiPolygon(let polygons): "[" + polygons.map(Self.text).joined(separator: ",") + "]"
        case .collection: "[]"
        }
    }

    private static func text(_ position: GeoLiteral.Position) -> String {
        "[" + position.map { number($0) }.joined(separator: ",") + "]"
    }

    private static func text(_ positions: [GeoLiteral.Position]) -> String {
        "[" + positions.map { text($0) }.joined(separator: ",") + "]"
    }

    private static func text(_ rings: [[GeoLiteral.Position]]) -> String {
        "[" + rings.map { text($0) }.joined(separator: ",") + "]"
    }

    /// `12` and not `12.0`.
    private static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value), value.magnitude < 1e15 { return "\(whole)" }
        return "\(value)"
    }
}

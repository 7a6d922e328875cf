import ODataModel

/// A geography or geometry literal: `geography'SRID=4326;Point(142.1 64.1)'`
///
/// [OData-ABNF, `fullPointLiteral` and the rules around it]
package struct GeoLiteral: Equatable {
    package var isGeography: Bool
    package var srid: Int
    package var shape: GeoShape

    package init(isGeography: Bool, srid: Int, shape: GeoShape) {
        self.isGeography = isGeography
        self.srid = srid
        self.shape = shape
    }

    /// `Edm.GeographyPoint`, `Edm.GeometryPolygon`, ...
    package var type: EdmPrimitiveType {
        EdmPrimitiveType(rawValue: (isGeography ? "Geography" : "Geometry") + shape.name) ?? .untyped
    }

    /// `geography'SRID=4326;Point(142.1 64.1)'`
    package var text: String { (isGeography ? "geography" : "geometry") + "'" + fullText + "'" }

    /// `SRID=4326;Point(142.1 64.1)`
    package var fullText: String { "SRID=\(srid);" + shape.wellKnownText }

    /// The literal as GeoJSON, with the coordinate system where it is not the usual one.
    ///
    /// [OData-JSON, section 7.1; RFC 7946]
    package var json: String { shape.json(crs: srid == Self.usualSRID(isGeography: isGeography) ? nil : srid) }

    package static func usualSRID(isGeography: Bool) -> Int { isGeography ? 4326 : 0 }
}

extension GeoLiteral {
    /// Nil if `json` is not GeoJSON.
    package init?(json: String, isGeography: Bool) {
        guard let root = try? JSONParser.parse(Array(json.utf8)[...]), let shape = GeoShape(root) else { return nil }
        let name = root["crs"]?["properties"]?["name"]?.string ?? ""
        let srid = name.hasPrefix("EPSG:") ? Int(name.dropFirst(5)) : nil
        self.init(isGeography: isGeography, srid: srid ?? Self.usualSRID(isGeography: isGeography), shape: shape)
    }

    /// Nil if `text` is not `SRID=4326;Point(142.1 64.1)`. It may be long: its parts are not counted.
    package init?(fullText text: String, isGeography: Bool) {
        let limits = QueryLimits(length: 1 << 30, count: .max)
        guard let source = try? QuerySource(text: text, limits: limits) else { return nil }
        var parser = SyntaxParser(source, limits: limits)
        guard let literal = try? parser.fullGeoLiteral(isGeography: isGeography), parser.isAtEnd else { return nil }
        self = literal
    }
}

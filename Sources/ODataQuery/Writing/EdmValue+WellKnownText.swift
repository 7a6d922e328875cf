import ODataModel

/// The raw form of geography and geometry values: `SRID=4326;Point(142.1 64.1)`
///
/// [OData-Protocol, section 11.2.4.1; OData-ABNF, `fullPointLiteral` and the rules around it]
extension EdmValue {
    /// Nil if this is not such a value.
    package func wellKnownText(_ type: EdmTypeReference) -> String? { geoLiteral(type)?.fullText }

    /// Nil if this is not a geography or geometry value.
    func geoLiteral(_ type: EdmTypeReference?) -> GeoLiteral? {
        guard case .geo(let json) = self else { return nil }
        return GeoLiteral(json: json, isGeography: type?.primitive?.rawValue.hasPrefix("Geometry") != true)
    }

    /// Nil if `text` is not a value of `type`.
    package init?(wellKnownText text: String, type: EdmTypeReference) {
        guard let name = type.primitive?.rawValue, name.hasPrefix("Geo"),
            let literal = GeoLiteral(fullText: text, isGeography: name.hasPrefix("Geography")),
            literal.type == type.primitive || ["Geography", "Geometry"].contains(name)
        else { return nil }
        self = .geo(literal.json)
    }
}

extension GeoShape {
    /// Reads GeoJSON, or well-known text as some files hold it: `POINT (142.1 64.1)`.
    package init?(_ text: String) {
        let literal =
            text.utf8.first == UInt8(ascii: "{")
            ? GeoLiteral(json: text, isGeography: true) : GeoLiteral(fullText: text, isGeography: true)
        guard let literal else { return nil }
        self = literal.shape
    }
}

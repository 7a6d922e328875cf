import ODataModel

/// The raw form of geography and geometry values: `SRID=4326;Point(142.1 64.1)`
///
/// [OData-Protocol, section 11.2.4.1; OData-ABNF, `fullPointLiteral` and the rules around it]
extension EdmValue {
    /// Nil if this is no such value.
    package func wellKnownText(_ type: EdmTypeReference) -> String? {
        guard case .geo(let json) = self else { return nil }
        return GeoText(json: json)?.fullText(isGeography: type.primitive?.rawValue.hasPrefix("Geometry") != true)
    }

    /// Nil if `text` is no value of `type`.
    package init?(wellKnownText text: String, type: EdmTypeReference) {
        guard let name = type.primitive?.rawValue, name.hasPrefix("Geo"),
            let source = try? QuerySource(text: text, limits: .default)
        else { return nil }
        var parser = SyntaxParser(source, limits: .default)
        guard let literal = try? parser.fullGeoLiteral(isGeography: name.hasPrefix("Geography")), parser.isAtEnd,
            literal.type == type.primitive || ["Geography", "Geometry"].contains(name)
        else { return nil }
        self = .geo(literal.json)
    }
}

extension EdmValue {
    /// The V4 JSON text of this value, strings quoted and escaped.
    ///
    /// [OData-JSON, section 7]
    public var jsonText: [UInt8] {
        var bytes: [UInt8] = []
        JSONValueWriter().append(self, type: nil, to: &bytes)
        return bytes
    }

    /// The V4 JSON text of this value of `type`, with the types of derived complex values and dynamic properties.
    public func jsonText(type: EdmTypeReference, model: EdmModel) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONValueWriter(model: model).append(self, type: type, to: &bytes)
        return bytes
    }

    /// Reads the V4 JSON text of a value of `type`; nil for other text.
    ///
    /// Int64 and Decimal may be numbers or strings. Members of complex values that the type does not have are
    /// ignored, except those of open types.
    public init?(jsonText: ArraySlice<UInt8>, type: EdmTypeReference, model: EdmModel) {
        guard let node = try? JSONParser.parse(jsonText),
            let value = try? ValueDecoder(model: model, source: jsonText).value(node, type: type, name: "The value")
        else { return nil }
        self = value
    }

    /// Appends ``jsonText``, with Int64 and Decimal as strings where `ieee754Compatible` says so.
    package func appendJSON(
        to bytes: inout [UInt8], type: EdmTypeReference? = nil, model: EdmModel? = nil, ieee754Compatible: Bool = false
    ) {
        var style = JSONStyle()
        style.ieee754Compatible = ieee754Compatible
        JSONValueWriter(style: style, model: model).append(self, type: type, to: &bytes)
    }
}

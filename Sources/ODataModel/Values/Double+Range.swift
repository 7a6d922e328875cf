/// Numbers of the binary floating-point types: only the text `INF` stands for an infinite one. Digits of a number that
/// is beyond the range of its type are not a value of the type.
///
/// [OData-CSDL, section 3.3: Edm.Double, Edm.Single]
extension Double {
    /// Reads `1.5`, `1e-3`, `INF`, `-INF`, `NaN`; nil for other text, and for digits beyond the range of `type`.
    package init?(lexical text: String, of type: EdmPrimitiveType = .double) {
        switch text {
        case "INF": self = .infinity
        case "-INF": self = -.infinity
        case "NaN": self = .nan
        default: self.init(digits: text, of: type)
        }
    }

    /// Reads `1.5`, `1e-3`; nil for other text, and for digits beyond the range of `type`.
    package init?(digits: String, of type: EdmPrimitiveType = .double) {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
            let value = Double(digits), value.isFinite, value.nearest(in: type) != nil
        else { return nil }
        self = value
    }

    /// The nearest number of `type`; nil where that is infinite and this is not.
    package func nearest(in type: EdmPrimitiveType) -> Double? {
        guard type == .single, isFinite else { return self }
        let single = Float(self)
        return single.isFinite ? Double(single) : nil
    }
}

extension EdmDecimal {
    /// The nearest number that a value of `type` has; nil beyond its range.
    package func nearest(in type: EdmPrimitiveType) -> Double? {
        let value = doubleValue
        return value.isFinite ? value.nearest(in: type) : nil
    }
}

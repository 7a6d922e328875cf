/// Checks values of a primitive type against the facets of their property.
///
/// [OData-CSDLXML, section 7.2: Type Facets]
struct FacetCheck {
    let facets: EdmFacets

    /// What is wrong with the value; nil if the facets allow it.
    func fault(of value: EdmValue) -> String? {
        switch value {
        case .string(let text): fault(ofText: text)
        case .binary(let bytes): fault(ofLength: bytes.count, "bytes")
        case .decimal(let number): fault(of: number)
        case .dateTimeOffset(let instant): fault(ofFraction: instant.time.picosecond)
        case .timeOfDay(let time): fault(ofFraction: time.picosecond)
        case .duration(let duration): fault(ofFraction: duration.picoseconds)
        case .geo(let text): fault(ofSystem: text)
        default: nil
        }
    }

    private func fault(ofText text: String) -> String? {
        if facets.isUnicode == false, let character = text.first(where: { !$0.isASCII }) {
            return "takes ASCII characters only, not “\(character)”: replace it"
        }
        // Characters are counted only where there may be too many: no text has more of them than bytes.
        guard let limit = facets.maxLength, text.utf8.count > limit else { return nil }
        return fault(ofLength: text.unicodeScalars.count, "characters")
    }

    private func fault(ofLength length: Int, _ unit: String) -> String? {
        guard let limit = facets.maxLength, length > limit else { return nil }
        return ValueProblem.takes(atMost: limit, unit, not: length, "shorten the value")
    }

    private func fault(of number: EdmDecimal) -> String? {
        let fraction = max(-number.exponent, 0)
        if let limit = fractionLimit, fraction > limit {
            return ValueProblem.takes(
                atMost: limit, "digits after the decimal point", not: fraction, "round the value")
        }
        guard let precision = facets.precision, let digits = digits(of: number) else { return nil }
        if let scale = fixedScale {
            let limit = max(precision - scale, 0)
            guard number.digits.count + number.exponent > limit else { return nil }
            return ValueProblem.takes(
                atMost: limit, "digits before the decimal point", not: number.digits.count + number.exponent,
                "give a smaller value")
        }
        guard digits > precision else { return nil }
        return ValueProblem.takes(atMost: precision, "digits", not: digits, "round the value")
    }

    /// The digits after the point that a decimal has room for.
    private var fixedScale: Int? {
        switch facets.scale {
        case .fixed(let digits): digits
        case .variable, .floating: nil
        case nil: facets.precision == nil ? nil : 0
        }
    }

    private var fractionLimit: Int? { fixedScale ?? (facets.scale == .floating ? nil : facets.precision) }

    /// Zeros before the point count where the point is fixed, and not where it floats; zero has no digits.
    private func digits(of number: EdmDecimal) -> Int? {
        guard !number.digits.isEmpty else { return nil }
        return facets.scale == .floating ? number.digits.count : number.digits.count + max(number.exponent, 0)
    }

    /// Digits of fractional seconds, where the model says how many.
    private func fault(ofFraction picoseconds: Int64) -> String? {
        guard let precision = facets.precision, (0..<12).contains(precision) else { return nil }
        let unit = (precision..<12).reduce(Int64(1)) { unit, _ in unit * 10 }
        guard picoseconds % unit != 0 else { return nil }
        return ValueProblem.takes(atMost: precision, "digits of fractional seconds", "round the value")
    }

    /// `{"type":"Point",…,"crs":{"type":"name","properties":{"name":"EPSG:4326"}}}`
    private func fault(ofSystem text: String) -> String? {
        guard let wanted = facets.srid, wanted != "variable",
            let node = try? JSONParser.parse(Array(text.utf8)[...]),
            let name = node["crs"]?["properties"]?["name"]?.string,
            let found = name.split(separator: ":").last.map(String.init), found != wanted
        else { return nil }
        return "takes coordinates of the reference system \(wanted), not \(found): transform the value"
    }
}

/// Checks lengths and digits.
///
/// [OData-CSDLXML, section 7.2: Type Facets]
struct FacetCheck {
    let property: EdmProperty
    let name: String

    func check(_ value: EdmValue) throws(ValueCheck.Problem) {
        switch value {
        case .string(let text): try checkLength(text.unicodeScalars.count, "characters")
        case .binary(let bytes): try checkLength(bytes.count, "bytes")
        case .decimal(let number): try checkDigits(number)
        case .dateTimeOffset(let instant): try checkFraction(instant.time.picosecond)
        case .timeOfDay(let time): try checkFraction(time.picosecond)
        case .duration(let duration): try checkFraction(duration.picoseconds)
        default: break
        }
    }

    private func refusal(_ what: String) -> ValueCheck.Problem { .init(name: name, what: what) }

    private func checkLength(_ length: Int, _ unit: String) throws(ValueCheck.Problem) {
        guard let maxLength = property.maxLength, length > maxLength else { return }
        throw refusal("takes at most \(maxLength) \(unit), not \(length)")
    }

    private func checkDigits(_ number: EdmDecimal) throws(ValueCheck.Problem) {
        let scale: Int? =
            switch property.scale {
            case .fixed(let digits): digits
            case .variable, .floating: nil
            case nil: property.precision == nil ? nil : 0
            }
        if let scale, -number.exponent > scale {
            throw refusal("takes at most \(scale) digits after the decimal point")
        }
        guard let precision = property.precision else { return }
        let whole = number.digits.count + number.exponent
        if let scale, whole > precision - scale {
            throw refusal("takes at most \(precision - scale) digits before the decimal point")
        }
        if scale == nil, digits(of: number) > precision { throw refusal("takes at most \(precision) digits") }
    }

    /// Zeros before the point count where the point is still, and not where it floats.
    private func digits(of number: EdmDecimal) -> Int {
        property.scale == .floating ? number.digits.count : number.digits.count + max(number.exponent, 0)
    }

    /// Digits of fractional seconds, where the model says how many.
    private func checkFraction(_ picoseconds: Int64) throws(ValueCheck.Problem) {
        guard let precision = property.precision, (0..<12).contains(precision) else { return }
        let unit = (precision..<12).reduce(Int64(1)) { unit, _ in unit * 10 }
        if picoseconds % unit != 0 { throw refusal("takes at most \(precision) digits of fractional seconds") }
    }
}

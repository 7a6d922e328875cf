import ODataModel
import ODataStores

/// Checks lengths and digits.
///
/// [OData-CSDLXML, section 7.2: Type Facets]
struct FacetCheck {
    let property: Property
    let name: String

    func check(_ value: Value) throws {
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

    private func checkLength(_ length: Int, _ unit: String) throws {
        guard let maxLength = property.maxLength, length > maxLength else { return }
        throw PropertyCheck.refusal(name, "takes at most \(maxLength) \(unit), not \(length)")
    }

    private func checkDigits(_ number: EdmDecimal) throws {
        let scale: Int? =
            switch property.scale {
            case .fixed(let digits): digits
            case .variable, .floating: nil
            case nil: property.precision == nil ? nil : 0
            }
        if let scale, -number.exponent > scale {
            throw PropertyCheck.refusal(name, "takes at most \(scale) digits after the decimal point")
        }
        guard let precision = property.precision else { return }
        let whole = number.digits.count + number.exponent
        if let scale, whole > precision - scale {
            throw PropertyCheck.refusal(name, "takes at most \(precision - scale) digits before the decimal point")
        }
        if scale == nil, number.digits.count + max(number.exponent, 0) > precision {
            throw PropertyCheck.refusal(name, "takes at most \(precision) digits")
        }
    }

    /// Digits of fractional seconds, where the model says how many.
    private func checkFraction(_ picoseconds: Int64) throws {
        guard let precision = property.precision, (0..<12).contains(precision) else { return }
        let unit = (precision..<12).reduce(Int64(1)) { unit, _ in unit * 10 }
        if picoseconds % unit != 0 {
            throw PropertyCheck.refusal(name, "takes at most \(precision) digits of fractional seconds")
        }
    }
}

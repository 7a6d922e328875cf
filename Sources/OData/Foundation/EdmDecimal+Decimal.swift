import Foundation
import ODataModel

extension EdmDecimal {
    /// The same number with all its digits; nil for NaN.
    public init?(_ value: Decimal) {
        guard value.isFinite else { return nil }
        self.init("\(value)")
    }
}

extension Decimal {
    /// The same number; nil where `Decimal` has no room for it: it has 38 digits, and powers of ten from -128 to 127.
    public init?(_ value: EdmDecimal) {
        guard let decimal = Decimal(string: "\(value)", locale: Locale(identifier: "en_US_POSIX")),
            EdmDecimal(decimal) == value
        else { return nil }
        self = decimal
    }
}

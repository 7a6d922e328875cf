import Foundation
import ODataModel

/// What a service may make of a value that it stores otherwise: other case, no blanks around it, zeros before it, cut text,
/// rounded numbers and times.
extension EdmValue {
    /// Whether a service may keep `sent` as this value.
    package func isAlike(_ sent: EdmValue) -> Bool {
        switch (self, sent) {
        case (.string(let own), .string(let sent)): own.isAlike(sent)
        // Some databases have no empty text.
        case (.null, .string(let sent)): sent.folded.isEmpty
        case (.decimal(let own), .decimal(let sent)): own.isRounded(sent)
        case (.double(let own), .double(let sent)):
            own == sent || abs(own - sent) <= 1e-5 * max(abs(own), abs(sent))
        case (.dateTimeOffset(let own), .dateTimeOffset(let sent)):
            abs(own.secondsSinceEpoch.distance(to: sent.secondsSinceEpoch)) < 60
        case (.timeOfDay(let own), .timeOfDay(let sent)): own.hour == sent.hour && own.minute == sent.minute
        case (.duration(let own), .duration(let sent)):
            own.seconds.subtractingReportingOverflow(sent.seconds).partialValue.magnitude <= 1
        case (.complex(let own), .complex(let sent)): own.isAlike(sent)
        case (.collection(let own), .collection(let sent)):
            own.count == sent.count && zip(own, sent).allSatisfy { $0.isAlike($1) }
        default: self == sent
        }
    }

    /// Whether the value is text that is kept otherwise: of numbers and times many may be as close.
    package func isOtherText(_ sent: EdmValue) -> Bool {
        guard case .string = sent, case .string = self, self != sent else { return false }
        return isAlike(sent)
    }
}

extension EdmComplexValue {
    /// Whether a service may keep what is given as this; other members may be there too.
    package func isAlike(_ sent: EdmComplexValue) -> Bool {
        (sent.type == nil || sent.type == type)
            && sent.members.allSatisfy { (self[$0.name] ?? .null).isAlike($0.value) }
    }
}

extension String {
    fileprivate func isAlike(_ sent: String) -> Bool {
        let (own, sent) = (folded, sent.folded)
        guard own != sent else { return true }
        // Cut, though not to a letter or two.
        return own.count >= 4 && 2 * own.count >= sent.count && sent.hasPrefix(own)
    }

    /// Without what services change: case, blanks around and between words, accents' spelling, zeros before digits.
    fileprivate var folded: String {
        let words = precomposedStringWithCanonicalMapping.lowercased().split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ")
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? String(text.drop { $0 == "0" }) : text
    }
}

extension EdmDecimal {
    /// Whether this is `sent` with fewer digits behind the point.
    fileprivate func isRounded(_ sent: EdmDecimal) -> Bool {
        guard self != sent else { return true }
        let place = min(exponent, 0)
        return place > sent.exponent && abs(doubleValue - sent.doubleValue) < pow(10, Double(place))
    }
}

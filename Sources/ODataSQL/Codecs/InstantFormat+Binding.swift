import ODataModel

extension InstantFormat {
    /// The form in which a column of this format holds `instant`; nil if it cannot hold it exactly.
    ///
    /// A text gets more fractional digits than usual if the instant has them, except before a `Z`, where texts would no
    /// longer order as the instants do.
    func stored(_ instant: EdmDateTimeOffset) -> SQLBinding? {
        let utc = instant.utc
        let picosecond = utc.time.picosecond
        switch self {
        case .text(let separator, let digits, let zone):
            guard !zone || picosecond % Self.unit(ofDigits: digits) == 0 else { return nil }
            return Self.text(utc, separator, digits, zone)
        case .mixedText(let separator, let digits, let zone): return Self.text(utc, separator, digits, zone)
        case .dateText:
            return .text(utc.time == .midnight ? utc.date.description : "\(utc.date) \(utc.time)")
        case .unixSeconds:
            guard picosecond > 0 else { return .integer(utc.secondsSinceEpoch) }
            guard picosecond % Self.unit(ofDigits: 6) == 0 else { return nil }
            return .real(Double(utc.secondsSinceEpoch) + Double(picosecond) / 1e12)
        case .unixMilliseconds:
            guard picosecond % Self.unit(ofDigits: 3) == 0 else { return nil }
            return .integer(utc.secondsSinceEpoch * 1000 + picosecond / 1_000_000_000)
        case .julianDay:
            guard picosecond % Self.unit(ofDigits: 3) == 0 else { return nil }
            let seconds = Double(utc.secondsSinceEpoch) + Double(utc.time.picosecond) / 1e12
            return .real(seconds / 86_400 + Self.julianDayOfEpoch)
        }
    }

    /// The form to compare a column with; nil where the order of stored values is not that of the instants, or the
    /// format cannot hold the instant exactly.
    func comparand(for instant: EdmDateTimeOffset) -> SQLBinding? {
        let utc = instant.utc
        guard utc.hasPlainYear else { return nil }
        let picosecond = utc.time.picosecond
        switch self {
        case .text(_, let digits, _): return picosecond % Self.unit(ofDigits: digits) == 0 ? stored(utc) : nil
        case .dateText, .unixSeconds, .unixMilliseconds: return stored(utc)
        case .mixedText, .julianDay: return nil
        }
    }

    private static func text(
        _ utc: EdmDateTimeOffset, _ separator: String, _ digits: Int, _ zone: Bool
    ) -> SQLBinding {
        let isFine = utc.time.picosecond % unit(ofDigits: digits) != 0
        let time = isFine ? utc.time.description : utc.time.text(fractionDigits: digits)
        return .text("\(utc.date)\(separator)\(time)\(zone ? "Z" : "")")
    }

    /// 1970-01-01T00:00:00Z
    package static let julianDayOfEpoch = 2_440_587.5

    /// Picoseconds of the last of `digits` digits of a fraction.
    static func unit(ofDigits digits: Int) -> Int64 {
        (min(max(digits, 0), 12)..<12).reduce(Int64(1)) { unit, _ in unit * 10 }
    }
}

extension EdmTimeOfDay {
    /// `03:04:05.600`, with exactly `fractionDigits` digits.
    fileprivate func text(fractionDigits: Int) -> String {
        let time = "\(padded(hour, to: 2)):\(padded(minute, to: 2)):\(padded(second, to: 2))"
        guard fractionDigits > 0 else { return time }
        return "\(time).\(padded(picosecond, to: 12).prefix(fractionDigits))"
    }
}

extension EdmDateTimeOffset {
    /// `2024-01-02T03:04:05.6` in UTC, and ` +02:00` after it where the value has another offset.
    package var storedText: String {
        let utc = self.utc
        let text = "\(utc.date)T\(utc.time)"
        guard offsetMinutes != 0 else { return text }
        let zone = offsetMinutes.magnitude
        return "\(text) \(offsetMinutes < 0 ? "-" : "+")\(padded(zone / 60, to: 2)):\(padded(zone % 60, to: 2))"
    }

    /// Reads ``storedText``; nil for anything else.
    package init?(storedText text: some StringProtocol) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let first = parts.first, let utc = EdmDateTimeOffset(first, defaultOffset: 0), utc.offsetMinutes == 0
        else { return nil }
        guard parts.count == 2 else {
            self = utc
            return
        }
        guard let offset = EdmDateTimeOffset("2000-01-01T00:00:00\(parts[1])")?.offsetMinutes else { return nil }
        self.init(
            secondsSinceEpoch: utc.secondsSinceEpoch, picosecond: utc.time.picosecond, offsetMinutes: offset)
    }

    /// Whether the year in UTC has four digits, so that texts order as instants do.
    var hasPlainYear: Bool { utc.date.hasPlainYear }
}

extension EdmDate {
    /// Whether the year has four digits, so that texts order as dates do.
    var hasPlainYear: Bool { (0...9999).contains(year) }
}

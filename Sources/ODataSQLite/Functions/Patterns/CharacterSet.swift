extension Pattern.CharacterSet {
    init(_ scalar: Unicode.Scalar) {
        ranges = [scalar.value...scalar.value]
    }

    /// The one scalar; nil for sets of more.
    var single: UInt32? {
        guard ranges.count == 1, !isInverted, categories.isEmpty, excludedCategories.isEmpty,
            let range = ranges.first, range.count == 1
        else { return nil }
        return range.lowerBound
    }

    var inverted: Self {
        var set = self
        set.isInverted.toggle()
        return set
    }

    static var digits: Self { Self(ranges: [48...57]) }
    static var words: Self { Self(ranges: [48...57, 65...90, 95...95, 97...122]) }
    static var spaces: Self {
        Self(ranges: [
            9...13, 32...32, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
            0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
        ])
    }

    /// `.`
    static func any(isDotAll: Bool) -> Self {
        isDotAll ? Self(ranges: [0...0x10FFFF]) : Self(ranges: [10...10, 13...13, 0x2028...0x2029], isInverted: true)
    }

    /// Adds the scalars of `other`.
    mutating func add(_ other: Self) {
        categories += other.categories
        excludedCategories += other.excludedCategories
        guard other.isInverted else {
            ranges += other.ranges
            return
        }
        var low: UInt32 = 0
        for range in other.ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > low { ranges.append(low...(range.lowerBound - 1)) }
            low = max(low, range.upperBound + 1)
        }
        if low <= 0x10FFFF { ranges.append(low...0x10FFFF) }
    }

    /// The set without regard to case; texts are folded before they are matched.
    func folding(_ ignoresCase: Bool) -> Self {
        guard ignoresCase else { return self }
        var set = self
        for range in ranges where range.count <= 0x400 {
            for value in range {
                guard let scalar = Unicode.Scalar(value) else { continue }
                for other in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
                    let scalars = other.unicodeScalars
                    if scalars.count == 1, let first = scalars.first, first != scalar {
                        set.ranges.append(first.value...first.value)
                    }
                }
            }
        }
        return set
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        var isIn = ranges.contains { $0.contains(value) }
        if !isIn, !categories.isEmpty || !excludedCategories.isEmpty {
            let category = UnicodeCategory.short(scalar.properties.generalCategory)
            isIn =
                categories.contains { category.hasPrefix($0) }
                || excludedCategories.contains { !category.hasPrefix($0) }
        }
        return isIn != isInverted
    }
}

/// General categories by their short names.
enum UnicodeCategory {
    private static let names: [String: String] = [
        "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
        "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Alphabetic": "L", "Mark": "M", "Nonspacing_Mark": "Mn",
        "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "Letter_Number": "Nl",
        "Other_Number": "No", "Punctuation": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd",
        "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf",
        "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
        "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs",
        "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "Format": "Cf",
    ]

    /// `Lu` for `Uppercase_Letter` and for itself; nil for what is not a category.
    static func short(_ name: String) -> String? {
        if let short = names[name] { return short }
        return names.values.contains(name) ? name : nil
    }

    static func short(_ category: Unicode.GeneralCategory) -> String {
        switch category {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        default: "C"
        }
    }
}

/// Names that are different from each other and from what is reserved.
struct NameScope {
    private let reserved: Set<String>
    private let suffix: String
    private let ignoresCase: Bool
    private var used: Set<String> = []

    /// - Parameters:
    ///   - suffix: What reserved names get: `originProperty`.
    ///   - ignoresCase: For types, which are names of files too.
    init(reserved: Set<String>, suffix: String, ignoresCase: Bool = false) {
        (self.reserved, self.suffix, self.ignoresCase) = (reserved, suffix, ignoresCase)
    }

    /// The name; with the suffix where it is reserved, with a number from 2 on where it is taken.
    mutating func name(_ wanted: String, suffix other: String? = nil) -> String {
        let base = reserved.contains(wanted) ? wanted + (other ?? suffix) : wanted
        var (name, number) = (base, 1)
        while reserved.contains(name) || !used.insert(ignoresCase ? name.lowercased() : name).inserted {
            number += 1
            name = base + "\(number)"
        }
        return name
    }
}

/// A version of the protocol.
public enum ODataVersion: String, Hashable, Sendable, Comparable, CaseIterable, CustomStringConvertible {
    /// Collections in verbose JSON are bare arrays: `{"d":[…]}`.
    case v1 = "1.0"
    /// With counts, `$select` and pages: `{"d":{"results":[…],"__next":"…"}}`.
    case v2 = "2.0"
    /// With collections of values, named streams, actions, and JSON of the form `{"odata.metadata":"…","value":[…]}`.
    case v3 = "3.0"
    /// The first OASIS Standard: `{"@odata.context":"…","value":[…]}`.
    case v4 = "4.0"
    /// As 4.0, with names that may go without `odata.` (`@context`) and removals as `@removed` in delta payloads.
    case v401 = "4.01"

    /// Reads `4.01`, `2.0;`, `3`; nil for what is not a version.
    public init?(header text: some StringProtocol) {
        let number = String(text.prefix { $0 != ";" }.filter { !$0.isWhitespace })
        switch number {
        case "1.0", "1": self = .v1
        case "2.0", "2": self = .v2
        case "3.0", "3": self = .v3
        case "4.0", "4": self = .v4
        case "4.01", "4.1": self = .v401
        default: return nil
        }
    }

    /// Whether this is a version before 4.0, with other URLs, payloads and metadata.
    public var isLegacy: Bool { self < .v4 }

    public var description: String { rawValue }

    public static func < (left: ODataVersion, right: ODataVersion) -> Bool { left.rawValue < right.rawValue }
}

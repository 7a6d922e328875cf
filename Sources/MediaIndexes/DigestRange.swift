import GRDB

/// Digests that follow each other in order.
package struct DigestRange: Hashable, Sendable {
    /// The first digits.
    private var beginning: String

    /// All digests.
    static let all = DigestRange(beginning: "")
    /// Ranges that are all digests together.
    static let parts = "0123456789abcdef".map { DigestRange(beginning: String($0)) }

    package func contains(_ digest: String) -> Bool { digest.hasPrefix(beginning) }

    /// The first digest that may be in it, and the first one behind it: no digit is behind `f`.
    package var bounds: StatementArguments { [beginning, beginning + "g"] }
}

/// Bounds on the text of a query, so that absurd input ends in an error and not in exhausted memory or stack.
public struct QueryLimits: Hashable, Sendable {
    /// The length of the text in bytes of UTF-8.
    public var length: Int
    /// How deeply parentheses, operators, lambdas and expands may be nested, and how many steps a path may have.
    public var depth: Int
    /// How many operands, list items, options and path segments there may be in all.
    public var count: Int

    /// What is not given is as in ``default``.
    public init(length: Int = 1 << 20, depth: Int = 100, count: Int = 50_000) {
        self.length = length
        self.depth = depth
        self.count = count
    }

    /// 1 MiB of text, 100 levels, and 50,000 operands, items, options and segments.
    public static let `default` = QueryLimits()
}

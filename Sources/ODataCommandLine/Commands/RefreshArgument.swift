import ArgumentParser
import OData

/// `comparison`, `orders=delta`, `orders=changedSince:ModifiedAt`, `orders=changedSince:ModifiedAt:5`
struct RefreshArgument: ExpressibleByArgument {
    static let help = """
        How changes are found: automatic, delta, comparison, or changedSince:Property, with :N to look for deletions \
        every N downloads.
        """

    static let completion = CompletionKind.list(["automatic", "delta", "comparison", "changedSince:"])

    /// Nil: all queries.
    var query: String?
    var refresh: DefiningQuery.Refresh

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count == 2 { query = String(sides[0]) }
        let parts = (sides.last ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("automatic", 1): refresh = .automatic
        case ("delta", 1): refresh = .delta
        case ("comparison", 1): refresh = .comparison
        case ("changedSince", 2) where !parts[1].isEmpty: refresh = .changedSince(parts[1])
        case ("changedSince", 3) where !parts[1].isEmpty:
            guard let every = Int(parts[2]), every > 0 else { return nil }
            refresh = .changedSince(parts[1], compareEvery: every)
        default: return nil
        }
    }
}

extension DefiningQuery.Refresh {
    /// As the tool's options say it: `changedSince:ModifiedAt:10`
    var text: String {
        switch self {
        case .automatic: "automatic"
        case .delta: "delta"
        case .comparison: "comparison"
        case .changedSince(let property, let every): "changedSince:\(property):\(every)"
        }
    }
}

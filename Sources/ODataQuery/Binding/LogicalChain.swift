/// A chain of `and` or of `or`. Both are associative, so a long one becomes a balanced tree: its depth, and with it
/// the stack of everything that walks it, stays small.
enum LogicalChain {
    /// Chains up to this length lean to the left.
    static let longest = 8

    static func expression(_ operation: BinaryOperator, _ terms: [QueryExpression]) -> QueryExpression {
        let flat = terms.contains { $0.isBinary(operation) } ? flattened(terms, operation) : terms
        return flat.count > longest ? balanced(operation, flat[...]) : leaning(operation, flat[...])
    }

    private static func flattened(_ terms: [QueryExpression], _ operation: BinaryOperator) -> [QueryExpression] {
        var flat: [QueryExpression] = []
        for term in terms { flatten(term, operation, into: &flat) }
        return flat
    }

    private static func flatten(
        _ term: QueryExpression, _ operation: BinaryOperator, into flat: inout [QueryExpression]
    ) {
        if case .binary(operation, let left, let right) = term {
            flatten(left, operation, into: &flat)
            flatten(right, operation, into: &flat)
        } else {
            flat.append(term)
        }
    }

    private static func leaning(_ operation: BinaryOperator, _ terms: ArraySlice<QueryExpression>) -> QueryExpression {
        guard let first = terms.first else { return .literal(.null, nil) }
        return terms.dropFirst().reduce(first) { .binary(operation, $0, $1) }
    }

    private static func balanced(_ operation: BinaryOperator, _ terms: ArraySlice<QueryExpression>) -> QueryExpression {
        guard terms.count > 2 else { return leaning(operation, terms) }
        let middle = terms.startIndex + (terms.count + 1) / 2
        return .binary(
            operation, balanced(operation, terms[..<middle]), balanced(operation, terms[middle...]))
    }
}

extension QueryExpression {
    fileprivate func isBinary(_ operation: BinaryOperator) -> Bool {
        if case .binary(operation, _, _) = self { true } else { false }
    }
}

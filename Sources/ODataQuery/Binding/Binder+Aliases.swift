import ODataModel

/// Parameter aliases: `@p`.
///
/// [OData-URL, section 5.3]
extension Binder {
    /// What the alias stands for where it is used; null if it has no value.
    func alias(_ name: NameSyntax, in scope: BindingScope) throws(QueryError) -> Typed {
        guard let (value, binder) = value(ofAlias: name.text) else { return (.literal(.null, nil), nil) }
        var inner = scope
        inner.aliases = try chain(scope.aliases, with: value, of: name)
        return try binder.expression(value, in: inner)
    }

    /// The value that an alias has here, and what it is bound by: aliases in it are those of where it is.
    func value(ofAlias name: String) -> (syntax: ExpressionSyntax, binder: Binder)? {
        if let value = aliases[name] { return (value, self) }
        return outer?.value(ofAlias: name)
    }

    private func chain(
        _ chain: AliasChain, with value: ExpressionSyntax, of name: NameSyntax
    ) throws(QueryError) -> AliasChain {
        guard !chain.offsets.contains(value.offset) else {
            throw error(.syntax, "The alias @\(name.text) needs its own value.", at: name.offset)
        }
        let longer = AliasChain(offsets: chain.offsets + [value.offset], height: chain.height + value.height)
        guard longer.height <= limits.depth else {
            throw error(
                .limitExceeded, "What the alias @\(name.text) stands for is more than \(limits.depth) levels deep.",
                at: name.offset)
        }
        return longer
    }

    /// `1`, `-1`, `@key`: a value that must be a constant.
    func constant(_ syntax: ExpressionSyntax, seen: [Int] = []) throws(QueryError) -> LiteralSyntax {
        switch syntax.kind {
        case .literal(let value): return LiteralSyntax(value: value, offset: syntax.offset)
        case .path(let path):
            guard case .alias(let name) = path.start, path.segments.isEmpty else { break }
            guard let (value, binder) = value(ofAlias: name.text), !seen.contains(value.offset) else {
                throw error(.syntax, "The alias @\(name.text) has no value.", at: name.offset)
            }
            return try binder.constant(value, seen: seen + [value.offset])
        default: break
        }
        throw error(.typeMismatch, "This is not a constant.", at: syntax.offset, expected: "a literal or an alias")
    }
}

/// The values of aliases that are being bound, each for the one before it.
struct AliasChain {
    /// Where the values stand: none may need itself.
    var offsets: [Int] = []
    /// How deep they are together.
    var height = 0
}

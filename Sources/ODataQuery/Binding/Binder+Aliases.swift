import ODataModel

/// Parameter aliases: `@p`.
///
/// [OData-URL, section 5.3]
extension Binder {
    /// What the alias stands for where it is used; null if it has no value.
    func alias(_ name: NameSyntax, in scope: Scope) throws(QueryError) -> Typed {
        guard let syntax = aliases[name.text] else { return (.literal(.null, nil), nil) }
        guard !scope.aliases.contains(name.text) else {
            throw error(.syntax, "The alias @\(name.text) needs its own value.", at: name.offset)
        }
        guard scope.aliases.count < limits.depth else {
            throw error(.limitExceeded, "Aliases refer to more than \(limits.depth) others.", at: name.offset)
        }
        var inner = scope
        inner.aliases.append(name.text)
        return try expression(syntax, in: inner)
    }

    /// `1`, `-1`, `@key`: a value that must be a constant.
    func constant(_ syntax: ExpressionSyntax, seen: [String] = []) throws(QueryError) -> LiteralSyntax {
        switch syntax.kind {
        case .literal(let value): return LiteralSyntax(value: value, offset: syntax.offset)
        case .path(let path):
            guard case .alias(let name) = path.start, path.segments.isEmpty else { break }
            guard let value = aliases[name.text], !seen.contains(name.text) else {
                throw error(.syntax, "The alias @\(name.text) has no value.", at: name.offset)
            }
            return try constant(value, seen: seen + [name.text])
        default: break
        }
        throw error(.typeMismatch, "This is no constant.", at: syntax.offset, expected: "a literal or an alias")
    }
}

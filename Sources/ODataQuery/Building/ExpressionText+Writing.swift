extension ExpressionText {
    /// The text, and what OData cannot say of it.
    ///
    /// - Parameter isExpanded: Whether it is in the options of what is expanded: there `$it` is not the entity that
    ///   the option is evaluated on. [OData-URL, section 5.1.1.14.4]
    func written(isExpanded: Bool) -> (text: String, problem: String?) {
        var writer = PieceWriter(isExpanded: isExpanded)
        writer.write(self)
        return (writer.text, writer.problem)
    }

    /// The text in an option of the collection itself.
    var text: String { written(isExpanded: false).text }

    /// What paths begin with that no lambda inside has the variable for.
    fileprivate func firstNames(without scopes: Set<QueryScope>) -> Set<String> {
        pieces.reduce(into: []) { names, piece in
            switch piece {
            case .text: break
            case .path(let scope, let path):
                if !scopes.contains(scope) { names.insert(String(path.prefix { $0 != "/" })) }
            case .lambda(_, let scope, let body): names.formUnion(body.firstNames(without: scopes.union([scope])))
            case .count(_, let filter): names.formUnion(filter.firstNames(without: scopes))
            }
        }
    }
}

/// Writes an expression from outside to inside, so that what is around a name is known.
private struct PieceWriter {
    /// What is around: a lambda with its variable, or the filter of a count, which has none.
    private struct Frame {
        var scope: QueryScope
        var variable: String?
    }

    let isExpanded: Bool
    private(set) var text = ""
    private(set) var problem: String?
    private var frames: [Frame] = []

    init(isExpanded: Bool) { self.isExpanded = isExpanded }

    mutating func write(_ expression: ExpressionText) {
        for piece in expression.pieces {
            switch piece {
            case .text(let text): self.text += text
            case .path(let scope, let path): text += name(of: scope, path)
            case .lambda(let word, let scope, let body):
                let variable = variable(for: body, of: scope)
                text += "\(word)(\(variable):"
                write(body, in: Frame(scope: scope, variable: variable))
            case .count(let scope, let filter):
                text += "$count($filter="
                write(filter, in: Frame(scope: scope))
            }
        }
    }

    private mutating func write(_ body: ExpressionText, in frame: Frame) {
        frames.append(frame)
        write(body)
        frames.removeLast()
        text += ")"
    }

    /// `a`, `b`, …: none that a lambda around has, and none that would hide a property that is named inside.
    private func variable(for body: ExpressionText, of scope: QueryScope) -> String {
        let around = frames.filter { $0.variable != nil }
        let taken = body.firstNames(without: Set(around.map(\.scope) + [scope])).union(around.compactMap(\.variable))
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        let known = letters.dropFirst(around.count).first { !taken.contains($0) }
        var number = around.count
        while taken.contains("v\(number)") { number += 1 }
        return known ?? "v\(number)"
    }

    /// The instance that paths without a prefix are about: what is counted, else the entity.
    private var current: QueryScope { frames.last { $0.variable == nil }?.scope ?? .root }

    private mutating func name(of scope: QueryScope, _ path: String) -> String {
        if let variable = frames.first(where: { $0.scope == scope })?.variable { return Self.joined(variable, path) }
        let isInside = current != .root || isExpanded
        if scope == current { return path.isEmpty ? (isInside ? "$this" : "$it") : path }
        if scope == .root, !isExpanded { return Self.joined("$it", path) }
        let isAround = scope == .root || frames.contains { $0.scope == scope }
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        problem = problem ?? (isAround ? Self.nameless(name) : Self.foreign(name))
        // No parser takes this for anything else.
        return Self.joined("$outer", path)
    }

    private static func joined(_ name: String, _ path: String) -> String { path.isEmpty ? name : "\(name)/\(path)" }

    private static func nameless(_ path: String) -> String {
        """
        OData has no name for the entity whose \(path) is meant inside of count(where:): it knows what is counted there, \
        what contains(where:) and allSatisfy around it are about, and, except in an expand, the entity that is asked \
        for. Use contains(where:) or allSatisfy in place of count(where:).
        """
    }

    private static func foreign(_ path: String) -> String {
        """
        \(path) is a property of what contains(where:), allSatisfy or count(where:) gave to another closure: it can be \
        used inside of that closure only.
        """
    }
}

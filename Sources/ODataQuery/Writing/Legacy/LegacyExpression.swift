import ODataModel

/// Writes expressions for V2 services.
///
/// [OData V2, URI Conventions, section 4.5]
struct LegacyExpression {
    func text(_ expression: QueryExpression) throws(QueryError) -> String {
        switch expression {
        case .literal(let value, let type): return value.legacyLiteral(type, original: nil)
        case .path(let path): return try text(path)
        case .not(let inner): return "not (" + (try text(inner)) + ")"
        case .negate(let inner): return "-(" + (try text(inner)) + ")"
        case .binary(let operation, let left, let right): return try binary(operation, left, right)
        case .inList(let left, let items): return try membership(left, items)
        case .call(let function, let arguments): return try call(function, arguments)
        case .isOf(let inner, let type):
            guard let inner else { return "isof('\(type)')" }
            return "isof(\(try text(inner)),'\(type)')"
        case .cast(let inner, let type):
            guard let inner else { return "cast('\(type)')" }
            return "cast(\(try text(inner)),'\(type)')"
        case .lambda, .count, .conditional, .operation, .root, .member, .list, .object, .isDefined,
            .aggregate, .hierarchy:
            throw .legacy(expression.text)
        }
    }

    private func text(_ path: PropertyPath) throws(QueryError) -> String {
        guard path.variable == .it, !path.steps.isEmpty else { throw .legacy("The variable in \(path.text)") }
        for step in path.steps {
            switch step {
            case .navigation, .property: break
            case .cast, .key, .filter, .annotation: throw .legacy("The path \(path.text)")
            }
        }
        return path.text
    }

    // MARK: Operators

    private func binary(
        _ operation: BinaryOperator, _ left: QueryExpression, _ right: QueryExpression
    ) throws(QueryError) -> String {
        if operation == .has || operation == .divby { throw .legacy("The operator \(operation.rawValue)") }
        let original = left.legacyType ?? right.legacyType
        let level = operation.precedence
        let sides = (
            try operand(left, level, original: original),
            try operand(right, operation.isLogical ? level : level + 1, original: original)
        )
        return "\(sides.0) \(operation.rawValue) \(sides.1)"
    }

    private func operand(_ expression: QueryExpression, _ level: Int, original: String?) throws(QueryError) -> String {
        if case .literal(let value, let type) = expression { return value.legacyLiteral(type, original: original) }
        guard case .binary(let operation, _, _) = expression, operation.precedence < level else {
            if case .inList = expression { return "(" + (try text(expression)) + ")" }
            return try text(expression)
        }
        return "(" + (try text(expression)) + ")"
    }

    /// `Name in ('a','b')` → `Name eq 'a' or Name eq 'b'`
    private func membership(_ left: QueryExpression, _ items: [QueryExpression]) throws(QueryError) -> String {
        if items.contains(where: { $0.type?.isCollection == true }) { throw .legacy("in with a collection") }
        guard !items.isEmpty else { return "false" }
        var parts: [String] = []
        for item in items { parts.append(try binary(.eq, left, item)) }
        return parts.joined(separator: " or ")
    }

    // MARK: Functions

    private func call(_ function: CanonicalFunction, _ arguments: [QueryExpression]) throws(QueryError) -> String {
        if arguments.first?.type?.isCollection == true { throw .legacy("\(function.rawValue) of a collection") }
        switch function {
        case .contains:
            return "substringof(" + (try list(arguments.reversed())) + ")"
        case .concat, .endswith, .startswith, .indexof, .length, .substring, .tolower, .toupper, .trim, .day, .hour,
            .minute, .month, .second, .year, .ceiling, .floor, .round, .replace:
            return function.rawValue + "(" + (try list(arguments)) + ")"
        case .matchesPattern, .date, .fractionalseconds, .maxdatetime, .mindatetime, .now, .time, .totaloffsetminutes,
            .totalseconds, .hassubset, .hassubsequence, .geoDistance, .geoIntersects, .geoLength:
            throw .legacy("The function \(function.rawValue)")
        }
    }

    private func list(_ expressions: [QueryExpression]) throws(QueryError) -> String {
        var parts: [String] = []
        for expression in expressions { parts.append(try text(expression)) }
        return parts.joined(separator: ",")
    }
}

extension QueryExpression {
    /// The type that V2 has for the property at the end of the path, where V4 has another.
    fileprivate var legacyType: String? {
        guard case .path(let path) = self, case .property(let property)? = path.steps.last else { return nil }
        return property.legacyType
    }
}

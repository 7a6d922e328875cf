import ODataModel
import ODataQuery

/// Expressions.
///
/// [OData-ABNF, section 4]
extension NameChecker {
    func check(_ expression: ExpressionSyntax) throws(QueryError) {
        switch expression.kind {
        case .literal(.enumeration(let type, let members)):
            try checkEnumeration("\(type)", members, at: expression.offset)
        case .literal, .geo: break
        case .path(let path): try check(path, from: .member)
        case .not(let inner), .negate(let inner), .isDefined(let inner): try check(inner)
        case .logical(_, let terms), .call(_, let terms), .array(let terms): try check(terms)
        case .binary(.has, let left, let right):
            try check(left)
            try checkEnumerationOperand(right)
        case .binary(_, let left, let right), .inCollection(let left, let right): try check([left, right])
        case .inList(let left, let items): try check([left] + items)
        case .conditional(let branches): try check(branches.flatMap { [$0.condition, $0.value] })
        case .cast(let inner, let type), .isOf(let inner, let type):
            if let inner { try check(inner) }
            try check(type)
        case .object(let members): try check(members.map(\.value))
        }
    }

    func check(_ expressions: [ExpressionSyntax]) throws(QueryError) {
        for expression in expressions { try check(expression) }
    }

    /// `enumLiteral`
    func checkEnumerationOperand(_ expression: ExpressionSyntax) throws(QueryError) {
        switch expression.kind {
        case .literal(.enumeration(let type, let members)):
            try checkEnumeration("\(type)", members, at: expression.offset)
        case .literal(.string(let members)): try checkMembers(members, at: expression.offset)
        default: throw error("a value of an enumeration", at: expression.offset)
        }
    }

    // MARK: Paths

    /// - Parameter start: what the first name of a relative path may be.
    func check(_ path: PathSyntax, from start: PathState) throws(QueryError) {
        var segments = path.segments[...]
        var states: [PathState]
        switch path.start {
        case .relative:
            states = [start]
            if start == .member, let first = segments.first, first.kind == .name, first.parentheses.isEmpty,
                !first.name.isQualified, names.allows(.lambdaVariableExpr, first.name.text),
                isVariable(first, isAlone: segments.count == 1)
            {
                segments = segments.dropFirst()
                states = [.variable]
            }
        case .it, .this: states = [.variable]
        case .alias(let name):
            states = [.variable]
            if names.allows(.termName, name.text) { states.append(.annotated) }
        case .these: states = [.primitiveCol]
        case .root:
            states = try root(&segments)
        }
        try check(segments, of: path, from: states)
    }

    /// What follows a path that has led to `state`: the first segment has no name.
    func check(rest path: PathSyntax, from state: PathState) throws(QueryError) {
        guard let first = path.segments.first else { return }
        try check(path.segments.dropFirst(), of: path, from: try parentheses(first, [state]))
    }

    private func check(
        _ segments: ArraySlice<SegmentSyntax>, of path: PathSyntax, from states: [PathState]
    ) throws(QueryError) {
        var states = states
        for segment in segments { states = try step(segment, states) }
        if states.allSatisfy(\.isUnfinished), let last = path.segments.last {
            throw error("more of the path", at: last.name.offset + last.name.text.utf8.count)
        }
    }

    /// A name is a variable only if it is nothing else.
    private func isVariable(_ segment: SegmentSyntax, isAlone: Bool) -> Bool {
        follow(segment, from: .member).allSatisfy { isAlone && $0 == .directMember }
    }

    /// What follows `$root`.
    private func root(_ segments: inout ArraySlice<SegmentSyntax>) throws(QueryError) -> [PathState] {
        guard let first = segments.popFirst() else { return [] }
        var states: [PathState] = []
        let name = first.name.text
        if names.allows(.entitySetName, name) { states.append(.collection) }
        if first.parentheses.isEmpty, names.allows(.singletonEntity, name) { states.append(.single) }
        if !first.parentheses.isEmpty { states += names.functionImports(name).map { .parameters($0) } }
        guard first.kind == .name, !states.isEmpty else {
            throw unknown(first.name, "an entity set or a singleton", [.entitySetName, .singletonEntity])
        }
        return try parentheses(first, states)
    }

    private func step(_ segment: SegmentSyntax, _ states: [PathState]) throws(QueryError) -> [PathState] {
        try checkInside(segment)
        let next = union(states) { follow(segment, from: $0) }
        guard !next.isEmpty else { throw error("another segment, an operator or the end", at: segment.name.offset) }
        return try parentheses(segment, next)
    }

    private func parentheses(_ segment: SegmentSyntax, _ states: [PathState]) throws(QueryError) -> [PathState] {
        var states = states
        for parentheses in segment.parentheses {
            let isKey = isKey(parentheses)
            let areParameters = areParameters(parentheses, mayHaveExpressions: true)
            let next = union(states) { state in
                switch state {
                case .collection, .collectionCast: isKey ? [.single] : []
                case .parameters(let result): areParameters ? [result.state] : []
                default: []
                }
            }
            guard !next.isEmpty else { throw error("a key or the parameters of a function", at: parentheses.offset) }
            states = next
        }
        return states
    }

    /// The expressions and options inside a segment.
    private func checkInside(_ segment: SegmentSyntax) throws(QueryError) {
        switch segment.kind {
        case .count(let options?): try check(options)
        case .filter(let expression): try check(expression)
        case .lambda(_, let variable?, let predicate?):
            try expect(.lambdaVariableExpr, variable, "a variable")
            try check(predicate)
        case .aggregate(let item): try checkFunction(item)
        default: break
        }
    }

    /// `collectionNavigationExpr`, `singleNavigationExpr`, `complexPathExpr` and their kin.
    private func follow(_ segment: SegmentSyntax, from state: PathState) -> [PathState] {
        switch segment.kind {
        case .name: name(segment, from: state)
        case .text:
            [.collection, .collectionCast, .keySegments].contains(state) && names.allowsKeySegment(segment.name.text)
                ? [.single, .keySegments] : []
        case .annotation: state.takesAnnotation && isAnnotation(segment.name.text) ? [.annotated] : []
        case .count, .lambda, .aggregate: state.isCollection ? [.ended] : []
        case .filter:
            state.isCollection ? [state == .collection || state == .collectionCast ? .collection : .primitiveCol] : []
        default: []
        }
    }

    /// `annotationInQuery`, without its sign
    func isAnnotation(_ text: String) -> Bool {
        names.allows([.termName], qualified: String(text.prefix { $0 != "#" }))
    }

    private func name(_ segment: SegmentSyntax, from state: PathState) -> [PathState] {
        let name = segment.name.text
        var next: [PathState] = []
        switch state {
        case .member, .single, .variable, .annotated:
            if names.allows([.entityTypeName, .complexTypeName], qualified: name) { next.append(.directMember) }
            next += names.property(name)
            if state == .annotated, names.allows([.complexTypeName], qualified: name) { next.append(.complexCast) }
        case .complex:
            if names.allows([.complexTypeName], qualified: name) { next.append(.complexCast) }
            next += names.property(name)
        case .complexCast, .directMember: next += names.property(name)
        case .collection where names.allows([.entityTypeName], qualified: name): next.append(.collectionCast)
        case .complexCol where names.allows([.complexTypeName], qualified: name): next.append(.primitiveCol)
        default: break
        }
        if [.collection, .collectionCast, .keySegments].contains(state), segment.parentheses.isEmpty,
            names.allowsKeySegment(name)
        {
            next += [.single, .keySegments]
        }
        if !segment.parentheses.isEmpty, state != .ended, state != .keySegments, !state.needsParameters {
            next += names.functions(name).map { .parameters($0) }
        }
        return next
    }
}

extension PathState {
    /// Whether the path cannot end here.
    var isUnfinished: Bool {
        switch self {
        case .member, .directMember, .collectionCast, .parameters: true
        default: false
        }
    }

    var isCollection: Bool {
        switch self {
        case .collection, .collectionCast, .complexCol, .primitiveCol, .annotated: true
        default: false
        }
    }

    var takesAnnotation: Bool {
        switch self {
        case .ended, .parameters, .keySegments, .queryOnly, .allEntities: false
        default: true
        }
    }
}

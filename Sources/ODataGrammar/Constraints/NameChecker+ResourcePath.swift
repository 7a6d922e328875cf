import ODataQuery

/// Resource paths.
///
/// [OData-ABNF, section 1]
extension NameChecker {
    func check(path segments: [SegmentSyntax]) throws(QueryError) {
        guard let first = segments.first else { return }
        try check(segments, from: try start(first))
    }

    /// `propertyPath`
    func check(property segments: [SegmentSyntax]) throws(QueryError) {
        guard let first = segments.first else { throw error("a property", at: 0) }
        let states = first.kind == .name ? names.property(first.name.text) : []
        guard !states.isEmpty else { throw unknown(first.name, "a property", NameConstraints.properties.map(\.0)) }
        try check(segments, from: states)
    }

    /// What follows a path that has led to `state`: the first segment has no name.
    func check(rest segments: [SegmentSyntax], from state: PathState) throws(QueryError) {
        guard state == .keySegments else { return try check(segments, from: [state]) }
        for segment in segments.dropFirst() where !names.allowsKeySegment(segment.name.text) {
            throw error("a key", at: segment.name.offset)
        }
    }

    /// - Parameter states: what the name of the first segment leads to.
    private func check(_ segments: [SegmentSyntax], from states: [PathState]) throws(QueryError) {
        guard let first = segments.first else { return }
        var states = try parentheses(first, states)
        for segment in segments.dropFirst() {
            let next = try follow(segment, states)
            states = try parentheses(segment, next)
        }
        if states.allSatisfy(\.needsParameters), let last = segments.last {
            throw error("the parameters of the function", at: last.name.offset + last.name.text.utf8.count)
        }
    }

    private func start(_ segment: SegmentSyntax) throws(QueryError) -> [PathState] {
        switch segment.kind {
        case .all: return [.allEntities]
        case .crossjoin(let sets):
            for set in sets { try expect(.entitySetName, set, "an entity set") }
            return [.queryOnly]
        case .name: break
        default: throw error("an entity set, a singleton or a function import", at: segment.name.offset)
        }
        let name = segment.name.text
        var states: [PathState] = []
        if names.allows(.entitySetName, name) { states.append(.collection) }
        if segment.parentheses.isEmpty {
            if names.allows(.singletonEntity, name) { states.append(.single) }
            if names.allows(.actionImport, name) { states.append(.ended) }
            if !names.functionImports(name).isEmpty { states.append(.queryOnly) }
        } else {
            states += names.functionImports(name).map { .parameters($0) }
        }
        guard !states.isEmpty else {
            let kinds: [NameKind] = [.entitySetName, .singletonEntity, .actionImport]
            throw unknown(
                segment.name, "an entity set, a singleton or an operation import",
                kinds + PathState.Result.allCases.map(\.functionImport))
        }
        return states
    }

    /// Keys and parameters.
    private func parentheses(_ segment: SegmentSyntax, _ states: [PathState]) throws(QueryError) -> [PathState] {
        var states = states
        for parentheses in segment.parentheses {
            let isKey = isKey(parentheses)
            let areParameters = areParameters(parentheses, mayHaveExpressions: false)
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

    private func follow(_ segment: SegmentSyntax, _ states: [PathState]) throws(QueryError) -> [PathState] {
        if case .filter(let expression) = segment.kind { try check(expression) }
        let next = union(states) { follow(segment, from: $0) }
        guard !next.isEmpty else { throw error("another segment, or the end", at: segment.name.offset) }
        return next
    }

    private func follow(_ segment: SegmentSyntax, from state: PathState) -> [PathState] {
        switch segment.kind {
        case .name: name(segment, from: state) + key(segment, from: state)
        case .text: key(segment, from: state) + ordinal(segment, from: state)
        case .count:
            [.collection, .collectionCast, .complexCol, .complexColCast, .primitiveCol].contains(state) ? [.ended] : []
        case .ref: [.collection, .collectionCast, .single, .singleCast, .keySegments].contains(state) ? [.ended] : []
        case .value: [.single, .singleCast, .primitive, .keySegments].contains(state) ? [.ended] : []
        case .filter: state == .collection || state == .collectionCast ? [.collection] : []
        case .each: state == .collection || state == .collectionCast ? [.each] : []
        case .query: [.stream, .ended, .each, .allEntities].contains(state) || state.needsParameters ? [] : [.ended]
        default: []
        }
    }

    /// `keyPathSegments`
    private func key(_ segment: SegmentSyntax, from state: PathState) -> [PathState] {
        guard [.collection, .collectionCast, .keySegments].contains(state), segment.parentheses.isEmpty else {
            return []
        }
        return names.allowsKeySegment(segment.name.text) ? [.single, .keySegments] : []
    }

    /// `ordinalIndex`
    private func ordinal(_ segment: SegmentSyntax, from state: PathState) -> [PathState] {
        guard [.complexCol, .complexColCast, .primitiveCol].contains(state) else { return [] }
        let text = segment.name.text.utf8
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.allSatisfy { isDigit($0) } ? [.ended] : []
    }

    private func name(_ segment: SegmentSyntax, from state: PathState) -> [PathState] {
        let name = segment.name.text
        var next: [PathState] = []
        switch state {
        case .collection where names.allows([.entityTypeName], qualified: name): next.append(.collectionCast)
        case .allEntities where names.allows([.entityTypeName], qualified: name): return [.ended]
        case .single where names.allows([.entityTypeName], qualified: name): next.append(.singleCast)
        case .complexCol where names.allows([.complexTypeName], qualified: name): next.append(.complexColCast)
        case .complex where names.allows([.complexTypeName], qualified: name): next.append(.complexCast)
        case .parameters, .queryOnly, .ended, .keySegments, .allEntities: return []
        default: break
        }
        if [.single, .singleCast, .complex, .complexCast].contains(state) { next += names.property(name) }
        if segment.parentheses.isEmpty {
            if names.allows([.action], qualified: name) { next.append(.ended) }
            if !names.functions(name).isEmpty { next.append(.queryOnly) }
        } else {
            next += names.functions(name).map { .parameters($0) }
        }
        return next
    }
}

extension PathState {
    var needsParameters: Bool { if case .parameters = self { true } else { false } }
}

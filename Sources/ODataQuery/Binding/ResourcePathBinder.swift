import ODataModel

/// Follows a resource path segment by segment.
struct ResourcePathBinder {
    let binder: Binder
    /// For the arguments of functions.
    let scope: BindingScope
    private(set) var path: ResourcePath
    private(set) var type: EdmTypeReference?
    private(set) var set: EdmEntitySet?
    private var complex = ComplexPath()
    private var isProperty = false
    private var isEnded = false

    init(binder: Binder, scope: BindingScope, root: ResourcePath.Root) {
        self.binder = binder
        self.scope = scope
        path = ResourcePath(root: root)
        type = path.valueType
        set = path.rootSet
        if case .all = root { type = .collection(.entity(EdmQualifiedName(namespace: "Edm", name: "EntityType"))) }
    }

    private var structured: EdmStructuredType? {
        if path.segments.isEmpty, case .entitySet(let set) = path.root { return set.type }
        return binder.structuredType(type)
    }

    private var isCollection: Bool { type?.isCollection == true }
    /// Whether the value so far is made of entities.
    private var isEntity: Bool {
        switch type {
        case .entity, .collection(.entity): true
        default: false
        }
    }

    private mutating func append(_ segment: ResourcePath.Segment, _ type: EdmTypeReference?) {
        path.segments.append(segment)
        self.type = type
    }

    /// Takes one segment; or more, where a key with several parts is given as segments.
    ///
    /// - Returns: how many.
    mutating func follow(_ segments: ArraySlice<SegmentSyntax>) throws(QueryError) -> Int {
        guard let segment = segments.first else { return 0 }
        guard !isEnded else {
            throw binder.error(
                .syntax, "Nothing can follow here.", at: segment.name.offset, expected: "the end of the path")
        }
        if !segment.kind.isSuffix, let call = path.lastOperation {
            try binder.checkComposable(call, at: segment.name.offset)
        }
        switch segment.kind {
        case .name:
            if try name(segment) { return 1 }
            return try keySegments(segments)
        case .text: return try text(segments)
        case .annotation: throw binder.notImplemented("An annotation in a path", at: segment.name.offset)
        case .filter(let predicate):
            try filter(predicate, at: segment)
            try keys(segment)
        default: try system(segment)
        }
        return 1
    }

    mutating func key(_ syntax: ParenthesesSyntax) throws(QueryError) {
        guard isCollection, isEntity, let structured else {
            throw binder.error(.typeMismatch, "Only a collection of entities takes a key.", at: syntax.offset)
        }
        if let call = path.lastOperation { try binder.checkComposable(call, at: syntax.offset) }
        append(.key(try binder.key(syntax, of: structured, along: path.keyedNavigation)), type?.element)
    }

    /// `(1)` after a segment that is not a call.
    private mutating func keys(_ segment: SegmentSyntax, after count: Int = 0) throws(QueryError) {
        for parentheses in segment.parentheses.dropFirst(count) { try key(parentheses) }
    }
}

extension SegmentSyntax.Kind {
    /// `$count`, `$value` and `$ref` are other views of what a path leads to, not more of the path.
    fileprivate var isSuffix: Bool {
        switch self {
        case .count, .value, .ref: true
        default: false
        }
    }
}

extension ResourcePath {
    /// The call that the path ends with.
    fileprivate var lastOperation: OperationCall? {
        switch (segments.last, root) {
        case (.operation(let call)?, _), (nil, .operation(let call)): call
        default: nil
        }
    }
}

// MARK: Names

extension ResourcePathBinder {
    /// False if the name does not belong to the segment before it, but may be a key.
    private mutating func name(_ segment: SegmentSyntax) throws(QueryError) -> Bool {
        let name = segment.name
        if path.segments.last == .each {
            if try operation(segment) { return true }
            throw binder.unknown("operation \(name.text) of each member", name, among: boundNames)
        }
        if path == ResourcePath(root: .all), segment.parentheses.isEmpty,
            let cast = binder.structuredType(named: name), case .entity = cast.reference
        {
            append(.cast(cast), .collection(cast.reference))
            return true
        }
        if let cast = binder.structuredType(named: name), let structured {
            let cast = try binder.checkedCast(cast, of: structured, at: name.offset)
            append(.cast(cast), isCollection ? .collection(cast.reference) : cast.reference)
            try keys(segment)
            return true
        }
        if !isCollection, let structured, try member(segment, of: structured) { return true }
        if try operation(segment) { return true }
        if isCollection, isEntity, segment.parentheses.isEmpty, !isOfSchema(name) { return false }
        throw misplaced(segment)
    }

    /// Whether the name is one of the model's schemas', which a key hardly is.
    private func isOfSchema(_ name: NameSyntax) -> Bool {
        let namespace = EdmQualifiedName(name.text).namespace
        return name.isQualified
            && binder.model.schemas.contains { $0.namespace == namespace || $0.alias == namespace }
    }

    private mutating func member(
        _ segment: SegmentSyntax, of structured: EdmStructuredType
    ) throws(QueryError) -> Bool {
        let name = segment.name
        if let navigation = structured.navigationProperty(named: name.text) {
            guard let target = binder.model.target(of: navigation) else {
                throw binder.error(
                    .unknownName, "The type \(navigation.target) is not in the model.", at: name.offset)
            }
            set = complex.follow(navigation, of: structured, from: set, in: binder.model)
            let reference = target.reference
            append(.navigation(navigation, set), navigation.isCollection ? .collection(reference) : reference)
            isProperty = false
        } else if let property = structured.property(named: name.text) {
            complex.follow(property, of: structured)
            append(.property(property), property.type)
            isProperty = true
        } else if structured.isOpen, !name.isQualified,
            binder.operations(named: name, on: .init(type: type, set: set)).isEmpty
        {
            append(.property(EdmProperty(name: name.text, type: .untyped)), .untyped)
            isProperty = true
        } else {
            return false
        }
        try keys(segment)
        return true
    }

    private mutating func operation(_ segment: SegmentSyntax) throws(QueryError) -> Bool {
        // `Products/$each/Model.Approve` is bound to one member after the other.
        let subject = Binder.Subject(type: path.segments.last == .each ? type?.element : type, set: set)
        let overloads = binder.operations(named: segment.name, on: subject)
        guard !overloads.isEmpty else { return false }
        let call = try binder.call(segment, overloads: overloads, on: subject, importing: nil, in: scope)
        append(.operation(call), call.operation.result?.type)
        set = call.entitySet
        isProperty = false
        isEnded = call.operation.kind == .action
        try keys(segment, after: 1)
        return true
    }

    private func misplaced(_ segment: SegmentSyntax) -> QueryError {
        let name = segment.name
        guard let structured else {
            return binder.error(
                .typeMismatch, "A value of \(type?.description ?? "this type") has no properties.", at: name.offset)
        }
        if name.isQualified {
            let known = binder.model.derivedTypes(of: structured).map { "\($0.name)" }
            return binder.unknown("type or operation \(name.text) here", name, among: known + boundNames)
        }
        guard isCollection else { return binder.unknownMember(name, of: structured) }
        return binder.error(
            .typeMismatch, "A collection has no properties; name one entity by its key.", at: name.offset,
            expected: "a key before it, as in (1), or $count")
    }

    private var boundNames: [String] {
        binder.model.schemas.flatMap(\.operations).filter(\.isBound).map { "\($0.name)" }
    }
}

// MARK: Keys as segments

extension ResourcePathBinder {
    private mutating func keySegments(_ segments: ArraySlice<SegmentSyntax>) throws(QueryError) -> Int {
        guard isCollection, isEntity, let structured, !structured.keyProperties.isEmpty else {
            guard let segment = segments.first else { return 0 }
            throw misplaced(segment)
        }
        let (key, count) = try binder.key(segments: segments, of: structured, along: path.keyedNavigation)
        append(.key(key), type?.element)
        return count
    }

    /// `1`: a key, or the position of a member of a collection of values.
    private mutating func text(_ segments: ArraySlice<SegmentSyntax>) throws(QueryError) -> Int {
        guard let segment = segments.first else { return 0 }
        if isCollection, isEntity { return try keySegments(segments) }
        guard isCollection, let index = Int(segment.name.text) else {
            throw binder.error(
                .syntax, "There is nothing that a key or position could be of.", at: segment.name.offset)
        }
        append(.index(index), type?.element)
        return 1
    }
}

// MARK: System segments

extension ResourcePathBinder {
    private mutating func system(_ segment: SegmentSyntax) throws(QueryError) {
        let isFit: Bool
        let bound: ResourcePath.Segment
        switch segment.kind {
        case .count(nil): (bound, isFit) = (.count, isCollection || isUnknown)
        case .ref: (bound, isFit) = (.ref, isEntity || isUnknown)
        case .value: (bound, isFit) = (.value, hasValue)
        case .each: (bound, isFit) = (.each, isCollection && isEntity)
        case .query:
            throw binder.error(
                .syntax, "$query is for POST requests with the query in the body.", at: segment.name.offset)
        default:
            throw binder.notImplemented("The path segment \(segment.name.text)", at: segment.name.offset)
        }
        guard isFit else {
            throw binder.error(
                .typeMismatch, "\(segment.name.text) does not apply to what comes before it.", at: segment.name.offset)
        }
        if case .each = bound {} else { isEnded = true }
        // `Photo/$value` is the stream itself, as some services write its address.
        if case .value = bound, type == .stream { return }
        path.segments.append(bound)
    }

    /// Whether there are rows that have no declared type: `$crossjoin(…)`
    private var isUnknown: Bool {
        if case .crossjoin = path.root { true } else { false }
    }

    private var hasValue: Bool {
        guard !isCollection else { return false }
        switch type {
        case .entity: return structured?.hasStream ?? false
        case .primitive: return true
        case .enumeration: return true
        default: return false
        }
    }

    private mutating func filter(_ predicate: ExpressionSyntax, at segment: SegmentSyntax) throws(QueryError) {
        guard let element = type?.element else {
            throw binder.error(.typeMismatch, "$filter needs a collection before it.", at: segment.name.offset)
        }
        let structured = self.structured
        var inner = BindingScope(type: structured, value: structured == nil ? element : nil, set: set)
        inner.isMember = true
        path.segments.append(.filter(try binder.boolean(predicate, in: inner)))
    }
}

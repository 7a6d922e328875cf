import ODataQuery

/// Context URLs.
///
/// [OData-ABNF, section 3]
extension NameChecker {
    func check(_ context: ContextSyntax) throws(QueryError) {
        guard let first = context.path.first, first.kind == .name else { return }
        if context.isCollection {
            let abstract = ["Edm.EntityType", "Edm.ComplexType"]
            guard !abstract.contains(first.name.text) else { return }
            try checkType(first.name)
        } else if first.name.isQualified {
            try checkType(first.name)
        } else {
            try check(start: first)
            try checkSteps(context)
        }
        for item in context.select ?? [] { try check(item) }
    }

    private func checkType(_ name: NameSyntax) throws(QueryError) {
        let abstract = ["Edm.EntityType", "Edm.ComplexType", "Edm.PrimitiveType", "Edm.Untyped"]
        guard !abstract.contains(name.text) else { return }
        guard isPrimitive(name.text) || names.allows(Self.types, qualified: name.text, needsNamespace: true) else {
            throw unknown(name, "a type", Self.types)
        }
    }

    private func check(start segment: SegmentSyntax) throws(QueryError) {
        if segment.name.text.isEmpty { return try checkKey(segment) }
        let isSet = names.allows(.entitySetName, segment.name.text)
        let isSingleton = segment.parentheses.isEmpty && names.allows(.singletonEntity, segment.name.text)
        guard isSet || isSingleton else {
            throw unknown(segment.name, "an entity set or a singleton", [.entitySetName, .singletonEntity])
        }
        try checkKey(segment)
    }

    private func checkSteps(_ context: ContextSyntax) throws(QueryError) {
        for segment in context.path.dropFirst() {
            let kinds: [NameKind] = NameConstraints.properties.map(\.0).filter { $0 != .streamProperty }
            let isProperty = kinds.contains { names.allows($0, segment.name.text) }
            let isCast = names.allows(
                [.entityTypeName, .complexTypeName], qualified: segment.name.text, needsNamespace: true)
            guard isProperty || isCast else { throw unknown(segment.name, "a property or a type", kinds) }
            try checkKey(segment)
        }
    }

    private func checkKey(_ segment: SegmentSyntax) throws(QueryError) {
        for parentheses in segment.parentheses where !isKey(parentheses) {
            throw error("a key", at: parentheses.offset)
        }
    }

    /// `selectListItem`
    func check(_ item: ContextSelectSyntax) throws(QueryError) {
        for (index, name) in item.path.enumerated() { try check(name, isLast: index == item.path.count - 1, item) }
        for inner in item.select ?? [] { try check(inner) }
    }

    private func check(_ name: NameSyntax, isLast: Bool, _ item: ContextSelectSyntax) throws(QueryError) {
        let text = name.text
        if text == "*" { return }
        if text.hasSuffix(".*") {
            let parts = text.dropLast(2).split(separator: ".")
            if parts.allSatisfy({ names.allows(.namespacePart, String($0)) }) { return }
        } else if text.hasPrefix("@") {
            if names.allows(.entityAnnotationInFragment, text) || names.allows(.complexAnnotationInFragment, text) {
                return
            }
        } else if text.utf8.contains(UInt8(ascii: ".")) {
            if names.allows([.entityTypeName, .complexTypeName], qualified: text) { return }
            if isLast, names.allows([.action], qualified: text) || !names.functions(text).isEmpty { return }
        } else if NameConstraints.properties.contains(where: { $0.0 != .streamProperty && names.allows($0.0, text) }) {
            return
        } else if names.allows(.parameterName, text), item.path.count == 1 {
            return
        }
        throw unknown(name, "a property, a type or an operation", NameConstraints.properties.map(\.0))
    }
}

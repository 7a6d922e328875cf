import ODataQuery

/// Lists of the names that may stand for each kind of name of the grammar, as the test cases of the OASIS grammar have
/// them: a model without types. Of a kind that is not listed every name is allowed.
package struct NameConstraints: Sendable {
    private let lists: [String: Set<String>]

    package init(_ lists: [String: [String]]) {
        self.lists = lists.mapValues { Set($0) }
    }

    func allows(_ kind: NameKind, _ name: String) -> Bool {
        lists[kind.rawValue]?.contains(name) ?? (name.hasPrefix("@") || !name.utf8.contains(UInt8(ascii: ".")))
    }

    /// Whether `name`, decoded, is a key as a segment; those in the list are percent-encoded.
    func allowsKeySegment(_ name: String) -> Bool {
        guard let list = lists[NameKind.keyPathLiteral.rawValue] else { return true }
        return list.contains { ($0.removingPercentEncoding ?? $0) == name }
    }

    /// `Model.Manager`: whether the last part is of one of the kinds, and all before it of the namespace.
    func allows(_ kinds: [NameKind], qualified name: String, needsNamespace: Bool = false) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = parts.last, !needsNamespace || parts.count > 1 else { return false }
        return parts.dropLast().allSatisfy { allows(.namespacePart, String($0)) }
            && kinds.contains { allows($0, String(last)) }
    }

    /// The names of the given kinds that are nearest to `name`.
    func nearest(to name: String, among kinds: [NameKind]) -> String? {
        nearestName(to: name, in: kinds.flatMap { lists[$0.rawValue] ?? [] }.sorted())
    }
}

/// The kinds of names of the grammar: rules that are identifiers.
enum NameKind: String, CaseIterable {
    case entitySetName, singletonEntity, namespacePart, termName, parameterName
    case entityTypeName, complexTypeName, typeDefinitionName, enumerationTypeName, enumerationMember
    case primitiveKeyProperty, primitiveNonKeyProperty, primitiveColProperty, complexProperty, complexColProperty
    case streamProperty, entityNavigationProperty, entityColNavigationProperty
    case action, actionImport
    case entityFunction, entityColFunction, complexFunction, complexColFunction, primitiveFunction
    case primitiveColFunction
    case entityFunctionImport, entityColFunctionImport, complexFunctionImport, complexColFunctionImport
    case primitiveFunctionImport, primitiveColFunctionImport
    case keyPropertyAlias, keyPathLiteral, customName, customAggregate, expressionAlias, lambdaVariableExpr
    case computedProperty
    case entityAnnotationInQuery, complexAnnotationInQuery, primitiveAnnotationInQuery, primitiveColAnnotationInQuery
    case entityAnnotationInFragment, complexAnnotationInFragment
}

extension String {
    /// Nil if a percent sign is not followed by two hexadecimal digits.
    fileprivate var removingPercentEncoding: String? {
        var decoder = URLDecoder(Array(utf8), dialect: .lenient)
        return (try? decoder.decoded(splits: false)).map { String(decoding: $0.text, as: UTF8.self) }
    }
}

import ODataModel

/// Recursive hierarchies, which annotations of the model describe.
///
/// [OData-Aggregation, sections 5.5.2 and 6]
extension Binder {
    // MARK: Transformations

    /// `ancestors`, `descendants`
    func related(
        _ syntax: RelatedSyntax, of type: EdmStructuredType, in scope: BindingScope
    ) throws(QueryError) -> ApplyExpression.Step {
        let hierarchy = try hierarchy(
            syntax.hierarchy, restriction: syntax.transformations.dropFirst().first ?? [], in: scope)
        if let distance = syntax.distance, distance < 1 {
            throw error(.typeMismatch, "The distance of nodes is at least 1.", at: syntax.hierarchy.qualifier.offset)
        }
        let bound = RelatedNodes(
            isAncestors: syntax.isAncestors, hierarchy: hierarchy,
            node: try node(syntax.hierarchy, hierarchy, in: scope),
            start: try apply(syntax.transformations.first ?? [], in: scope).steps, maxDistance: syntax.distance,
            keepsStart: syntax.keepsStart)
        return .init(.related(bound), type: type)
    }

    func traverse(
        _ syntax: TraverseSyntax, of type: EdmStructuredType, in scope: BindingScope
    ) throws(QueryError) -> ApplyExpression.Step {
        let hierarchy = try hierarchy(syntax.hierarchy, restriction: syntax.transformations, in: scope)
        let order = try orderBy(syntax.orderBy, in: nodeScope(of: hierarchy, aliases: scope.aliases))
        let bound = HierarchyTraversal(
            hierarchy: hierarchy, node: try node(syntax.hierarchy, hierarchy, in: scope),
            isPreorder: syntax.isPreorder, orderBy: order)
        guard !bound.isToOneNode else { return .init(.traverse(bound), type: type) }
        var (properties, navigations) = (type.properties, type.navigationProperties)
        bound.rollup.putMark(in: &properties, &navigations)
        return .init(.traverse(bound), type: type.replacing(properties, navigations, keepsKey: true))
    }

    func rollup(
        _ syntax: HierarchySyntax, _ restriction: [TransformationSyntax], in scope: BindingScope
    ) throws(QueryError) -> RecursiveRollup {
        let hierarchy = try hierarchy(syntax, restriction: restriction, in: scope)
        return RecursiveRollup(hierarchy: hierarchy, node: try node(syntax, hierarchy, in: scope))
    }

    /// The path from an instance to the identifiers of its nodes.
    private func node(
        _ syntax: HierarchySyntax, _ hierarchy: RecursiveHierarchy, in scope: BindingScope
    ) throws(QueryError) -> PropertyPath {
        let path = try propertyPath(syntax.property, in: scope)
        let type = path.type.map { $0.element ?? $0 }
        try checkComparison(
            .eq, (.path(hierarchy.identifier), hierarchy.identifier.type), (.path(path), type),
            at: syntax.property.first?.offset ?? 0)
        return path
    }

    private func hierarchy(
        _ syntax: HierarchySyntax, restriction: [TransformationSyntax], in scope: BindingScope
    ) throws(QueryError) -> RecursiveHierarchy {
        var hierarchy = try hierarchy(
            syntax.nodes, qualifier: syntax.qualifier.text, at: syntax.qualifier.offset, in: scope)
        guard !restriction.isEmpty else { return hierarchy }
        hierarchy.restriction = try apply(
            restriction, in: nodeScope(of: hierarchy, aliases: scope.aliases)
        ).steps
        return hierarchy
    }

    /// Expressions about nodes do not depend on the instances of the request.
    private func nodeScope(of hierarchy: RecursiveHierarchy, aliases: AliasChain) -> BindingScope {
        BindingScope(type: hierarchy.identifier.variableType, set: hierarchy.nodes.entitySet, aliases: aliases)
    }

    // MARK: The annotation

    private func hierarchy(
        _ nodes: ExpressionSyntax, qualifier: String, at offset: Int, in scope: BindingScope
    ) throws(QueryError) -> RecursiveHierarchy {
        let bound = try expression(nodes, in: scope)
        guard case .collection(.entity) = bound.type, let type = structuredType(bound.type) else {
            throw error(
                .typeMismatch, "The nodes of a hierarchy are a collection of entities.", at: nodes.offset,
                expected: "$root/ and an entity set")
        }
        guard case .root(let path) = bound.expression, path.suffix == nil else {
            throw notImplemented("A hierarchy of nodes that no path from $root leads to", at: nodes.offset)
        }
        let record = try annotation(of: type, qualifier: qualifier, at: offset)
        let start = BindingScope(type: type, set: path.entitySet)
        let identifier = try annotatedPath(record["NodeProperty"], in: start, of: qualifier, at: offset)
        guard let kind = identifier.type, !kind.isCollection, kind.primitive != nil else {
            throw unsuitable(qualifier, "NodeProperty leads to no single primitive value", at: offset)
        }
        let parents = try annotatedPath(record["ParentNavigationProperty"], in: start, of: qualifier, at: offset)
        guard case .navigation? = parents.steps.last(where: { !$0.isCast }), let above = structuredType(parents.type),
            above.isKind(of: type) || type.isKind(of: above)
        else { throw unsuitable(qualifier, "ParentNavigationProperty leads to no \(type.name)", at: offset) }
        return RecursiveHierarchy(nodes: path, qualifier: qualifier, identifier: identifier, parents: parents)
    }

    private func annotation(
        of type: EdmStructuredType, qualifier: String, at offset: Int
    ) throws(QueryError) -> EdmAnnotation.Record {
        let known = type.lineage.compactMap { model.structuredType(named: $0) }.flatMap(\.annotations)
            .filter { $0.term.hasPrefix(EdmAnnotation.recursiveHierarchy + "#") }
        guard let found = known.first(where: { $0.qualifier == qualifier }) else {
            throw unknown(
                "hierarchy \(qualifier) of \(type.name)", NameSyntax(text: qualifier, offset: offset),
                among: known.compactMap(\.qualifier))
        }
        guard let record = found.value.record else {
            throw unsuitable(qualifier, "its annotation is not a record", at: offset)
        }
        return record
    }

    /// `Info/ID`: a path of the annotation.
    private func annotatedPath(
        _ value: EdmAnnotation.Value?, in scope: BindingScope, of qualifier: String, at offset: Int
    ) throws(QueryError) -> PropertyPath {
        guard let text = value?.path ?? value?.string, !text.isEmpty else {
            throw unsuitable(qualifier, "its annotation lacks a path", at: offset)
        }
        let names = text.split(separator: "/").map { NameSyntax(text: String($0), offset: offset) }
        do { return try propertyPath(names, in: scope) } catch {
            throw unsuitable(qualifier, "the path \(text) of its annotation leads nowhere", at: offset)
        }
    }

    private func unsuitable(_ qualifier: String, _ why: String, at offset: Int) -> QueryError {
        error(.typeMismatch, "The hierarchy \(qualifier) cannot be used: \(why).", at: offset)
    }

    // MARK: Functions

    /// The function that a path is the call of; nil for other functions than the vocabulary's.
    func hierarchyTest(_ syntax: PathSyntax, in scope: BindingScope) throws(QueryError) -> Typed? {
        guard let segment = syntax.segments.first, segment.kind == .name, let kind = hierarchyFunction(segment.name)
        else { return nil }
        guard syntax.segments.count == 1 else {
            throw error(.syntax, "Nothing can follow here.", at: syntax.segments[1].name.offset)
        }
        let arguments = try HierarchyArguments(segment, kind, binder: self)
        let nodes = try arguments.required("HierarchyNodes")
        let named = try arguments.required("HierarchyQualifier")
        guard case .literal(.string(let qualifier), _) = try expression(named, in: scope).expression else {
            throw mismatch("The qualifier is not text.", named, expected: "the qualifier of a hierarchy in quotes")
        }
        let hierarchy = try hierarchy(nodes, qualifier: qualifier, at: named.offset, in: scope)
        var test = HierarchyTest(
            kind, hierarchy: hierarchy,
            node: try identifier(try arguments.required("Node"), of: hierarchy, in: scope))
        if let name = kind.other {
            test.other = try identifier(try arguments.required(name), of: hierarchy, in: scope)
        }
        if let syntax = arguments["MaxDistance"] {
            guard case .literal(.integer(let distance), _) = try expression(syntax, in: scope).expression, distance > 0
            else { throw mismatch("The distance is not valid.", syntax, expected: "an integer from 1") }
            test.maxDistance = Int(distance)
        }
        if let syntax = arguments["IncludeSelf"] {
            guard case .literal(.boolean(let includes), _) = try expression(syntax, in: scope).expression else {
                throw mismatch("IncludeSelf is not a constant.", syntax, expected: "true or false")
            }
            test.includesSelf = includes
        }
        return (.hierarchy(test), .boolean)
    }

    /// `Aggregation.rollupnode()`, `Aggregation.rollupnode(Position=2)`: where the path starts; nil if it is not a call
    /// of that function.
    func rollupNode(_ syntax: PathSyntax, in scope: BindingScope) throws(QueryError) -> PropertyPathBinder? {
        guard let segment = syntax.segments.first, segment.kind == .name,
            vocabularyFunction(segment.name) == "rollupnode"
        else { return nil }
        let form = "\(segment.name.text)() or \(segment.name.text)(Position=…)"
        guard segment.parentheses.count == 1 else {
            throw error(.syntax, "Parameters have names.", at: segment.name.offset, expected: form)
        }
        var position: Int64 = 1
        for argument in try arguments(of: segment, overloads: []) {
            guard argument.name.text == "Position" else {
                throw unknown("parameter \(argument.name.text)", argument.name, among: ["Position"])
            }
            guard case .literal(.integer(let value), _) = try expression(argument.value, in: scope).expression else {
                throw mismatch("The position is not a constant.", argument.value, expected: "an integer from 1")
            }
            position = value
        }
        guard position >= 1, position <= scope.rollupNodes.count else {
            throw error(
                .typeMismatch, "There is no rolluprecursive \(position) around this.", at: segment.name.offset,
                expected: "groupby with rolluprecursive around it")
        }
        return PropertyPathBinder(binder: self, scope: scope, rollupNode: Int(position))
    }

    private func hierarchyFunction(_ name: NameSyntax) -> HierarchyTest.Kind? {
        vocabularyFunction(name).flatMap { HierarchyTest.Kind(rawValue: $0) }
    }

    /// The name of a function of the vocabulary, without its namespace; nil for other names.
    private func vocabularyFunction(_ name: NameSyntax) -> String? {
        guard name.isQualified else { return nil }
        let qualified = EdmQualifiedName(name.text)
        let included = model.references.flatMap(\.includes).first { $0.alias == qualified.namespace }?.namespace
        let isOwn = model.schemas.contains { $0.alias == qualified.namespace || $0.namespace == qualified.namespace }
        let usual = qualified.namespace == "Aggregation" && !isOwn ? RecursiveHierarchy.vocabulary : nil
        guard (included ?? usual ?? qualified.namespace) == RecursiveHierarchy.vocabulary else { return nil }
        return qualified.name
    }

    /// A value that is compared with identifiers of nodes.
    private func identifier(
        _ syntax: ExpressionSyntax, of hierarchy: RecursiveHierarchy, in scope: BindingScope
    ) throws(QueryError) -> QueryExpression {
        var sides: (Typed, Typed) = (
            (.path(hierarchy.identifier), hierarchy.identifier.type), try expression(syntax, in: scope)
        )
        meet(&sides.0, &sides.1, isArithmetic: false)
        try checkComparison(.eq, sides.0, sides.1, at: syntax.offset)
        return sides.1.expression
    }
}

/// The arguments of a function of the vocabulary, by name.
private struct HierarchyArguments {
    private let values: [String: ExpressionSyntax]
    private let name: NameSyntax
    private let form: String
    private let binder: Binder

    init(_ segment: SegmentSyntax, _ kind: HierarchyTest.Kind, binder: Binder) throws(QueryError) {
        let required = ["HierarchyNodes", "HierarchyQualifier", "Node"] + (kind.other.map { [$0] } ?? [])
        let known = required + (kind.hasDistance ? ["MaxDistance", "IncludeSelf"] : [])
        name = segment.name
        form = "\(segment.name.text)(" + required.map { "\($0)=…" }.joined(separator: ",") + ")"
        self.binder = binder
        guard segment.parentheses.count == 1 else {
            throw binder.error(.syntax, "Parameters have names.", at: segment.name.offset, expected: form)
        }
        var values: [String: ExpressionSyntax] = [:]
        for argument in try binder.arguments(of: segment, overloads: []) {
            guard known.contains(argument.name.text) else {
                throw binder.unknown("parameter \(argument.name.text)", argument.name, among: known)
            }
            values[argument.name.text] = argument.value
        }
        self.values = values
    }

    subscript(name: String) -> ExpressionSyntax? { values[name] }

    func required(_ parameter: String) throws(QueryError) -> ExpressionSyntax {
        guard let value = values[parameter] else {
            throw binder.error(
                .typeMismatch, "The parameter \(parameter) is missing.", at: name.offset, expected: form)
        }
        return value
    }
}

extension ApplyExpression {
    /// What `traverse` and `rolluprecursive` lead along, and which entities groups are made by, where it is there in the end and `given` does not say how.
    func expandedNodes(of type: EdmStructuredType, beside given: [ExpandItem]) -> [ExpandItem] {
        var items: [ExpandItem] = []
        for item in steps.flatMap(\.transformation.expandedNodes) {
            guard type.navigationProperty(named: item.navigation.name) != nil,
                !(given + items).contains(where: { $0.navigation == item.navigation && $0.prefix.isEmpty })
            else { continue }
            items.append(item)
        }
        return items
    }
}

extension SetTransformation {
    fileprivate var expandedNodes: [ExpandItem] {
        switch self {
        case .traverse(let traversal): traversal.expanded.map { [$0] } ?? []
        case .groupBy(let items, _): items.compactMap { $0.recursive?.expanded ?? $0.reference }
        default: []
        }
    }
}

extension GroupingItem {
    /// Of groups by a navigation property the reference to the related entity.
    ///
    /// [OData-Aggregation, section 3.2.3.1]
    fileprivate var reference: ExpandItem? {
        guard case .path(let path) = self, case .navigation(let navigation, let set, let type)? = path.steps.last else {
            return nil
        }
        return ExpandItem(navigation: navigation, targetSet: set, targetType: type, form: .references)
    }
}

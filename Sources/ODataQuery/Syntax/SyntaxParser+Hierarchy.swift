import ODataModel

/// Hierarchical transformations.
///
/// [OData-Aggregation ABNF, `hierarchyTrafo`, `recHierReference`]
extension SyntaxParser {
    /// `$root/Organizations,OrgHierarchy,ID`
    mutating func recHierReference() throws(QueryError) -> HierarchySyntax {
        guard isNext("$") else { throw unexpected("$root and a collection of entities") }
        let nodes = try implicitVariableExpr()
        guard case .path(let path) = nodes.kind, path.start == .root else {
            throw error(.syntax, "This is not a path from $root.", at: nodes.offset, expected: "$root/…")
        }
        guard takeComma() else { throw unexpected("',' and the name of a hierarchy") }
        let qualifier = try identifier("the name of a hierarchy")
        guard takeComma() else { throw unexpected("',' and a property") }
        return HierarchySyntax(nodes: nodes, qualifier: qualifier, property: try namePath("a property"))
    }

    /// `ancestorsTrafo`, `descendantsTrafo`
    mutating func relatedTrafo(isAncestors: Bool) throws(QueryError) -> RelatedSyntax {
        var item = RelatedSyntax(
            isAncestors: isAncestors, hierarchy: try recHierReference(), transformations: [], distance: nil,
            keepsStart: false)
        guard takeComma() else { throw unexpected("',' and a transformation") }
        item.transformations.append(try preservingTrafos())
        while takeComma() { try relatedArgument(&item) }
        return item
    }

    /// A second sequence, a distance, `keep start`, in this order.
    private mutating func relatedArgument(_ item: inout RelatedSyntax) throws(QueryError) {
        guard !item.keepsStart else { throw unexpected("')'") }
        if isDigit() {
            guard item.distance == nil else { throw unexpected("keep start or ')'") }
            item.distance = try nonNegativeInteger()
        } else if takeKeepStart() {
            item.keepsStart = true
        } else {
            guard item.distance == nil, item.transformations.count == 1 else { throw unexpected("keep start") }
            item.transformations.append(try preservingTrafos())
        }
    }

    /// `preservingTrafos`: transformations whose result is a part of their input.
    private mutating func preservingTrafos() throws(QueryError) -> [TransformationSyntax] {
        let steps = try applyExpr()
        for step in steps where !step.preserves {
            throw error(
                .syntax, "This transformation changes the instances.", at: step.offset,
                expected: "filter, search, orderby, skip, top, a ranking, identity or a hierarchical transformation")
        }
        return steps
    }

    private mutating func takeKeepStart() -> Bool {
        let start = offset
        if takeWord("keep"), skipSpace(), takeWord("start") { return true }
        offset = start
        return false
    }

    /// `traverseTrafo`
    package mutating func traverseTrafo() throws(QueryError) -> TraverseSyntax {
        var item = TraverseSyntax(
            hierarchy: try recHierReference(), isPreorder: true, transformations: [], orderBy: [])
        guard takeComma() else { throw unexpected("',' and preorder or postorder") }
        if takeWord("postorder") {
            item.isPreorder = false
        } else if !takeWord("preorder") {
            throw unexpected("preorder or postorder")
        }
        while takeComma() {
            if item.transformations.isEmpty, item.orderBy.isEmpty, isTransformationAhead {
                item.transformations = try preservingTrafos()
            } else {
                item.orderBy.append(try orderbyItem())
            }
        }
        return item
    }

    /// A sequence differs from the first sort criterion by its name.
    private var isTransformationAhead: Bool {
        let names = [
            "filter", "search", "orderby", "skip", "top", "topcount", "topsum", "toppercent", "bottomcount",
            "bottomsum",
            "bottompercent", "identity", "ancestors", "descendants", "traverse",
        ]
        let stop = nameEnd(from: offset)
        let name = source.string(offset..<stop)
        guard stop < end, source.text[stop] == UInt8(ascii: "(") else { return name == "identity" }
        return names.contains(name) || name.utf8.contains(UInt8(ascii: "."))
    }
}

extension TransformationSyntax {
    /// Whether the result is a part of the input.
    fileprivate var preserves: Bool {
        switch kind {
        case .filter, .identity, .orderBy, .search, .skip, .top, .ranked, .related, .traverse, .call: true
        default: false
        }
    }

    /// `hierarchyTrafo`
    var isHierarchical: Bool {
        switch kind {
        case .related, .traverse, .call: true
        default: false
        }
    }
}

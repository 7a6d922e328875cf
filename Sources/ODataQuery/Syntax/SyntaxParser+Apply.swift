import ODataModel

/// `$apply`
///
/// [OData-Aggregation ABNF, section 2]
extension SyntaxParser {
    /// `applyExpr`: transformations with slashes between them.
    package mutating func applyExpr() throws(QueryError) -> [TransformationSyntax] {
        try enter()
        defer { leave() }
        var steps: [TransformationSyntax] = []
        repeat {
            try tally()
            steps.append(try applyTrafo())
        } while consume("/")
        return steps
    }

    private static let known = [
        "aggregate", "addnested", "ancestors", "bottomcount", "bottompercent", "bottomsum", "compute", "concat",
        "descendants", "expand", "filter", "groupby", "identity", "join", "nest", "orderby", "outerjoin", "search",
        "skip", "top", "topcount", "toppercent", "topsum", "traverse",
    ]

    /// `applyTrafo`
    private mutating func applyTrafo() throws(QueryError) -> TransformationSyntax {
        let name = try name("a transformation")
        if name.isQualified { return TransformationSyntax(kind: .call(try customFunction(name)), offset: name.offset) }
        if name.text == "identity" { return TransformationSyntax(kind: .identity, offset: name.offset) }
        guard Self.known.contains(name.text) else {
            throw error(
                .unknownName, "There is no transformation \(name.text).", at: name.offset,
                expected: nearestName(to: name.text, in: Self.known) ?? "a transformation")
        }
        try expect("(")
        skipSpace()
        let kind = try transformation(name.text)
        skipSpace()
        try expect(")", "',' or ')'")
        return TransformationSyntax(kind: kind, offset: name.offset)
    }

    /// What is in the parentheses of a transformation.
    private mutating func transformation(_ name: String) throws(QueryError) -> TransformationSyntax.Kind {
        switch name {
        case "aggregate": return .aggregate(try aggregateList())
        case "compute": return .compute(try computeList(isInside: true))
        case "concat": return .concat(try concatTrafo())
        case "filter": return .filter(try commonExpr())
        case "groupby": return try groupbyTrafo()
        case "join", "outerjoin": return try joinTrafo(isOuter: name == "outerjoin")
        case "nest": return .nest(try nestList())
        case "addnested": return try addnestedTrafo()
        case "expand": return try expandTrafo()
        case "orderby": return .orderBy(try orderbyList(isInside: true))
        case "search": return .search(try search())
        case "skip": return .skip(try nonNegativeInteger())
        case "top": return .top(try nonNegativeInteger())
        case "ancestors", "descendants": return .related(try relatedTrafo(isAncestors: name == "ancestors"))
        case "traverse": return .traverse(try traverseTrafo())
        default: return try rankingTrafo(name)
        }
    }

    /// `topcount(2,Amount)` and its kin.
    private mutating func rankingTrafo(_ name: String) throws(QueryError) -> TransformationSyntax.Kind {
        guard let ranking = RankingTransformation(rawValue: name) else { throw unexpected("a transformation") }
        let amount = try commonExpr()
        guard takeComma() else { throw unexpected("an operator, or ',' and an expression") }
        return .ranked(ranking, amount: amount, value: try commonExpr())
    }

    /// `concatTrafo`: two sequences or more.
    private mutating func concatTrafo() throws(QueryError) -> [[TransformationSyntax]] {
        var sequences: [[TransformationSyntax]] = []
        repeat { sequences.append(try applyExpr()) } while takeComma()
        guard sequences.count > 1 else { throw unexpected("',' and another transformation") }
        return sequences
    }

    /// `customFunction`
    private mutating func customFunction(_ name: NameSyntax) throws(QueryError) -> SegmentSyntax {
        guard isNext("(") else { throw unexpected("'('") }
        var height = 0
        let parameters = try parentheses(of: name, isFirst: false, &height)
        return SegmentSyntax(name: name, kind: .name, parentheses: [parameters])
    }

    // MARK: groupby

    private mutating func groupbyTrafo() throws(QueryError) -> TransformationSyntax.Kind {
        try expect("(", "'(' and a list of properties")
        skipSpace()
        var items: [GroupingSyntax] = []
        try commaList { parser throws(QueryError) in items.append(try parser.groupbyElement()) }
        return .groupBy(items, takeComma() ? try applyExpr() : [])
    }

    /// `groupbyElement`
    package mutating func groupbyElement() throws(QueryError) -> GroupingSyntax {
        let path = try namePath("a property")
        guard isNext("("), path.count == 1, let name = path.first?.text else { return .path(path) }
        switch name {
        case "rollup": return try rollupLevels()
        case "rolluprecursive": return try rollupRecursive()
        default: throw unexpected("',' or ')'")
        }
    }

    /// `rollup(Country,City)`, `rollup($all,Country)`
    private mutating func rollupLevels() throws(QueryError) -> GroupingSyntax {
        try expect("(")
        skipSpace()
        var hasAll = false
        var paths: [[NameSyntax]] = []
        try commaList { parser throws(QueryError) in
            if paths.isEmpty, !hasAll, parser.isNext("$") {
                guard parser.systemName().text == "$all" else { throw parser.unexpected("$all or a property") }
                hasAll = true
            } else {
                paths.append(try parser.namePath("a property"))
            }
        }
        return .rollup(paths, hasAll: hasAll)
    }

    private mutating func rollupRecursive() throws(QueryError) -> GroupingSyntax {
        try expect("(")
        skipSpace()
        let hierarchy = try recHierReference()
        let steps = takeComma() ? try applyExpr() : []
        if let step = steps.first(where: { !$0.isHierarchical }) {
            throw error(
                .syntax, "This is not a transformation of a hierarchy.", at: step.offset,
                expected: "ancestors, descendants, traverse or a function")
        }
        skipSpace()
        try expect(")", "',' or ')'")
        return .rollupRecursive(hierarchy, steps)
    }

    // MARK: join, nest

    private mutating func joinTrafo(isOuter: Bool) throws(QueryError) -> TransformationSyntax.Kind {
        let path = try namePath("a collection")
        guard let alias = try asAlias() else { throw unexpected("'as' and a name") }
        return .join(path, alias: alias, takeComma() ? try applyExpr() : [], isOuter: isOuter)
    }

    private mutating func addnestedTrafo() throws(QueryError) -> TransformationSyntax.Kind {
        let path = try namePath("a collection")
        guard takeComma() else { throw unexpected("',' and a transformation") }
        return .addNested(path, try nestList())
    }

    /// `nestApplyExpr`
    private mutating func nestList() throws(QueryError) -> [NestSyntax] {
        var items: [NestSyntax] = []
        repeat {
            let steps = try applyExpr()
            guard let alias = try asAlias() else { throw unexpected("'/', or 'as' and a name") }
            items.append(NestSyntax(transformations: steps, alias: alias))
        } while takeComma()
        return items
    }

    private mutating func expandTrafo() throws(QueryError) -> TransformationSyntax.Kind {
        let path = try namePath("a navigation property")
        var sequences: [[TransformationSyntax]] = []
        while takeComma() { sequences.append(try applyExpr()) }
        return .expand(path, sequences)
    }
}

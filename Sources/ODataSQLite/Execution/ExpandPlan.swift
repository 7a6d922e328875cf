import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// The plan for reading one expanded navigation property and its nested ones. Made once per query.
struct ExpandPlan: Sendable {
    /// Nil where only the members are counted.
    private(set) var rows: ExpandRows?
    let navigation: EdmNavigationProperty
    /// Counts the members if `$top` or `$skip` restricts the collection or no rows are read; nil if the read rows can
    /// be counted.
    private(set) var counts: SQLStatement?
    let wantsCount: Bool
    /// Whether rows here are deeper than `$levels=max` is followed.
    let isTooDeep: Bool
    /// Whether `$levels=max` follows this collection-valued navigation property, so that cycles must be detected.
    let mayCircle: Bool
    private(set) var children: [ExpandPlan]

    /// The plans for everything that `options` expand from the rows of `parent`.
    static func plans(
        _ options: QueryOptions, of parent: RowStatement, shape: RowShape, translator: QueryTranslator,
        clock: WorkClock?
    ) throws -> [ExpandPlan] {
        try zip(options.expand, shape.children).map { item, child in
            try ExpandPlan(item, child: child, parent: parent, translator: translator, clock: clock)
        }
    }

    private init(
        _ item: ExpandItem, child: RowShape.Child, parent: RowStatement, translator: QueryTranslator, clock: WorkClock?
    ) throws {
        try clock?.check()
        navigation = item.navigation
        isTooDeep = item.levels == .max
        wantsCount = child.wantsCount && navigation.isCollection
        let isCut = item.options.top != nil || (item.options.skip ?? 0) > 0
        let needsCounts = wantsCount && (isCut || child.isCountOnly)
        counts = needsCounts ? try translator.counts(of: item, from: parent) : nil
        guard !child.isCountOnly else {
            rows = nil
            children = []
            mayCircle = false
            return
        }
        let statement = try translator.rows(of: item, from: parent, shape: child.shape)
        rows = ExpandRows(
            statement: statement,
            decoder: RowDecoder(shape: child.shape, statement: statement, mapping: translator.mapping))
        children =
            item.form == .entities
            ? try Self.plans(item.options, of: statement, shape: child.shape, translator: translator, clock: clock)
            : []
        mayCircle =
            item.navigation.isCollection
            && (isTooDeep || children.contains { $0.navigation == item.navigation && $0.mayCircle })
    }

    mutating func updateStatements(_ body: (inout SQLStatement) throws -> Void) rethrows {
        if var own = rows {
            try body(&own.statement.sql)
            rows = own
        }
        if var own = counts {
            try body(&own)
            counts = own
        }
        for index in children.indices { try children[index].updateStatements(body) }
    }

    func emptyAnchors(from projection: RowProjection, index: Int) -> AnchorList {
        AnchorList(anchor: projection.anchors[index], rowID: projection.rowID, isShared: !navigation.isCollection)
    }
}

/// The statement that reads expanded rows, and its decoder.
struct ExpandRows: Sendable {
    var statement: RowStatement
    let decoder: RowDecoder
}

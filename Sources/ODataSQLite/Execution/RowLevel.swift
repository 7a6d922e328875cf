import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL
import ODataStores

/// The rows at one position of a shape, whose values are already in a block, with their expanded rows.
struct RowLevel {
    /// The related rows of one navigation property.
    struct Members {
        var level: RowLevel
        /// Positions in `level`, by parent's anchor.
        var groups: [Range<Int>]
        /// The order of the rows in `level` that the groups refer to.
        var order: [Int]
        var counts: [Int64]?
    }

    private let plans: [ExpandPlan]
    private var anchors: [AnchorList]
    private var members: [Members] = []
    private(set) var headers: [RowHeader] = []
    /// For each row, its row id and those of its ancestors along the same navigation property; empty if cycles need not
    /// be detected.
    private var lineages: [[Int64]] = []
    /// The navigation property that leads to the rows; nil for the rows of the result itself.
    private let navigation: EdmNavigationProperty?

    init(plans: [ExpandPlan], projection: RowProjection?, navigation: EdmNavigationProperty? = nil) {
        self.plans = plans
        self.navigation = navigation
        anchors =
            projection.map { projection in
                plans.enumerated().map { $1.emptyAnchors(from: projection, index: $0) }
            } ?? []
    }

    /// Appends the current row of `statement`. False if its key cannot be represented.
    @discardableResult
    mutating func append(_ statement: SQLiteStatement, decoder: RowDecoder, to block: inout RowBlock) -> Bool {
        guard let header = decoder.header(statement, in: &block) else { return false }
        headers.append(header)
        for index in anchors.indices { anchors[index].append(statement) }
        return true
    }

    /// Reads the expanded rows: one statement for each navigation property.
    mutating func expand(in db: Database, block: inout RowBlock, within budget: ExpandBudget) throws {
        guard !plans.isEmpty else { return }
        var budget = budget
        try expand(in: db, block: &block, within: &budget)
        try budget.check(extents(limit: budget.rows).reduce(0) { min($0 + $1, budget.rows + 1) })
    }

    private mutating func expand(in db: Database, block: inout RowBlock, within budget: inout ExpandBudget) throws {
        for (plan, anchors) in zip(plans, anchors) {
            members.append(try read(plan, anchors, in: db, block: &block, within: &budget))
        }
        for index in anchors.indices { anchors[index].forgetKnown() }
    }

    private func read(
        _ plan: ExpandPlan, _ anchors: AnchorList, in db: Database, block: inout RowBlock,
        within budget: inout ExpandBudget
    ) throws -> Members {
        var level = RowLevel(
            plans: plan.children, projection: plan.rows?.statement.projection, navigation: plan.navigation)
        var parents: [Int32] = []
        if anchors.count > 0, let rows = plan.rows {
            let text = anchors.text
            let statement = try RawStatement(rows.statement.sql.text, in: db)
            defer { statement.finish() }
            try statement.bind(rows.statement.sql.bindings, parents: text)
            let parent = CInt(rows.statement.projection.parent ?? 0)
            // Members of a collection are read for each parent on its own: an anchor stands for one row.
            let parentRows = plan.mayCircle ? anchors.positions.indices.filter { anchors.positions[$0] >= 0 } : []
            while try statement.step() {
                guard !plan.isTooDeep else { throw Self.circle(plan) }
                try budget.countRow(buffer: block.buffer.count)
                guard level.append(statement.pointer, decoder: rows.decoder, to: &block) else { continue }
                let anchor = sqlite3_column_int(statement.pointer, parent)
                parents.append(anchor)
                guard plan.mayCircle, let column = rows.statement.projection.rowID else { continue }
                let above = lineage(of: Int(anchor), among: parentRows, plan)
                let rowID = sqlite3_column_int64(statement.pointer, CInt(column))
                guard !above.contains(rowID) else { throw Self.circle(plan) }
                level.lineages.append(above + [rowID])
            }
        }
        try level.expand(in: db, block: &block, within: &budget)
        let (groups, order) = Self.grouped(parents, count: Int(anchors.count))
        var members = Members(level: level, groups: groups, order: order)
        if plan.wantsCount { members.counts = try Self.counts(plan, anchors, groups, in: db) }
        return members
    }

    private func lineage(of anchor: Int, among rows: [Int], _ plan: ExpandPlan) -> [Int64] {
        guard plan.navigation == navigation, rows.indices.contains(anchor), lineages.indices.contains(rows[anchor])
        else { return [] }
        return lineages[rows[anchor]]
    }

    private static func circle(_ plan: ExpandPlan) -> ODataError {
        ODataError(
            .badRequest,
            "\(plan.navigation.name) leads deeper than the limit of $levels=max, or forms a cycle: set $levels to a number."
        )
    }

    /// The rows of each parent, in their order.
    private static func grouped(_ parents: [Int32], count: Int) -> ([Range<Int>], [Int]) {
        var sizes = [Int](repeating: 0, count: count)
        for parent in parents where sizes.indices.contains(Int(parent)) { sizes[Int(parent)] += 1 }
        var start = 0
        let groups = sizes.map { size in
            defer { start += size }
            return start..<start + size
        }
        var next = groups.map(\.lowerBound)
        var order = [Int](repeating: 0, count: start)
        for (row, parent) in parents.enumerated() where next.indices.contains(Int(parent)) {
            order[next[Int(parent)]] = row
            next[Int(parent)] += 1
        }
        return (groups, order)
    }

    private static func counts(
        _ plan: ExpandPlan, _ anchors: AnchorList, _ groups: [Range<Int>], in db: Database
    ) throws -> [Int64] {
        guard let counts = plan.counts, anchors.count > 0 else { return groups.map { Int64($0.count) } }
        var found = [Int64](repeating: 0, count: groups.count)
        let statement = try RawStatement(counts.text, in: db)
        defer { statement.finish() }
        try statement.bind(counts.bindings, parents: anchors.text)
        while try statement.step() {
            let parent = Int(sqlite3_column_int(statement.pointer, 0))
            if found.indices.contains(parent) { found[parent] = sqlite3_column_int64(statement.pointer, 1) }
        }
        return found
    }

    /// The number of rows that each row expands to, all nested rows included; a number above `limit` if there are more.
    private func extents(limit: Int) -> [Int] {
        var extents = [Int](repeating: 1, count: headers.count)
        for (position, members) in members.enumerated() {
            let inner = members.level.extents(limit: limit)
            let isCollection = plans[position].navigation.isCollection
            let groups = members.groups.map { group in
                (isCollection ? group : group.prefix(1)).reduce(0) { min($0 + inner[members.order[$1]], limit + 1) }
            }
            for (row, anchor) in anchors[position].positions.enumerated() where anchor >= 0 {
                guard headers[row].hasChild(position) else { continue }
                extents[row] = min(extents[row] + groups[Int(anchor)], limit + 1)
            }
        }
        return extents
    }

    /// Appends the rows and all nested rows to the block, in preorder.
    func emit(to block: inout RowBlock) {
        block.rows.reserveCapacity(block.rows.count + headers.count)
        for index in headers.indices { emit(index, depth: 0, child: -1, to: &block) }
    }

    private func emit(_ index: Int, depth: UInt8, child: Int16, to block: inout RowBlock) {
        var header = headers[index]
        header.depth = depth
        header.child = child
        let row = block.rows.count
        block.rows.append(header)
        for position in members.indices {
            let anchor = Int(anchors[position].positions[index])
            guard header.hasChild(position) else { continue }
            if plans[position].wantsCount {
                let count = anchor < 0 ? 0 : members[position].counts?[anchor] ?? 0
                block.expansions.append(RowExpansion(row: row, child: position, count: count))
            }
            if anchor >= 0 { emit(members[position].groups[anchor], of: position, depth: depth &+ 1, to: &block) }
        }
    }

    private func emit(_ group: Range<Int>, of position: Int, depth: UInt8, to block: inout RowBlock) {
        for place in plans[position].navigation.isCollection ? group : group.prefix(1) {
            let row = members[position].order[place]
            members[position].level.emit(row, depth: depth, child: Int16(position), to: &block)
        }
    }
}

extension RowHeader {
    fileprivate func hasChild(_ position: Int) -> Bool { presentChildren & (1 << UInt64(min(position, 63))) != 0 }
}

import ODataModel
import ODataSQL

/// How a navigation property is stored.
package enum LocalNavigation: Sendable, Hashable {
    /// Columns that equal columns of the target. `isDependent`: the columns are on this side because of a
    /// referential constraint; else they are the target's.
    case columns([NavigationMapping.ColumnPair], target: String, isDependent: Bool)
    /// A link table. `isReversed`: this side is the table's target.
    case link(LinkTable, isReversed: Bool)

    package var targetSet: String {
        switch self {
        case .columns(_, let target, _): target
        case .link(let table, let isReversed): isReversed ? table.sourceSet : table.targetSet
        }
    }

    package var link: LinkTable? {
        if case .link(let table, _) = self { table } else { nil }
    }

    /// - Parameter linkCondition: The condition for rows of a link table.
    package func mapping(linkCondition: SQLFragment? = nil) -> NavigationMapping {
        switch self {
        case .columns(let pairs, let target, _): .columns(pairs, target: target)
        case .link(let table, let isReversed):
            .linkTable(
                table: table.name, source: isReversed ? "target" : "source", target: isReversed ? "source" : "target",
                targetSet: targetSet, condition: linkCondition)
        }
    }
}

/// A table of pairs of row ids, for a navigation property without a referential constraint.
package struct LinkTable: Sendable, Hashable {
    /// `Orders$Tags`
    package let name: String
    package let sourceSet: String
    package let targetSet: String
    /// Whether a source has at most one target, and a target at most one source.
    package let isSourceUnique: Bool
    package let isTargetUnique: Bool
}

import ODataModel
import ODataSQL

/// How a navigation property is kept.
package enum LocalRelation: Sendable, Hashable {
    /// Columns that equal columns of the target. `isDependent`: the columns are on this side because of a
    /// referential constraint; else they are the target's.
    case columns([RelationMapping.ColumnPair], target: String, isDependent: Bool)
    /// A link table. `isReversed`: this side is the table's target.
    case link(LinkTable, isReversed: Bool)

    package var targetSet: String {
        switch self {
        case .columns(_, let target, _): target
        case .link(let table, let isReversed): isReversed ? table.sourceSet : table.targetSet
        }
    }

    var mapping: RelationMapping {
        switch self {
        case .columns(let pairs, let target, _): .columns(pairs, target: target)
        case .link(let table, let isReversed):
            .linkTable(
                table: table.name, source: isReversed ? "target" : "source", target: isReversed ? "source" : "target",
                targetSet: targetSet, condition: "{link}.\"$state\" & \(LocalState.deletedHere.rawValue) = 0")
        }
    }
}

/// A table of pairs of row ids, for a relation without referential constraint.
package struct LinkTable: Sendable, Hashable {
    /// `Orders$Tags`
    package let name: String
    package let sourceSet: String
    package let targetSet: String
    /// Whether a source has at most one target, and a target at most one source.
    package let isSourceUnique: Bool
    package let isTargetUnique: Bool

    package func definition(named name: String, holderWords: Int, heldBy slot: HolderSlot? = nil) -> String {
        let holders = (0..<holderWords).map { LocalTable.holderDefinition(word: $0, slot: slot) }
        let parts =
            [#""source" INTEGER NOT NULL"#, #""target" INTEGER NOT NULL"#, #""$state" INTEGER NOT NULL DEFAULT 0"#]
            + holders + [#"UNIQUE ("source", "target")"#]
        return "CREATE TABLE \(quoted(name)) (\(parts.joined(separator: ", ")))"
    }

    package var index: String {
        "CREATE INDEX IF NOT EXISTS \(quoted("\(name)$$target")) ON \(quoted(name)) (\"target\", \"source\")"
    }
}

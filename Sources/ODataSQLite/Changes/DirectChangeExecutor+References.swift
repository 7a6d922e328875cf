import GRDB
import ODataModel
import ODataSQL
import ODataStores

/// References: foreign keys, and rows of link tables.
extension DirectChangeExecutor {
    typealias Reference = ChangePlan<LocatedEntity>.Reference
    typealias Link = ChangePlan<LocatedEntity>.Link

    /// Sets the foreign keys of an entity.
    func set(_ references: [Reference], in columns: inout ColumnAssignments) throws {
        for reference in references where reference.navigation.storage == .ownKey {
            let pairs = try pairs(of: reference.navigation)
            guard let target = try reference.target.map(located) else {
                columns.set(pairs.map { ($0.source, .null) })
                continue
            }
            let values = try access.stored(pairs.map(\.target), of: target.row, in: target.table)
            columns.set(Array(zip(pairs.map(\.source), values)))
        }
    }

    /// The foreign key that makes an entity what `source` leads to.
    func heldByTarget(_ navigation: ChangeableNavigation, _ source: LocatedEntity) throws -> [(String, DatabaseValue)] {
        let pairs = try pairs(of: navigation)
        return Array(zip(pairs.map(\.target), try access.stored(pairs.map(\.source), of: source.row, in: source.table)))
    }

    func addLinks(_ references: [Reference], of row: LocatedEntity) throws {
        for reference in references where reference.navigation.storage == .links {
            if let target = try reference.target.map(located) {
                try addLink(from: row, reference.navigation, to: target)
            }
        }
    }

    func addLink(from source: LocatedEntity, _ navigation: ChangeableNavigation, to target: LocatedEntity) throws {
        guard case .linkTable(let table, let from, let to, _, _) = try rows.mapping(of: navigation) else { return }
        if !navigation.isCollection { try removeLinks(from: source, navigation, to: nil) }
        try db.execute(
            sql: "INSERT OR IGNORE INTO \(quoted(table)) (\(quoted(from)), \(quoted(to))) VALUES (?, ?)",
            arguments: [source.row.rowID, target.row.rowID])
    }

    /// - Parameter target: Nil: all that the navigation property leads to.
    private func removeLinks(from source: LocatedEntity, _ navigation: ChangeableNavigation, to target: LocatedEntity?)
        throws
    {
        guard case .linkTable(let table, let from, let to, _, _) = try rows.mapping(of: navigation) else { return }
        try db.execute(
            sql: """
                DELETE FROM \(quoted(table)) WHERE \(quoted(from)) = ? AND \(quoted(to)) = coalesce(?, \(quoted(to)))
                """,
            arguments: [source.row.rowID, target?.row.rowID])
    }

    func link(_ link: Link) throws {
        let source = try located(link.source)
        guard let target = try link.target.map(located) else { return }
        var columns = ColumnAssignments()
        switch link.navigation.storage {
        case .links: return try addLink(from: source, link.navigation, to: target)
        case .ownKey:
            try set([Reference(navigation: link.navigation, target: link.target)], in: &columns)
            try set(columns, of: source)
        case .targetKey:
            columns.set(try heldByTarget(link.navigation, source))
            try set(columns, of: target)
        }
    }

    func unlink(_ link: Link) throws {
        let source = try located(link.source)
        let target = try link.target.map(located)
        var columns = ColumnAssignments()
        switch link.navigation.storage {
        case .links: return try removeLinks(from: source, link.navigation, to: target)
        case .ownKey:
            try set([Reference(navigation: link.navigation)], in: &columns)
            try set(columns, of: source)
        case .targetKey:
            guard let target else { return }
            columns.set(try pairs(of: link.navigation).map { ($0.target, .null) })
            try set(columns, of: target)
        }
    }

    private func pairs(of navigation: ChangeableNavigation) throws -> [NavigationMapping.ColumnPair] {
        if case .columns(let pairs, _) = try rows.mapping(of: navigation) { pairs } else { [] }
    }
}

import GRDB
import ODataSQL
import ODataSQLite

/// Uploaded links that the service has accepted: they stay until a response removes them.
///
/// Only a query that expands the navigation property returns links. A separate holder, a row of `"$node"` without a
/// query, therefore holds these links until a query that expands the whole navigation property holds the entity at one
/// end.
struct AcceptedLinks {
    let db: Database

    /// The query id of the holder; real queries count from 1.
    private static let query: Int64 = 0

    /// Nil before the first link.
    private var slot: HolderSlot? {
        get throws {
            try Int.fetchOne(db, sql: #"SELECT "slot" FROM \#(.node) WHERE "query" = ?"#, arguments: [Self.query])
                .map(HolderSlot.init)
        }
    }

    func add(_ link: LinkTable, source: Int64, target: Int64, schema: LocalSchema) throws {
        let slot =
            try slot
            ?? HolderSlots(db: db, schema: schema).make(query: Self.query, path: "", set: "")
        try db.execute(
            sql: """
                UPDATE \(quoted(link.name)) SET \(quoted(slot.column)) = \(quoted(slot.column)) | \(slot.bit)
                WHERE "source" = ? AND "target" = ?
                """, arguments: [source, target])
    }

    /// Releases the accepted links that `condition` selects, since the service has sent the links.
    func release(_ link: LinkTable, where condition: String) throws {
        guard let slot = try slot, try db.tableExists(link.name) else { return }
        let holders = quoted(slot.column)
        try db.execute(
            sql: """
                UPDATE \(quoted(link.name)) SET \(holders) = \(holders) & ~\(slot.bit)
                WHERE \(holders) & \(slot.bit) <> 0 AND (\(condition))
                """)
    }

    /// A query holds links of a single-valued navigation property: other links of the same entity are removed.
    func release(_ link: LinkTable, besidesThoseOf slot: HolderSlot) throws {
        let isHeld = "\(quoted(slot.column)) & \(slot.bit) <> 0"
        for (end, isUnique) in [("source", link.isSourceUnique), ("target", link.isTargetUnique)] where isUnique {
            try release(
                link,
                where: """
                    NOT \(isHeld) AND \(quoted(end)) IN (SELECT \(quoted(end)) FROM \(quoted(link.name)) WHERE \(isHeld))
                    """)
        }
    }

    /// Entities of the set were removed: their links are removed too.
    func removeLoose(of table: LocalTable, _ links: [LinkTable]) throws {
        for link in links {
            for (set, end) in [(link.sourceSet, "source"), (link.targetSet, "target")] where set == table.set.name {
                try release(link, where: "\(quoted(end)) NOT IN (SELECT \(.id) FROM \(quoted(table.name)))")
            }
        }
    }

    /// Copies links between existing entities from the database that a rebuild attaches as `before`.
    func take(_ link: LinkTable, from before: LocalSchema, to after: LocalSchema) throws {
        guard let old = try AcceptedLinks.slotBefore(in: db), let source = after.tables[link.sourceSet],
            let target = after.tables[link.targetSet], let oldSource = before.tables[link.sourceSet],
            let oldTarget = before.tables[link.targetSet],
            try [source.name, target.name].allSatisfy({ try db.tableExists($0) }),
            try [oldSource.name, oldTarget.name].allSatisfy({ try db.tableExists($0, in: "before") })
        else { return }
        let ends = try Row.fetchAll(
            db,
            sql: """
                SELECT s.\(.id) AS "source", t.\(.id) AS "target" FROM before.\(quoted(link.name)) AS k
                JOIN before.\(quoted(oldSource.name)) AS os ON os.\(.id) = k."source"
                JOIN before.\(quoted(oldTarget.name)) AS ot ON ot.\(.id) = k."target"
                JOIN main.\(quoted(source.name)) AS s ON \(source.keysEqual("s", "os"))
                JOIN main.\(quoted(target.name)) AS t ON \(target.keysEqual("t", "ot"))
                WHERE k.\(quoted(old.column)) & \(old.bit) <> 0
                """)
        for row in ends {
            let (source, target): (Int64, Int64) = (row["source"], row["target"])
            try db.execute(
                sql: "INSERT OR IGNORE INTO \(quoted(link.name)) (\"source\", \"target\") VALUES (?, ?)",
                arguments: [source, target])
            try add(link, source: source, target: target, schema: after)
        }
    }

    private static func slotBefore(in db: Database) throws -> HolderSlot? {
        try Int.fetchOne(db, sql: #"SELECT "slot" FROM before.\#(.node) WHERE "query" = ?"#, arguments: [query])
            .map(HolderSlot.init)
    }

    /// Releases the links that a node's expansion returns: all links of the entities that it holds.
    ///
    /// - Parameter condition: A further condition on the links; nil for all.
    func release(_ child: QueryNode.Child, of parent: QueryNode, where condition: String? = nil) throws {
        guard case .link(let link, let isReversed) = child.storage, try db.tableExists(parent.table.name) else {
            return
        }
        try release(link, besidesThoseOf: child.node.slot)
        guard child.isWhole else { return }
        let end = quoted(isReversed ? "target" : "source")
        let held = """
            \(end) IN (SELECT \(.id) FROM \(quoted(parent.table.name))
            WHERE \(quoted(parent.slot.column)) & \(parent.slot.bit) <> 0)
            """
        try release(link, where: held + (condition.map { " AND \($0)" } ?? ""))
    }
}

/// The slots that hold rows and links.
struct HolderSlots {
    let db: Database
    let schema: LocalSchema

    /// Creates an unused slot.
    func make(query: Int64, path: String, set: String) throws -> HolderSlot {
        let taken = try Set(Int.fetchAll(db, sql: #"SELECT "slot" FROM \#(.node)"#))
        let slot = HolderSlot((0...taken.count).first { !taken.contains($0) } ?? taken.count)
        try db.execute(
            sql: #"INSERT INTO \#(.node) ("slot", "query", "path", "set") VALUES (?, ?, ?, ?)"#,
            arguments: [slot.number, query, path, set])
        try TableMaker(db: db, schema: schema).makeHolderWords(upTo: slot.word)
        return slot
    }
}

import GRDB
import ODataSQL
import ODataSQLite

/// Releases the rows that nodes of defining queries hold.
struct QueryRelease {
    let db: Database
    let schema: LocalSchema

    /// Removes the nodes of a removed query and releases all their rows.
    func remove(query: Int64) throws {
        let nodes = try nodes(of: query)
        guard !nodes.isEmpty else { return }
        for node in nodes { try empty(HolderSlot(node["slot"]), of: node["set"]) }
        try db.execute(sql: #"DELETE FROM \#(.node) WHERE "query" = ?"#, arguments: [query])
        for set in Set(nodes.map { $0["set"] as String }) {
            try claimOrphans(of: set)
            try removeUnheld(of: set)
            try freeStreams(of: set)
        }
    }

    /// The query is another one from now on: the rows of its nodes stay until ``removeFormer(of:)``, so that readers see
    /// the old result until the new one is complete. Nodes of a query that has never been complete are
    /// removed where former ones exist already.
    func keepAsFormer(query: Int64) throws {
        guard try nodes(of: -query).isEmpty else { return try remove(query: query) }
        for node in try nodes(of: query) { try dropStages(of: HolderSlot(node["slot"])) }
        try db.execute(sql: #"UPDATE \#(.node) SET "query" = -"query" WHERE "query" = ?"#, arguments: [query])
    }

    /// Releases the rows of ``keepAsFormer(query:)``.
    func removeFormer(of query: Int64) throws { try remove(query: -query) }

    private func nodes(of query: Int64) throws -> [Row] {
        try Row.fetchAll(db, sql: #"SELECT "slot", "set" FROM \#(.node) WHERE "query" = ?"#, arguments: [query])
    }

    /// A node of a query leads to another set from now on: its rows of the old set are released.
    func move(_ slot: HolderSlot, from old: String, to new: String) throws {
        try empty(slot, of: old)
        try db.execute(sql: #"UPDATE \#(.node) SET "set" = ? WHERE "slot" = ?"#, arguments: [new, slot.number])
        try claimOrphans(of: old)
        try removeUnheld(of: old)
        try freeStreams(of: old)
    }

    private func empty(_ slot: HolderSlot, of set: String) throws {
        try dropStages(of: slot)
        guard let table = schema.tables[set], try db.tableExists(table.name) else { return }
        try clear(slot, in: table.name)
        for link in schema.links(of: set) where try db.tableExists(link.name) { try clear(slot, in: link.name) }
        try db.execute(sql: #"DELETE FROM \#(.claim) WHERE "slot" = ?"#, arguments: [slot.number])
    }

    /// The slot in `"$claim"` of rows of removed queries that stay until their changes are sent.
    static let orphans = -1

    private func claimOrphans(of set: String) throws {
        guard let table = schema.tables[set], try db.tableExists(table.name) else { return }
        let waiting = LocalState([.madeHere, .pending]).rawValue
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO \(.claim) ("slot", "row") SELECT \(Self.orphans), \(.id) FROM \(quoted(table.name))
                WHERE \(try unheld) AND \(.state) & \(waiting) = \(LocalState.pending.rawValue)
                """)
    }

    /// Removes a row whose last change was sent, if its query was removed before and no other one holds it.
    func removeOrphan(_ row: EntityRow) throws {
        try db.execute(
            sql: #"DELETE FROM \#(.claim) WHERE "slot" = ? AND "row" = ?"#, arguments: [Self.orphans, row.id])
        guard db.changesCount > 0 else { return }
        let isUnheld = try Bool.fetchOne(
            db, sql: "SELECT \(try unheld) FROM \(row.table.sqlName) WHERE \(.id) = ?", arguments: [row.id])
        if isUnheld == true { try RowRemoval(db: db, schema: schema).remove(row) }
    }

    /// Removes entities that were created on the device and sent, of sets without a defining query, since no download
    /// returns them. Entities that a waiting request refers to stay.
    ///
    /// - Parameter sets: Those of which the service has the entities.
    /// - Returns: Whether there were any.
    func removeUnsought(of sets: [String]) throws -> Bool {
        let brought = try String.fetchSet(db, sql: #"SELECT "set" FROM \#(.node)"#)
        let there = try String.fetchSet(db, sql: "SELECT \"name\" FROM \"sqlite_master\" WHERE \"type\" = 'table'")
        let waiting = LocalState([.madeHere, .pending]).rawValue
        var isAny = false
        for set in sets where !brought.contains(set) {
            guard let table = schema.tables[set], table.container == nil, there.contains(table.name) else { continue }
            let rows = try Int64.fetchAll(
                db,
                sql: """
                    SELECT \(.id) FROM \(table.sqlName) AS l WHERE \(try unheld) AND \(.state) & \(waiting) = 0
                    AND \(.id) NOT IN (SELECT "row" FROM \(.reference))
                    AND NOT EXISTS (SELECT 1 FROM \(.queue) AS q WHERE l.\(.id) IN (q."row", q."parentRow", q."targetRow"))
                    """)
            let removal = RowRemoval(db: db, schema: schema)
            for row in rows { try removal.remove(EntityRow(table: table, id: row, state: [])) }
            isAny = isAny || !rows.isEmpty
        }
        return isAny
    }

    /// Whether a query has a node for entities of the set.
    func isBrought(_ set: String) throws -> Bool {
        try Int.fetchOne(db, sql: #"SELECT 1 FROM \#(.node) WHERE "set" = ? LIMIT 1"#, arguments: [set]) != nil
    }

    private var unheld: String {
        get throws {
            (0..<(try StoreValues(db: db).holderWords)).map { "\(quoted(HolderSlot.column($0))) = 0" }
                .joined(separator: " AND ")
        }
    }

    /// Releases the content of streams that no query with streams holds.
    func freeStreams(of set: String) throws {
        guard let table = schema.tables[set], !table.streams.isEmpty, try db.tableExists(table.name) else { return }
        let slots = try Int.fetchAll(
            db,
            sql: """
                SELECT n."slot" FROM \(.node) n JOIN \(.query) q ON q."id" = abs(n."query") WHERE q."streams" AND n."set" = ?
                """, arguments: [set])
        let held = HolderMask(slots.map(HolderSlot.init))
        for stream in table.streams {
            try db.execute(
                sql: """
                    UPDATE \(quoted(table.name)) SET \(quoted(stream.digest)) = NULL, \(quoted(stream.fetched)) = NULL,
                    \(quoted(stream.evicted)) = 0
                    WHERE (\(quoted(stream.digest)) IS NOT NULL OR \(quoted(stream.evicted)) <> 0)
                    AND \(quoted(stream.changed)) = 0 AND NOT \(held.isHeld)
                    """)
        }
    }

    private func dropStages(of slot: HolderSlot) throws {
        for name in [
            "$stage$", "$gone$", "$marks$", "$seen$", "$resent$", "$linkchanges$", "$more$", "$stagelinks$",
        ] {
            try db.execute(sql: "DROP TABLE IF EXISTS \(quoted("\(name)\(slot.number)"))")
        }
    }

    private func clear(_ slot: HolderSlot, in table: String) throws {
        try db.execute(
            sql: """
                UPDATE \(quoted(table)) SET \(quoted(slot.column)) = \(quoted(slot.column)) & ~\(slot.bit)
                WHERE \(quoted(slot.column)) & \(slot.bit) <> 0
                """)
    }

    /// Removes the rows of a set that no node holds, except those with waiting changes, and such links.
    ///
    /// - Parameter marks: Whether those rows are marked as removed at the service.
    func removeUnheld(of set: String, marks: Bool = false) throws {
        guard let table = schema.tables[set], try db.tableExists(table.name) else { return }
        let unheld = try unheld
        let waiting = LocalState([.madeHere, .pending]).rawValue
        try removeUnheldLinks(of: set)
        if marks {
            try db.execute(
                sql: """
                    UPDATE \(quoted(table.name)) SET \(.state) = \(.state) | \(LocalState.removedThere.rawValue)
                    WHERE \(unheld) AND \(.state) & \(waiting) = \(LocalState.pending.rawValue)
                    """)
        }
        try db.execute(
            sql: "DELETE FROM \(quoted(table.name)) WHERE \(unheld) AND \(.state) & \(waiting) = 0")
        if db.changesCount > 0 { try AcceptedLinks(db: db).removeLoose(of: table, schema.links(of: set)) }
    }

    /// Removes the links of a set that no node holds and no request adds or removes.
    func removeUnheldLinks(of set: String) throws {
        for link in schema.links(of: set) where try db.tableExists(link.name) {
            try db.execute(sql: "DELETE FROM \(quoted(link.name)) WHERE \(try unheld) AND \(.state) = 0")
        }
    }
}

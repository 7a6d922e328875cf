import GRDB
import ODataSQL
import ODataSQLite

/// Merges the stage of one node into the live table of its set.
///
/// Rows with local changes are not modified: received values are written to the shadow table, and a removal is
/// recorded.
struct StageMerge {
    let db: Database
    let schema: LocalSchema
    let node: QueryNode
    let isDelta: Bool
    let isRoot: Bool
    /// Whether rows that are neither in the stage nor seen (``SeenRows``) are removed.
    let dropsUnseen: Bool

    private var live: String { quoted(node.table.name) }
    private var stage: String { quoted(node.stage) }
    private var holders: String { quoted(node.slot.column) }
    private var bit: Int64 { node.slot.bit }
    private var pending: Int64 { LocalState.pending.rawValue }
    /// `l."OrderID" = s."OrderID"`
    private var sameKey: String { node.table.keysEqual("l", "s") }

    func run() throws {
        if isDelta { try applyTombstones() }
        let hasPending = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM \(live) WHERE \(.state) <> 0 AND \(.state) & \(pending) <> 0)")
        if hasPending == true { try keepTheirs() }
        try noteLoose()
        try upsert(skippingPending: hasPending == true)
        try forgetTypes()
        if isDelta, isRoot { try dropClaims() }
        if dropsUnseen { try dropUnseen() }
    }

    /// Entities that were removed and received again exist.
    private func applyTombstones() throws {
        let gone = quoted(node.gone)
        try db.execute(
            sql:
                "DELETE FROM \(gone) AS l WHERE EXISTS (SELECT 1 FROM \(stage) AS s WHERE \(node.table.keysEqual("s", "l")))"
        )
        let words = try StoreValues(db: db).holderWords
        let none = (0..<words).map { "\(quoted(HolderSlot.column($0))) = 0" }.joined(separator: ", ")
        let match: (Bool) -> String = {
            """
            \(.id) IN (SELECT l.\(.id) FROM \(gone) AS s CROSS JOIN \(live) AS l ON \(sameKey)
            WHERE s."$deleted" = \($0 ? 1 : 0))
            """
        }
        try db.execute(
            sql: """
                UPDATE \(live) SET \(.state) = \(.state) | \(LocalState.removedThere.rawValue)
                WHERE \(.state) <> 0 AND \(.state) & \(pending) <> 0 AND \(match(true))
                """)
        try LooseRows(db: db, schema: schema).note(
            .removal,
            of: """
                SELECT l.\(.id) AS "row" FROM \(gone) AS s CROSS JOIN \(live) AS l ON \(sameKey) WHERE s."$deleted" = 1
                """, in: node.table)
        try db.execute(sql: "UPDATE \(live) SET \(none) WHERE \(match(true))")
        try db.execute(sql: "UPDATE \(live) SET \(holders) = \(holders) & ~\(bit) WHERE \(match(false))")
    }

    /// Other queries may hold the former related rows of rows whose navigation properties change.
    private func noteLoose() throws {
        let loose = LooseRows(db: db, schema: schema)
        let columns = try loose.navigationColumns(of: node.table).intersection(node.asked.written).sorted()
        guard !columns.isEmpty else { return }
        let differs = columns.map { "l.\(quoted($0)) IS NOT s.\(quoted($0))" }.joined(separator: " OR ")
        try loose.note(
            .change,
            of: """
                SELECT l.\(.id) AS "row" FROM \(stage) AS s CROSS JOIN \(live) AS l ON \(sameKey) WHERE \(differs)
                """, in: node.table)
    }

    /// Versions of rows with waiting changes are written to the shadow table, unless they equal the base.
    private func keepTheirs() throws {
        let table = node.table
        let parent = table.container == nil ? [] : [HiddenColumn.parent.name]
        let names =
            parent + [HiddenColumn.etag.name] + table.streams.flatMap(\.control) + table.hiddenColumns
            + table.columns.map(\.name)
        let columns = ([HiddenColumn.id.name] + names).map(quoted)
        let asked = Set(parent + node.asked.written)
        // Properties that the query does not request keep the value received before, also null.
        let values =
            ["l.\(.id)"]
            + names.map { name in
                let before = "CASE WHEN t.\(.id) IS NOT NULL THEN t.\(quoted(name)) ELSE b.\(quoted(name)) END"
                return asked.contains(name) ? "s.\(quoted(name))" : before
            }
        let (theirs, base) = (quoted(node.table.theirsName), quoted(node.table.baseName))
        try TableMaker.makeShadow(of: node.table, in: db)
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO \(theirs) (\(columns.joined(separator: ", ")))
                SELECT \(values.joined(separator: ", ")) FROM \(live) AS l JOIN \(stage) AS s ON \(sameKey)
                LEFT JOIN \(theirs) AS t ON t.\(.id) = l.\(.id) LEFT JOIN \(base) AS b ON b.\(.id) = l.\(.id)
                WHERE l.\(.state) <> 0 AND l.\(.state) & \(pending) <> 0
                AND (s.\(.etag) IS NULL OR s.\(.etag) IS NOT l.\(.etag))
                """)
        try NewerVersion.dropUnchanged(of: table, in: db)
        try db.execute(
            sql: """
                UPDATE \(live) AS l SET \(holders) = \(holders) | \(bit),
                \(.state) = \(.state) & ~\(LocalState.removedThere.rawValue)
                WHERE \(.state) <> 0 AND \(.state) & \(pending) <> 0
                AND EXISTS (SELECT 1 FROM \(stage) AS s WHERE \(sameKey))
                """)
    }

    /// ```sql
    /// INSERT INTO "Orders" AS l ("$id", "$holders0", "$etag", "OrderID", …) SELECT … FROM "$stage$0" AS s WHERE 1
    /// ON CONFLICT ("OrderID") DO UPDATE SET "$etag" = excluded."$etag", …, "$download" = 7
    /// WHERE l."$holders0" & 1 = 0 OR (l."$etag", …) IS NOT (excluded."$etag", …)
    /// ```
    private func upsert(skippingPending: Bool) throws {
        let written = node.asked.written
        let download = try StoreValues(db: db).download
        let keys = node.table.keyColumns
        let compared = written.filter { !keys.contains($0) }
        let words = (0..<(try StoreValues(db: db).holderWords)).map(HolderSlot.column)
        let columns =
            words + [HiddenColumn.download.name, HiddenColumn.id.name] + written + keys.filter { !written.contains($0) }
        let values =
            words.map { $0 == node.slot.column ? "\(bit)" : "0" } + ["\(download)"]
            + columns[(words.count + 1)...].map { "s.\(quoted($0))" }
        let filter =
            skippingPending
            ? "NOT EXISTS (SELECT 1 FROM \(live) AS l WHERE \(sameKey) AND l.\(.state) & \(pending) <> 0)" : "1"
        let instants = Set(node.asked.columns.filter { $0.codec == .instantText }.map(\.name))
        // An instant with another offset is the same instant, but not the same value.
        let before = compared.map { "l.\(quoted($0))\(instants.contains($0) ? " COLLATE BINARY" : "")" }
        let types: [String: String] = node.asked.streams.reduce(into: [:]) { types, stream in
            types[stream.type] = stream.keptType(told: "excluded.\(quoted(stream.type))", in: ["excluded", "l"])
        }
        let after = compared.map { types[$0] ?? "excluded.\(quoted($0))" }
        let differs = "(\(before.joined(separator: ", "))) IS NOT (\(after.joined(separator: ", ")))"
        let number = "\(.download) = CASE WHEN \(differs) THEN \(download) ELSE max(l.\(.download), 0) END"
        let assignments = zip(compared, after).map { "\(quoted($0)) = \($1)" } + outdated() + [number]
        try db.execute(
            sql: """
                INSERT INTO \(live) AS l (\(columns.map(quoted).joined(separator: ", ")))
                SELECT \(values.joined(separator: ", ")) FROM \(stage) AS s WHERE \(filter)
                ON CONFLICT (\(keys.map(quoted).joined(separator: ", "))) DO UPDATE
                SET \(holders) = l.\(holders) | \(bit), \(assignments.joined(separator: ", "))
                WHERE l.\(holders) & \(bit) = 0 OR l.\(.download) < 0 OR \(differs)
                """)
    }

    /// If the service sends a different media type than before, the new one is used.
    private func forgetTypes() throws {
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(.streamType))") == true else { return }
        for stream in node.asked.streams {
            try db.execute(
                sql: """
                    DELETE FROM \(.streamType) WHERE "stream" = ?1 AND "row" IN (
                    SELECT l.\(.id) FROM \(stage) AS s CROSS JOIN \(live) AS l ON \(sameKey)
                    JOIN \(.streamType) AS k ON k."row" = l.\(.id) AND k."stream" = ?1
                    WHERE k."told" <> coalesce(s.\(quoted(stream.type)), '') AND l.\(.state) & \(pending) = 0)
                    """, arguments: [stream.property ?? ""])
        }
    }

    /// Without ETags only the change itself shows that a stream may have changed.
    private func outdated() -> [String] {
        let asked = Set(node.asked.streams)
        return node.table.streams.map { stream in
            """
            \(quoted(stream.fetched)) = CASE WHEN \(asked.contains(stream) ? "excluded" : "l").\(quoted(stream.etag)) IS NULL
            AND excluded.\(.etag) IS NULL THEN NULL ELSE l.\(quoted(stream.fetched)) END
            """
        }
    }

    /// Rows that were created on the device and sent, and that the service does not return for the query.
    private func dropClaims() throws {
        try db.execute(
            sql: """
                UPDATE \(live) AS l SET \(holders) = \(holders) & ~\(bit)
                WHERE \(.id) IN (SELECT "row" FROM \(.claim) WHERE "slot" = \(node.slot.number))
                AND NOT EXISTS (SELECT 1 FROM \(stage) AS s WHERE \(sameKey))
                """)
    }

    private func dropUnseen() throws {
        try db.execute(
            sql: """
                UPDATE \(live) AS l SET \(holders) = \(holders) & ~\(bit)
                WHERE \(holders) & \(bit) <> 0 AND NOT \(SeenRows.condition(of: node))
                AND NOT EXISTS (SELECT 1 FROM \(stage) AS s WHERE \(sameKey))
                """)
    }
}

extension LocalStream {
    /// SQL of the media type when the service has sent `told`: if it is the same as when the content was received, the
    /// type of the content stays, and so it does if the service has never sent anything about the stream.
    ///
    /// - Parameter rows: The received and the stored rows, or one of them where both are equal.
    func keptType(told: String, in rows: [String]) -> String {
        let others = rows.flatMap { row in [etag, readLink, editLink].map { "\(row).\(quoted($0))" } }
        let name = (property ?? "").replacing("'", with: "''")
        return """
            (SELECT CASE WHEN EXISTS (SELECT 1 FROM \(.streamType) AS k WHERE k."row" = l.\(.id) AND k."stream" = '\(name)'
            AND k."told" = coalesce(p."told", '')) THEN l.\(quoted(type)) ELSE coalesce(p."told",
            CASE WHEN coalesce(\(others.joined(separator: ", "))) IS NULL THEN l.\(quoted(type)) END) END
            FROM (SELECT \(told) AS "told") AS p)
            """
    }
}

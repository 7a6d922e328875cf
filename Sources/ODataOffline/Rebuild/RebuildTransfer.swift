import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataStores

/// Copies the data that only the device has from the old database of a rebuild, attached as `before`, into the new one.
///
/// Row ids of the new database are greater than all ids of the old one, including those assigned during the rebuild, so
/// that rows with requests can keep their old ids.
struct RebuildTransfer {
    let db: Database
    let before: OfflineModel
    let after: OfflineModel

    /// More than the number of rows that a device creates during a rebuild.
    private static let reservedIDs: Int64 = 1 << 32

    /// Adds the defining queries as new ones; their streams are downloaded later.
    func takeQueries() throws {
        try copy(StoreTable.query.name)
        try db.execute(
            sql: """
                UPDATE \(.query) SET "streams" = 0, "phase" = 'idle', "continuation" = NULL, "pendingDelta" = NULL,
                "delta" = NULL, "pages" = 0, "rows" = 0, "downloaded" = NULL, "mode" = NULL, "since" = NULL, "reads" = 0
                """)
        let values = (["counter", "localMetadata"] + MediaPlace.values).map { "'\($0)'" }.joined(separator: ", ")
        try copy(StoreTable.store.name, where: "\"name\" IN (\(values))")
        try StoreValues(db: db).set("counter", try StoreValues(db: db).counter + Self.reservedIDs)
    }

    /// Assigns content of the media folder that has the version of the new rows.
    ///
    /// - Returns: How many streams were found.
    func takeStreams() throws -> Int {
        var count = 0
        for table in after.schema.tables.values.sorted(by: { $0.name < $1.name }) {
            guard let known = before.schema.tables[table.set.name], try isThere(table.name),
                try isThere(known.name, in: "before"), let match = try match(known, table)
            else { continue }
            for stream in table.streams where known.streams.contains(stream) {
                count += try takeContent(of: stream, to: table, match, isEvicted: false)
                _ = try takeContent(of: stream, to: table, match, isEvicted: true)
                try takeTags(of: stream, from: known, to: table, match)
                try takePins(of: stream, from: known, to: table, match)
            }
        }
        try db.execute(sql: "INSERT OR IGNORE INTO \(.media) SELECT * FROM before.\(.media)")
        try db.execute(
            sql: """
                UPDATE \(.query) SET "streams" =
                (SELECT o."streams" FROM before.\(.query) AS o WHERE o."name" = main.\(.query)."name")
                """)
        return count
    }

    /// - Parameter isEvicted: Selects content that is fetched only on demand.
    private func takeContent(
        of stream: LocalStream, to table: LocalTable, _ match: Match, isEvicted: Bool
    ) throws -> Int {
        let version = "coalesce(l.\(quoted(stream.etag)), l.\(.etag))"
        let mark = isEvicted ? 1 : 0
        // A pinned stream may have been evicted and not fetched again.
        let isHere = #"o.\#(quoted(stream.digest)) IN (SELECT "digest" FROM before.\#(.media))"#
        try db.execute(
            sql: """
                UPDATE \(quoted(table.name)) AS l SET \(quoted(stream.digest)) = o.\(quoted(stream.digest)),
                \(quoted(stream.fetched)) = o.\(quoted(stream.fetched)), \(quoted(stream.evicted)) = \(mark),
                \(quoted(stream.type)) = coalesce(l.\(quoted(stream.type)), o.\(quoted(stream.type)))
                FROM \(match.tables) WHERE \(match.condition) AND o.\(quoted(stream.digest)) IS NOT NULL
                AND o.\(quoted(stream.changed)) = 0 AND o.\(quoted(stream.fetched)) = \(version)
                AND o.\(quoted(stream.evicted)) = \(mark)\(isEvicted ? "" : " AND \(isHere)")
                """)
        return db.changesCount
    }

    /// The condition that a row of an old table `o` and one of the new table `l` are the same entity.
    private struct Match {
        var tables: String
        var condition: String
    }

    /// Compares the keys, and for contained entities also the keys of their containers, whose row ids have changed. Nil
    /// if the key properties have changed.
    private func match(_ old: LocalTable, _ new: LocalTable, depth: Int = 0) throws -> Match? {
        let (l, o) = depth == 0 ? ("l", "o") : ("l\(depth)", "o\(depth)")
        guard hasSameKey(old, new) else { return nil }
        let tables = "before.\(quoted(old.name)) AS \(o)"
        guard let container = new.container else {
            return Match(tables: tables, condition: new.keysEqual(l, o))
        }
        guard let known = before.schema.tables[container.set], let above = after.schema.tables[container.set],
            try isThere(known.name, in: "before"), try isThere(above.name),
            let outer = try match(known, above, depth: depth + 1)
        else { return nil }
        let parent = HiddenColumn.parent.sqlName
        let ends = [(l, "l\(depth + 1)"), (o, "o\(depth + 1)")].map { "\($1).\(.id) = \($0).\(parent)" }
        let keys = new.keyColumns.dropFirst().map { "\(l).\(quoted($0)) = \(o).\(quoted($0))" }
        return Match(
            tables: "\(tables), main.\(quoted(above.name)) AS l\(depth + 1), \(outer.tables)",
            condition: (ends + keys + [outer.condition]).joined(separator: " AND "))
    }

    /// Sets the ETags of local streams that the entities do not have.
    private func takeTags(of stream: LocalStream, from old: LocalTable, to new: LocalTable, _ match: Match) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO main.\(.streamTag) ("set", "row", "stream", "etag")
                SELECT t."set", l.\(.id), t."stream", t."etag"
                FROM before.\(.streamTag) AS t, main.\(quoted(new.name)) AS l, \(match.tables)
                WHERE o.\(.id) = t."row" AND \(match.condition) AND t."set" = ? AND t."stream" = ?
                AND l.\(quoted(stream.digest)) = o.\(quoted(stream.digest))
                """, arguments: [old.set.name, stream.property ?? ""])
    }

    private func takePins(of stream: LocalStream, from old: LocalTable, to new: LocalTable, _ match: Match) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO main.\(.pin) SELECT p."set", l.\(.id), p."stream"
                FROM before.\(.pin) AS p, main.\(quoted(new.name)) AS l, \(match.tables)
                WHERE o.\(.id) = p."row" AND \(match.condition) AND p."set" = ? AND p."stream" = ?
                """, arguments: [old.set.name, stream.property ?? ""])
    }

    /// Copies requests, archive, events, attachments and uploads, with the rows and links that they and the client-only
    /// sets use.
    func takeChanges(of sets: [String]) throws {
        try takeGivenIDs()
        for table in [
            StoreTable.queue.name, StoreTable.reference.name, StoreTable.alias.name, StoreTable.error.name,
            StoreTable.event.name, StoreTable.attachment.name, StoreTable.transfer.name,
        ] {
            try copy(table)
        }
        // The ids of rows have changed, and say nothing about the time when a request was sent.
        try db.execute(sql: #"UPDATE \#(.queue) SET "known" = NULL"#)
        try db.execute(sql: "INSERT OR IGNORE INTO \(.media) SELECT * FROM before.\(.media)")
        try copy(StoreTable.store.name, where: #""name" LIKE 'temporaryKey:%'"#)
        try copy(StoreTable.claim.name, where: #""slot" = \#(QueryRelease.orphans)"#)
        try db.execute(sql: #"CREATE TEMP TABLE "$moved" ("old" INTEGER PRIMARY KEY, "new" INTEGER NOT NULL UNIQUE)"#)
        defer { try? db.execute(sql: #"DROP TABLE temp."$moved""#) }
        for set in sets {
            guard let old = before.schema.tables[set], let new = after.schema.tables[set] else { continue }
            try takeRows(from: old, to: new)
        }
        let links = Set(after.schema.tables.keys.flatMap(after.schema.links))
        for link in links.sorted(by: { $0.name < $1.name }) where try isThere(link.name) { try takeLinks(link) }
        try releaseLinks()
    }

    /// An id must not be assigned to another row: apps may still have it.
    private func takeGivenIDs() throws {
        let tables = "('$queue', '$error', '$attachment')"
        try db.execute(sql: "DELETE FROM main.sqlite_sequence WHERE \"name\" IN \(tables)")
        try db.execute(
            sql: """
                INSERT INTO main.sqlite_sequence ("name", "seq")
                SELECT "name", "seq" FROM before.sqlite_sequence WHERE "name" IN \(tables)
                """)
    }

    private func takeRows(from old: LocalTable, to new: LocalTable) throws {
        let here = quoted(new.name)
        let there = "before.\(quoted(old.name))"
        guard hasSameKey(old, new) else {
            let waits = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(there) WHERE \(.state) <> 0)")
            guard waits != true else {
                throw ODataError(
                    .metadataChanged,
                    "The key of \(new.set.name) has changed: upload or undo its unsent changes before the rebuild.")
            }
            return
        }
        try db.execute(
            sql: """
                INSERT INTO temp."$moved" SELECT o.\(.id), n.\(.id) FROM \(there) AS o
                JOIN \(here) AS n ON \(new.keysEqual("n", "o")) WHERE o.\(.state) <> 0 OR o.\(.id) IN (\(Self.named))
                """)
        try keepTheirs(of: new, newerThan: there)
        try db.execute(
            sql: """
                UPDATE \(here) SET \(.id) = (SELECT m."old" FROM temp."$moved" AS m WHERE m."new" = \(here).\(.id))
                WHERE \(.id) IN (SELECT "new" FROM temp."$moved")
                """)
        try follow(in: StoreTable.streamTag.name, column: "row")
        for contained in after.schema.contained(in: new.set.name) where try isThere(contained.name) {
            try follow(in: contained.name, column: HiddenColumn.parent.name)
        }
        let columns = try common(old.name, new.name).filter {
            ![HiddenColumn.id.name, HiddenColumn.download.name].contains($0) && !isHolder($0)
        }
        let values = columns.map { "\(quoted($0)) = o.\(quoted($0))" }.joined(separator: ", ")
        try db.execute(
            sql: """
                UPDATE \(here) AS n SET \(values) FROM \(there) AS o WHERE o.\(.id) = n.\(.id) AND o.\(.state) <> 0
                """)
        let words = (0..<(try StoreValues(db: db).holderWords)).map(HolderSlot.column)
        let gone =
            "CASE WHEN o.\(.state) & \(LocalState.madeHere.rawValue) = 0 AND o.\(.state) <> 0"
            + " THEN \(LocalState.removedThere.rawValue) ELSE 0 END"
        let names = [HiddenColumn.id.name] + words + columns
        let selected =
            ["o.\(.id)"] + words.map { _ in "0" }
            + columns.map { $0 == HiddenColumn.state.name ? "o.\(.state) | \(gone)" : "o.\(quoted($0))" }
        let isWanted = after.isLocal(new.set.name) ? "1" : "o.\(.state) <> 0"
        try db.execute(
            sql: """
                INSERT INTO \(here) (\(names.map(quoted).joined(separator: ", ")))
                SELECT \(selected.joined(separator: ", ")) FROM \(there) AS o
                WHERE \(isWanted) AND o.\(.id) NOT IN (SELECT \(.id) FROM \(here))
                """)
        // Rows that keep their old ids are not the rows to which the pins were copied.
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO main.\(.pin) SELECT p.* FROM before.\(.pin) AS p
                JOIN main.\(here) AS n ON n.\(.id) = p."row" WHERE p."set" = ?
                """, arguments: [old.set.name])
        if try isThere(old.baseName, in: "before") { try copy(old.baseName, to: new.baseName) }
        try NewerVersion.dropUnchanged(of: new, in: db)
    }

    /// Writes the service's current version of rows with unsent changes, as after any download.
    private func keepTheirs(of table: LocalTable, newerThan there: String) throws {
        let parent = table.container == nil ? [] : [HiddenColumn.parent.name]
        let columns =
            [HiddenColumn.etag.name] + parent + table.hiddenColumns + table.streams.flatMap(\.control)
            + table.columns.map(\.name)
        let names = columns.map { quoted($0) }.joined(separator: ", ")
        let values = columns.map { "n.\(quoted($0))" }.joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO \(quoted(table.theirsName)) (\(.id), \(names))
                SELECT m."old", \(values) FROM \(quoted(table.name)) AS n JOIN temp."$moved" AS m ON m."new" = n.\(.id)
                JOIN \(there) AS o ON o.\(.id) = m."old"
                WHERE o.\(.state) <> 0 AND (n.\(.etag) IS NULL OR n.\(.etag) IS NOT o.\(.etag))
                """)
    }

    /// Restores the old row ids in a column, together with the rows.
    private func follow(in table: String, column: String) throws {
        let name = quoted(column)
        try db.execute(
            sql: """
                UPDATE main.\(quoted(table)) AS l SET \(name) =
                (SELECT m."old" FROM temp."$moved" AS m WHERE m."new" = l.\(name))
                WHERE \(name) IN (SELECT "new" FROM temp."$moved")
                """)
    }

    private func takeLinks(_ link: LinkTable) throws {
        for end in ["source", "target"] { try follow(in: link.name, column: end) }
        guard try isThere(link.name, in: "before") else { return }
        let words = (0..<(try StoreValues(db: db).holderWords)).map { quoted(HolderSlot.column($0)) }
        let isWanted = after.isLocal(link.sourceSet) ? "1" : "\(.state) <> 0"
        try db.execute(
            sql: """
                INSERT INTO \(quoted(link.name)) ("source", "target", \(.state), \(words.joined(separator: ", ")))
                SELECT "source", "target", \(.state), \(words.map { _ in "0" }.joined(separator: ", "))
                FROM before.\(quoted(link.name)) WHERE \(isWanted)
                ON CONFLICT ("source", "target") DO UPDATE SET \(.state) = excluded.\(.state)
                """)
        try AcceptedLinks(db: db).take(link, from: before.schema, to: after.schema)
    }

    /// The links of the new database's queries take precedence over the old one's links by changes.
    private func releaseLinks() throws {
        let accepted = AcceptedLinks(db: db)
        for record in try QueryRecord.all(in: db) {
            guard let query = try? QueryCheck(offline: after).completed(record.definition).query else { continue }
            let root = try QueryNodeBuilder(db: db, offline: after, query: record.id).tree(for: query)
            for node in root.all {
                for child in node.children { try accepted.release(child, of: node) }
                try QueryRelease(db: db, schema: after.schema).removeUnheldLinks(of: node.table.set.name)
            }
        }
    }

    /// The rows of requests and temporary keys.
    private static let named = """
        SELECT "row" FROM before.\(.queue) UNION SELECT "parentRow" FROM before.\(.queue) WHERE "parentRow" IS NOT NULL
        UNION SELECT "targetRow" FROM before.\(.queue) WHERE "targetRow" IS NOT NULL
        UNION SELECT "row" FROM before.\(.reference) UNION SELECT "row" FROM before.\(.alias)
        """

    private func hasSameKey(_ old: LocalTable, _ new: LocalTable) -> Bool {
        old.keyColumns == new.keyColumns
            && old.set.type.keyProperties.map(\.type) == new.set.type.keyProperties.map(\.type)
    }

    private func copy(_ table: String, to target: String? = nil, where condition: String = "1") throws {
        let target = target ?? table
        let columns = try common(table, target).map(quoted).joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO main.\(quoted(target)) (\(columns))
                SELECT \(columns) FROM before.\(quoted(table)) WHERE \(condition)
                """)
    }

    /// The columns that both tables have with the same declaration.
    private func common(_ old: String, _ new: String) throws -> [String] {
        let known = Dictionary(
            try db.columns(in: old, in: "before").map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        return try db.columns(in: new, in: "main").filter { known[$0.name] == $0.type }.map(\.name)
    }

    private func isHolder(_ column: String) -> Bool { column.hasPrefix(HolderSlot.prefix) }

    private func isThere(_ table: String, in schema: String = "main") throws -> Bool {
        try db.tableExists(table, in: schema)
    }
}

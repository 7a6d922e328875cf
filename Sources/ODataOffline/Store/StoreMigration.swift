import GRDB
import ODataSQL
import ODataSQLite

/// Brings the tables of an older release up to ``StoreDatabase/version``, inside the transaction that opens the file.
///
/// Each step migrates from one version to the next and stays as it is for ever: stores of all earlier releases are
/// opened by tests.
struct StoreMigration {
    let db: Database

    func run(from version: Int) throws {
        // First, so that the columns of the tables are those of today but for what the metadata have more.
        if version < 5 { try addEditLinks() }
        if version < 4 { try addEviction() }
        if version < 5 { try db.execute(sql: StoreTableDefinitions.streamType) }
        if version < 2 { try toVersion2() }
        if version < 3 { try db.execute(sql: AttachmentTable.definition) }
        if version < 4 { try db.execute(sql: StreamUploadTable.definition) }
    }

    /// Where entities are changed: of version 5.
    private func addEditLinks() throws {
        for table in try entityTables() {
            guard try !db.columns(in: table).contains(where: { $0.name == HiddenColumn.editLink.name }) else {
                continue
            }
            try addColumn("\(.editLink) TEXT", to: table)
        }
    }

    /// Which streams were evicted, and which must not be: of version 4.
    private func addEviction() throws {
        try db.execute(sql: StoreTableDefinitions.pin)
        let streams = try Row.fetchAll(
            db,
            sql: """
                SELECT m."name" AS "table", c."name" AS "column" FROM sqlite_master m JOIN pragma_table_info(m."name") c
                WHERE m."type" = 'table' AND (c."name" GLOB '$*$digest' OR c."name" GLOB '$*$pdigest')
                """)
        for stream in streams {
            let (table, digest): (String, String) = (stream["table"], stream["column"])
            let mark = String(digest.dropLast("digest".count)) + "evicted"
            guard try !db.columns(in: table).contains(where: { $0.name == mark }) else { continue }
            try addColumn("\(quoted(mark)) INTEGER NOT NULL DEFAULT 0", to: table)
        }
    }

    /// Tags, categories and times of requests, ways to refresh, events; the download that brought a row.
    private func toVersion2() throws {
        let columns = [
            (
                StoreTable.queue.name,
                [
                    #""tag" TEXT"#, #""category" TEXT"#, #""combines" INTEGER NOT NULL DEFAULT 1"#, #""sent" TEXT"#,
                    #""entity" TEXT"#, #""dependsOn" TEXT"#, #""mechanism" TEXT"#, #""known" TEXT"#,
                ]
            ),
            (StoreTable.error.name, [#""target" TEXT"#, #""details" TEXT"#]),
            (
                StoreTable.query.name,
                [
                    #""refresh" TEXT NOT NULL DEFAULT 'automatic'"#, #""changedSince" TEXT"#, #""mode" TEXT"#,
                    #""since" TEXT"#, #""reads" INTEGER NOT NULL DEFAULT 0"#,
                    #""compareEvery" INTEGER NOT NULL DEFAULT 10"#, #""reason" TEXT"#,
                    #""checksStreams" INTEGER NOT NULL DEFAULT 0"#,
                ]
            ),
            (StoreTable.node.name, [#""columns" TEXT"#]),
        ]
        for (table, definitions) in columns {
            for definition in definitions { try addColumn(definition, to: table) }
        }
        try db.execute(
            sql: """
                UPDATE \(.queue) SET "body" = CAST("body" AS TEXT),
                "state" = CASE "state" WHEN 'queued' THEN 'waiting' ELSE "state" END
                """)
        try db.execute(sql: StoreTableDefinitions.changeSets)
        try db.execute(
            sql: """
                UPDATE \(.queue) AS q SET "dependsOn" = (
                SELECT '[' || coalesce(group_concat(e."id", ', '), '') || ']' FROM \(.queue) e WHERE e."id" < q."id"
                AND (e."row" = q."row" OR e."operation" IN ('create', 'createMedia')
                AND e."row" IN (SELECT "row" FROM \(.reference) WHERE "entry" = q."id")))
                """)
        try db.execute(sql: #"UPDATE \#(.query) SET "reads" = 1 WHERE "downloaded" IS NOT NULL"#)
        try db.execute(sql: StoreTableDefinitions.event)
        try db.execute(sql: StoreTableDefinitions.streamTag)
        for table in try entityTables() { try addColumn(LocalTable.downloadColumn, to: table) }
        try addTypes()
    }

    /// Columns for the properties of derived types and for dynamic ones: what is in them is not known, so that
    /// everything is read once more.
    private func addTypes() throws {
        // Metadata that cannot be read any more are fetched again, which adds what is missing.
        guard let offline = try StoredMetadata(db: db).model()?.offline else { return }
        var isChanged = false
        for table in offline.schema.tables.values {
            for name in [table.name, table.baseName, table.theirsName] where try db.tableExists(name) {
                let additions = table.additions(to: Set(try db.columns(in: name).map(\.name)))
                for addition in additions { try addColumn(addition, to: name) }
                isChanged = isChanged || !additions.isEmpty
            }
        }
        if isChanged { try db.execute(sql: #"UPDATE \#(.query) SET "reads" = 0, "delta" = NULL, "phase" = 'idle'"#) }
    }

    private func addColumn(_ definition: String, to table: String) throws {
        try db.execute(sql: "ALTER TABLE \(quoted(table)) ADD COLUMN \(definition)")
    }

    /// The live, stage and shadow tables; link tables have no ETags.
    private func entityTables() throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT m."name" FROM sqlite_master m JOIN pragma_table_info(m."name") c
                WHERE m."type" = 'table' AND c."name" = '$etag'
                """)
    }
}

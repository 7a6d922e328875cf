import GRDB
import ODataSQL

/// The definitions of each ``StoreTable``.
enum StoreTableDefinitions {
    static func create(in db: Database) throws {
        for statement in statements { try db.execute(sql: statement) }
    }

    static let event = """
        CREATE TABLE \(.event) (
            "id" INTEGER PRIMARY KEY AUTOINCREMENT, "kind" TEXT NOT NULL, "started" TEXT NOT NULL,
            "ended" TEXT, "outcome" TEXT, "message" TEXT, "counts" TEXT)
        """

    static let streamTag = """
        CREATE TABLE \(.streamTag) (
            "set" TEXT NOT NULL, "row" INTEGER NOT NULL, "stream" TEXT NOT NULL, "etag" TEXT NOT NULL,
            PRIMARY KEY ("row", "stream"))
        """

    static let streamType = """
        CREATE TABLE IF NOT EXISTS \(.streamType) (
            "set" TEXT NOT NULL, "row" INTEGER NOT NULL, "stream" TEXT NOT NULL, "told" TEXT NOT NULL,
            PRIMARY KEY ("row", "stream"))
        """

    static let pin = """
        CREATE TABLE IF NOT EXISTS \(.pin) (
            "set" TEXT NOT NULL, "row" INTEGER NOT NULL, "stream" TEXT NOT NULL, PRIMARY KEY ("row", "stream"))
        """

    /// The requests of a change set.
    static let changeSets = """
        CREATE INDEX "$queue$$changeSet" ON \(.queue) ("changeSet") WHERE "changeSet" IS NOT NULL
        """

    private static let statements = [
        """
        CREATE TABLE \(.store) ("name" TEXT PRIMARY KEY, "value")
        """,
        // `continuation` is where a download stopped, `delta` the delta link of the last one,
        // `refresh` what the app asks for, `mode` what was used and `reason` why it was not what one would expect,
        // `changedSince` the property that indicates changes and `since` its greatest value, `compareEvery` how often
        // keys are compared then, `reads` the number of complete downloads.
        """
        CREATE TABLE \(.query) (
            "id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE, "text" TEXT NOT NULL,
            "streams" INTEGER NOT NULL, "phase" TEXT NOT NULL DEFAULT 'idle', "continuation" TEXT,
            "pendingDelta" TEXT, "delta" TEXT, "pages" INTEGER NOT NULL DEFAULT 0,
            "rows" INTEGER NOT NULL DEFAULT 0, "downloaded" TEXT,
            "refresh" TEXT NOT NULL DEFAULT 'automatic', "changedSince" TEXT, "mode" TEXT, "since" TEXT,
            "reads" INTEGER NOT NULL DEFAULT 0, "compareEvery" INTEGER NOT NULL DEFAULT 10, "reason" TEXT,
            "checksStreams" INTEGER NOT NULL DEFAULT 0)
        """,
        // Which slot of the holder words is whose, and which properties the node asks for (a JSON array; null: all).
        """
        CREATE TABLE \(.node) (
            "slot" INTEGER PRIMARY KEY, "query" INTEGER NOT NULL, "path" TEXT NOT NULL, "set" TEXT NOT NULL,
            "columns" TEXT, UNIQUE ("query", "path"))
        """,
        """
        CREATE TABLE \(.claim) ("slot" INTEGER NOT NULL, "row" INTEGER NOT NULL, UNIQUE ("slot", "row"))
        """,
        """
        CREATE TABLE \(.alias) (
            "set" TEXT NOT NULL, "key" TEXT NOT NULL, "row" INTEGER NOT NULL, "properties" TEXT NOT NULL,
            "resolved" INTEGER NOT NULL DEFAULT 0, UNIQUE ("set", "key"))
        """,
        """
        CREATE INDEX "$alias$$row" ON \(.alias) ("row")
        """,
        """
        CREATE TABLE \(.media) ("digest" TEXT PRIMARY KEY, "length" INTEGER NOT NULL)
        """,
        event,
        streamTag,
        streamType,
        pin,
        AttachmentTable.definition,
        StreamUploadTable.definition,
        // `known` is a JSON array: the last row id when the request was sent first, and the defining
        // queries that were complete then. What they hold was not made by the request.
        """
        CREATE TABLE \(.queue) (
            "id" INTEGER PRIMARY KEY AUTOINCREMENT, "version" INTEGER NOT NULL DEFAULT 1,
            "operation" TEXT NOT NULL, "set" TEXT NOT NULL, "row" INTEGER NOT NULL,
            "property" TEXT, "body" TEXT, "digest" TEXT, "contentType" TEXT, "slug" TEXT,
            "parentSet" TEXT, "parentRow" INTEGER, "targetSet" TEXT, "targetRow" INTEGER, "target" TEXT,
            "headers" TEXT,
            "requestID" TEXT NOT NULL, "firstSent" TEXT NOT NULL, "method" TEXT NOT NULL, "url" TEXT NOT NULL,
            "state" TEXT NOT NULL DEFAULT 'waiting', "attempts" INTEGER NOT NULL DEFAULT 0,
            "created" TEXT NOT NULL, "changeSet" INTEGER, "tag" TEXT, "category" TEXT,
            "combines" INTEGER NOT NULL DEFAULT 1, "sent" TEXT, "entity" TEXT, "dependsOn" TEXT, "mechanism" TEXT,
            "known" TEXT)
        """,
        """
        CREATE INDEX "$queue$$row" ON \(.queue) ("row")
        """,
        changeSets,
        """
        CREATE TABLE \(.reference) ("entry" INTEGER NOT NULL, "row" INTEGER NOT NULL, UNIQUE ("entry", "row"))
        """,
        """
        CREATE INDEX "$reference$$row" ON \(.reference) ("row")
        """,
        """
        CREATE TABLE \(.error) (
            "id" INTEGER PRIMARY KEY AUTOINCREMENT, "entry" INTEGER NOT NULL UNIQUE, "status" INTEGER,
            "code" TEXT NOT NULL, "message" TEXT NOT NULL, "innerError" TEXT, "method" TEXT NOT NULL,
            "url" TEXT NOT NULL, "body" TEXT, "entity" TEXT, "occurred" TEXT NOT NULL, "target" TEXT, "details" TEXT)
        """,
    ]
}

extension StoreTable {
    /// Empties the store's own tables but for its values and the events, and removes all others.
    static func removeContent(in db: Database) throws {
        // Observers are not notified of dropped tables.
        try db.notifyChanges(in: DatabaseRegion.fullDatabase)
        let tables = try String.fetchAll(
            db,
            sql: """
                SELECT "name" FROM sqlite_master WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite_%'
                ORDER BY "sql" NOT LIKE 'CREATE VIRTUAL%'
                """)
        for table in tables where StoreTable.names.contains(table) {
            if table != StoreTable.store.name, table != StoreTable.event.name {
                try db.execute(sql: "DELETE FROM \(quoted(table))")
            }
        }
        for table in tables where !StoreTable.names.contains(table) {
            // A full-text table takes along tables of its own.
            try db.execute(sql: "DROP TABLE IF EXISTS \(quoted(table))")
        }
    }
}

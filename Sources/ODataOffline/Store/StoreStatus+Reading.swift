import GRDB
import ODataSQL
import ODataSQLite

extension StoreStatus {
    init(db: Database, schema: LocalSchema) throws {
        self.init()
        for table in schema.tables.values where try db.tableExists(table.name) {
            let count = try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM \(table.sqlName)
                    WHERE \(.state) & \(LocalState.deletedHere.rawValue) = 0
                    """)
            if let count, count > 0 { entities[table.set.name] = count }
        }
        waitingRequests = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(.queue)") ?? 0
        errors = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(.error)") ?? 0
        attachmentEdits = try Int.fetchOne(db, sql: AttachmentTable.edits) ?? 0
        (streams, streamBytes) = try MediaIndex(db: db, schema: nil).total
        lostStreams = try Int.fetchOne(db, sql: Self.lostStreams) ?? 0
        let values = StoreValues(db: db)
        lastDownload = try values.text("downloaded")
        service = try values.service
    }

    private static let lostStreams = """
        SELECT (SELECT count(*) FROM \(.error) WHERE \(ErrorArchive.isLost))
        + (SELECT count(*) FROM \(.attachment)
        WHERE "digest" IS NOT NULL AND "digest" NOT IN (SELECT "digest" FROM \(.media)))
        """
}

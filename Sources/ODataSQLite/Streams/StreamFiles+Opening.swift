import GRDB
import MediaFiles
import ODataSQL
import ODataStores
import SQLiteEncryption

extension StreamFiles {
    /// The media folder of a database, after a cleanup; nil if it has none and gets none.
    ///
    /// - Parameters:
    ///   - schema: Receives a notice if the folder is not used.
    ///   - isReopened: Whether the database replaces one that was open: it does not get a folder of another database.
    /// - Throws: ``ODataError`` `unusableStore` if the folder is in use or another database's.
    static func open(
        _ configuration: SQLiteStore.Configuration, schema: inout PublishedSchema, in pool: DatabasePool,
        isReopened: Bool
    ) throws -> StreamFiles? {
        guard let path = configuration.mediaFolder, !configuration.isReadOnly else {
            guard let mark = try pool.readNow({ try StreamMark(of: $0) }) else { return nil }
            let folder = try configuration.mediaFolder.map { try readableFolder($0, mark) }
            return StreamFiles(mark: mark, folder: folder, claim: nil, columns: [])
        }
        if isReopened {
            guard let mark = try pool.readNow({ try StreamMark(of: $0) }) else {
                schema.notices.append(
                    "\(path) is the media folder of the file that was replaced: new streams are kept in the new file.")
                return nil
            }
            guard MediaFolder.isClaimed(path, for: mark.text) else { throw otherFolder(path) }
        }
        guard let mark = try pool.write({ try StreamMark.made(in: $0) }) else {
            throw ODataError(.unusableStore, "The table \(Bookkeeping.media) of the file cannot be used.")
        }
        let folder: MediaFolder
        let claim: FolderClaim
        do {
            folder = try MediaFolder(path: path)
            claim = try folder.claim(for: mark.text)
        } catch let error as MediaFileError { throw ODataError(.unusableStore, error.message, cause: error) }
        let found = try pool.write { [schema] db in
            try makeTriggers(schema, mark, in: db)
            return try references(mark, in: db)
        }
        for notice in try tidy(folder, references: found.references) { configuration.onNotice?(notice) }
        return StreamFiles(
            mark: mark, folder: folder, claim: claim, columns: found.columns.union(StreamColumn.all(of: schema)))
    }

    private static func readableFolder(_ path: String, _ mark: StreamMark) throws -> MediaFolder {
        guard MediaFolder.isClaimed(path, for: mark.text) else { throw otherFolder(path) }
        return try MediaFolder(path: path)
    }

    private static func otherFolder(_ path: String) -> ODataError {
        ODataError(.unusableStore, "\(path) is not the media folder of the file.")
    }

    /// All references in the database, and the columns that have any, published or not.
    private static func references(
        _ mark: StreamMark, in db: Database
    ) throws -> (references: Set<StreamReference>, columns: Set<StreamColumn>) {
        // SQLite limits the depth of expressions to 1000.
        let groupLength = 100
        var references: Set<StreamReference> = []
        var columns: Set<StreamColumn> = []
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
        for table in tables where !Bookkeeping.owns(table) {
            let names = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
            for start in stride(from: 0, to: names.count, by: groupLength) {
                let group = names[start..<min(start + groupLength, names.count)]
                let conditions = group.map { mark.condition(quoted($0)) }
                let values = zip(group, conditions).map { "CASE WHEN \($1) THEN \(quoted($0)) END" }
                let rows = try Row.fetchCursor(
                    db,
                    sql: """
                        SELECT \(values.joined(separator: ", ")) FROM \(quoted(table)) \
                        WHERE \(conditions.joined(separator: " OR "))
                        """)
                while let row = try rows.next() {
                    for (name, value) in zip(group, row.databaseValues) {
                        guard case .blob(let record) = value.storage,
                            let reference = StreamReference(record: record, mark: mark)
                        else { continue }
                        references.insert(reference)
                        columns.insert(StreamColumn(table: table, name: name))
                    }
                }
            }
        }
        return (references, columns)
    }

    /// Removes the leftovers of a crash.
    ///
    /// - Returns: The problems of required streams, one sentence each.
    private static func tidy(_ folder: MediaFolder, references: Set<StreamReference>) throws -> [String] {
        try folder.removeAbandoned()
        let lengths = references.map { ($0.media.digest, Int64?.some($0.media.length)) }
        let report = try folder.check(lengths: Dictionary(lengths) { first, _ in first })
        for stray in report.strays { try folder.remove(stray: stray) }
        return report.missing.sorted().map { "The stream \($0) is no longer in the media folder." }
            + report.truncated.sorted().map {
                "The stream \($0) in the media folder does not have its original length."
            }
    }

    /// Makes the writing connection record the references that rows lose, also by cascades. The triggers are temporary,
    /// so that other programs do not see them, and read the column by the row, since SQLite would otherwise load the
    /// whole old value into memory.
    static func makeTriggers(_ schema: PublishedSchema, _ mark: StreamMark, in db: Database) throws {
        try db.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS \(Bookkeeping.released) (record BLOB NOT NULL)")
        let earlier = try String.fetchAll(db, sql: "SELECT name FROM temp.sqlite_master WHERE type = 'trigger'")
        for name in earlier where Bookkeeping.owns(name) { try db.execute(sql: "DROP TRIGGER temp.\(quoted(name))") }
        let tables = schema.tables.values.filter { $0.description.kind != .view }.sorted { $0.name < $1.name }
        var number = 0
        for table in tables {
            let keys = table.rowID.map { [$0] } ?? table.key.map(\.name)
            let row = keys.map { "r.\(quoted($0)) = OLD.\(quoted($0))" }.joined(separator: " AND ")
            for stream in table.allStreams {
                let column = "r.\(quoted(stream.column))"
                for event in ["DELETE", "UPDATE OF \(quoted(stream.column))"] {
                    number += 1
                    try db.execute(
                        sql: """
                            CREATE TEMP TRIGGER \(Bookkeeping.released)_\(number) BEFORE \(event)
                            ON main.\(quoted(table.name)) BEGIN
                              INSERT INTO \(Bookkeeping.released) SELECT \(column) FROM \(quoted(table.name)) AS r
                              WHERE \(row) AND \(mark.condition(column));
                            END
                            """)
                }
            }
        }
    }
}

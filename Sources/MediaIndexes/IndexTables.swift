import GRDB

/// The tables of a folder's index.
struct IndexTables {
    /// `ODmi` in ASCII.
    private static let applicationID: Int32 = 0x4F44_6D69
    private static let version = 3

    let db: Database

    /// What the tables describe the folder itself.
    struct Identity {
        var id: String
        /// Whether all files that are complete streams have been recorded from the beginning.
        var isWhole: Bool
    }

    /// Makes the tables where there are none.
    ///
    /// - Parameter isWhole: Asked for only if they are made.
    /// - Returns: The description in the tables.
    func prepare(isWhole: () throws -> Bool) throws -> Identity {
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        if application == 0, version == 0, tables == 0 {
            for statement in Self.statements + Self.sinceVersion2 { try db.execute(sql: statement) }
            try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(Self.version)")
            let id = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
            try db.execute(sql: "INSERT INTO folder VALUES (?, ?, 0)", arguments: [id, try isWhole()])
        } else {
            try Self.check(application, version)
            if version < 2 { for statement in Self.sinceVersion2 { try db.execute(sql: statement) } }
            // Since version 3 the files are one folder less deep.
            if version < Self.version { try db.execute(sql: "PRAGMA user_version = \(Self.version)") }
        }
        return try identity()
    }

    /// The description in the tables, which is not changed.
    func read() throws -> Identity {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        try Self.check(Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0, version)
        guard version >= 2 else { throw ForeignIndex.older }
        return try identity()
    }

    private static func check(_ application: Int32, _ version: Int) throws {
        guard application == Self.applicationID else { throw ForeignIndex.other }
        guard version <= Self.version else { throw ForeignIndex.newer }
    }

    private func identity() throws -> Identity {
        guard let row = try Row.fetchOne(db, sql: "SELECT id, isWhole FROM folder") else { throw ForeignIndex.other }
        return Identity(id: row["id"], isWhole: row["isWhole"])
    }

    /// The number of a store, which gets one where it has none.
    func number(of store: String) throws -> Int64 {
        try db.execute(sql: "INSERT OR IGNORE INTO store (name) VALUES (?)", arguments: [store])
        guard let number = try knownNumber(of: store) else { throw ForeignIndex.other }
        return number
    }

    /// The number of a store; nil for one that has none.
    func knownNumber(of store: String) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT id FROM store WHERE name = ?", arguments: [store])
    }

    private static let statements = [
        // One row: its name, and the bytes of all streams and of what was made out of them.
        "CREATE TABLE folder (id TEXT NOT NULL, isWhole INTEGER NOT NULL, bytes INTEGER NOT NULL)",
        "CREATE TABLE store (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
        // The streams that are there. `lastUsed` counts up with each use.
        """
        CREATE TABLE file (
            id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, length INTEGER NOT NULL, lastUsed INTEGER NOT NULL)
        """,
        "CREATE INDEX file_lastUsed ON file (lastUsed)",
        """
        CREATE TRIGGER file_added AFTER INSERT ON file BEGIN UPDATE folder SET bytes = bytes + NEW.length; END
        """,
        """
        CREATE TRIGGER file_removed AFTER DELETE ON file BEGIN UPDATE folder SET bytes = bytes - OLD.length; END
        """,
        // The bytes of small streams, which have no files.
        "CREATE TABLE content (file INTEGER PRIMARY KEY, bytes BLOB NOT NULL)",
        // Which stores need a stream, and which of them cannot get it again or want to keep it.
        "CREATE TABLE reference (file INTEGER NOT NULL, store INTEGER NOT NULL, PRIMARY KEY (file, store)) WITHOUT ROWID",
        "CREATE INDEX reference_store ON reference (store)",
        "CREATE TABLE pin (file INTEGER NOT NULL, store INTEGER NOT NULL, PRIMARY KEY (file, store)) WITHOUT ROWID",
        "CREATE INDEX pin_store ON pin (store)",
        // Streams that were evicted, until the stores that needed them have taken note.
        "CREATE TABLE evicted (store INTEGER NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (store, digest)) WITHOUT ROWID",
    ]

    private static let sinceVersion2 = [
        // What was made out of streams, by its size in pixels, with its length in bytes.
        """
        CREATE TABLE derived (
            file INTEGER NOT NULL, size INTEGER NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (file, size)) WITHOUT ROWID
        """,
        """
        CREATE TRIGGER derived_added AFTER INSERT ON derived BEGIN UPDATE folder SET bytes = bytes + NEW.length; END
        """,
        """
        CREATE TRIGGER derived_removed AFTER DELETE ON derived BEGIN UPDATE folder SET bytes = bytes - OLD.length; END
        """,
    ]
}

/// This release cannot use the file as an index.
enum ForeignIndex: Error {
    case other, newer, older
}

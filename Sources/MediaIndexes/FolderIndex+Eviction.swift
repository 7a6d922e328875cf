import GRDB
import MediaFiles

extension FolderIndex {
    /// The bytes of all streams in the folder.
    package var bytes: Int64 {
        get throws { try reading { db in try Int64.fetchOne(db, sql: "SELECT bytes FROM folder") ?? 0 } }
    }

    /// Makes these streams the ones that must not make room for others as far as this store is concerned.
    package func setPins(_ digests: Set<String>) throws {
        let known = try reading { db in try pins(in: db) }
        guard known != digests else { return }
        try writing(isDurable: true) { db in try set(pins: digests, in: db) }
    }

    /// A stream that must not make room for others from now on, if it is there.
    package func addPin(of digest: String) throws {
        try writing(isDurable: true) { db in
            if let file = try number(of: digest, in: db) { try insert(file, into: "pin", in: db) }
        }
    }

    private func pins(in db: Database) throws -> Set<String> {
        try String.fetchSet(db, sql: "SELECT digest FROM pin JOIN file ON id = file WHERE store = ?", arguments: [user])
    }

    func set(pins digests: Set<String>, in db: Database) throws {
        let known = try pins(in: db)
        for digest in digests.subtracting(known) {
            if let file = try number(of: digest, in: db) { try insert(file, into: "pin", in: db) }
        }
        for digest in known.subtracting(digests) {
            guard let file = try number(of: digest, in: db) else { continue }
            try db.execute(sql: "DELETE FROM pin WHERE file = ? AND store = ?", arguments: [file, user])
        }
    }

    /// Removes streams, those first that have not been used for the longest time, until the rest has no more than `quota`
    /// bytes or must stay. The stores that need them learn it from ``evicted``.
    ///
    /// - Parameter digest: Of a stream that stays in any case.
    package func evict(downTo quota: Int64, sparing digest: String? = nil) throws {
        guard try bytes > quota else { return }
        try writing { db in
            let excess = (try Int64.fetchOne(db, sql: "SELECT bytes FROM folder") ?? 0) - quota
            for stream in try oldest(excess, sparing: digest, in: db) {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO evicted SELECT store, ? FROM reference WHERE file = ?",
                    arguments: [stream.digest, stream.file])
                try db.execute(sql: "DELETE FROM reference WHERE file = ?", arguments: [stream.file])
                try remove(stream.file, stream.digest, in: db)
            }
        }
    }

    /// The streams that have not been used for the longest time and have at least so many bytes together, as far as there
    /// are any that may go.
    private func oldest(
        _ bytes: Int64, sparing digest: String?, in db: Database
    ) throws -> [(file: Int64, digest: String)] {
        var found: [(file: Int64, digest: String)] = []
        var rest = bytes
        let files = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, digest, length FROM file AS f
                WHERE NOT EXISTS (SELECT 1 FROM pin WHERE file = f.id) AND digest IS NOT ? ORDER BY lastUsed
                """, arguments: [digest])
        while rest > 0, let row = try files.next() {
            let length: Int64 = row["length"]
            found.append((row["id"], row["digest"]))
            rest -= length
        }
        return found
    }

    /// The streams that made room for others, and of which this store has not taken note yet.
    package var evicted: Set<String> {
        get throws {
            try reading { db in
                try String.fetchSet(db, sql: "SELECT digest FROM evicted WHERE store = ?", arguments: [user])
            }
        }
    }

    /// This store has taken note of them.
    package func forgetEvicted(_ digests: Set<String>) throws {
        guard !digests.isEmpty else { return }
        try writing { db in
            for digest in digests { try forget(evicted: digest, in: db) }
        }
    }

    func forget(evicted digest: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM evicted WHERE store = ? AND digest = ?")
            .execute(arguments: [user, digest])
    }
}

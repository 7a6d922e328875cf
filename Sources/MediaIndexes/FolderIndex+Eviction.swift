import GRDB
import MediaFiles

/// The bytes in a folder, of all its stores: what counts for a quota.
package struct FolderUse: Hashable, Sendable {
    /// Of complete streams.
    package var streams: Int64
    /// Of what was made out of them.
    package var derived: Int64
    /// Of partial streams.
    package var partials: Int64

    package init(streams: Int64 = 0, derived: Int64 = 0, partials: Int64 = 0) {
        self.streams = streams
        self.derived = derived
        self.partials = partials
    }
}

extension FolderIndex {
    /// The bytes in the folder.
    package var use: FolderUse {
        get throws {
            let partials = try folder.partialBytes
            return try reading { db in
                let derived = try Int64.fetchOne(db, sql: "SELECT sum(length) FROM derived") ?? 0
                return FolderUse(streams: try byteCount(in: db) - derived, derived: derived, partials: partials)
            }
        }
    }

    /// The bytes of all streams in the folder, and of what was made out of them.
    package var bytes: Int64 { get throws { try reading { db in try byteCount(in: db) } } }

    private func byteCount(in db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT bytes FROM folder") ?? 0
    }

    /// Sets the streams that must not be evicted for this store.
    package func setPins(_ digests: Set<String>) throws {
        let known = try reading { db in try pins(in: db) }
        guard known != digests else { return }
        try writing(isDurable: true) { db in try set(pins: digests, in: db) }
    }

    /// A stream that must not be evicted from now on, if it is there.
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

    /// Removes streams, those first that have not been used for the longest time, until the folder has no more than
    /// `quota` bytes or the rest must stay: partial streams too. Files derived from a stream are evicted before it,
    /// also where the stream must stay. The stores that need the streams learn it from ``evicted``.
    ///
    /// - Parameter digest: Of a stream that stays in any case.
    package func evict(downTo quota: Int64, sparing digest: String? = nil) throws {
        let rest = try quota - folder.partialBytes
        guard try bytes > rest else { return }
        try writing { db in
            for stream in try oldest(try byteCount(in: db) - rest, sparing: digest, in: db) {
                guard stream.isWhole else {
                    try removeDerived(of: stream.file, stream.digest, in: db)
                    continue
                }
                try db.execute(
                    sql: "INSERT OR IGNORE INTO evicted SELECT store, ? FROM reference WHERE file = ?",
                    arguments: [stream.digest, stream.file])
                try db.execute(sql: "DELETE FROM reference WHERE file = ?", arguments: [stream.file])
                try remove(stream.file, stream.digest, in: db)
            }
        }
    }

    /// What is evicted of a stream: all of it, or its derived files.
    private typealias Going = (file: Int64, digest: String, isWhole: Bool)

    /// What has not been used for the longest time and has at least so many bytes together, as far as there is any that
    /// may go.
    private func oldest(_ bytes: Int64, sparing digest: String?, in db: Database) throws -> [Going] {
        var found: [Going] = []
        var rest = bytes
        let files = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, digest, length, (SELECT sum(length) FROM derived WHERE file = f.id) AS derived,
                digest IS ? OR EXISTS (SELECT 1 FROM pin WHERE file = f.id) AS stays
                FROM file AS f ORDER BY lastUsed
                """, arguments: [digest])
        while rest > 0, let row = try files.next() {
            let (file, digest, length): (Int64, String, Int64) = (row["id"], row["digest"], row["length"])
            let (derived, stays): (Int64?, Bool) = (row["derived"], row["stays"])
            rest -= derived ?? 0
            if rest > 0, !stays {
                found.append((file: file, digest: digest, isWhole: true))
                rest -= length
            } else if derived != nil {
                found.append((file: file, digest: digest, isWhole: false))
            }
        }
        return found
    }

    /// The streams that were evicted, and of which this store has not taken note yet.
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

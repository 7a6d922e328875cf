import GRDB
import MediaFiles

/// What a store has not got of the streams that its database names.
package struct FolderDifference: Hashable, Sendable {
    /// Streams that are gone or of another length than they had.
    package var lost: Set<String>
    /// Streams that were evicted.
    package var evicted: Set<String>

    package init(lost: Set<String> = [], evicted: Set<String> = []) {
        self.lost = lost
        self.evicted = evicted
    }
}

extension FolderIndex {
    /// Takes the streams that the store's database names for all that it needs, and removes what no store needs any
    /// more: streams, and what interrupted writes have left.
    ///
    /// - Parameters:
    ///   - pins: Those of them that must not be evicted.
    ///   - lengths: Those of the streams whose digests are in the range, so that there are never too many at once: digest
    ///     → length in bytes, nil where unknown.
    package func reconcile(
        pins: Set<String>, _ lengths: (DigestRange) throws -> [String: Int64?]
    ) throws -> FolderDifference {
        try folder.removeAbandoned()
        return try writing { db in
            // No other process names or removes a file meanwhile.
            var gone: Set<String> = []
            for range in DigestRange.parts {
                let wanted = try lengths(range)
                let report = try compare(wanted, range, in: db)
                for digest in report.truncated { try folder.remove(digest: digest) }
                gone.formUnion(report.missing)
                gone.formUnion(report.truncated)
                try take(wanted.filter { !gone.contains($0.key) }, range, in: db)
            }
            try set(pins: pins.subtracting(gone), in: db)
            try removeStrays(in: db)
            let evicted = try String.fetchSet(db, sql: "SELECT digest FROM evicted WHERE store = ?", arguments: [user])
            for digest in evicted.subtracting(gone) { try forget(evicted: digest, in: db) }
            return FolderDifference(lost: gone.subtracting(evicted), evicted: gone.intersection(evicted))
        }
    }

    /// Makes these streams the ones that this store refers to.
    private func take(_ lengths: [String: Int64?], _ range: DigestRange, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT digest FROM file JOIN reference ON file = id AND store = ? WHERE digest >= ? AND digest < ?
                """)
        let known = try String.fetchSet(statement, arguments: [user] + range.bounds)
        for (digest, length) in lengths where !known.contains(digest) {
            guard let length = try length ?? self.length(digest, in: db) else { continue }
            _ = try add(StoredMedia(digest: digest, length: length), in: db)
        }
        try release(known.filter { lengths[$0] == nil }, in: db)
    }

    private func length(_ digest: String, in db: Database) throws -> Int64? {
        let known = try Int64.fetchOne(db, sql: "SELECT length FROM file WHERE digest = ?", arguments: [digest])
        return known ?? folder.length(digest: digest)
    }

    /// Removes the files that the index does not know of, and what was made out of streams and is not counted; what is
    /// counted and not there is counted no more.
    private func removeStrays(in db: Database) throws {
        var derived = Set(try folder.derivedNames)
        let counted = try Int64.fetchSet(db, sql: "SELECT file FROM derived")
        var gone: [Int64] = []
        // The beginnings of the names: should two ever be the same, a stray stays.
        var names: Set<UInt64> = []
        let known = try Row.fetchCursor(db, sql: "SELECT id, digest FROM file")
        while let row = try known.next() {
            let (file, digest): (Int64, String) = (row["id"], row["digest"])
            let name = folder.fileName(for: digest)
            names.insert(Self.beginning(of: name))
            if counted.contains(file), derived.remove(name) == nil { gone.append(file) }
        }
        let strays = isWhole ? try folder.strays { names.contains(Self.beginning(of: $0)) } : []
        for name in strays { try folder.remove(stray: name) }
        for name in derived { try folder.removeDerived(name) }
        for file in gone { try db.execute(sql: "DELETE FROM derived WHERE file = ?", arguments: [file]) }
    }

    /// 16 of 64 hexadecimal digits.
    private static func beginning(of name: String) -> UInt64 { UInt64(name.prefix(16), radix: 16) ?? 0 }

    /// Releases the streams that this store no longer needs, and removes those that no store needs.
    ///
    /// To be called where the store cannot begin to need it again meanwhile.
    package func release(_ digests: some Collection<String>) throws {
        guard !digests.isEmpty else { return }
        try writing { db in try release(digests, in: db) }
    }

    /// Gives up all that this store needs and what has come of its streams, so that the folder does not know the store any
    /// more; it only closes the index then.
    ///
    /// - Returns: Whether no store has the folder now.
    package func leave() throws -> Bool {
        try folder.discardPartials()
        folder.leaveNoPartials()
        return try writing(isDurable: true) { db in
            let needed = try String.fetchAll(
                db, sql: "SELECT digest FROM reference JOIN file ON id = file WHERE store = ?", arguments: [user])
            try release(needed, in: db)
            try db.execute(sql: "DELETE FROM evicted WHERE store = ?", arguments: [user])
            try db.execute(sql: "DELETE FROM store WHERE id = ?", arguments: [user])
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM store") == 0
        }
    }

    private func release(_ digests: some Collection<String>, in db: Database) throws {
        for digest in digests {
            guard let file = try number(of: digest, in: db) else { continue }
            for table in ["reference", "pin"] {
                try db.cachedStatement(sql: "DELETE FROM \(table) WHERE file = ? AND store = ?")
                    .execute(arguments: [file, user])
            }
            let isNeeded = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM reference WHERE file = ?)"), arguments: [file])
            guard isNeeded == false else { continue }
            try remove(file, digest, in: db)
        }
    }

    func remove(_ file: Int64, _ digest: String, in db: Database) throws {
        for (table, column) in [("content", "file"), ("derived", "file"), ("file", "id")] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE \(column) = ?").execute(arguments: [file])
        }
        try folder.remove(digest: digest)
    }
}

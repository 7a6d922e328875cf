import GRDB
import MediaFiles

extension FolderIndex {
    /// Keeps what was made out of a stream in this size, unless the stream is gone: it is removed in a transaction too.
    ///
    /// - Throws: As `MediaFolder.keep(_:of:size:)`.
    package func keep(_ derived: DerivedMedia, of digest: String, size: Int) throws {
        try writing { db in
            guard let file = try number(of: digest, in: db) else { return }
            let length = try folder.keep(derived, of: digest, size: size)
            try db.cachedStatement(sql: "DELETE FROM derived WHERE file = ? AND size = ?")
                .execute(arguments: [file, size])
            try db.cachedStatement(sql: "INSERT INTO derived VALUES (?, ?, ?)")
                .execute(arguments: [file, size, length])
        }
    }

    /// What was kept of the stream in this size; nil if there is none that is whole. The stream counts as used.
    package func derived(of digest: String, size: Int) async -> DerivedMedia? {
        // One that a crash kept from being counted is made again.
        guard (try? isCounted(size, of: digest)) == true, let found = await folder.derived(of: digest, size: size)
        else { return nil }
        noteUse(of: digest)
        return found
    }

    private func isCounted(_ size: Int, of digest: String) throws -> Bool {
        try reading { db in
            let sql = "SELECT EXISTS (SELECT 1 FROM derived JOIN file ON id = file WHERE digest = ? AND size = ?)"
            return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [digest, size]) ?? false
        }
    }

    /// The bytes of what was made out of each stream, by its digest; streams without any are left out.
    package var derivedLengths: [String: Int64] {
        get throws {
            try reading { db in
                let rows = try Row.fetchAll(
                    db,
                    sql: "SELECT digest, sum(derived.length) AS bytes FROM derived JOIN file ON id = file GROUP BY id")
                return Dictionary(rows.map { ($0["digest"], $0["bytes"]) }, uniquingKeysWith: { first, _ in first })
            }
        }
    }

    /// Removes what was made out of a stream, in all sizes.
    func removeDerived(of file: Int64, _ digest: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM derived WHERE file = ?").execute(arguments: [file])
        try folder.removeDerived(folder.fileName(for: digest))
    }
}

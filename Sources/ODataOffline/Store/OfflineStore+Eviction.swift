import GRDB
import MediaFiles
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension OfflineStore {
    /// Pins a stream, stored or to be downloaded, so that it is not evicted, until ``unpin(_:)``, or until no query
    /// holds it. The next download fetches an evicted one.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entity in the store, `badRequest` if the path does not
    ///   lead to a stream.
    public func pin(_ path: ResourcePath) async throws {
        let digest = try await changingPin(of: path) { db, stored in
            let place = stored.place
            try db.execute(
                sql: #"INSERT OR IGNORE INTO "$pin" VALUES (?, ?, ?)"#,
                arguments: [place.table.set.name, place.row, place.stream.property ?? ""])
            try db.execute(
                sql: """
                    UPDATE \(quoted(place.table.name)) SET \(quoted(place.stream.evicted)) = 0
                    WHERE "$id" = ? AND \(quoted(place.stream.evicted)) <> 0
                    """, arguments: [place.row])
            return stored.digest
        }
        if let digest { try keepPinned(digest) }
    }

    /// Unpins a stream so that it can be evicted.
    ///
    /// - Throws: As ``pin(_:)``.
    public func unpin(_ path: ResourcePath) async throws {
        try await changingPin(of: path) { db, stored in
            let (table, stream, row) = (stored.place.table, stored.place.stream, stored.place.row)
            try db.execute(
                sql: #"DELETE FROM "$pin" WHERE "row" = ? AND "stream" = ?"#, arguments: [row, stream.property ?? ""])
            // An evicted stream that was not fetched since is only fetched when it is read.
            try db.execute(
                sql: """
                    UPDATE \(quoted(table.name)) SET \(quoted(stream.evicted)) = 1 WHERE "$id" = ?
                    AND \(quoted(stream.changed)) = 0 AND \(quoted(stream.fetched)) IS NOT NULL AND \(stream.isAway)
                    """, arguments: [row])
        }
        try await collectMedia()
    }

    /// Whether a stream is pinned.
    ///
    /// - Throws: As ``pin(_:)``.
    public func isPinned(_ path: ResourcePath) async throws -> Bool {
        let (offline, database) = try working()
        try await makeTables(for: QuerySets(path).names, offline, in: database)
        return try await database.reading { db in
            let place = try StoredStream(path: path, offline: offline, in: db).place
            return try Bool.fetchOne(
                db, sql: #"SELECT EXISTS (SELECT 1 FROM "$pin" WHERE "row" = ? AND "stream" = ?)"#,
                arguments: [place.row, place.stream.property ?? ""]) ?? false
        }
    }

    private func changingPin<Result: Sendable>(
        of path: ResourcePath, _ body: @escaping @Sendable (Database, StoredStream) throws -> Result
    ) async throws -> Result {
        let (offline, database) = try working()
        try await makeTables(for: QuerySets(path).names, offline, in: database)
        return try await database.writing { db in
            try body(db, try StoredStream(path: path, offline: offline, in: db))
        }
    }
}

extension OfflineStore {
    /// Writes small streams to the media folder.
    func keepSmall(_ streams: [(StoredMedia, [UInt8])]) throws {
        try mappingMediaErrors { try media.keep(streams.map { (media: $0.0, bytes: $0.1) }) }
    }

    /// Prevents the eviction of the stream with this digest.
    func keepPinned(_ digest: String) throws { try mappingMediaErrors { try media.addPin(of: digest) } }

    /// Evicts streams until the media folder is within the quota.
    ///
    /// - Parameter digest: The digest of a stream that is not evicted.
    func makeRoom(sparing digest: String? = nil) async throws {
        guard !database.isReadOnly else { return }
        try evict(sparing: digest)
        try await noteEvicted()
    }

    /// As ``makeRoom(sparing:)``; the rows are marked later.
    func evict(sparing digest: String? = nil) throws {
        guard let quota = configuration.mediaQuota else { return }
        try mappingMediaErrors { try media.evict(downTo: quota, sparing: digest) }
    }

    /// Marks the rows whose streams were evicted, by this store or another.
    private func noteEvicted() async throws {
        guard let schema = knownModel?.schema else { return }
        let evicted = try mappingMediaErrors { try media.evicted }
        guard !evicted.isEmpty else { return }
        // Some may have been fetched again meanwhile.
        let gone = evicted.filter { !media.contains(digest: $0) }
        try await database.writing { db in try MediaIndex(db: db, schema: schema).noteEviction(of: gone) }
        try mappingMediaErrors { try media.forgetEvicted(evicted) }
    }

    func mappingMediaErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as MediaFileError { throw ODataError(error) }
    }
}

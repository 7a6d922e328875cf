import GRDB
import ODataModel
import ODataQuery
import ODataStores

extension OfflineStore {
    /// Pins a stream, stored or to be downloaded, so that it is not evicted, until ``unpin(_:)``, or until no query
    /// holds it. The next download fetches an evicted one.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entity in the store, `badRequest` if the path leads to no
    ///   stream.
    public func pin(_ path: ResourcePath) async throws {
        let digest = try await changingPin(of: path) { db, stored in
            try StreamPin(db: db, place: stored.place).add()
            return stored.digest
        }
        if let digest { try streams.keepPinned(digest) }
    }

    /// Lets a stream make room for others again.
    ///
    /// - Throws: As ``pin(_:)``.
    public func unpin(_ path: ResourcePath) async throws {
        try await changingPin(of: path) { db, stored in
            try StreamPin(db: db, place: stored.place).remove()
        }
        try await streams.collect()
    }

    /// Whether a stream is pinned.
    ///
    /// - Throws: As ``pin(_:)``.
    public func isPinned(_ path: ResourcePath) async throws -> Bool {
        let place = try await reads.stream(at: path).place
        return try await database.reading { try StreamPin(db: $0, place: place).exists }
    }

    private func changingPin<Result: Sendable>(
        of path: ResourcePath, _ body: @escaping @Sendable (Database, StoredStream) throws -> Result
    ) async throws -> Result {
        let (offline, database) = try working()
        try await reads.makeTables(for: QuerySets(path).names, offline, in: database)
        return try await database.writing { db in
            try body(db, try StoredStream(path: path, offline: offline, in: db))
        }
    }
}

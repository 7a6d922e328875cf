import GRDB
import ODataStores

extension OfflineStore {
    /// The defining queries, in the order they were added.
    public var queries: [DefiningQuery] {
        get async throws {
            try checkOpen()
            return try await database.reading { try QueryRecord.all(in: $0).map(\.definition) }
        }
    }

    /// Adds a defining query; the next download fetches its data. Does not need the network, and may be called before
    /// ``open()``: the query is checked against the model as soon as that is known.
    ///
    /// - Throws: ``ODataError`` `conflict` if there is one of this name or while a rebuild runs, `badRequest` if it does
    ///   not fit the model.
    public func addQuery(_ query: DefiningQuery) throws {
        try checkOpen()
        guard !query.name.isEmpty else { throw ODataError(.badRequest, "A defining query needs a name.") }
        if let offline = state.knownModel { _ = try QueryCheck(offline: offline).bound(query) }
        try database.writeDurably { db in
            try state.checkDefinable("A defining query cannot be added", during: ["rebuild"])
            guard try QueryRecord.named(query.name, in: db) == nil else {
                throw ODataError(
                    .conflict, "There is a defining query named \(query.name) already. Remove it first.")
            }
            try query.insert(in: db)
        }
    }

    /// Changes how downloads of a defining query detect changes. The data in the store stay; an interrupted download of
    /// the query starts again if the refresh differs.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no query of this name, `badRequest` if the property cannot
    ///   indicate changes, `conflict` while a download or upload runs.
    public func setRefresh(_ refresh: DefiningQuery.Refresh, checksStreams: Bool, of name: String) throws {
        try transferringNow("change of a query") {
            let offline = state.knownModel
            try database.writeDurably { db in
                let record = try QueryRecord.existing(name, in: db)
                try record.setRefresh(refresh, checksStreams: checksStreams, offline: offline, in: db)
            }
        }
    }

    /// Removes a defining query and all data that no other query holds. Entities with unsent changes stay until these
    /// are sent.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is none of this name, `conflict` while a rebuild runs.
    public func removeQuery(_ name: String) throws {
        try checkOpen()
        let schema = state.knownModel?.schema
        try database.writeDurably { db in
            try state.checkDefinable("A defining query cannot be removed", during: ["rebuild"])
            let record = try QueryRecord.existing(name, in: db)
            if let schema { try QueryRelease(db: db, schema: schema).remove(query: record.id) }
            try db.execute(sql: #"DELETE FROM \#(.query) WHERE "id" = ?"#, arguments: [record.id])
        }
        try database.write(streams.collect)
    }
}

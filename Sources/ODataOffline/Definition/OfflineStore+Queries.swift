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

    /// Adds a defining query; its data come with the next download. Needs no network, and may be called before
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

    /// Changes how the downloads of a defining query find out what has changed. What is in the store stays; a download
    /// of the query that was cut begins anew where it is to be refreshed another way.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no query of this name, `badRequest` if the property cannot tell
    ///   of changes, `conflict` while a download or upload runs.
    public func setRefresh(_ refresh: DefiningQuery.Refresh, checksStreams: Bool, of name: String) throws {
        try transferringNow("change of a query") {
            let offline = state.knownModel
            try database.writeDurably { db in
                try QueryRecord.existing(name, in: db)
                    .setRefresh(refresh, checksStreams: checksStreams, offline: offline, in: db)
            }
        }
    }

    /// Removes a defining query with all that no other query holds. Entities with changes that are not sent stay
    /// until they are.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is none of this name, `conflict` while a rebuild runs.
    public func removeQuery(_ name: String) throws {
        try checkOpen()
        let schema = state.knownModel?.schema
        try database.writeDurably { db in
            try state.checkDefinable("A defining query cannot be removed", during: ["rebuild"])
            try QueryRecord.existing(name, in: db).remove(schema: schema, in: db)
        }
        try database.write(streams.collect)
    }
}

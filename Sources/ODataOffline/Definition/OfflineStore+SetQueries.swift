import GRDB
import ODataStores

extension OfflineStore {
    /// Declares the defining queries of the store: adds those that it does not have, changes those that differ, removes
    /// the others, and keeps the rest with their data, all in one transaction. May be called at each start of the app:
    /// nothing is downloaded again of a query that is the same. Does not need the network, and may be called before
    /// ``open()``, which then checks the queries against the model.
    ///
    ///     try await store.setQueries([
    ///         DefiningQuery(name: "orders", query: "Orders?$filter=Status eq 'open'&$expand=Items"),
    ///         DefiningQuery(name: "products", query: "Products"),
    ///     ])
    ///
    /// Of a query with another text, the next download reads everything; its old data stay until that is complete. Another
    /// ``DefiningQuery/refresh`` changes how the next download finds changes. If a query no longer retrieves
    /// streams, their content is released. The data of a removed query are removed, as by ``removeQuery(_:)``:
    /// entities with unsent changes stay until these are sent, and their requests stay in the queue.
    ///
    /// - Returns: What was different.
    /// - Throws: ``ODataError`` `badRequest` if queries do not fit the model, have no name or the same name: the message
    ///   names each of them, and nothing is changed. `conflict` if something is different while a download, an upload or
    ///   a rebuild runs.
    @discardableResult
    public func setQueries(_ queries: [DefiningQuery]) async throws -> QueryChanges {
        try checkOpen()
        try check(queries)
        let changes = try await database.reading { try QueryChanges(queries, from: QueryRecord.all(in: $0)) }
        guard !changes.isEmpty else { return changes }
        return try await transferring("change of the defining queries") {
            let offline = state.knownModel
            try check(queries)
            let changes = try await database.writingDurably { db in
                let records = try QueryRecord.all(in: db)
                let changes = QueryChanges(queries, from: records)
                for record in records {
                    let name = record.definition.name
                    if changes.removed.contains(name) { try record.remove(schema: offline?.schema, in: db) }
                    guard changes.changed.contains(name), let query = queries.first(where: { $0.name == name }) else {
                        continue
                    }
                    try record.redefine(as: query, offline: offline, in: db)
                }
                for query in queries where changes.added.contains(query.name) { try query.insert(in: db) }
                return changes
            }
            try await streams.collect()
            return changes
        }
    }

    /// - Throws: ``ODataError`` of all queries that are wrong.
    private func check(_ queries: [DefiningQuery]) throws {
        let check = state.knownModel.map(QueryCheck.init)
        var names: Set<String> = []
        var failures: [(name: String, error: ODataError)] = []
        for query in queries {
            do {
                guard !query.name.isEmpty else {
                    throw ODataError(.badRequest, "The defining query \(query.query) has no name.")
                }
                guard names.insert(query.name).inserted else {
                    throw ODataError(
                        .badRequest, "Two defining queries are named \(query.name): give each a name of its own.")
                }
                _ = try check?.bound(query)
            } catch { failures.append((query.name, ODataError(any: error))) }
        }
        guard var error = failures.first?.error else { return }
        if failures.count > 1 {
            let all = failures.map { "\n  \($0.name.isEmpty ? "(no name)" : $0.name): \($0.error.summary)" }.joined()
            error.message = "\(failures.count) defining queries are wrong, and none was changed:\(all)"
        }
        throw error
    }
}

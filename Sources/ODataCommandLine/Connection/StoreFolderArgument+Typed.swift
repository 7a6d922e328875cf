import OData

extension StoreFolderArgument {
    /// What a person has typed for a part of the store, without the root of its service.
    ///
    ///     http://127.0.0.1:8080/Photos(9000)    Photos(9000)
    func relative(_ text: String) -> String {
        guard let service = try? StoreSettings.readIfThere(from: path)?.service else { return text }
        let root = service.prefix { $0 != "?" }
        let prefix = root.hasSuffix("/") ? root : root + "/"
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    }

    /// The path that a person has typed.
    ///
    /// - Throws: ``Failure`` that shows the position of the error.
    func path(_ text: String, in store: OfflineStore) async throws -> ResourcePath {
        let text = relative(text)
        return try await explaining(text) { try store.path(text) }
    }

    /// The query that a person has typed.
    ///
    /// - Throws: ``Failure`` that shows the position of the error.
    func query(_ text: String, in store: OfflineStore) async throws -> BoundQuery {
        try await explaining(text) { try await store.query(text) }
    }

    /// Runs `body`, which reads `text` as a URL relative to the service's root.
    func explaining<Result>(_ text: String, _ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let error as ODataError {
            guard let cause = error.cause as? QueryError else { throw error }
            throw Failure(error.message, advice: URLMistake(text: text, error: cause).advice(store: path))
        }
    }
}

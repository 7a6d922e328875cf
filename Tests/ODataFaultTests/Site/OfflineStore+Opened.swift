import OData

extension OfflineStore {
    /// Does `body` with the store in `folder`, and closes it in any case.
    @discardableResult
    static func opened<Result>(
        _ folder: String, _ remote: OnlineStore?, _ body: (OfflineStore) async throws -> Result
    ) async throws -> Result {
        let store = try OfflineStore(folder: folder, remote: remote)
        do {
            try await store.open()
            let result = try await body(store)
            try store.close()
            return result
        } catch {
            try? store.close()
            throw error
        }
    }
}

import OData

extension ProgressLines {
    /// Shows the transfers of a store that run while `body` is done, on a terminal only, and takes all lines away in the
    /// end.
    func following<Result>(_ store: OfflineStore, _ body: () async throws -> Result) async throws -> Result {
        let shown = Task {
            for await transfer in store.transferChanges { show(transfer) }
        }
        do {
            let result = try await body()
            await end(shown)
            return result
        } catch {
            await end(shown)
            throw error
        }
    }

    private func end(_ shown: Task<Void, Never>) async {
        shown.cancel()
        await shown.value
        finish()
    }
}

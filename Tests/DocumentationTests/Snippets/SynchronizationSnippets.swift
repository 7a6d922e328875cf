import OData
import Testing

@Suite("The article on automatic synchronization")
struct SynchronizationSnippets {
    @Test("A scheduler keeps a store up to date, and says what it needs")
    func scheduler() async throws {
        let site = try FieldSite()
        let store = try OfflineStore(folder: site.folder + "/store", remote: try site.online())
        try await store.open()
        let network = ReportedNetwork()
        // snippet: starting a scheduler
        try await store.setQueries([
            DefiningQuery(name: "orders", query: "SalesOrders?$filter=Status eq 'new'&$expand=SalesOrderItems"),
            DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true),
        ])
        let scheduler = SyncScheduler(store: store, network: network)
        try await scheduler.start()
        // end
        try await scheduler.sync()
        #expect(try await store.status.streams > 0)
        let following = Task { try await Self.follow(store, scheduler) }
        await scheduler.stop()
        // snippet: one synchronization
        let report = try await store.sync { progress in
            show(progress.fraction, progress.description)
        }
        show(report.summary, report.isComplete)
        // end
        #expect(report.isComplete && report.upload == nil)
        try store.close()
        try await following.value
    }

    private static func signIn() async {}

    private static func follow(_ store: OfflineStore, _ scheduler: SyncScheduler) async throws {
        // snippet: following the state
        for await state in store.syncStates {
            show(state.phase, state.progress?.fraction, state.queueLength, state.lastSuccess, state.nextAttempt)
            guard let requirement = state.requirement else { continue }
            switch requirement {
            case .signIn:
                await signIn()
                await scheduler.resume()
            case .conflict: show(try await store.conflicts())
            case .refusal: show(try await store.errorEntries())
            default: show(requirement, state.failure)
            }
        }
        // end
    }
}

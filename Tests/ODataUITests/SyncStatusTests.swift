import OData
import ODataUI
import Testing

@MainActor
@Suite("The status of the synchronization, for views")
struct SyncStatusTests {
    @Test("What waits, runs and has succeeded is shown")
    func following() async throws {
        let yard = try await Yard()
        let status = SyncStatus(yard.offline)
        #expect(status.isFollowing && status.fraction == nil && !status.isUploading && !status.isDownloading)
        try await yard.notes.create(DynamicEntity(["ID": 3, "Text": "three"]))
        await until { status.queueLength == 1 }
        #expect(status.failedRequests == 0 && status.requirement == nil && status.error == nil)
        let report = try await yard.offline.sync()
        #expect(report.isComplete)
        await until { status.queueLength == 0 && status.lastSuccess != nil && status.fraction == nil }
        #expect(status.isConnected && status.nextAttempt == nil && !status.state.isRunning)
    }

    @Test("What the service refuses is counted")
    func refusal() async throws {
        let yard = try await Yard()
        let status = SyncStatus(yard.offline)
        try await yard.service.load([StoredEntity("Notes", EntityPayload(["ID": 3, "Text": "theirs", "Weight": 1]))])
        try await yard.notes.create(DynamicEntity(["ID": 3, "Text": "mine"]))
        await until { status.queueLength == 1 }
        _ = try await yard.offline.sync()
        await until { status.failedRequests == 1 && !status.state.isRunning }
    }

    @Test("Stopped, and when the store is closed, it keeps what it showed")
    func ends() async throws {
        let yard = try await Yard()
        let (stopped, closed) = (SyncStatus(yard.offline), SyncStatus(yard.offline))
        stopped.stop()
        #expect(!stopped.isFollowing)
        try await yard.notes.create(DynamicEntity(["ID": 3, "Text": "three"]))
        await until { closed.queueLength == 1 }
        try yard.offline.close()
        await until { !closed.isFollowing }
        #expect(closed.queueLength == 1 && stopped.queueLength == 0)
    }

    @Test("It lives no longer than its view")
    func lifetime() async throws {
        let yard = try await Yard()
        weak var seen: SyncStatus?
        do {
            let status = SyncStatus(yard.offline)
            seen = status
            try await yard.notes.create(DynamicEntity(["ID": 3, "Text": "three"]))
            await until { status.queueLength == 1 }
        }
        #expect(seen == nil)
    }
}

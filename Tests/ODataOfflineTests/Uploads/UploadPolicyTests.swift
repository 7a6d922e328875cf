import ByteStreams
import HTTPTypes
import ODataOffline
import ODataQuery
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Streams that the network policy does not allow to be sent")
struct UploadPolicyTests {
    private func replace(_ photo: String, _ bytes: Int, in store: OfflineStore) async throws {
        let content = MediaContent(ByteContent([UInt8](repeating: 1, count: bytes)), contentType: "image/png")
        _ = try await store.change(ChangeRequest(try store.path(photo), .replaceStream(content)))
    }

    @Test("They wait in the queue, with what depends on them; all others are sent")
    func wait() async throws {
        let policy = LengthPolicy(100)
        let queries = ["Photos", "Orders"].map { DefiningQuery(name: $0, query: $0) }
        let device = try await Device(queries, configure: { $0.networkPolicy = policy })
        let store = device.store
        try await store.download()
        try await replace("Photos(1)", 101, in: store)
        try await replace("Photos(2)", 100, in: store)
        let photos = try store.path("Photos")
        _ = try await store.createMedia(
            MediaContent(ByteContent([UInt8](repeating: 2, count: 5000)), contentType: "image/png"), in: photos,
            properties: try await store.payload(#"{"Title":"new"}"#, for: photos))
        try await device.update("Orders(1)", #"{"Note":"sent"}"#)

        let report = try await store.upload()
        #expect(Set(report.succeeded.map(\.url)) == ["Photos(2)/$value", "Orders(1)"])
        #expect(report.waitingStreams.map(\.method) == ["PUT", "POST"])
        #expect(report.waitingStreams.allSatisfy { $0.state == .waiting && $0.attempts == 0 })
        #expect(report.held.map(\.method) == ["PATCH"] && !report.isComplete && report.failed.isEmpty)
        #expect(policy.asked.sorted() == [100, 101, 5000] && policy.priorities == [3])
        #expect(try await store.queueEntries().map(\.state) == [.waiting, .waiting, .held])
        #expect(try await store.events().first?.counts?.results?.waitingStreams == 2)

        policy.allow(5000)
        #expect(try await store.upload().isComplete)
        let lengths = try device.service.fetch("SELECT length(Image) FROM Photos WHERE PhotoID < 3 ORDER BY 1")
        #expect(lengths == ["100", "101"])
        #expect(try device.service.fetch("SELECT Title FROM Photos WHERE PhotoID > 4") == ["new"])
        try store.close()
    }

    @Test("Of an upload that was begun, what is left counts")
    func rest() async throws {
        let policy = LengthPolicy(.max)
        let conflicts = try UploadDesk(partSize: 100_000)
        let store = try await conflicts.device { $0.networkPolicy = policy }
        try await conflicts.replace(in: store)
        // From the second part on nothing arrives.
        let parts = Mutex(0)
        conflicts.breaking { request in
            parts.withLock { parts in
                if request.method == .patch { parts += 1 }
                return parts > 1 ? .refused : nil
            }
        }
        await #expect(throws: ODataError.self) { try await store.upload() }
        conflicts.breaking { _ in nil }
        policy.allow(0)
        #expect(try await store.upload().waitingStreams.count == 1)
        #expect(policy.asked == [Int64(UploadDesk.size), Int64(UploadDesk.size) - 100_000])
        policy.allow(.max)
        #expect(try await store.upload().isComplete)
        #expect(try await conflicts.hasBytes(1))
        try store.close()
    }
}

/// Allows streams of up to so many bytes.
private final class LengthPolicy: NetworkPolicy {
    private let state: Mutex<(most: Int64, asked: [Int64], priorities: Set<Int>)>

    init(_ most: Int64) { state = Mutex((most, [], [])) }

    var asked: [Int64] { state.withLock { $0.asked } }
    var priorities: Set<Int> { state.withLock { $0.priorities } }

    func allow(_ most: Int64) { state.withLock { $0.most = most } }

    func allows(_ bytes: Int64?, priority: Int) async -> Bool {
        state.withLock { state in
            state.asked.append(bytes ?? -1)
            state.priorities.insert(priority)
            return bytes ?? .max <= state.most
        }
    }
}

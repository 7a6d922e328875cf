import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

@Suite("Uploads one by one", .timeLimit(.minutes(5)))
struct UploadControlTests {
    /// Stops the upload that runs, in the middle of what the service reads of it. It is the only one: `parallelUploads` is 1
    /// here.
    private static func stop(
        in store: OfflineStore, _ body: (OfflineStore, TransferSnapshot.ID) -> Bool
    ) async throws {
        let transfer = try #require(store.transferSnapshots.first { $0.state == .running })
        guard body(store, transfer.id) else { throw ODataError(.internalError, "There is nothing to stop.") }
        // Until the upload is ended.
        let (nothing, giver) = AsyncStream.makeStream(of: Void.self)
        for await _ in nothing {}
        giver.finish()
    }

    private static func state(_ store: OfflineStore) throws -> String {
        let transfer = try #require(store.transferSnapshots.first)
        let total = transfer.total.map { "\($0)" } ?? "?"
        return "\(transfer.direction) \(transfer.path) \(transfer.state), \(total)"
    }

    /// With parts that all but the last are sent without the end; else all goes with the end.
    private static let partSizes: [Int?] = [100_000, nil]

    @Test("What is paused stays so in the next upload, and goes on at the offset once resumed", arguments: partSizes)
    func pause(partSize: Int?) async throws {
        let conflicts = try UploadDesk(partSize: partSize)
        let store = try await conflicts.device()
        try await conflicts.replace(in: store)
        conflicts.server.meanwhile { try await Self.stop(in: store) { $0.pauseTransfer($1) } }
        let report = try await store.upload()
        #expect(report.stoppedStreams.map(\.url) == ["Photos(1)/$value"])
        #expect(!report.isComplete && report.succeeded.isEmpty && report.failed.isEmpty && report.unconfirmed.isEmpty)
        #expect(try await store.queueEntries().map(\.state) == [partSize == nil ? .unconfirmed : .waiting])
        #expect(try Self.state(store) == "upload Photos(1) paused, \(UploadDesk.size)")
        let paused = try #require(store.transferSnapshots.first)
        #expect(paused.host == "service.test")
        let received = conflicts.server.received
        #expect(received > 0 && received < UploadDesk.size)

        #expect(try await store.upload().stoppedStreams.count == 1)
        #expect(conflicts.server.received == received && conflicts.server.executed == 0)
        #expect(try await store.events().first?.counts?.results?.stoppedStreams == 1)

        #expect(store.resumeTransfer(paused.id))
        #expect(try await store.upload().isComplete)
        #expect(try Self.state(store) == "upload Photos(1) finished, \(UploadDesk.size)")
        #expect(
            conflicts.server.begun == 1 && conflicts.server.executed == 1
                && conflicts.server.received == UploadDesk.size)
        #expect(try await conflicts.hasBytes(1))
        try store.close()
    }

    @Test("What is resumed goes on in the same upload, in which others were sent meanwhile", arguments: partSizes)
    func resume(partSize: Int?) async throws {
        let conflicts = try UploadDesk(partSize: partSize)
        let store = try await conflicts.device()
        for photo in 1...2 { try await conflicts.replace(photo, in: store) }
        let changes = store.transferChanges
        async let watched = changes.reduce(into: [TransferSnapshot]()) { $0.append($1) }
        conflicts.server.meanwhile {
            let first = try #require(store.transferSnapshots.first { $0.state == .running }).id
            conflicts.server.meanwhile { #expect(store.resumeTransfer(first)) }
            try await Self.stop(in: store) { $0.pauseTransfer($1) }
        }
        let report = try await store.upload()
        #expect(report.isComplete)
        #expect(report.succeeded.map(\.url) == ["Photos(2)/$value", "Photos(1)/$value"])
        #expect(
            conflicts.server.begun == 2 && conflicts.server.executed == 2
                && conflicts.server.received == 2 * UploadDesk.size)
        for photo in 1...2 { #expect(try await conflicts.hasBytes(photo)) }
        try store.close()
        let seen = await watched
        for photo in 1...2 {
            let bytes = seen.filter { $0.path == "Photos(\(photo))" }.map(\.acknowledged)
            #expect(bytes == bytes.sorted() && bytes.last == Int64(UploadDesk.size))
        }
    }

    @Test("What is cancelled stays in the queue, and the next upload goes on with it", arguments: partSizes)
    func cancel(partSize: Int?) async throws {
        let conflicts = try UploadDesk(partSize: partSize)
        let store = try await conflicts.device()
        for photo in 1...2 { try await conflicts.replace(photo, in: store) }
        conflicts.server.meanwhile { try await Self.stop(in: store) { $0.cancelTransfer($1) } }
        let report = try await store.upload()
        #expect(report.succeeded.map(\.url) == ["Photos(2)/$value"])
        #expect(report.stoppedStreams.map(\.url) == ["Photos(1)/$value"])
        #expect(store.transferSnapshots.map(\.state) == [.cancelled, .finished])
        #expect(try await store.queueEntries().map(\.state) == [partSize == nil ? .unconfirmed : .waiting])
        #expect(try await store.upload().isComplete)
        #expect(
            conflicts.server.begun == 2 && conflicts.server.executed == 2
                && conflicts.server.received == 2 * UploadDesk.size)
        for photo in 1...2 { #expect(try await conflicts.hasBytes(photo)) }
        try store.close()
    }

    /// A store whose service takes streams whole.
    private func device(_ arrivals: Arrivals) async throws -> Device {
        let queries = ["Photos", "Orders"].map { DefiningQuery(name: $0, query: $0) }
        let device = try await Device(
            queries,
            wrap: { base in
                TappedStore(
                    base: base,
                    changing: { request in
                        try await arrivals.note(request)
                        return request
                    })
            })
        try await device.store.download()
        return device
    }

    private func content(_ length: Int) -> MediaContent {
        MediaContent(ByteContent([UInt8](repeating: 7, count: length)), contentType: "image/png")
    }

    private func replace(_ photo: Int, _ length: Int, in store: OfflineStore) async throws {
        _ = try await store.change(ChangeRequest(try store.path("Photos(\(photo))"), .replaceStream(content(length))))
    }

    @Test("What is cancelled before the first request of an upload is not sent in it", arguments: [false, true])
    func cancelAtOnce(isKnown: Bool) async throws {
        let asking = Mutex<(@Sendable () throws -> Void)?>(nil)
        let sent = Mutex<[String]>([])
        let device = try await Device(
            [DefiningQuery(name: "photos", query: "Photos")],
            wrap: { base in
                TappedStore(
                    base: base,
                    asking: {
                        let body = asking.withLock { $0.take() }
                        try body?()
                    },
                    changing: { request in
                        sent.withLock { $0.append(request.target.url) }
                        return request
                    })
            })
        let store = device.store
        try await store.download()
        for photo in 1...2 { try await replace(photo, 100, in: store) }
        if isKnown {
            // Of an upload that came to nothing the transfers stay known.
            asking.withLock { $0 = { throw ODataError(.unreachable, "The network is gone.") } }
            await #expect(throws: ODataError.self) { try await store.upload() }
            #expect(store.transferSnapshots.map(\.state) == [.waiting, .waiting])
        }
        asking.withLock {
            $0 = {
                let first = try #require(store.transferSnapshots.first)
                #expect(store.cancelTransfer(first.id))
            }
        }
        let report = try await store.upload()
        #expect(report.stoppedStreams.map(\.url) == ["Photos(1)/$value"])
        #expect(report.succeeded.map(\.url) == ["Photos(2)/$value"])
        #expect(sent.withLock { $0.count } == 1)
        #expect(store.transferSnapshots.map(\.state) == [.cancelled, .finished])
        #expect(try await store.upload().isComplete)
        #expect(sent.withLock { $0.count } == 2)
        try store.close()
    }

    @Test("What goes whole is not paused on its way; when it is cancelled, the next upload finds out what became of it")
    func whole() async throws {
        let arrivals = Arrivals()
        let device = try await device(arrivals)
        let store = device.store
        try await replace(1, 100, in: store)
        arrivals.meanwhile {
            let transfer = try #require(store.transferSnapshots.first)
            #expect(transfer.state == .running && !transfer.canPause)
            #expect(!store.pauseTransfer(transfer.id))
        }
        #expect(try await store.upload().isComplete)
        try await replace(1, 200, in: store)
        arrivals.meanwhile {
            try await Self.stop(in: store) { $0.cancelTransfer($1) }
            try Task.checkCancellation()
        }
        #expect(try await store.upload().stoppedStreams.map(\.state) == [.unconfirmed])
        #expect(try await store.queueEntries().map(\.state) == [.unconfirmed])
        #expect(try device.service.fetch("SELECT length(Image) FROM Photos WHERE PhotoID = 1") == ["100"])
        #expect(try await store.upload().isComplete)
        #expect(try device.service.fetch("SELECT length(Image) FROM Photos WHERE PhotoID = 1") == ["200"])
        try store.close()
    }

    @Test("The greatest priority is sent next")
    func priority() async throws {
        let arrivals = Arrivals()
        let device = try await device(arrivals)
        let store = device.store
        for photo in 1...3 { try await replace(photo, 100, in: store) }
        arrivals.meanwhile {
            let last = try #require(store.transferSnapshots.last)
            #expect(store.setPriority(1, ofTransfer: last.id))
        }
        let report = try await store.upload()
        #expect(report.isComplete)
        #expect(report.succeeded.map(\.url) == [1, 3, 2].map { "Photos(\($0))/$value" })
        #expect(arrivals.urls == [1, 3, 2].map { "Photos(\($0))" })
        try store.close()
    }

    @Test("What depends on a paused stream is held, and all others are sent")
    func dependents() async throws {
        let arrivals = Arrivals()
        let device = try await device(arrivals)
        let store = device.store
        try await replace(1, 100, in: store)
        _ = try await store.createMedia(
            content(300), in: try store.path("Photos"), properties: EntityPayload(["Title": .string("new")]))
        try await device.update("Orders(1)", #"{"Note":"sent"}"#)
        arrivals.meanwhile {
            let new = try #require(store.transferSnapshots.last)
            #expect(new.state == .waiting && new.total == 300)
            #expect(store.pauseTransfer(new.id))
        }
        let report = try await store.upload()
        #expect(Set(report.succeeded.map(\.url)) == ["Photos(1)/$value", "Orders(1)"])
        #expect(report.stoppedStreams.map(\.method) == ["POST"] && report.held.map(\.method) == ["PATCH"])
        #expect(try await store.queueEntries().map(\.state) == [.waiting, .held])
        let paused = try #require(store.transferSnapshots.first { $0.state == .paused })
        #expect(store.resumeTransfer(paused.id))
        #expect(try await store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Title FROM Photos WHERE PhotoID > 4") == ["new"])
        try store.close()
    }
}

/// The changes that reach a service, and what is done once, when the next one does.
private final class Arrivals: Sendable {
    private struct State {
        var urls: [String] = []
        var hook: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())

    var urls: [String] { state.withLock { $0.urls } }

    func meanwhile(_ body: @escaping @Sendable () async throws -> Void) { state.withLock { $0.hook = body } }

    func note(_ request: ChangeRequest) async throws {
        let hook = state.withLock { state in
            state.urls.append(request.target.url)
            return state.hook.take()
        }
        try await hook?()
    }
}

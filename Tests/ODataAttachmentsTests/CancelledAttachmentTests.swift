import ByteStreams
import HTTPTypes
import ODataAttachments
import ODataStores
import ODataTransport
import Synchronization
import Testing

@Suite("Work on attachments that is cancelled")
struct CancelledAttachmentTests {
    /// A task that is cancelled when the request of a number is to leave that is meant.
    private final class Cancelling<Success: Sendable>: Sendable {
        private struct State {
            var left: Int
            var task: Task<Success, any Error>?
        }

        private let isMeant: @Sendable (HTTPRequest) -> Bool
        private let state: Mutex<State>

        /// - Parameter number: From 1.
        init(at number: Int, _ isMeant: @escaping @Sendable (HTTPRequest) -> Bool) {
            self.isMeant = isMeant
            state = Mutex(State(left: number))
        }

        /// - Throws: `CancellationError` if this is the request.
        func note(_ request: HTTPRequest) throws {
            guard isMeant(request) else { return }
            let isLast = state.withLock { state in
                state.left -= 1
                if state.left == 0 { state.task?.cancel() }
                return state.left == 0
            }
            if isLast { throw CancellationError() }
        }

        func run(_ body: @escaping @Sendable () async throws -> Success) async throws -> Success {
            let task = state.withLock { state in
                let task = Task { try await body() }
                state.task = task
                return task
            }
            return try await task.value
        }

        func photos(_ site: InspectionSite) throws -> AttachmentOwner {
            let store = try site.online { Transport(next: $0, cancelling: self) }
            return try AttachmentOwner(folder: site.path + "/journal", backEnd: InspectionSite.photos(of: store))
        }

        private struct Transport: HTTPTransport {
            let next: any HTTPTransport
            let cancelling: Cancelling

            func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
                -> TransportResponse
            {
                try cancelling.note(request)
                return try await next.send(request, body: body, context: context)
            }
        }
    }

    private static func isContent(_ request: HTTPRequest) -> Bool {
        request.method == .get && request.path?.hasSuffix("/$value") == true
    }

    @Test("What was posted before stays, all other edits wait, and are posted once")
    func posting() async throws {
        try await InspectionSite.open { site in
            let cancelling = Cancelling<[AttachmentResult]>(at: 2) { $0.method == .post }
            let photos = try await cancelling.photos(site).manager(for: "Inspections(2)")
            for (number, name) in ["one", "two", "three"].enumerated() {
                let details = AttachmentDetails(name: name, contentType: "image/png")
                try await photos.add(ByteContent([UInt8(number)]), details)
            }
            let results = try await cancelling.run { try await photos.postLocalEdits() }
            #expect(results.map { $0.error?.code } == [nil, .cancelled, .cancelled])
            #expect(photos.attachments.map(\.editState) == [.original, .added, .added])
            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(photos.attachments.map(\.editState) == [.original, .original, .original])
            #expect(try site.served(2).dropFirst() == ["4|one|00", "5|two|01", "6|three|02"])
        }
    }

    @Test("Of the content what came stays, and the rest comes when it is fetched again")
    func fetching() async throws {
        try await InspectionSite.open { site in
            try site.execute("INSERT INTO Photos VALUES (4, 1, 'pipe', x'04')")
            let cancelling = Cancelling<[AttachmentResult]>(at: 2, Self.isContent)
            let photos = try await cancelling.photos(site).manager(for: "Inspections(1)")
            try await photos.fetchAttachments()
            let results = try await cancelling.run { await photos.fetchContents() }
            #expect(results.map { $0.error?.code } == [nil, .cancelled, .cancelled])
            #expect(photos.attachments.map(\.hasContent) == [true, false, false])
            #expect(await photos.fetchContents().map { $0.error?.message } == [nil, nil])
            #expect(photos.attachments.map(\.hasContent) == [true, true, true])
        }
    }

    @Test("One content that is not fetched to its end is not there, and comes when it is fetched again")
    func fetchingOne() async throws {
        try await InspectionSite.open { site in
            let cancelling = Cancelling<Void>(at: 1, Self.isContent)
            let photos = try await cancelling.photos(site).manager(for: "Inspections(2)")
            try await photos.fetchAttachments()
            let lid = try #require(photos.attachments.first).id
            let error = await #expect(throws: ODataError.self) {
                try await cancelling.run { try await photos.fetchContent(of: lid) }
            }
            #expect(error?.code == .cancelled)
            #expect(photos.attachments.map(\.hasContent) == [false])
            #expect(photos.status.fetching.isEmpty && photos.status.errors[lid]?.code == .cancelled)
            try await photos.fetchContent(of: lid)
            #expect(try await photos.content(of: lid).collect(upTo: 10) == [3, 3, 3])
        }
    }
}

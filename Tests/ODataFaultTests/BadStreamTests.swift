import Foundation
import HTTPTypes
import OData
import ODataService
import ODataTesting
import Testing

@Suite("Streams over a bad connection")
struct BadStreamTests {
    private static func isPhoto(_ request: HTTPRequest) -> Bool {
        ["/Photos(9000)/$value", "/v2/Photos(9000L)/$value"].contains(request.path)
    }

    @Test("A stream that is cut goes on with the bytes that are missing", arguments: [1, 60_000, 199_999])
    func cut(after count: Int) async throws {
        let desk = try await Desk()
        desk.connection.breaking { request in
            Self.isPhoto(request) && request.headerFields[.range] == nil ? .cut(after: count) : nil
        }
        let report = try await desk.store.download()
        #expect(report.failedStreams.isEmpty)
        let ranges = desk.connection.requests.filter(Self.isPhoto).map { $0.headerFields[.range] }
        #expect(ranges == [nil, "bytes=\(count)-"])
        #expect(try await desk.differences() == [])
        try desk.close()
    }

    @Test("A read of the service goes on after a cut, with the same version or not at all", arguments: [false, true])
    func onlineRead(changes: Bool) async throws {
        let desk = try await Desk()
        let direct = InProcessTransport(service: ODataService(store: desk.service))
        let plan = FaultPlan.once(.cut(after: 60_000), where: Self.isPhoto)
        let store = try OnlineStore(
            serviceRoot: "http://service.test/", transport: FaultTransport(next: direct, plan: plan))
        let request = StreamRequest(try QueryParser(model: try await store.model()).path("Photos(9000)"))
        let handle = StreamHandle(request, from: store) { _ in
            if changes { try desk.file.execute("UPDATE Photos SET Content = x'01' WHERE PhotoID = 9000") }
        }
        var given: [UInt8] = []
        do {
            for try await chunk in try handle.chunks() { given += chunk }
            #expect(!changes)
        } catch let error as ODataError {
            #expect(changes && error.code == .preconditionFailed, "\(error)")
        }
        let picture = SiteFile.picture(seed: 0, length: 200_000)
        #expect(given == (changes ? Array(picture.prefix(60_000)) : picture))
        var offsets: [Int64] = []
        for await event in handle.events {
            if case .serverResponse(let response) = event { offsets.append(response.offset) }
        }
        #expect(offsets == (changes ? [0, 0] : [0, 60_000]))
        try desk.close()
    }

    @Test("Without rights no further stream is asked for")
    func unauthorized() async throws {
        let desk = try await Desk { $0.parallelStreams = 1 }
        let isStream = { @Sendable (request: HTTPRequest) in request.path?.hasSuffix("/$value") == true }
        desk.connection.breaking { isStream($0) ? .status(401) : nil }
        let error = await #expect(throws: ODataError.self) { try await desk.store.download() }
        #expect(error?.code == .unauthorized)
        #expect(desk.connection.requests.filter(isStream).count <= 2)
        desk.connection.mend()
        #expect(try await desk.store.download().streams == SiteFile.photos)
        try desk.close()
    }

    @Test("What came of a stream is kept while a query wants it, and no longer")
    func givenUp() async throws {
        let desk = try await Desk()
        desk.connection.breaking { request in
            guard Self.isPhoto(request) else { return nil }
            return request.headerFields[.range] == nil ? .cut(after: 60_000) : .refused
        }
        let partials = desk.storeFolder + "/media/partial"
        for _ in 1...2 {
            #expect(try await desk.store.download().failedStreams.map(\.path) == ["Photos(9000)"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: partials).isEmpty == false)
        }
        _ = try await desk.store.rebuild()
        #expect(desk.connection.requests.last(where: Self.isPhoto)?.headerFields[.range] == "bytes=60000-")
        #expect(try FileManager.default.contentsOfDirectory(atPath: partials).isEmpty == false)
        for query in Site.queries { try desk.store.removeQuery(query.name) }
        _ = try await desk.store.download()
        #expect(try FileManager.default.contentsOfDirectory(atPath: partials).isEmpty)
        try desk.close()
    }

    @Test(
        "A stream that cannot be had is named and the rest comes; the next download brings it",
        arguments: [
            TransportFault.refused, .cut(after: 0), .contentLength(500_000), .status(503), .status(403),
            .body(Array("<html>Log in</html>".utf8), contentType: "text/html"),
        ], ["http://service.test/", "http://service.test/v2/"])
    func failing(fault: TransportFault, root: String) async throws {
        let desk = try await Desk(root: root)
        desk.connection.breaking { Self.isPhoto($0) ? fault : nil }
        let report = try await desk.store.download()
        #expect(report.failedStreams.map(\.path) == ["Photos(9000)"])
        #expect(report.streams == SiteFile.photos - 1)
        let error = await #expect(throws: ODataError.self) {
            try await desk.store.readStream(StreamRequest(try desk.store.path("Photos(9000)")))
        }
        #expect(error?.code == .mediaNotInStore, "\(error as Any)")
        desk.connection.mend()
        #expect(try await desk.store.download().failedStreams.isEmpty)
        // V2 has no dates without a time: they differ in the other sets.
        let sets = root.hasSuffix("/v2/") ? ["Photos"] : Comparison.sets
        #expect(try await desk.differences(in: sets) == [])
        try desk.close()
    }
}

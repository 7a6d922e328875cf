import Foundation
import HTTPTypes
import OData
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
        for query in Site.queries { try desk.store.removeQuery(query.name) }
        _ = try await desk.store.download()
        #expect(try FileManager.default.contentsOfDirectory(atPath: partials).isEmpty)
        try desk.close()
    }

    @Test(
        "A stream that cannot be had is named and the rest comes; the next download brings it",
        arguments: [
            Fault.refused, .cut(after: 0), .contentLength(500_000), .status(503), .status(403),
            .body(Array("<html>Log in</html>".utf8), contentType: "text/html"),
        ], ["http://service.test/", "http://service.test/v2/"])
    func failing(fault: Fault, root: String) async throws {
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

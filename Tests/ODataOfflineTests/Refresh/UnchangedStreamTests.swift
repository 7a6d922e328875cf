import HTTPTypes
import ODataOffline
import ODataOnline
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Streams of which the service tells no version are fetched again only where something tells that they changed")
struct UnchangedStreamTests {
    /// What the service has and says; a test changes it.
    private struct Photo: Sendable {
        var name = "one"
        var content = "pixels"
        /// Of the entity's payload.
        var told = ""
        /// Of the stream's response.
        var type: String?
        var fields: HTTPFields = [:]
        var etag: String?
        var ignoresConditions = false
    }

    private static func response(_ request: HTTPRequest, _ photo: Photo) -> HabitService.Response {
        guard request.path?.hasSuffix("$value") == true || request.says("/stream") else {
            let etag = photo.etag.map { #","@odata.etag":"W/\"\#($0)\"""# } ?? ""
            return .init(
                body:
                    #"{"@odata.context":"$metadata#P","value":[{"ID":1,"Name":"\#(photo.name)"\#(etag)\#(photo.told)}]}"#
            )
        }
        let isSame =
            request.headerFields[.ifNoneMatch].map { $0 == photo.fields[.eTag] }
            ?? request.headerFields[.ifModifiedSince].map { $0 == photo.fields[.lastModified] } ?? false
        if isSame, !photo.ignoresConditions { return .init(status: 304, fields: photo.fields) }
        return .init(body: photo.content, fields: photo.fields, type: photo.type)
    }

    private static let query = DefiningQuery(name: "p", query: "P", retrievesStreams: true)

    private static func contentType(_ store: OfflineStore) async throws -> String? {
        let result = try await store.readStream(StreamRequest(try store.path("P(1)")))
        return result.contentType
    }

    private static func text(_ store: OfflineStore) async throws -> String {
        let result = try await store.readStream(StreamRequest(try store.path("P(1)")))
        return String(decoding: try await result.content.collect(upTo: 1000), as: UTF8.self)
    }

    private static let link = #","@odata.mediaReadLink":"http://service.test/stream""#

    @Test(
        "What was told is compared with what was told, not with the response's type",
        arguments: [
            (#","@odata.mediaContentType":"image/jpg""#, "image/jpeg"),
            (#","@odata.mediaContentType":"IMAGE/JPEG""#, "image/jpeg"),
            (#","@odata.mediaContentType":"image/jpeg""#, "image/jpeg;charset=utf-8"),
            (#","@odata.mediaContentType":"application/octet-stream""#, "image/png"),
            (#","@odata.mediaContentType":"image/png""#, nil), ("", "image/png"), ("", nil), (link, "image/png"),
            (link + #","@odata.mediaContentType":"image/jpg""#, "image/jpeg"),
        ])
    func types(told: String, type: String?) async throws {
        let photo = Photo(told: told, type: type)
        let service = try HabitService { request, _ in Self.response(request, photo) }
        let store = try await service.store([Self.query])
        #expect(try await store.download().streams == 1)
        for _ in 1...3 {
            service.clear()
            #expect(try await store.download().streams == 0)
            #expect(service.requests.count == 1, "\(service.requests)")
        }
        if let type { #expect(try await Self.contentType(store) == type) }
        try store.close()
        #expect(try await service.store([Self.query]).download().streams == 0)
    }

    @Test("Another type that is told is another stream, once", arguments: ["image/jpeg", "image/png"])
    func otherType(type: String) async throws {
        let photo = Mutex(Photo(told: #","@odata.mediaContentType":"image/jpg""#, type: type))
        let service = try HabitService { request, _ in Self.response(request, photo.withLock { $0 }) }
        let store = try await service.store([Self.query])
        try await store.download()
        photo.withLock { ($0.told, $0.content) = (#","@odata.mediaContentType":"image/gif""#, "others") }
        #expect(try await store.download().streams == 1)
        #expect(try await Self.text(store) == "others")
        for _ in 1...2 { #expect(try await store.download().streams == 0) }
    }

    @Test(
        "Where the entity has changed the stream is asked for on a condition",
        arguments: [
            ([.eTag: "\"5\""], [.eTag: "\"6\""], false, nil), ([.eTag: "\"5\""], [.eTag: "\"6\""], true, "a"),
            (
                [.lastModified: "Tue, 05 Nov 2024 10:00:00 GMT"], [.lastModified: "Tue, 05 Nov 2024 11:00:00 GMT"],
                false, nil
            ),
            (
                [.lastModified: "Tue, 05 Nov 2024 10:00:00 GMT"], [.lastModified: "Tue, 05 Nov 2024 11:00:00 GMT"],
                true, "a"
            ),
            ([digestName: "sha-256=:bsnCsOsUAQdGyLzok5MDs4I0SyliBmEuuKkHo3srLzc=:"], [:], false, nil),
        ] as [(HTTPFields, HTTPFields, Bool, String?)])
    func conditions(fields: HTTPFields, later: HTTPFields, ignoresConditions: Bool, etag: String?) async throws {
        let photo = Mutex(Photo(type: "image/png", fields: fields, etag: etag, ignoresConditions: ignoresConditions))
        let service = try HabitService { request, _ in Self.response(request, photo.withLock { $0 }) }
        let store = try await service.store([Self.query])
        #expect(try await store.download().streams == 1)
        photo.withLock { ($0.name, $0.etag) = ("two", etag.map { $0 + "b" }) }
        service.clear()
        #expect(try await store.download().streams == 0)
        // One request for the entities, one for the stream.
        #expect(service.requests.count == 2, "\(service.requests)")
        service.clear()
        #expect(try await store.download().streams == 0)
        #expect(service.requests.count == 1)
        photo.withLock { photo in
            (photo.name, photo.content, photo.fields) = ("three", "others", later)
            photo.etag = etag.map { $0 + "c" }
        }
        #expect(try await store.download().streams == 1)
        #expect(try await Self.text(store) == "others")
        #expect(try await store.entities(try await store.query("P")).map { $0["Name"] } == [.string("three")])
    }

    private static let digestName = HTTPField.Name("Repr-Digest")!

    @Test("A stream that was sent in the second in which it was written tells no version by its time")
    func sameSecond() async throws {
        let time = "Tue, 05 Nov 2024 10:00:00 GMT"
        let photo = Mutex(Photo(type: "image/png", fields: [.lastModified: time, .date: time]))
        let service = try HabitService { request, _ in Self.response(request, photo.withLock { $0 }) }
        let store = try await service.store([Self.query])
        try await store.download()
        photo.withLock { ($0.name, $0.content) = ("two", "others") }
        #expect(try await store.download().streams == 1)
        #expect(try await Self.text(store) == "others")
    }
}

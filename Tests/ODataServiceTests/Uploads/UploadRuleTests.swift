import ByteStreams
import HTTPTypes
import ODataService
import ODataTransport
import Synchronization
import Testing

@Suite("What holds for uploads in several requests")
struct UploadRuleTests {
    private static let abc = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"
    private static let other = "sha-256=:vngWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"

    @Test(
        "the whole must have the digest that its first or its last part tells",
        arguments: [(abc, "", true), ("", abc, true), (abc, abc, true), (other, "", false), ("", other, false)],
        [false, true])
    func digests(parts: (first: String, last: String, isTaken: Bool), hasMediaFolder: Bool) async throws {
        let (first, last, isTaken) = parts
        let desk = try UploadDesk(hasMediaFolder: hasMediaFolder)
        let header = first.isEmpty ? [] : ["Repr-Digest: \(first)"]
        let url = try await desk.begin("PUT Photos(1)/$value", "a", headers: header.first ?? "Accept: */*")
        for _ in 0..<2 {
            let isAgain = try await desk.state(of: url).contains("?1")
            let response = try await desk.append(
                isAgain ? "" : "bc", at: isAgain ? 3 : 1, of: url, isLast: true,
                headers: last.isEmpty ? "" : "Repr-Digest: \(last)")
            #expect(response.hasPrefix((isTaken ? "204" : "400") + "\nUpload-Complete: ?1"), "\(response)")
        }
        #expect(try await desk.content("Photos(1)/$value") == "200\n\n" + (isTaken ? "abc" : "0123456789"))
        #expect(desk.files.isEmpty)
    }

    @Test("of a part with another digest than it tells, nothing is kept")
    func partDigests() async throws {
        let desk = try UploadDesk()
        let url = try await desk.begin("PUT Photos(1)/$value", "x", headers: "Content-Digest: md5=:AAAA:")
        let refused = try await desk.append("abc", at: 1, of: url, headers: "Content-Digest: \(Self.other)")
        #expect(refused.hasPrefix("400\nUpload-Complete: -"), "\(refused)")
        #expect(try await desk.state(of: url) == "204 1 ?0 -")
        let taken = try await desk.append("abc", at: 1, of: url, isLast: true, headers: "Content-Digest: \(Self.abc)")
        #expect(taken == "204\nUpload-Complete: ?1")
        #expect(try await desk.content("Photos(1)/$value") == "200\n\nxabc")
    }

    @Test("a condition must hold when the upload begins, and when it ends")
    func conditions() async throws {
        let desk = try UploadDesk()
        let put = "PUT Photos(1)/$value"
        let refused = try await desk.file.responseText("\(put)\nUpload-Complete: ?0\nIf-Match: \"other\"\n\nabc")
        #expect(refused.hasPrefix("412"))
        let missing = try await desk.file.responseText("PUT Photos(9)/$value\nUpload-Complete: ?0\n\nabc")
        #expect(missing.hasPrefix("404"))
        #expect(desk.files.isEmpty)
        let get = await desk.file.text.response("GET Photos(1)/$value")
        let etag = try #require(get.head.headerFields[.eTag])
        let repeatable = [
            "If-Match: \(etag)", "Repeatability-Request-ID: 1",
            "Repeatability-First-Sent: Tue, 14 Nov 2023 22:13:20 GMT",
        ].joined(separator: "\n")
        let early = try await desk.begin(put, "abc", headers: repeatable)
        let late = try await desk.begin(put, "xyz", headers: "If-Match: \(etag)")
        let names = ["Upload-Complete", "Repeatability-Result"]
        #expect(
            try await desk.append("", at: 3, of: early, isLast: true, showing: names)
                == "204\nUpload-Complete: ?1\nRepeatability-Result: accepted")
        for _ in 0..<2 {
            let response = try await desk.append("", at: 3, of: late, isLast: true, showing: names)
            #expect(response.hasPrefix("412\nUpload-Complete: ?1\nRepeatability-Result: -"), "\(response)")
        }
        // The same once more is not another change, whatever it says of the version.
        let again = try await desk.begin(put, "abc", headers: repeatable)
        #expect(try await desk.append("", at: 3, of: again, isLast: true) == "204\nUpload-Complete: ?1")
        #expect(try await desk.content("Photos(1)/$value") == "200\n\nabc")
    }

    @Test("one that nobody goes on with expires with its file")
    func expiry() async throws {
        var limits = ServiceLimits()
        limits.resumableUploadLifetime = .seconds(100)
        let desk = try UploadDesk(limits: limits)
        let first = try await desk.begin("POST Photos", "0123")
        let second = try await desk.begin("POST Photos", "0123")
        desk.wait(99)
        #expect(try await desk.append("4", at: 4, of: first) == "204\nUpload-Complete: ?0")
        desk.wait(1)
        #expect(try await desk.state(of: first) == "204 5 ?0 -")
        #expect(try await desk.state(of: second).hasPrefix("404"))
        #expect(try await desk.append("", at: 4, of: second, isLast: true).hasPrefix("404"))
        #expect(desk.files.count == 2)
        _ = try await desk.begin("POST Photos", "0")
        #expect(desk.files.count == 2)
        desk.wait(100)
        try desk.file.restart()
        #expect(desk.files.isEmpty)
    }

    @Test("one may take longer than results of requests are kept, unless the client has told a time of its own")
    func slowUpload() async throws {
        let desk = try UploadDesk(repeatabilityLifetime: 100)
        let url = try await desk.begin("POST Photos", "0123")
        let own = try await desk.begin(
            "POST Photos", "0123", headers: "Repeatability-Request-ID: 1",
            "Repeatability-First-Sent: Tue, 14 Nov 2023 22:13:20 GMT")
        desk.wait(101)
        #expect(try await desk.append("4", at: 4, of: url, isLast: true).hasPrefix("201"))
        #expect(try await desk.append("4", at: 4, of: own, isLast: true).hasPrefix("412"))
        #expect(try await desk.content("Photos(3)/$value") == "200\n\n01234")
    }

    @Test(
        "there are limits",
        arguments: [
            (1, "Accept: */*", "429"), (0, "Upload-Length: 101", "507"), (0, "Upload-Length: 81", "413"),
            (0, "Upload-Length: 80", "201"), (0, "Accept: */*", "201"),
        ])
    func limits(begun: Int, header: String, status: String) async throws {
        var limits = ServiceLimits()
        (limits.resumableUploads, limits.resumableUploadSize) = (1, 100)
        let desk = try UploadDesk(limits: limits, streamLimit: status == "507" ? 1_000 : 80)
        for _ in 0..<begun { _ = try await desk.begin("POST Photos", "0") }
        let response = try await desk.file.responseText("POST Photos\nUpload-Complete: ?0\n\(header)\n\n0")
        #expect(response.hasPrefix(status), "\(response)")
    }

    @Test("bytes beyond a limit are refused, those before stay")
    func limitsOfParts() async throws {
        var limits = ServiceLimits()
        (limits.resumableUploadSize, limits.resumableAppendSize) = (12, 9)
        let desk = try UploadDesk(limits: limits)
        let url = try await desk.begin("POST Photos", "0123")
        let names = ["Upload-Limit"]
        let long = try await desk.append("0123456789", at: 4, of: url, showing: names)
        #expect(long.hasPrefix("413\nUpload-Limit: max-size=1000000000, max-append-size=9, max-age=86400"), "\(long)")
        #expect(try await desk.append("45678901", at: 4, of: url).hasPrefix("204"))
        #expect(try await desk.append("", at: 12, of: url, isLast: true).hasPrefix("201"))
        // Whoever tells the length late takes no more room.
        let late = try await desk.begin("POST Photos", "0123")
        #expect(try await desk.append("456789012", at: 4, of: late, isLast: true).hasPrefix("507"))
        #expect(try await desk.content("Photos(3)/$value") == "200\n\n012345678901")
    }

    @Test("an upload that ends in 507 is over, and others have its room at once")
    func noRoom() async throws {
        var limits = ServiceLimits()
        limits.resumableUploadSize = 12
        let desk = try UploadDesk(limits: limits)
        let url = try await desk.begin("POST Photos", "0123")
        #expect(try await desk.append("45678901", at: 4, of: url).hasPrefix("204"))
        #expect(try await desk.file.responseText("POST Photos\nUpload-Complete: ?0\nUpload-Length: 1").hasPrefix("507"))
        #expect(try await desk.append("2", at: 12, of: url).hasPrefix("507"))
        #expect(try await desk.state(of: url).hasPrefix("404"))
        #expect(desk.files.isEmpty)
        let next = try await desk.begin("POST Photos", headers: "Upload-Length: 12")
        #expect(try await desk.append("012345678901", at: 0, of: next, isLast: true).hasPrefix("201"))
    }

    @Test("uploads of unknown length that come at once have no more room than one after the other")
    func roomOfAll() async throws {
        var limits = ServiceLimits()
        limits.resumableUploadSize = 12
        let desk = try UploadDesk(limits: limits)
        let (slow, quick) = (try await desk.begin("POST Photos"), try await desk.begin("POST Photos"))
        let (service, isFirst) = (desk.file.service, OnceGiven())
        @Sendable func append(_ body: ByteContent, to url: String) async -> Int {
            let request = HTTPRequest(
                method: .patch, scheme: "http", authority: "service.test", path: "/" + url,
                headerFields: [
                    .contentType: "application/partial-upload", .uploadOffset: "0", .uploadComplete: "?0",
                ])
            return await service.respond(to: request, body: body, root: RequestText.root).head.status.code
        }
        let body = ByteContent(
            ByteChunks {
                if isFirst.take() { return Array("0123456".utf8) }
                #expect(await append(ByteContent(Array("0123456".utf8)), to: quick) == 204)
                return nil
            }, length: nil)
        #expect(await append(body, to: slow) == 507)
        #expect(try await desk.state(of: slow).hasPrefix("404"))
        #expect(try await desk.state(of: quick) == "204 7 ?0 -")
        #expect(try await desk.append("78901", at: 7, of: quick, isLast: true).hasPrefix("201"))
    }

    @Test("who did not begin an upload does not see it")
    func owners() async throws {
        var credentials = ServiceCredentials()
        credentials.add(user: "ada", password: "secret")
        credentials.add(user: "bob", password: "secret")
        let file = try PublishedFile()
        let text = RequestText(service: AuthenticatingResponder(file.service, credentials: credentials))
        let (ada, bob) = ("Authorization: Basic YWRhOnNlY3JldA==", "Authorization: Basic Ym9iOnNlY3JldA==")
        let begun = await text.response("POST Photos\nUpload-Complete: ?0\n\(ada)\n\nabc")
        let location = try #require(begun.head.headerFields[.location])
        let url = String(location.dropFirst(RequestText.root.count))
        #expect(try await text.responseText("HEAD \(url)\n\(bob)") == "404")
        #expect(try await text.responseText("DELETE \(url)\n\(bob)").hasPrefix("404"))
        #expect(try await text.responseText("HEAD \(url)").hasPrefix("401"))
        #expect(try await file.responseText("HEAD \(url)") == "404")
        #expect(
            try await text.responseText("HEAD \(url)\n\(ada)", showing: ["Upload-Offset"]) == "204\nUpload-Offset: 3")
        #expect(try await text.responseText("DELETE \(url)\n\(ada)") == "204")
        #expect(try await text.responseText("HEAD \(url)\n\(ada)") == "404")
    }

    @Test(
        "a newer request ends the bytes of an older one, and what came stays", arguments: ["HEAD", "PATCH", "DELETE"])
    func twoWriters(method: String) async throws {
        let desk = try UploadDesk()
        let url = try await desk.begin("PUT Photos(1)/$value", "0123")
        let body = StalledBody()
        let service = desk.file.service
        let request = HTTPRequest(
            method: .patch, scheme: "http", authority: "service.test", path: "/" + url,
            headerFields: [
                .contentType: "application/partial-upload", .uploadOffset: "4",
                .uploadComplete: "?1",
            ])
        async let older = service.respond(to: request, body: body.content, root: RequestText.root)
        await body.stalls()
        switch method {
        case "HEAD": #expect(try await desk.state(of: url) == "204 7 ?0 -")
        case "PATCH":
            #expect(try await desk.append("x", at: 4, of: url).hasPrefix("409"))
            #expect(try await desk.append("x", at: 7, of: url, isLast: true) == "204\nUpload-Complete: ?1")
        default: #expect(try await desk.file.responseText("DELETE \(url)") == "204")
        }
        let refused = await older
        #expect(refused.head.status == .conflict)
        let ended = method == "PATCH" ? "0123456x" : "0123456789"
        #expect(try await desk.content("Photos(1)/$value") == "200\n\n" + ended)
    }

    @Test("a client that is told before its response goes on behind a cut", arguments: ["?0", "?1"])
    func cutBeginning(complete: String) async throws {
        let desk = try UploadDesk()
        let (service, told) = (desk.file.service, ToldHeads())
        func begin(version: String) async -> HTTPResponse.Status {
            let request = HTTPRequest(
                method: .post, scheme: "http", authority: "service.test", path: "/Photos",
                headerFields: [.uploadComplete: complete, .uploadDraftInteropVersion: version])
            var context = ResponderContext()
            context.sendInterim = told.take
            return await service.respond(to: request, body: told.cutBody, root: RequestText.root, context: context)
                .head.status
        }
        #expect(await begin(version: "3") == .badRequest)
        #expect(told.all.isEmpty && desk.files.isEmpty)
        #expect(await begin(version: "8") == .badRequest)
        let heads = told.all
        let head = try #require(heads.first)
        #expect(heads.count == 1 && head.status.code == 104)
        #expect(head.headerFields[.uploadDraftInteropVersion] == "8")
        let location = try #require(head.headerFields[.location])
        let url = String(location.dropFirst(RequestText.root.count))
        #expect(try await desk.state(of: url) == "204 4 ?0 " + (complete == "?1" ? "10" : "-"))
        #expect(try await desk.append("456789", at: 4, of: url, isLast: true).hasPrefix("201\nUpload-Complete: ?1"))
        #expect(try await desk.content("Photos(3)/$value") == "200\n\n" + UploadDesk.bytes)
    }
}

/// Three bytes, and then nothing until nobody waits any more.
private final class StalledBody: Sendable {
    private let isFirst = OnceGiven()
    private let stalled = AsyncStream<Void>.makeStream()
    private let never = AsyncStream<Void>.makeStream()

    /// Returns when more than the three bytes are wanted.
    func stalls() async { for await _ in stalled.stream {} }

    var content: ByteContent {
        ByteContent(
            ByteChunks { [self] in
                if isFirst.take() { return Array("456".utf8) }
                stalled.continuation.finish()
                for await _ in never.stream {}
                return nil
            }, length: nil)
    }
}

/// What a client is told before its response, though its connection breaks behind four bytes.
private final class ToldHeads: Sendable {
    private let heads = Mutex<[HTTPResponse]>([])

    var all: [HTTPResponse] { heads.withLock { $0 } }

    var take: @Sendable (HTTPResponse) -> Void { { head in self.heads.withLock { $0.append(head) } } }

    var cutBody: ByteContent {
        let isFirst = OnceGiven()
        return ByteContent(
            ByteChunks {
                guard isFirst.take() else { throw ByteStreamError(.unreadable, "The connection was cut.") }
                return Array("0123".utf8)
            }, length: 10)
    }
}

/// True once.
private final class OnceGiven: Sendable {
    private let isTaken = Mutex(false)

    func take() -> Bool {
        isTaken.withLock { taken in
            defer { taken = true }
            return !taken
        }
    }
}

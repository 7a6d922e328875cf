import ByteStreams
import HTTPTypes
import ODataService
import Testing

@Suite("Streams over HTTP")
struct StreamTests {
    @Test(
        "are sent whole or in part",
        arguments: [
            ("", "200", "-", "10", "0123456789"),
            ("Range: bytes=0-3", "206", "bytes 0-3/10", "4", "0123"),
            ("Range: bytes=7-", "206", "bytes 7-9/10", "3", "789"),
            ("Range: bytes=7-99", "206", "bytes 7-9/10", "3", "789"),
            ("Range: bytes=-2", "206", "bytes 8-9/10", "2", "89"),
            ("Range: bytes=-99", "206", "bytes 0-9/10", "10", "0123456789"),
            ("Range: bytes=0-", "206", "bytes 0-9/10", "10", "0123456789"),
            ("Range: bytes=0-1,4-5", "200", "-", "10", "0123456789"),
            ("Range: lines=0-1", "200", "-", "10", "0123456789"),
            ("Range: bytes=2-3\nIf-Range: \"other\"", "200", "-", "10", "0123456789"),
            ("Range: bytes=2-3\nIf-Range: Sat, 21 Nov 2026 01:20:25 GMT", "200", "-", "10", "0123456789"),
        ])
    func ranges(header: String, status: String, range: String, length: String, body: String) async throws {
        let file = try PublishedFile()
        let answer = try await file.answer(
            "GET Photos(1)/$value" + (header.isEmpty ? "" : "\n" + header),
            showing: ["Content-Type", "Content-Length", "Content-Range", "Accept-Ranges", "ETag"])
        #expect(
            answer == """
                \(status)
                Content-Type: image/png
                Content-Length: \(length)
                Content-Range: \(range)
                Accept-Ranges: bytes
                ETag: …

                \(body)
                """)
    }

    @Test("come with their entities where $expand asks for them, up to a limit")
    func expanded() async throws {
        let file = try PublishedFile()
        let one = try await file.answer("GET Photos(1)?$expand=$value&$select=Title")
        #expect(
            one.contains(#""@odata.mediaContentType":"image/png","@odata.mediaEtag":"…","$value":"MDEyMzQ1Njc4OQ""#))
        let all = try await file.answer("GET Photos?$expand=$value&$orderby=ID")
        #expect(all.matches(of: #/"\$value"/#).count == 1)
        let bare = try await file.answer("GET Photos(1)?$expand=$value\nAccept: application/json;odata.metadata=none")
        #expect(
            bare.contains(#""Title":"One","@odata.mediaContentType":"image/png","$value":"MDEyMzQ1Njc4OQ"}"#), "\(bare)"
        )
        let changed = try await file.answer(
            "PATCH Photos(1)?$expand=$value\nContent-Type: application/json\nPrefer: return=representation\n\n"
                + #"{"Title":"New"}"#)
        #expect(changed.hasPrefix("200") && changed.contains(#""$value":"MDEyMzQ1Njc4OQ""#), "\(changed)")
        var limits = ServiceLimits()
        limits.expandedStreamSize = 9
        let limited = try PublishedFile(limits: limits)
        let refused = try await limited.answer("GET Photos?$expand=$value")
        #expect(refused.hasPrefix("400") && refused.contains("more than 9 bytes"))
    }

    @Test("a range behind the end is 416 and tells the length", arguments: ["bytes=10-", "bytes=99-100", "bytes=-0"])
    func unsatisfiable(range: String) async throws {
        let file = try PublishedFile()
        let answer = try await file.answer("GET Photos(1)/$value\nRange: \(range)", showing: ["Content-Range"])
        #expect(answer.hasPrefix("416\nContent-Range: bytes */10\n"))
    }

    @Test("conditions hold for streams too")
    func conditions() async throws {
        let file = try PublishedFile()
        let etag = try #require(await file.text.response("GET Photos(1)/$value").response.headerFields[.eTag])
        #expect(try await file.answer("GET Photos(1)/$value\nIf-None-Match: \(etag)") == "304")
        let part = "GET Photos(1)/$value\nRange: bytes=2-3\nIf-Range: \(etag)"
        #expect(try await file.answer(part) == "206\n\n23")
        let put = "PUT Photos(1)/$value\nContent-Type: image/png\nIf-Match: "
        #expect(try await file.answer(put + "\"other\"\n\nabc").hasPrefix("412"))
        let piece = try await file.answer(put + etag + "\nContent-Range: bytes 3-5/10\n\nabc")
        #expect(piece.hasPrefix("400") && piece.contains("Content-Range"), "\(piece)")
        #expect(try await file.answer(part) == "206\n\n23")
        #expect(try await file.answer(put + etag + "\n\nabc", showing: ["ETag"]) == "204\nETag: …")
        #expect(try await file.answer("GET Photos(1)/$value") == "200\n\nabc")
        #expect(try await file.answer(part) == "200\n\nabc")
    }

    @Test("POST of bytes creates a media entity")
    func create() async throws {
        let file = try PublishedFile()
        let answer = try await file.answer(
            "POST Photos\nContent-Type: image/png\nSlug: Caf%C3%A9\n\n\u{1}\u{2}", showing: ["Location", "ETag"])
        #expect(answer.hasPrefix("201\nLocation: http://service.test/Photos(3)\nETag: …\n\n"))
        #expect(answer.contains(#""@odata.mediaContentType":"image/png""#))
        #expect(try await file.answer("GET Photos(3)/$value") == "200\n\n\u{1}\u{2}")
    }

    @Test("stream properties are read, replaced and deleted")
    func property() async throws {
        let file = try PublishedFile()
        #expect(try await file.answer("GET Categories(1)/Picture") == "200\n\n\u{1}\u{2}\u{3}")
        #expect(try await file.answer("PUT Categories(2)/Picture\nContent-Type: image/gif\n\nGIF89a") == "204")
        #expect(try await file.answer("GET Categories(2)/Picture") == "200\n\nGIF89a")
        #expect(try await file.answer("DELETE Categories(2)/Picture") == "204")
        let gone = try await file.answer("GET Categories(2)/Picture")
        #expect(gone == "204" || gone.hasPrefix("404"))
    }

    @Test("DELETE of a media entity takes its stream along")
    func delete() async throws {
        let file = try PublishedFile()
        #expect(try await file.answer("DELETE Photos(1)") == "204")
        #expect(try await file.answer("GET Photos(1)/$value").hasPrefix("404"))
        #expect(try await file.answer("GET Products(1)/$value").hasPrefix("40"))
    }

    @Test("go through in pieces, never whole")
    func pieces() async throws {
        let file = try PublishedFile()
        let size = 5 << 20
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
        let put = HTTPRequest(
            method: .put, scheme: "http", authority: "service.test", path: "/Photos(2)/$value",
            headerFields: [.contentType: "image/png"])
        let chunks = try ByteContent(bytes).chunks()
        let stored = await file.service.respond(
            to: put, body: ByteContent(chunks, length: nil), root: RequestText.root)
        #expect(stored.response.status == .noContent)
        let answer = await file.text.response("GET Photos(2)/$value")
        var received: [UInt8] = []
        var largest = 0
        for try await chunk in try answer.body.chunks() {
            received += chunk
            largest = max(largest, chunk.count)
        }
        #expect(received == bytes)
        #expect(largest <= 1 << 20)
    }
}

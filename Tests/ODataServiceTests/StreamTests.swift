import ByteStreams
import HTTPTypes
import ODataSQLite
import ODataService
import Testing

@Suite("Streams over HTTP")
struct StreamTests {
    @Test(
        "conditions can ask whether there is a stream",
        arguments: [
            ("Picture eq null", "2"), ("Picture ne null", "1"), ("null ne Picture", "1"),
            ("not (Picture eq null)", "1"),
            ("Products/any(p:p/Category/Picture ne null)", "1"),
        ])
    func presence(filter: String, id: String) async throws {
        let file = try PublishedFile()
        let response = try await file.text.responseText("GET Categories?$filter=\(filter)&$select=ID")
        #expect(response.matches(of: #/"ID":([0-9]+)/#).map { String($0.1) } == [id], "\(response)")
    }

    @Test(
        "have no value to compute with or to group by",
        arguments: [
            "$compute=Picture as P", "$apply=groupby((Picture))", "$apply=aggregate(Picture with countdistinct as C)",
            "$orderby=Picture",
        ])
    func values(options: String) async throws {
        let file = try PublishedFile()
        let response = try await file.text.responseText("GET Categories?\(options)")
        #expect(response.hasPrefix("400"), "\(response)")
    }

    private static let manyRanges = "Range: bytes=" + String(repeating: "9-9,", count: 17)

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
            ("Range: bytes=99-,4-5", "206", "bytes 4-5/10", "2", "45"),
            ("Range: bytes=0-1,99-", "206", "bytes 0-1/10", "2", "01"),
            ("Range: bytes=0-4,4-5", "200", "-", "10", "0123456789"),
            ("Range: bytes=0-1,x", "200", "-", "10", "0123456789"),
            (manyRanges, "200", "-", "10", "0123456789"),
            ("Range: bytes=2-3,5-6\nIf-Range: \"other\"", "200", "-", "10", "0123456789"),
            ("Range: lines=0-1", "200", "-", "10", "0123456789"),
            ("Range: bytes=2-3\nIf-Range: \"other\"", "200", "-", "10", "0123456789"),
            ("Range: bytes=2-3\nIf-Range: Sat, 21 Nov 2026 01:20:25 GMT", "200", "-", "10", "0123456789"),
        ])
    func ranges(header: String, status: String, range: String, length: String, body: String) async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(
            "GET Photos(1)/$value" + (header.isEmpty ? "" : "\n" + header),
            showing: ["Content-Type", "Content-Length", "Content-Range", "Accept-Ranges", "ETag"])
        #expect(
            response == """
                \(status)
                Content-Type: image/png
                Content-Length: \(length)
                Content-Range: \(range)
                Accept-Ranges: bytes
                ETag: …

                \(body)
                """)
    }

    @Test(
        "are not pages of the service: they run no scripts, and only what cannot is shown",
        arguments: [
            ("image/png", "-"), ("IMAGE/JPEG", "-"), ("text/plain;charset=utf-8", "-"), ("video/mp4", "-"),
            ("audio/mpeg", "-"), ("application/octet-stream", "-"), ("text/html", "attachment"),
            ("TEXT/HTML; charset=utf-8", "attachment"), ("image/svg+xml", "attachment"), ("text/xml", "attachment"),
            ("application/xml", "attachment"), ("application/xhtml+xml", "attachment"),
            ("text/javascript", "attachment"), ("application/pdf", "attachment"),
        ])
    func activeTypes(type: String, disposition: String) async throws {
        let file = try PublishedFile(configureStore: { $0.media = [MediaColumn(set: "Photos", column: "Content")] })
        _ = try await file.responseText("PUT Photos(1)/$value\nContent-Type: \(type)\n\n<script>alert(1)</script>")
        for range in ["", "\nRange: bytes=0-3", "\nRange: bytes=0-1,4-5"] {
            let response = try await file.responseText(
                "GET Photos(1)/$value\(range)",
                showing: ["Content-Disposition", "Content-Security-Policy", "X-Content-Type-Options"])
            let fields = response.split(separator: "\n").dropFirst().prefix(3).joined(separator: "\n")
            #expect(
                fields == """
                    Content-Disposition: \(disposition)
                    Content-Security-Policy: sandbox
                    X-Content-Type-Options: nosniff
                    """, "\(response)")
        }
    }

    @Test(
        "raw values and errors are what they say they are",
        arguments: ["Products(1)/Name/$value", "Products/$count", "Products", "Nothing", "Products(99)"])
    func typesAreMeant(url: String) async throws {
        let response = try await PublishedFile().responseText("GET \(url)", showing: ["X-Content-Type-Options"])
        #expect(response.contains("\nX-Content-Type-Options: nosniff"), "\(response)")
    }

    @Test("come with their entities where $expand asks for them, up to a limit")
    func expanded() async throws {
        let file = try PublishedFile()
        let one = try await file.responseText("GET Photos(1)?$expand=$value&$select=Title")
        #expect(
            one.contains(#""@odata.mediaContentType":"image/png","@odata.mediaEtag":"…","$value":"MDEyMzQ1Njc4OQ==""#))
        let all = try await file.responseText("GET Photos?$expand=$value&$orderby=ID")
        #expect(all.matches(of: #/"\$value"/#).count == 1)
        let bare = try await file.responseText(
            "GET Photos(1)?$expand=$value\nAccept: application/json;odata.metadata=none")
        #expect(
            bare.contains(#""Title":"One","@odata.mediaContentType":"image/png","$value":"MDEyMzQ1Njc4OQ=="}"#),
            "\(bare)"
        )
        let changed = try await file.responseText(
            "PATCH Photos(1)?$expand=$value\nContent-Type: application/json\nPrefer: return=representation\n\n"
                + #"{"Title":"New"}"#)
        #expect(changed.hasPrefix("200") && changed.contains(#""$value":"MDEyMzQ1Njc4OQ==""#), "\(changed)")
        var limits = ServiceLimits()
        limits.expandedStreamSize = 9
        let limited = try PublishedFile(limits: limits)
        let refused = try await limited.responseText("GET Photos?$expand=$value")
        #expect(refused.hasPrefix("400") && refused.contains("more than 9 bytes"))
    }

    @Test(
        "a range behind the end is 416 and tells the length",
        arguments: ["bytes=10-", "bytes=99-100", "bytes=-0", "bytes=10-,-0"])
    func unsatisfiable(range: String) async throws {
        let file = try PublishedFile()
        let response = try await file.responseText("GET Photos(1)/$value\nRange: \(range)", showing: ["Content-Range"])
        #expect(response.hasPrefix("416\nContent-Range: bytes */10\n"))
    }

    @Test("several ranges are the parts of one response", arguments: [false, true])
    func severalRanges(hasMediaFolder: Bool) async throws {
        let file = try PublishedFile(hasMediaFolder: hasMediaFolder)
        #expect(try await file.responseText("PUT Photos(1)/$value\nContent-Type: image/png\n\n0123456789") == "204")
        let response = await file.text.response("GET Photos(1)/$value\nRange: bytes=4-5,-2,99-,0-0")
        let type = try #require(response.head.headerFields[.contentType])
        #expect(response.head.status == .partialContent && type.hasPrefix("multipart/byteranges; boundary=parts_"))
        let boundary = try #require(type.split(separator: "=").last)
        let parts = [("4-5", "45"), ("8-9", "89"), ("0-0", "0")].map { range, bytes in
            "--\(boundary)\r\nContent-Type: image/png\r\nContent-Range: bytes \(range)/10\r\n\r\n\(bytes)\r\n"
        }
        let body = String(decoding: try await response.body.collect(upTo: 10_000), as: UTF8.self)
        #expect(body == parts.joined() + "--\(boundary)--\r\n")
        #expect(response.head.headerFields[.contentLength] == "\(body.utf8.count)")
        #expect(response.head.headerFields[.contentRange] == nil)
    }

    @Test("parts of two streams are never mixed")
    func changedBetweenParts() async throws {
        let file = try PublishedFile()
        let response = await file.text.response("GET Photos(1)/$value\nRange: bytes=0-1,4-5")
        #expect(try await file.responseText("PUT Photos(1)/$value\nContent-Type: image/png\n\nabcdefghij") == "204")
        await #expect(throws: (any Error).self) { try await response.body.collect(upTo: 10_000) }
    }

    @Test("of files the digest is told, unless it is refused")
    func digestOfResponse() async throws {
        let file = try PublishedFile(hasMediaFolder: true)
        let digest = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"
        let get = "GET Photos(2)/$value"
        #expect(try await file.responseText("PUT Photos(2)/$value\nContent-Type: image/png\n\nabc") == "204")
        for (headers, expected) in [
            ("", "200\nRepr-Digest: \(digest)\n\nabc"),
            ("\nWant-Repr-Digest: sha-512=3, sha-256=1", "200\nRepr-Digest: \(digest)\n\nabc"),
            ("\nWant-Repr-Digest: sha-256=0", "200\nRepr-Digest: -\n\nabc"),
            // Of the whole, whatever is sent of it.
            ("\nRange: bytes=1-", "206\nRepr-Digest: \(digest)\n\nbc"),
        ] { #expect(try await file.responseText(get + headers, showing: ["Repr-Digest"]) == expected) }
        let old = try await file.responseText("GET Photos(1)/$value", showing: ["Repr-Digest"])
        #expect(old == "200\nRepr-Digest: -\n\n0123456789")
    }

    @Test(
        "uploads with another digest than they say are refused",
        arguments: [
            ("Content-Digest: sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:", true),
            ("Repr-Digest: sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:, md5=:AAAA:", true),
            ("Content-Digest: md5=:AAAA:", true), ("Content-Digest: sha-256=AAAA", true),
            ("Content-Digest: sha-256=:vngWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:", false),
            ("Content-Digest: sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:, sha-512=:AAAA:", false),
            ("Repr-Digest: sha-512=:AAAA:", false),
        ])
    func digestOfUpload(header: String, isTaken: Bool) async throws {
        for hasMediaFolder in [false, true] {
            let file = try PublishedFile(hasMediaFolder: hasMediaFolder)
            let put = try await file.responseText("PUT Photos(1)/$value\nContent-Type: image/png\n\(header)\n\nabc")
            #expect(put.hasPrefix(isTaken ? "204" : "400"), "\(put)")
            #expect(try await file.responseText("GET Photos(1)/$value") == "200\n\n" + (isTaken ? "abc" : "0123456789"))
            let post = try await file.responseText("POST Photos\nContent-Type: image/png\n\(header)\n\nabc")
            #expect(post.hasPrefix(isTaken ? "201" : "400"), "\(post)")
        }
    }

    @Test("conditions hold for streams too")
    func conditions() async throws {
        let file = try PublishedFile()
        let etag = try #require(await file.text.response("GET Photos(1)/$value").head.headerFields[.eTag])
        #expect(try await file.responseText("GET Photos(1)/$value\nIf-None-Match: \(etag)") == "304")
        let part = "GET Photos(1)/$value\nRange: bytes=2-3\nIf-Range: \(etag)"
        #expect(try await file.responseText(part) == "206\n\n23")
        let put = "PUT Photos(1)/$value\nContent-Type: image/png\nIf-Match: "
        #expect(try await file.responseText(put + "\"other\"\n\nabc").hasPrefix("412"))
        let piece = try await file.responseText(put + etag + "\nContent-Range: bytes 3-5/10\n\nabc")
        #expect(piece.hasPrefix("400") && piece.contains("Content-Range"), "\(piece)")
        #expect(try await file.responseText(part) == "206\n\n23")
        #expect(try await file.responseText(put + etag + "\n\nabc", showing: ["ETag"]) == "204\nETag: …")
        #expect(try await file.responseText("GET Photos(1)/$value") == "200\n\nabc")
        #expect(try await file.responseText(part) == "200\n\nabc")
    }

    @Test("POST of bytes creates a media entity")
    func create() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(
            "POST Photos\nContent-Type: image/png\nSlug: Caf%C3%A9\n\n\u{1}\u{2}", showing: ["Location", "ETag"])
        #expect(response.hasPrefix("201\nLocation: http://service.test/Photos(3)\nETag: …\n\n"))
        #expect(response.contains(#""@odata.mediaContentType":"image/png""#))
        #expect(try await file.responseText("GET Photos(3)/$value") == "200\n\n\u{1}\u{2}")
    }

    @Test("stream properties are read, replaced and deleted")
    func property() async throws {
        let file = try PublishedFile()
        #expect(try await file.responseText("GET Categories(1)/Picture") == "200\n\n\u{1}\u{2}\u{3}")
        #expect(try await file.responseText("PUT Categories(2)/Picture\nContent-Type: image/gif\n\nGIF89a") == "204")
        #expect(try await file.responseText("GET Categories(2)/Picture") == "200\n\nGIF89a")
        #expect(try await file.responseText("DELETE Categories(2)/Picture") == "204")
        for prefix in ["", "v2/"] {
            #expect(try await file.responseText("GET \(prefix)Categories(2)/Picture") == "204")
            #expect(try await file.responseText("GET \(prefix)Categories(2)/Picture\nRange: bytes=0-0") == "204")
            #expect(try await file.responseText("GET \(prefix)Categories(9)/Picture").hasPrefix("404"))
            #expect(try await file.responseText("GET \(prefix)Photos(2)/$value").hasPrefix("404"))
        }
    }

    @Test("full metadata tells their links")
    func links() async throws {
        let full = "\nAccept: application/json;odata.metadata=full"
        let photo = try await PublishedFile().responseText("GET Photos(1)" + full)
        let link = #":"http://service.test/Photos(1)/$value""#
        #expect(photo.contains(#""@odata.mediaReadLink"\#(link),"@odata.mediaEditLink"\#(link)"#), "\(photo)")
        let category = try await PublishedFile(isReadOnly: true).responseText("GET Categories(1)" + full)
        #expect(category.contains(#""Picture@odata.mediaReadLink":"http://service.test/Categories(1)/Picture""#))
        #expect(!category.contains("mediaEditLink"))
    }

    @Test("DELETE of a media entity takes its stream along")
    func delete() async throws {
        let file = try PublishedFile()
        #expect(try await file.responseText("DELETE Photos(1)") == "204")
        #expect(try await file.responseText("GET Photos(1)/$value").hasPrefix("404"))
        #expect(try await file.responseText("GET Products(1)/$value").hasPrefix("40"))
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
        #expect(stored.head.status == .noContent)
        let response = await file.text.response("GET Photos(2)/$value")
        var received: [UInt8] = []
        var largest = 0
        for try await chunk in try response.body.chunks() {
            received += chunk
            largest = max(largest, chunk.count)
        }
        #expect(received == bytes)
        #expect(largest <= 1 << 20)
    }
}

import Foundation
import HTTPTypes
import ODataService
import Testing

@Suite("Uploads in several requests")
struct UploadTests {
    @Test(
        "a stream is used where it is whole, over restarts of the service",
        arguments: [
            ("POST Photos", "201", "Photos(3)/$value"), ("PUT Photos(1)/$value", "204", "Photos(1)/$value"),
            ("PUT Categories(2)/Picture", "204", "Categories(2)/Picture"),
            ("POST v2/Photos", "201", "Photos(3)/$value"),
        ])
    func parts(request: String, status: String, path: String) async throws {
        for hasMediaFolder in [false, true] {
            let desk = try UploadDesk(hasMediaFolder: hasMediaFolder)
            let before = try await desk.content(path)
            let url = try await desk.begin(request, "0123", headers: "Upload-Length: 10")
            #expect(try await desk.state(of: url) == "204 4 ?0 10")
            try desk.file.restart()
            #expect(try await desk.append("456", at: 4, of: url) == "204\nUpload-Complete: ?0")
            #expect(desk.files.count == 1)
            try desk.file.restart()
            #expect(try await desk.state(of: url) == "204 7 ?0 10")
            #expect(try await desk.content(path) == before)
            let last = try await desk.append("789", at: 7, of: url, isLast: true)
            #expect(last.hasPrefix(status + "\nUpload-Complete: ?1"), "\(last)")
            #expect(try await desk.content(path) == "200\n\n" + UploadDesk.bytes)
            #expect(desk.files.isEmpty)
        }
    }

    @Test("the state is told with the limits, and is not to be cached")
    func state() async throws {
        let desk = try UploadDesk()
        let url = try await desk.begin("POST Photos", "0123")
        desk.wait(400)
        let names = ["Upload-Offset", "Upload-Length", "Upload-Limit", "Cache-Control"]
        #expect(
            try await desk.file.responseText("HEAD \(url)", showing: names) == """
                204
                Upload-Offset: 4
                Upload-Length: -
                Upload-Limit: max-size=1000000000, max-age=86000
                Cache-Control: no-store
                """)
        let options = try await desk.file.responseText("OPTIONS Photos", showing: ["Accept-Patch", "Upload-Limit"])
        let limits = "max-size=1000000000, max-age=86400"
        #expect(options == "204\nAccept-Patch: application/partial-upload\nUpload-Limit: \(limits)")
        let term = #"<Annotation Term="SwiftOData.Uploads.V1.Method" String="resumable"/>"#
        #expect(try await desk.content("$metadata").contains(term))
        let other = try await desk.file.responseText("OPTIONS Products", showing: ["Accept-Patch", "Upload-Limit"])
        #expect(other == "204\nAccept-Patch: -\nUpload-Limit: -")
    }

    @Test("what does not fit the upload is refused, and changes nothing")
    func refusals() async throws {
        let desk = try UploadDesk()
        let url = try await desk.begin("PUT Photos(1)/$value", "0123", headers: "Upload-Length: 10")
        let type = "Content-Type: application/partial-upload"
        for (request, expected) in [
            ("PATCH \(url)\nUpload-Offset: 4\nUpload-Complete: ?0\n\n4", "415"),
            ("PATCH \(url)\n\(type)\nContent-Encoding: gzip\nUpload-Offset: 4\nUpload-Complete: ?0\n\n4", "415"),
            ("PATCH \(url)\n\(type)\nUpload-Complete: ?0\n\n4", "400"),
            ("PATCH \(url)\n\(type)\nUpload-Offset: -4\nUpload-Complete: ?0\n\n4", "400"),
            ("PATCH \(url)\n\(type)\nUpload-Offset: 4\n\n4", "400"),
            ("PATCH \(url)\n\(type)\nUpload-Offset: 4\nUpload-Complete: 1\n\n4", "400"),
            ("GET \(url)", "405"), ("HEAD \(url)0", "404"), ("HEAD $uploads/", "404"),
        ] {
            let response = try await desk.file.responseText(request, showing: ["Upload-Complete"])
            #expect(response.hasPrefix(expected + "\nUpload-Complete: -"), "\(request): \(response)")
        }
        for offset in [3, 5] {
            #expect(
                try await desk.append("4", at: offset, of: url, showing: ["Upload-Offset", "Content-Type"]) == """
                    409
                    Upload-Offset: 4
                    Content-Type: application/problem+json

                    {"type":"https://iana.org/assignments/http-problem-types#mismatching-upload-offset",\
                    "title":"The offset of the request is not the offset of the upload.",\
                    "expected-offset":4,"provided-offset":\(offset)}
                    """)
        }
        for (part, isLast, headers) in [
            ("4567890", false, ""), ("45", true, ""), ("45", false, "Upload-Length: 11"), ("4567890", true, ""),
        ] {
            let response = try await desk.append(part, at: 4, of: url, isLast: isLast, headers: headers)
            #expect(response.hasPrefix("400\nUpload-Complete: -") && response.contains("#inconsistent-upload-length"))
        }
        #expect(try await desk.state(of: url) == "204 4 ?0 10")
        #expect(try await desk.append("456789", at: 4, of: url, isLast: true) == "204\nUpload-Complete: ?1")
    }

    @Test("the last response is given again, and nothing else is done")
    func replay() async throws {
        let desk = try UploadDesk()
        let url = try await desk.begin("POST Photos", "0123456789")
        let names = ["Upload-Complete", "Location", "Repeatability-Result"]
        let response = try await desk.append("", at: 10, of: url, isLast: true, showing: names)
        let location = "http://service.test/Photos(3)"
        #expect(response.hasPrefix("201\nUpload-Complete: ?1\nLocation: \(location)\nRepeatability-Result: -\n\n{"))
        for _ in 0..<2 {
            #expect(try await desk.append("", at: 10, of: url, isLast: true, showing: names) == response)
            try desk.file.restart()
        }
        #expect(try await desk.state(of: url) == "204 10 ?1 10")
        let head = try await desk.file.responseText("HEAD \(url)", showing: ["OData-EntityId"])
        #expect(head == "204\nOData-EntityId: \(location)")
        #expect(try await desk.append("", at: 4, of: url, isLast: true).hasPrefix("409"))
        #expect(try await desk.append("", at: 10, of: url).contains("#completed-upload"))
        #expect(try await desk.append("x", at: 10, of: url, isLast: true).contains("#inconsistent-upload-length"))
        #expect(try await desk.content("Photos/$count") == "200\n\n3")
        #expect(try await desk.file.responseText("DELETE \(url)") == "204")
        #expect(try await desk.append("", at: 10, of: url, isLast: true).hasPrefix("404"))
        #expect(try await desk.content("Photos/$count") == "200\n\n3")
    }

    @Test(
        "a change that was made before a crash, and not noted, is not made twice, also when other results have expired",
        arguments: [0, 101] as [Int64])
    func crashBehindTheChange(seconds: Int64) async throws {
        let desk = try UploadDesk(repeatabilityLifetime: 100)
        let url = try await desk.begin("POST Photos", UploadDesk.bytes)
        #expect(try await desk.append("", at: 10, of: url, isLast: true).hasPrefix("201"))
        try desk.file.execute("UPDATE odata_store_uploads SET answer = NULL")
        let folder = desk.file.folder.appendingPathComponent("shop.db-uploads")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(UploadDesk.bytes.utf8).write(to: folder.appendingPathComponent(String(url.dropFirst(9))))
        desk.wait(seconds)
        try desk.file.restart()
        #expect(try await desk.state(of: url) == "204 10 ?0 10")
        let again = try await desk.append("", at: 10, of: url, isLast: true, showing: ["Location"])
        #expect(again.hasPrefix("201\nLocation: http://service.test/Photos(3)\n\n{"), "\(again)")
        #expect(try await desk.content("Photos/$count") == "200\n\n3")
        #expect(desk.files.isEmpty)
    }

    @Test("bytes that a crash has left behind the end of an upload go with the next start, and its response stays")
    func crashBehindTheEnd() async throws {
        let desk = try UploadDesk()
        let url = try await desk.begin("POST Photos", UploadDesk.bytes)
        #expect(try await desk.append("", at: 10, of: url, isLast: true).hasPrefix("201"))
        let folder = desk.file.folder.appendingPathComponent("shop.db-uploads")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(UploadDesk.bytes.utf8).write(to: folder.appendingPathComponent(String(url.dropFirst(9))))
        try desk.file.restart()
        #expect(desk.files.isEmpty)
        #expect(try await desk.state(of: url) == "204 10 ?1 10")
    }

    @Test("an upload whose bytes have got lost is over, and files of none go with the next start")
    func lostBytes() async throws {
        let desk = try UploadDesk(hasMediaFolder: true)
        let url = try await desk.begin("POST Photos", "0123")
        let folder = desk.file.folder.appendingPathComponent("media/uploads")
        try Data("012".utf8).write(to: folder.appendingPathComponent(String(url.dropFirst(9))))
        #expect(try await desk.state(of: url).hasPrefix("404"))
        try Data("012".utf8).write(to: folder.appendingPathComponent("stray"))
        try desk.file.restart()
        #expect(desk.files.isEmpty)
    }

    @Test("what is not a stream, or may not be sent in parts, is sent whole or refused")
    func others() async throws {
        let json = "Content-Type: application/json\n\n{\"Name\":\"Tea\"}"
        let file = try PublishedFile(configure: { $0.allowsResumableUploads = false })
        for file in [try PublishedFile(), file] {
            #expect(try await file.responseText("POST Products\nUpload-Complete: ?1\n\(json)").hasPrefix("201"))
            #expect(try await file.responseText("POST Products\nUpload-Complete: ?0\n\(json)").hasPrefix("501"))
            #expect(try await file.responseText("PUT Photos(1)/$value\nUpload-Complete: ?1\n\nabc") == "204")
            #expect(try await file.responseText("GET Photos(1)/$value") == "200\n\nabc")
        }
        #expect(try await file.responseText("PUT Photos(1)/$value\nUpload-Complete: ?0\n\nx").hasPrefix("501"))
        #expect(try await file.responseText("HEAD $uploads/abc").hasPrefix("404"))
        #expect(try await file.responseText("GET Photos(1)/$value") == "200\n\nabc")
    }
}

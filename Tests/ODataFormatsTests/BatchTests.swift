import ODataModel
import Testing

@testable import ODataFormats

@Suite struct BatchTests {
    static let parts = [
        BatchPart(
            id: "0", method: "GET", url: "Products?$filter=Name eq 'a b'", headers: [("accept", "application/json")]),
        BatchPart(
            id: "1", method: "POST", url: "Products", headers: [("content-type", "application/json")],
            body: Array(#"{"Name":"Tée"}"#.utf8), atomicityGroup: "g"),
        BatchPart(id: "2", method: "DELETE", url: "$1", atomicityGroup: "g"),
        BatchPart(
            id: "3", method: "PUT", url: "Photos(1)/$value", headers: [("content-type", "image/png")],
            body: [0, 1, 13, 10, 45, 45, 98, 13, 10, 255, 10]),
        BatchPart(
            id: "4", method: "PUT", url: "Notes(1)/$value", headers: [("content-type", "text/plain")], body: [65]),
    ]

    private static func summary(_ part: BatchPart) -> String {
        "\(part.id ?? "-") \(part.method) \(part.url) \(part.headers.filter { $0.0 != "Content-Length" }) \(part.body)"
    }

    private static func summary(_ reply: BatchReply) -> String {
        "\(reply.id ?? "-") \(reply.status) \(reply.headers.filter { $0.0 != "Content-Length" }) \(reply.body)"
    }

    @Test(arguments: [BatchFormat.json, .multipart(boundary: "b"), .multipart(boundary: "batch_1")])
    func requestsRoundTrip(format: BatchFormat) throws {
        let (type, bytes) = Batch.writeRequests(Self.parts, format: format)
        let read = try Batch.readRequests(bytes, format: try #require(BatchFormat(contentType: type)))
        #expect(read.map(Self.summary) == Self.parts.map(Self.summary))
        #expect(read.map { $0.atomicityGroup != nil } == [false, true, true, false, false])
        #expect(read[1].atomicityGroup == read[2].atomicityGroup)
    }

    @Test(arguments: [BatchFormat.json, .multipart(boundary: "b")])
    func repliesRoundTrip(format: BatchFormat) throws {
        let replies = [
            BatchReply(id: "1", status: 201, headers: [("etag", "\"1\"")], body: [], atomicityGroup: "g"),
            BatchReply(id: "2", status: 204, atomicityGroup: "g"),
            BatchReply(id: "3", status: 200, headers: [("content-type", "image/png")], body: [1, 2]),
        ]
        let (type, bytes) = Batch.writeReplies(replies, format: format)
        let read = try Batch.readReplies(bytes, format: try #require(BatchFormat(contentType: type)))
        #expect(read.map(Self.summary) == replies.map(Self.summary))
        #expect(read.map { $0.atomicityGroup != nil } == [true, true, false])
    }

    @Test func aFailedChangeSetIsOneReplyByItself() throws {
        let reply = BatchReply(
            id: "1", status: 409, headers: [("content-type", "application/json")], body: Array("{}".utf8),
            atomicityGroup: "g")
        let (_, bytes) = Batch.writeReplies([reply], format: .multipart(boundary: "b"))
        let read = try Batch.readReplies(bytes, format: .multipart(boundary: "b"))
        #expect(read.map(\.status) == [409])
        #expect(read.map(\.atomicityGroup) == [nil])
    }

    static let written = """
        preamble
        --b
        Content-Type: application/http

        GET Products(1) HTTP/1.1
        Host: h

        --b
        content-type: multipart/mixed; boundary="c d"

        --c d
        Content-Type: application/http
        Content-ID: 7

        POST /svc/Products HTTP/1.1
        Content-Type: application/json
        Content-Length: 8

        {"ID":1}

        --c d--
        --b--
        epilogue
        """

    @Test(arguments: ["\n", "\r\n"])
    func bothLineEndsPreambleAndEpilogueAreFine(newline: String) throws {
        let text = Self.written.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: newline)
        let parts = try Batch.readRequests(Array(text.utf8), format: .multipart(boundary: "b"))
        #expect(parts.map(\.method) == ["GET", "POST"])
        #expect(parts.map(\.url) == ["Products(1)", "/svc/Products"])
        #expect(parts.map(\.id) == [nil, "7"])
        #expect(parts[1].body == Array(#"{"ID":1}"#.utf8))
        #expect(parts[0].body.isEmpty)
        #expect(parts[1].atomicityGroup != nil)
    }

    @Test(arguments: [
        (BatchFormat.multipart(boundary: "b"), "--b\r\n\r\nGET x HTTP/1.1\r\n", "closing boundary"),
        (.multipart(boundary: "b"), "--b\n\nnonsense\n--b--", "no request line"),
        (.multipart(boundary: "b"), "--b\nContent-Type: text/plain\n\nx\n--b--", "text/plain"),
        (.multipart(boundary: "b"), "--b\n\nPOST x HTTP/1.1\nContent-Length: 9\n\nx\n--b--", "where 9 are told"),
        (.multipart(boundary: "b"), "--b\nbroken\n\n--b--", "no header"), (.json, "{}", "array “requests”"),
        (.json, #"{"requests":[{"id":"1","method":"GET"}]}"#, "a url"),
        (.json, #"{"requests":[{"id":"1","method":"GET","url":"a"},{"id":"1","method":"GET","url":"a"}]}"#, "id “1”"),
        (
            .json,
            #"{"requests":[{"id":"1","method":"GET","url":"a","headers":{"content-type":"image/png"},"body":"*"}]}"#,
            "base64url"
        ),
    ])
    func brokenBatchesAreRefused(format: BatchFormat, text: String, message: String) {
        #expect {
            try Batch.readRequests(Array(text.utf8), format: format)
        } throws: { error in
            (error as? FormatError)?.message.contains(message) == true
        }
    }

    @Test func limitsHold() {
        var limits = PayloadLimits()
        limits.batchParts = 4
        for format in [BatchFormat.json, .multipart(boundary: "b")] {
            let bytes = Batch.writeRequests(Self.parts, format: format).bytes
            #expect(throws: FormatError.self) { try Batch.readRequests(bytes, format: format, limits: limits) }
        }
    }

    @Test func jsonBatchesKeepDependenciesAndConditions() throws {
        let part = BatchPart(id: "2", method: "GET", url: "$1", dependsOn: ["1", "g"], condition: "$1/A eq 1")
        let read = try Batch.readRequests(Batch.writeRequests([part], format: .json).bytes, format: .json)
        #expect(read.first?.dependsOn == ["1", "g"])
        #expect(read.first?.condition == "$1/A eq 1")
    }
}

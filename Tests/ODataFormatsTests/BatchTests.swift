import ODataModel
import Testing

@testable import ODataFormats
@testable import ODataMetadata

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

    private static func summary(_ response: BatchItemResponse) -> String {
        "\(response.id ?? "-") \(response.status) \(response.headers.filter { $0.0 != "Content-Length" }) \(response.body)"
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
    func responsesRoundTrip(format: BatchFormat) throws {
        let responses = [
            BatchItemResponse(id: "1", status: 201, headers: [("etag", "\"1\"")], body: [], atomicityGroup: "g"),
            BatchItemResponse(id: "2", status: 204, atomicityGroup: "g"),
            BatchItemResponse(id: "3", status: 200, headers: [("content-type", "image/png")], body: [1, 2]),
        ]
        let (type, bytes) = Batch.writeResponses(responses, format: format)
        let read = try Batch.readResponses(bytes, format: try #require(BatchFormat(contentType: type)))
        #expect(read.map(Self.summary) == responses.map(Self.summary))
        #expect(read.map { $0.atomicityGroup != nil } == [true, true, false])
    }

    @Test func aFailedChangeSetHasOneResponse() throws {
        let response = BatchItemResponse(
            id: "1", status: 409, headers: [("content-type", "application/json")], body: Array("{}".utf8),
            atomicityGroup: "g")
        let (_, bytes) = Batch.writeResponses([response], format: .multipart(boundary: "b"))
        let read = try Batch.readResponses(bytes, format: .multipart(boundary: "b"))
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
        (.multipart(boundary: "b"), "--b\n\nnonsense\n--b--", "not a request line"),
        (.multipart(boundary: "b"), "--b\nContent-Type: text/plain\n\nx\n--b--", "text/plain"),
        (.multipart(boundary: "b"), "--b\n\nPOST x HTTP/1.1\nContent-Length: 9\n\nx\n--b--", "where 9 are declared"),
        (.multipart(boundary: "b"), "--b\nbroken\n\n--b--", "not a header"), (.json, "{}", "array “requests”"),
        (.json, #"{"requests":[{"id":"1","method":"GET"}]}"#, "a url"),
        (.json, #"{"requests":[{"id":"1","method":"GET","url":"a"},{"id":"1","method":"GET","url":"a"}]}"#, "id “1”"),
        (
            .json,
            #"{"requests":[{"id":"1","method":"GET","url":"a","headers":{"content-type":"image/png"},"body":"*"}]}"#,
            "base64url"
        ),
        (.json, #"{"requests":[{"id":"1","method":"GET","url":"a","dependsOn":["2"]}]}"#, "depends on “2”"),
        (
            .json, #"{"requests":[{"id":"1","method":"GET","url":"a","atomicityGroup":"g","dependsOn":["g"]}]}"#,
            "depends on “g”"
        ),
        (
            .json,
            #"{"requests":[{"id":"1","method":"GET","url":"a","atomicityGroup":"g"},{"id":"2","method":"GET","url":"a"},"#
                + #"{"id":"3","method":"GET","url":"a","atomicityGroup":"g"}]}"#, "is not together"
        ),
        (.json, #"{"requests":[{"id":"1","method":"G T","url":"a"}]}"#, "a method"),
        (.json, #"{"requests":[{"id":"1","id":"2","method":"GET","url":"a"}]}"#, "twice"),
        (.json, #"{"requests":[{"id":1,"method":"GET","url":"a"}]}"#, "is a string"),
        (.json, #"{"requests":[5]}"#, "is an object"), (.json, #"{"requests":[]} x"#, "broken"),
        (.json, #"{"requests":[],"requests":[]}"#, "twice"), (.json, #"{"requests":[{"id":"1""#, "ends"),
        (.json, "[]", "array “requests”"),
        (
            .multipart(boundary: "b"),
            "--b\nContent-Type: multipart/mixed;boundary=c\n\n--c\nContent-Type: multipart/mixed;boundary=d\n\n"
                + "--d--\n--c--\n--b--", "not application/http"
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
        let first = BatchPart(id: "1", method: "GET", url: "A", atomicityGroup: "g")
        let part = BatchPart(id: "2", method: "GET", url: "$1", dependsOn: ["1", "g"], condition: "$1/A eq 1")
        let read = try Batch.readRequests(Batch.writeRequests([first, part], format: .json).bytes, format: .json)
        #expect(read.last?.dependsOn == ["1", "g"])
        #expect(read.last?.condition == "$1/A eq 1")
    }

    @Test func bodiesOfJSONBatchesAreJSONTextOrBytes() throws {
        let text = #"""
            {"x":[],"requests":[{"id":"1","method":"post","url":"a","body":{"a": [1]}},
            {"id":"2","method":"PUT","url":"b","headers":{"Content-Type":"text/plain"},"body":"x\ny"},
            {"id":"3","method":"PUT","url":"c","headers":{"content-type":"image/png"},"body":"AAEC_w"},
            {"id":"4","method":"PUT","url":"d","headers":{"content-type":"application/json"},"body":"s"},
            {"id":"5","method":"GET","url":"e","body":null,"atomicityGroup":null}]}
            """#
        let parts = try Batch.readRequests(Array(text.utf8), format: .json)
        let bodies = [Array(#"{"a": [1]}"#.utf8), Array("x\ny".utf8), [0, 1, 2, 255], Array(#""s""#.utf8), []]
        #expect(parts.map(\.body) == bodies)
        #expect(parts.map(\.method) == ["POST", "PUT", "PUT", "PUT", "GET"])
    }

    @Test func aMillionPartsAreRefusedAtTheLimit() {
        let json = #"{"requests":["# + String(repeating: #"{"id":"1"},"#, count: 1_000_000)
        let multipart = String(repeating: "--b\n\nGET x HTTP/1.1\n\n", count: 1_000_000)
        for (text, format) in [(json, BatchFormat.json), (multipart, .multipart(boundary: "b"))] {
            let error = #expect(throws: FormatError.self) { try Batch.readRequests(Array(text.utf8), format: format) }
            #expect(error?.message.contains("more than 10000 parts") == true)
        }
    }

    @Test func headersAndBodiesHaveLimits() {
        var limits = PayloadLimits()
        limits.batchPartHeaders = 2
        limits.batchHeaderBytes = 20
        limits.batchPartBytes = 10
        let json = { (headers: String, body: String) in
            #"{"requests":[{"id":"1","method":"PUT","url":"a","headers":{\#(headers)},"body":"\#(body)"}]}"#
        }
        let multipart = { (headers: String, body: String) in "--b\n\nPUT a HTTP/1.1\n\(headers)\n\(body)\n--b--" }
        let long = String(repeating: "x", count: 30)
        for text in [json(#""a":"1","b":"2","c":"3""#, ""), json(#""a":"\#(long)""#, ""), json("", long)] {
            #expect(throws: FormatError.self) {
                try Batch.readRequests(Array(text.utf8), format: .json, limits: limits)
            }
        }
        for text in [
            multipart("a: 1\nb: 2\nc: 3\n", ""), multipart("a: \(long)\n", ""),
            multipart("a: 1\n 23456789\n 12345678\n 5\n", ""),
            multipart("", long),
        ] {
            #expect(throws: FormatError.self) {
                try Batch.readRequests(Array(text.utf8), format: .multipart(boundary: "b"), limits: limits)
            }
        }
    }

    @Test func theLengthThatWritersAddIsNotCounted() throws {
        let headers = (1...PayloadLimits.default.batchPartHeaders).map { ("h\($0)", "x") }
        let part = BatchPart(method: "PUT", url: "a", headers: headers, body: [65])
        let (type, bytes) = Batch.writeRequests([part], format: .multipart(boundary: "b"))
        let format = try #require(BatchFormat(contentType: type))
        let length = ("Content-Length", "1")
        #expect(try Batch.readRequests(bytes, format: format).first?.headers.map(\.0) == (headers + [length]).map(\.0))
    }

    @Test func headersMayGoOnInTheNextLine() throws {
        let text =
            "--b\r\nContent-Type: application/http\r\n\r\nGET a HTTP/1.1\r\nAccept: a,\r\n\t b  \r\n\r\n\r\n--b--"
        let parts = try Batch.readRequests(Array(text.utf8), format: .multipart(boundary: "b"))
        #expect(parts.first.flatMap { Batch.header("accept", in: $0.headers) } == "a, b")
    }

    @Test(arguments: [
        ("multipart/mixed; boundary=batch_1", "batch_1"), ("Multipart/Mixed;charset=x; Boundary=\"a b'c\"", "a b'c"),
        ("multipart/mixed", nil), ("multipart/mixed;boundary=", nil), ("multipart/mixed;boundary=\"a\u{e9}\"", nil),
        ("multipart/mixed;boundary=" + String(repeating: "x", count: 71), nil),
    ])
    func boundariesAreThoseOfTheStandard(contentType: String, boundary: String?) {
        #expect(BatchFormat(contentType: contentType) == boundary.map { .multipart(boundary: $0) })
    }
}

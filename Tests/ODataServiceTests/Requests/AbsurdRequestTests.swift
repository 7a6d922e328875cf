import Testing

/// What is longer, deeper or more than anyone needs is told so with a status of the client's fault.
@Suite("Absurd requests over HTTP")
struct AbsurdRequestTests {
    private static let query = "POST Products/$query\nContent-Type: text/plain\n\n"
    private static let batch = "POST $batch\nContent-Type: "

    private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static let requests: [(text: String, status: Int, part: String)] = [
        ("GET Products?$filter=" + many("(", 100_000), 414, "limit of 32768 bytes"),
        (query + "$filter=" + many("(", 100_000), 400, #""code":"limitExceeded""#),
        (query + "$filter=Name eq '" + many("x", 1 << 20) + "'", 400, #""code":"limitExceeded""#),
        (
            "GET Products?$expand=" + many("Category($expand=Products($expand=", 500) + "Category" + many("))", 500),
            400,
            #""code":"limitExceeded""#
        ),
        (
            batch + "application/json\n\n{\"requests\":["
                + (1...1001).map { #"{"id":"\#($0)","method":"get","url":"Products"}"# }.joined(separator: ",") + "]}",
            400, "The batch has 1001 requests; the limit is 1000."
        ),
        (
            batch + "multipart/mixed;boundary=b\n\n"
                + many("--b\r\nContent-Type: application/http\r\n\r\nGET Products HTTP/1.1\r\n\r\n\r\n", 1001)
                + "--b--\r\n",
            400, "The batch has 1001 requests; the limit is 1000."
        ),
    ]

    @Test("end with the limit that they pass", arguments: requests.indices)
    func limits(index: Int) async throws {
        let file = try PublishedFile()
        let (text, status, part) = Self.requests[index]
        let response = try await file.responseText(text)
        #expect(response.hasPrefix("\(status)\n\n"), "\(response)")
        #expect(response.contains(part), "\(response)")
        #expect(try await file.responseText("GET Products/$count") == "200\n\n4")
    }

    @Test("are those with a value for no option, but not those with nothing between two of them")
    func optionsWithoutName() async throws {
        let file = try PublishedFile()
        #expect(try await file.responseText("GET Products?=ID%20gt%201&=3").hasPrefix("400\n\n"))
        #expect(try await file.responseText("GET Products/$count?&$filter=ID%20gt%200&&").hasPrefix("200\n\n"))
    }
}

import Testing

/// Headers with a fault in any place are obeyed, passed over or refused: the service never fails.
@Suite("Faulty headers")
struct HeaderFaultTests {
    private static let pieces = ["", ",", ";", "=", "\"", "\\", "*", "/", "-", "q", "9999999999999999999999", " ", "é"]

    @Test(
        "have a response",
        arguments: [
            ("GET Products\nAccept: …", "application/json;odata.metadata=full;q=0.5, */*"),
            ("GET v2/Products\nAccept: …", "application/atom+xml;type=feed;q=0.9"),
            ("PATCH Products(1)\nContent-Type: …\n\n{\"Stock\":5}", "application/json;IEEE754Compatible=true"),
            ("PATCH Products(1)\nIf-Match: …\nContent-Type: application/json\n\n{\"Stock\":5}", "W/\"a\",\"b\""),
            ("GET Products(1)\nIf-None-Match: …", "W/\"a\", \"b\""),
            ("GET Photos(1)/$value\nRange: …", "bytes=2-5,-3"),
            (
                "POST $batch\nContent-Type: …\n\n--b\r\nContent-Type: application/http\r\n\r\nGET Products HTTP/1.1\r\n\r\n\r\n--b--",
                "multipart/mixed;boundary=\"b\""
            ),
        ])
    func responds(request: String, value: String) async throws {
        let file = try PublishedFile()
        for index in value.indices {
            for piece in Self.pieces {
                for rest in [value[index...], value[index...].dropFirst()] {
                    let faulty = value[..<index] + piece + rest
                    let status = await file.text.response(request.replacing("…", with: faulty)).head.status.code
                    #expect((200..<500).contains(status), "\(faulty): \(status)")
                }
            }
        }
    }
}

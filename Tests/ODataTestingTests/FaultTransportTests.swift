import ByteStreams
import HTTPTypes
import ODataTesting
import ODataTransport
import Testing

@Suite("Fault transport")
struct FaultTransportTests {
    private let next = FixedTransport("hello world")

    private func transport(_ fault: TransportFault) -> FaultTransport {
        FaultTransport(next: next, plan: .once(fault))
    }

    private func send(_ transport: any HTTPTransport, _ method: HTTPRequest.Method = .get) async throws
        -> TransportResponse
    {
        try await transport.send(.test(method, "/Products"), body: nil)
    }

    /// What of the body arrives, and the code of the error at its end.
    private func arriving(_ response: TransportResponse) async throws -> (text: String, code: TransportError.Code?) {
        var bytes: [UInt8] = []
        do {
            for try await chunk in try response.body.chunks() { bytes += chunk }
        } catch let error as TransportError {
            return (String(decoding: bytes, as: UTF8.self), error.code)
        }
        return (String(decoding: bytes, as: UTF8.self), nil)
    }

    @Test("without faults hands everything on")
    func none() async throws {
        let response = try await send(FaultTransport(next: next, plan: .none))
        #expect(try await arriving(response).text == "hello world")
    }

    @Test("refuses before the service sees the request")
    func refused() async throws {
        let transport = transport(.refused)
        let error = await #expect(throws: TransportError.self) { try await send(transport) }
        #expect(error?.code == .unreachable)
        #expect(next.count == 0)
        #expect(try await arriving(try await send(transport)).text == "hello world")
    }

    @Test("loses a response after the service acted")
    func responseLost() async throws {
        let error = await #expect(throws: TransportError.self) { try await send(transport(.responseLost)) }
        #expect(error?.code == .interrupted)
        #expect(next.count == 1)
    }

    @Test("responds in place of the service, which does not see the request")
    func intercepted() async throws {
        let fault = TransportFault.intercepted(Array("{}".utf8), contentType: "application/json")
        let response = try await send(transport(fault), .post)
        #expect(response.head.status == .ok)
        #expect(response.head.headerFields[.contentType] == "application/json")
        #expect(try await arriving(response).text == "{}")
        #expect(next.count == 0)
    }

    @Test("loses a request before the service sees it")
    func requestLost() async throws {
        let error = await #expect(throws: TransportError.self) { try await send(transport(.requestLost)) }
        #expect(error?.code == .interrupted)
        #expect(next.count == 0)
    }

    @Test("breaks off within a request, or lets a shorter one through", arguments: [(0, true), (5, true), (6, false)])
    func requestCut(count: Int, isCut: Bool) async throws {
        let transport = transport(.requestCut(after: count))
        let code: TransportError.Code?
        do {
            _ = try await transport.send(.test(.post, "/Products"), body: ByteContent(Array("hello".utf8)))
            code = nil
        } catch let error as TransportError { code = error.code }
        #expect(code == (isCut ? .interrupted : nil))
        #expect(next.received == (isCut ? [] : ["hello"]))
    }

    @Test("lets a request arrive when nobody waits for it any more")
    func late() async throws {
        let transport = transport(.late)
        let error = await #expect(throws: TransportError.self) { try await send(transport) }
        #expect(error?.code == .timeout)
        #expect(next.count == 0)
        await transport.deliver()
        #expect(next.count == 1)
        _ = try await send(transport)
        #expect(next.count == 2)
    }

    @Test("turns the order of a JSON batch round, and leaves other responses alone")
    func reordered() async throws {
        let batch = FixedTransport(#"{"responses":[{"id":"1"},{"id":"2"}]}"#, contentType: "application/json")
        let response = try await send(FaultTransport(next: batch, plan: .once(.reordered)))
        #expect(try await arriving(response).text == #"{"responses":[{"id":"2"},{"id":"1"}]}"#)
        #expect(try await arriving(try await send(transport(.reordered))).text == "hello world")
    }

    @Test(
        "cuts a body after a number of bytes",
        arguments: [
            (0, "", TransportError.Code.interrupted), (5, "hello", .interrupted), (11, "hello world", .interrupted),
            (12, "hello world", nil),
        ] as [(Int, String, TransportError.Code?)])
    func cut(count: Int, text: String, code: TransportError.Code?) async throws {
        let result = try await arriving(try await send(transport(.cut(after: count))))
        #expect(result.text == text)
        #expect(result.code == code)
    }

    @Test(
        "lies about the length of a body",
        arguments: [(20, "hello world", TransportError.Code.truncated), (5, "hello", nil)]
            as [(Int64, String, TransportError.Code?)])
    func contentLength(length: Int64, text: String, code: TransportError.Code?) async throws {
        let response = try await send(transport(.contentLength(length)))
        #expect(response.head.headerFields[.contentLength] == "\(length)")
        let result = try await arriving(response)
        #expect(result.text == text)
        #expect(result.code == code)
    }

    @Test("responds with a status of its own, a redirect or another body")
    func responses() async throws {
        let busy = try await send(transport(.status(503, headers: [.retryAfter: "1"])))
        #expect(busy.head.status.code == 503)
        #expect(busy.head.headerFields[.retryAfter] == "1")
        let moved = try await send(transport(.redirect(to: "http://other/")))
        #expect(moved.head.status.code == 307)
        #expect(moved.head.headerFields[.location] == "http://other/")
        #expect(next.count == 0)
        let page = try await send(transport(.body(Array("<html>".utf8), contentType: "text/html")))
        #expect(try await arriving(page).text == "<html>")
        #expect(next.count == 1)
    }
}

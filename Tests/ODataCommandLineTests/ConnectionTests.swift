import ByteStreams
import HTTPTypes
import ODataTransport
import Testing

@testable import ODataCommandLine

@Suite struct ConnectionTests {
    /// Sends who comes without a cookie to where it is set, and back.
    private struct Login: HTTPTransport {
        func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
            -> TransportResponse
        {
            var response = HTTPResponse(status: .found)
            if request.path == "/login" {
                response.headerFields = [.location: "http://h/data", .setCookie: "session=1; Path=/"]
            } else if request.headerFields[.cookie] == "session=1" {
                response.status = .ok
            } else {
                response.headerFields[.location] = "http://h/login"
            }
            return TransportResponse(head: response)
        }
    }

    @Test("A cookie that comes with a redirect is sent to where it leads")
    func redirectsAndCookies() async throws {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/data")
        let response = try await Login().with(ConnectionOptions.following).send(request, body: nil)
        #expect(response.head.status == .ok)
    }
}

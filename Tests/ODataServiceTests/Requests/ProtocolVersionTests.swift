import HTTPTypes
import ODataTransport
import Testing

@testable import ODataService

@Suite("Protocol version")
struct ProtocolVersionTests {
    @Test(
        "is the highest that the client takes",
        arguments: [
            (nil, "4.01"), ("4.0", "4.0"), ("4.01", "4.01"), ("4", "4.0"), ("4.0;client", "4.0"), ("5.0", "4.01"),
        ] as [(String?, String)])
    func negotiated(maximum: String?, expected: String) throws {
        var headers = HTTPFields()
        headers[.oDataMaxVersion] = maximum
        #expect(try ProtocolVersion(negotiatedFrom: headers).rawValue == expected)
    }

    @Test(
        "is refused where there is none in common",
        arguments: [("OData-MaxVersion", "3.0"), ("OData-MaxVersion", "x"), ("OData-Version", "2.0")])
    func refused(name: String, value: String) throws {
        let name = try #require(HTTPField.Name(name))
        let failure = #expect(throws: ServiceFailure.self) {
            try ProtocolVersion(negotiatedFrom: [name: value])
        }
        #expect(failure?.status == .badRequest)
    }
}

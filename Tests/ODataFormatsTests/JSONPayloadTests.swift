import ODataModel
import ODataQuery
import Testing

@testable import ODataFormats

@Suite struct JSONPayloadTests {
    @Test func errorsRoundTrip() throws {
        let error = ServiceError(
            code: "E1", message: "No \"tea\"", target: "Name", details: [.init(code: "D", message: "m", target: "t")],
            innerError: #"{"trace":[1]}"#)
        #expect(JSONPayload.error(JSONPayload.bytes(error: error)) == error)
        #expect(JSONPayload.error(Array("<html>".utf8)) == nil)
        #expect(JSONPayload.error(Array(#"{"error":"x"}"#.utf8)) == nil)
        let old = #"{"odata.error":{"code":5,"message":{"lang":"en","value":"v"}}}"#
        #expect(JSONPayload.error(Array(old.utf8)) == ServiceError(code: "5", message: "v"))
    }
}

import Testing

@testable import ODataService

@Suite("Content negotiation")
struct ResponseFormatTests {
    @Test(
        "takes the level of metadata and the spelling of numbers from Accept and $format",
        arguments: [
            (nil, nil, "application/json;odata.metadata=minimal"),
            (nil, "application/json", "application/json;odata.metadata=minimal"),
            (nil, "application/json;odata.metadata=none", "application/json;odata.metadata=none"),
            (nil, "application/json;metadata=full", "application/json;odata.metadata=full"),
            (nil, "text/html, */*;q=0.1", "application/json;odata.metadata=minimal"),
            (nil, "application/*", "application/json;odata.metadata=minimal"),
            (
                nil, "application/json;odata.metadata=none;q=0.2, application/json;odata.metadata=full;q=0.7",
                "application/json;odata.metadata=full"
            ),
            (
                nil, "application/json;IEEE754Compatible=true;odata.streaming=true",
                "application/json;odata.metadata=minimal;IEEE754Compatible=true;odata.streaming=true"
            ),
            (nil, "application/json;streaming=true", "application/json;odata.metadata=minimal;odata.streaming=true"),
            ("json", "text/html", "application/json;odata.metadata=minimal"),
            ("application/json;odata.metadata=none", "application/xml", "application/json;odata.metadata=none"),
        ] as [(String?, String?, String)])
    func accepted(format: String?, accept: String?, expected: String) throws {
        #expect(try ResponseFormat(formatOption: format, accept: accept).contentType == expected)
    }

    @Test(
        "is 406 where no JSON is accepted",
        arguments: [
            (nil, "application/xml"), (nil, "application/json;q=0"), (nil, "application/json;odata.metadata=some"),
            (nil, "application/json;charset=utf-16"), ("atom", nil), ("xml", "application/json"),
        ] as [(String?, String?)])
    func refused(format: String?, accept: String?) {
        let failure = #expect(throws: ServiceFailure.self) {
            try ResponseFormat(formatOption: format, accept: accept)
        }
        #expect(failure?.status == .notAcceptable)
    }
}

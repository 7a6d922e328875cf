import HTTPTypes
import ODataTransport
import Testing

@Suite struct DigestFieldTests {
    private static let digest = "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"
    private static let text = "A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E="

    @Test(arguments: [
        "sha-256=:\(text):", "sha-512=:AAAA:, sha-256=:\(text):;note=1", " unixsum=:AA==:,\tsha-256=:\(text): ",
        "sha-256=:AAAA:, sha-256=:\(text):",
    ])
    func aDigestIsRead(value: String) {
        #expect(HTTPFields([HTTPField(name: .reprDigest, value: value)]).sha256(.reprDigest) == Self.digest)
    }

    @Test(arguments: [
        "", "sha-512=:AAAA:", "sha-256=\(text)", "sha-256=:\(text)", "sha-256=:AAAA:", "sha-256=:\(text)!:",
        "SHA-256=\(text)", "sha-2567=:\(text):",
    ])
    func whatIsNoDigestIsNone(value: String) {
        #expect(HTTPFields([HTTPField(name: .contentDigest, value: value)]).sha256(.contentDigest) == nil)
    }

    @Test func digestsAreWritten() {
        var fields: HTTPFields = [:]
        fields.setSHA256(Self.digest, .reprDigest)
        fields.setSHA256("12", .contentDigest)
        #expect(fields == [.reprDigest: "sha-256=:\(Self.text):"])
    }

    @Test func severalFieldsAreOneList() {
        var fields: HTTPFields = [:]
        fields.append(HTTPField(name: .reprDigest, value: "sha-512=:AAAA:"))
        fields.append(HTTPField(name: .reprDigest, value: "sha-256=:\(Self.text):"))
        #expect(fields.sha256(.reprDigest) == Self.digest)
        #expect(fields.sha256(.contentDigest) == nil)
    }
}

import Testing

@testable import ODataService

@Suite("Range")
struct RequestedRangeTests {
    @Test(
        "is one range of bytes, or passed over",
        arguments: [
            ("bytes=0-99", RequestedRange.from(0, count: 100)),
            ("bytes=500-", .from(500, count: nil)),
            ("bytes=-500", .suffix(500)),
            ("bytes=-0", .suffix(0)),
            ("Bytes=5-5", .from(5, count: 1)),
            ("bytes= 1 - 2 ", .from(1, count: 2)),
            ("bytes=99999999999999999999-", .from(.max, count: nil)),
            ("bytes=0-99999999999999999999", .from(0, count: nil)),
            ("bytes=9-5", nil), ("bytes=0-1,4-5", nil), ("bytes=-", nil), ("bytes=a-b", nil), ("bytes=", nil),
            ("items=0-1", nil), ("", nil), (nil, nil),
        ] as [(String?, RequestedRange?)])
    func ranges(header: String?, expected: RequestedRange?) {
        #expect(RequestedRange(header: header) == expected)
    }
}

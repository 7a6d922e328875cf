import Testing

@testable import ODataService

@Suite("Range")
struct RequestedRangeTests {
    @Test(
        "is some ranges of bytes, or passed over",
        arguments: [
            ("bytes=0-99", [RequestedRange.from(0, count: 100)]),
            ("bytes=500-", [.from(500, count: nil)]),
            ("bytes=-500", [.suffix(500)]),
            ("bytes=-0", [.suffix(0)]),
            ("Bytes=5-5", [.from(5, count: 1)]),
            ("bytes= 1 - 2 ", [.from(1, count: 2)]),
            ("bytes=99999999999999999999-", [.from(.max, count: nil)]),
            ("bytes=0-99999999999999999999", [.from(0, count: nil)]),
            ("bytes=0-1, 4-,,-2", [.from(0, count: 2), .from(4, count: nil), .suffix(2)]),
            ("bytes=9-5", []), ("bytes=0-1,x", []), ("bytes=-", []), ("bytes=a-b", []), ("bytes=", []),
            ("items=0-1", []), ("", []), (nil, []),
        ] as [(String?, [RequestedRange])])
    func ranges(header: String?, expected: [RequestedRange]) {
        #expect(RequestedRange.list(header: header) == expected)
    }

    @Test("is passed over where there are too many", arguments: [(16, 16), (17, 0)])
    func count(asked: Int, taken: Int) {
        let header = "bytes=" + String(repeating: "0-0,", count: asked)
        #expect(RequestedRange.list(header: header).count == taken)
    }

    @Test(
        "gives the bytes that a stream has of it",
        arguments: [
            (.from(0, count: 2), 0..<2), (.from(8, count: 5), 8..<10), (.from(9, count: nil), 9..<10),
            (.from(10, count: nil), nil), (.from(.max, count: nil), nil), (.suffix(3), 7..<10), (.suffix(99), 0..<10),
            (.suffix(.max), 0..<10), (.suffix(0), nil),
        ] as [(RequestedRange, Range<Int64>?)])
    func bytes(range: RequestedRange, expected: Range<Int64>?) {
        #expect(range.bytes(of: 10) == expected)
    }
}

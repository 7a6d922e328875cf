import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Conditions and hashes")
struct PreconditionTests {
    @Test(
        "ETags match weakly, in lists, and any by *",
        arguments: [
            ("*", ["W/\"a\""], true), ("*", [], false), ("\"a\"", ["W/\"a\""], true),
            ("W/\"b\", W/\"a\"", ["W/\"a\""], true),
            ("\"b\"", ["W/\"a\""], false), ("\"a,b\"", ["\"a,b\""], true), ("a", ["\"a\""], false),
        ] as [(String, [String], Bool)])
    func matching(header: String, etags: [String], expected: Bool) {
        #expect(Precondition.matches(header, etags) == expected)
    }

    @Test("Hashes tell values from each other and stay the same")
    func hashes() {
        func hash(_ text: String) -> String {
            var hash = StableHash()
            hash.add(text: text)
            return hash.text
        }
        let texts = ["", "a", "b", "ab", "abcdefgh", "abcdefgi", "abcdefghi", "\u{0}", "\u{0}\u{0}"]
        #expect(Set(texts.map(hash)).count == texts.count)
        #expect(texts.allSatisfy { hash($0).utf8.count == 16 && hash($0) == hash($0) })
    }

    @Test(
        "Ranges that a stream has, or not",
        arguments: [
            (0, nil, nil, 0, 10), (9, 5, nil, 9, 1), (0, nil, 4, 6, 4), (0, nil, 40, 0, 10),
        ] as [(Int64, Int64?, Int64?, Int64, Int64)])
    func ranges(offset: Int64, count: Int64?, suffix: Int64?, start: Int64, length: Int64) async throws {
        let store = try Shop.file().store()
        var request = StreamRequest(try store.path("Category(1)/Picture"))
        (request.offset, request.count, request.suffixLength) = (offset, count, suffix)
        let range = try StreamRange(request, length: 10, etag: nil)
        #expect(range.offset == start && range.count == length)
        request.offset = 10
        request.suffixLength = suffix.map { _ in 0 }
        #expect(await code { _ = try StreamRange(request, length: 10, etag: nil) } == .rangeNotSatisfiable)
    }

    @Test(
        "Default values of the schema",
        arguments: [
            ("'it''s'", "it's"), ("(0)", "0"), ("NULL", nil), ("CURRENT_TIMESTAMP", nil), ("('a' || 'b')", nil),
            ("1.50", "1.50"),
        ] as [(String, String?)])
    func defaults(sql: String, expected: String?) async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, c TEXT DEFAULT \(sql));")
        let property = try await file.store().model().entitySet(named: "t")?.type.property(named: "c")
        #expect(property?.defaultValue == expected)
    }
}

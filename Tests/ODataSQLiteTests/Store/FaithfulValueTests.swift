import ByteStreams
import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("What is written is what is read, or it is refused")
struct FaithfulValueTests {
    private func instant(_ text: String) throws -> EdmValue { .dateTimeOffset(try #require(EdmDateTimeOffset(text))) }

    @Test("A whole julian day stays one after the file is opened again")
    func julianDays() async throws {
        let file = try SampleFile(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, d DATETIME); INSERT INTO t VALUES (1, 2460311.25);")
        let noon = try instant("2020-01-02T12:00:00Z")
        let store = try file.store()
        _ = try await store.update("t(1)", ["d": noon])
        #expect(try file.value("SELECT typeof(d) || d FROM t") == "integer2458851")
        let again = try file.store()
        #expect(try await again.entity("t(1)")?["d"] == noon)
        #expect(try await again.entities("t?$filter=d eq 2020-01-02T12:00:00Z").count == 1)
    }

    @Test("A time of day goes into a column of dates, and both forms compare and order as instants")
    func timesAmongDates() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, d DATETIME);
            INSERT INTO t VALUES (1, '2024-01-02'), (2, '2024-01-03'), (3, '2024-01-02');
            """)
        let store = try file.store()
        let morning = try instant("2024-01-02T09:30:00Z")
        _ = try await store.update("t(3)", ["d": morning])
        #expect(try file.values("SELECT d FROM t") == ["2024-01-02", "2024-01-03", "2024-01-02 09:30:00"])
        try await check(store, morning)
        try file.execute("UPDATE t SET d = '2024-01-03 00:00:00' WHERE id = 2")
        let again = try file.store()
        #expect(again.notices.isEmpty)
        try await check(again, morning)
        _ = try await again.update("t(1)", ["d": instant("2024-01-02T00:00:00Z")])
        try await check(again, morning)
    }

    private func check(_ store: SQLiteStore, _ morning: EdmValue) async throws {
        #expect(try await store.entity("t(3)")?["d"] == morning)
        let expected: [(String, [Int64])] = [
            ("$filter=d gt 2024-01-02T09:00:00Z&$orderby=d", [3, 2]), ("$filter=d eq 2024-01-02T09:30:00Z", [3]),
            ("$filter=d eq 2024-01-03T00:00:00Z", [2]), ("$filter=d le 2024-01-03T00:00:00Z&$orderby=d", [1, 3, 2]),
            ("$filter=d lt 2024-01-02T10:00:00Z&$orderby=d desc", [3, 1]),
        ]
        for (query, ids) in expected {
            let found = try await store.entities("t?\(query)").map { $0["id"] }
            #expect(found == ids.map(EdmValue.integer), "\(query)")
        }
    }

    @Test(
        "Finer fractions than the file has are written, or refused where they cannot be",
        arguments: [
            ("'2024-01-02 03:04:05'", "2024-01-02T03:04:05.25Z", "2024-01-02 03:04:05.25"),
            ("'2024-01-02T03:04:05.100'", "2024-01-02T03:04:05.1234567Z", "2024-01-02T03:04:05.1234567"),
            ("'2024-01-02T03:04:05Z'", "2024-01-02T03:04:05.5Z", nil),
            ("1704164645678", "2024-01-02T03:04:05.0001Z", nil),
            ("1704164645678", "2024-01-02T03:04:05.001Z", "1704164645001"),
        ])
    func fractions(stored: String, given: String, expected: String?) async throws {
        let file = try SampleFile(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, d DATETIME); INSERT INTO t(d) VALUES (\(stored));")
        let store = try file.store()
        let value = try instant(given)
        let refused = await message { _ = try await store.update("t(1)", ["d": value]) }
        #expect(refused.isEmpty == (expected != nil) && (refused.isEmpty || refused.contains("property d")))
        guard let expected else { return }
        #expect(try file.value("SELECT d FROM t") == expected)
        #expect(try await store.entity("t(1)")?["d"] == value)
        #expect(try await store.entities("t?$filter=d eq \(given)").count == 1)
    }

    @Test(
        "Decimals that a numeric column would change are refused, with the reason",
        arguments: [
            ("12345678901234.5", true), ("0.1", true), ("9007199254740993", true), ("123456789012345678.5", false),
            ("0.12345678901234567891", false), ("12345678901234567890", false),
        ])
    func decimals(text: String, isTaken: Bool) async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, n NUMERIC); INSERT INTO t(n) VALUES (1);")
        let store = try file.store()
        let value = EdmValue.decimal(try #require(EdmDecimal(text)))
        let refused = await message { _ = try await store.update("t(1)", ["n": value]) }
        #expect(refused.isEmpty == isTaken)
        #expect(isTaken || (refused.contains("property n") && refused.contains("15 significant digits")))
        let kept = isTaken ? value : EdmValue.decimal(EdmDecimal(1))
        #expect(try await store.entity("t(1)")?["n"] == kept)
    }

    @Test("Strings keep what comes after U+0000; in keys it is refused")
    func nulCharacters() async throws {
        let file = try SampleFile(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT); CREATE TABLE k(id TEXT PRIMARY KEY);")
        let store = try file.store()
        let text = EdmValue.string("a\0b\0")
        let made = try await store.create("t", ["s": text])
        #expect(made.entity?["s"] == text)
        #expect(try file.value("SELECT hex(s) || typeof(s) FROM t") == "61006200text")
        #expect(try await store.entities("t?$filter=s eq 'a%00b%00'").count == 1)
        #expect(try await store.entities("t?$filter=s eq 'a'").isEmpty)
        _ = try await store.update("t(1)", ["s": .string("\0")])
        #expect(try await store.entity("t(1)")?["s"] == .string("\0"))
        #expect(await code { _ = try await store.create("k", ["id": text]) } == .badRequest)
        #expect(try file.value("SELECT count(*) FROM k") == "0")
    }

    @Test("Rows whose keys have U+0000 are changed, tracked and deleted", arguments: ["", " WITHOUT ROWID"])
    func nulKeys(_ option: String) async throws {
        let file = try SampleFile(
            """
            CREATE TABLE k(id TEXT PRIMARY KEY NOT NULL, n INTEGER, s TEXT)\(option);
            INSERT INTO k VALUES ('a', 1, 'x'), ('a' || char(0) || 'b', 2, 'x');
            """)
        let store = try file.store { $0.tracksChanges = true }
        let start = try #require(try await store.tracked("k").deltaLink)
        let key = EdmValue.string("a\0b")
        let changed = try await store.update("k('a%00b')", ["s": .string("y")])
        #expect(changed.entity?["id"] ?? key == key)
        #expect(try file.values("SELECT hex(id) || s FROM k ORDER BY n") == ["61x", "610062y"])
        let delta = try await store.tracked(start)
        #expect(delta.entities.map { $0["id"] } == [key] && delta.removed.isEmpty)
        _ = try await store.change("k('a%00b')", .delete)
        #expect(try file.values("SELECT hex(id) || s FROM k") == ["61x"])
        let end = try await store.tracked(try #require(delta.deltaLink))
        #expect(end.entities.isEmpty && end.removed == ["k('a%00b') deleted"])
    }

    @Test("Infinite numbers are taken by columns of reals")
    func infinity() async throws {
        let file = try SampleFile(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, x REAL, n NUMERIC); INSERT INTO t(x) VALUES (1);")
        let store = try file.store()
        for value in [Double.infinity, -.infinity] {
            _ = try await store.update("t(1)", ["x": .double(value)])
            #expect(try await store.entity("t(1)")?["x"] == .double(value))
        }
        #expect(await code { _ = try await store.update("t(1)", ["x": .double(.nan)]) } == .badRequest)
        #expect(await code { _ = try await store.update("t(1)", ["n": .double(.infinity)]) } == .badRequest)
    }

    @Test("A BLOB column with texts in it stays a stream")
    func textInBlobColumn() async throws {
        let file = try SampleFile(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, b BLOB); INSERT INTO t(b) VALUES (x'0102'), ('hé'), (7);")
        let store = try file.store()
        #expect(store.notices.isEmpty)
        #expect(try await store.model().entitySet(named: "t")?.type.property(named: "b")?.type == .stream)
        #expect(try await store.bytes("t(1)/b") == [1, 2])
        #expect(try await store.bytes("t(2)/b") == Array("hé".utf8))
        #expect(try await store.bytes("t(3)/b") == Array("7".utf8))
    }
}

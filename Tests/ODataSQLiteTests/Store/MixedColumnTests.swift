import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Columns that hold values of several kinds are served as the text that is shown, everywhere")
struct MixedColumnTests {
    private static let sql = """
        CREATE TABLE m(id INTEGER PRIMARY KEY, v, n INTEGER, s TEXT, w STRING);
        INSERT INTO m VALUES
          (1, 1, 10, 'a', '1'), (2, '1', 9, x'62', 1.50), (3, 1.0, 2, 'c', 'x'), (4, x'31', 'ten', x'FF00', NULL),
          (5, 0.1234567890123456, NULL, NULL, 7), (6, NULL, 3, 'd', '07');
        CREATE TABLE k(v PRIMARY KEY, t TEXT) WITHOUT ROWID;
        INSERT INTO k VALUES (1, 'integer'), ('a', 'text'), (2.5, 'real'), (x'7A', 'blob');
        """

    private func store() throws -> SQLiteStore { try SampleFile(Self.sql).store() }

    private func ids(_ url: String, _ store: SQLiteStore) async throws -> [Int64] {
        try await store.entities(url).map { if case .integer(let id) = $0["id"] { id } else { -1 } }
    }

    @Test("They are shown with all their digits; what is not UTF-8 is shown as SQLite writes it")
    func shown() async throws {
        let entities = try await store().entities("m?$orderby=id")
        func texts(_ name: String) -> [String?] {
            entities.map { if case .string(let text)? = $0[name] { text } else { nil } }
        }
        #expect(texts("v") == ["1", "1", "1.0", "1", "0.1234567890123456", nil])
        #expect(texts("n") == ["10", "9", "2", "ten", nil, "3"])
        #expect(texts("s") == ["a", "b", "c", "x'FF00'", nil, "d"])
    }

    @Test(
        "Each option takes the text that is shown",
        arguments: [
            ("$filter=v eq '1'", [1, 2, 4]), ("$filter=v ne '1'", [3, 5, 6]), ("$filter=v eq '1.0'", [3]),
            ("$filter=v in ('1','1.0')", [1, 2, 3, 4]), ("$filter=v gt '1'", [3]), ("$filter=v eq null", [6]),
            ("$filter=startswith(v,'1')", [1, 2, 3, 4]), ("$filter=contains(v,'.0')", [3]),
            ("$filter=endswith(v,'3456')", [5]), ("$filter=length(v) eq 1", [1, 2, 4]),
            ("$filter=concat(v,'x') eq '1x'", [1, 2, 4]), ("$filter=v eq n", []),
            ("$filter=n gt '2'", [2, 4, 6]), ("$filter=n lt '2'", [1]), ("$filter=n eq '10'", [1]),
            ("$filter=not(n gt '2')", [1, 3, 5]), ("$filter=s eq 'b'", [2]), ("$filter=s eq 'x''FF00'''", [4]),
            ("$filter=w gt '1'", [2, 3, 5, 6]), ("$filter=w eq '1'", [1]), ("$filter=w eq '7'", [5, 6]),
            ("$filter=(case(v eq '1':'y',true:'n')) eq 'y'", [1, 2, 4]), ("$search=ten", [4]),
            ("$filter=$it/v eq '1.0'", [3]), ("$compute=concat(v,n) as c&$filter=c eq '110'", [1]),
        ] as [(String, [Int64])])
    func filters(query: String, expected: [Int64]) async throws {
        #expect(try await ids("m?$orderby=id&\(query)", store()) == expected)
    }

    @Test("They are ordered by that text, and paged by it")
    func order() async throws {
        #expect(try await ids("m?$orderby=n,id", store()) == [5, 1, 3, 6, 2, 4])
        #expect(try await ids("m?$orderby=n desc,id", store()) == [4, 2, 6, 3, 1, 5])
        #expect(try await ids("m?$orderby=v,id", store()) == [6, 5, 1, 2, 4, 3])
        for order in ["n", "n desc", "v", "v desc"] {
            let file = try SampleFile(Self.sql)
            let paged = try file.store {
                $0.pageSize = 1
                $0.tracksChanges = true
            }
            let whole = try await ids("m?$orderby=\(order)", try file.store { $0.isReadOnly = true })
            let found = try await paged.tracked("m?$orderby=\(order)")
            #expect(found.entities.map { $0["id"] } == whole.map(EdmValue.integer) && found.pages >= 6)
        }
    }

    @Test(
        "Groups, distinct counts and aggregates are of that text",
        arguments: [
            ("groupby((v),aggregate($count as c))", ["null 1", "0.1234567890123456 1", "1 3", "1.0 1"]),
            ("filter(v ne null)/groupby((v))/aggregate($count as c)", [" 3"]),
            ("aggregate(v with countdistinct as c)", [" 3"]), ("aggregate(n with max as c)", [" ten"]),
            ("aggregate(n with min as c)", [" 10"]),
        ])
    func groups(apply: String, expected: [String]) async throws {
        let rows = try await store().entities("m?$apply=\(apply)").map { entity in
            "\(entity["v"].map { $0.isNull ? "null" : $0.lexical } ?? "") \(entity["c"]?.lexical ?? "")"
        }
        #expect(rows.sorted() == expected.sorted())
    }

    @Test("A key of several kinds finds its row, by the text that is shown", arguments: ["1", "a", "2.5", "z"])
    func keys(key: String) async throws {
        let file = try SampleFile(Self.sql)
        let store = try file.store()
        #expect(try await store.entity("k('\(key)')")?["v"] == .string(key))
        _ = try await store.update("k('\(key)')", ["t": .string("new")])
        #expect(try await store.entities("k?$filter=t eq 'new'").map { $0["v"] } == [.string(key)])
        _ = try await store.change("k('\(key)')", .delete)
        #expect(try await store.entities("k").count == 3)
        #expect(await code { _ = try await store.update("k('\(key)')", ["t": .string("x")]) } == .notFound)
    }

    @Test("Each such column has its notice")
    func notices() async throws {
        let told = try store().notices.joined(separator: "\n")
        #expect(told.contains("m.v has no type and holds values of several kinds"))
        #expect(told.contains("m.n is declared INTEGER but holds other values"))
        #expect(told.contains("m.s is declared TEXT but holds other values"))
    }

    @Test("A value of another kind that comes later is shown from the next request on")
    func later() async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a')")
        let store = try file.store()
        try file.execute("INSERT INTO t VALUES (2, 5), (3, x'FF')")
        #expect(await code { _ = try await store.entities("t") } == .busy)
        #expect(try await store.entities("t").map { $0["v"] } == ["a", "5", "x'FF'"].map(EdmValue.string))
        #expect(try await store.entities("t?$filter=v eq '5'").count == 1)
    }
}

import Foundation
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Foreign keys as others declare them")
struct ForeignKeyTests {
    /// Declared types of the key and the foreign key, values of both.
    struct Pair: Sendable, CustomTestStringConvertible {
        var key: String
        var foreign: String
        var keyValue = "1"
        var foreignValue = "1"
        var testDescription: String { "\(foreign) \(foreignValue) → \(key) \(keyValue)" }
    }

    private static let pairs = [
        Pair(key: "INTEGER", foreign: "TEXT"), Pair(key: "INTEGER", foreign: ""),
        Pair(key: "INTEGER", foreign: "TEXT", foreignValue: "'1.0'"),
        Pair(key: "INTEGER", foreign: "", foreignValue: "'1'"), Pair(key: "INTEGER", foreign: "REAL"),
        Pair(key: "TEXT", foreign: "INTEGER", keyValue: "'1'"), Pair(key: "TEXT", foreign: "", keyValue: "'1'"),
        Pair(key: "VARCHAR(5)", foreign: "NUMERIC", keyValue: "'12'", foreignValue: "12"),
        Pair(key: "BLOB", foreign: "BLOB", keyValue: "x'01FF'", foreignValue: "x'01FF'"),
        Pair(key: "", foreign: "TEXT", keyValue: "'a'", foreignValue: "'a'"), Pair(key: "REAL", foreign: "INTEGER"),
    ]

    @Test(
        "$expand, paths, any, counts and joins find the same rows, whatever types the columns have",
        arguments: pairs, [false, true])
    func affinity(pair: Pair, isIndexed: Bool) async throws {
        let file = try SampleFile(
            """
            CREATE TABLE p(n INTEGER PRIMARY KEY, k \(pair.key) NOT NULL UNIQUE);
            CREATE TABLE c(id INTEGER PRIMARY KEY, f \(pair.foreign) REFERENCES p(k), t TEXT);
            \(isIndexed ? "CREATE INDEX byF ON c(f);" : "")
            INSERT INTO p VALUES (7, \(pair.keyValue)), (8, \(pair.key == "BLOB" ? "x'02'" : "'77'"));
            PRAGMA foreign_keys = OFF;
            INSERT INTO c VALUES (1, \(pair.foreignValue), 'x'), (2, NULL, 'y'), (3, \(pair.foreignValue), 'z');
            """)
        guard try file.value("SELECT count(*) FROM c JOIN p ON c.f = p.k") == "2" else { return }
        guard pair.key != "BLOB" else { return }
        let store = try file.store()
        let expanded = try await store.entities("p?$orderby=n&$expand=c($orderby=id;$count=true)")
        #expect(expanded.map { $0.ids("c") } == [[1, 3], []])
        #expect(try await store.entities("p?$expand=c($filter=t eq 'z')&$filter=n eq 7").map { $0.ids("c") } == [[3]])
        #expect(try await store.entities("p(7)/c?$orderby=id").map { $0["id"] } == [.integer(1), .integer(3)])
        #expect(try await store.entities("p?$filter=c/any(x:x/t eq 'z')").map { $0["n"] } == [.integer(7)])
        #expect(try await store.entities("p?$filter=c/all(x:x/t eq 'z')").map { $0["n"] } == [.integer(8)])
        #expect(try await store.entities("p?$filter=not c/any()").map { $0["n"] } == [.integer(8)])
        #expect(try await store.entities("p?$filter=c/$count eq 2").map { $0["n"] } == [.integer(7)])
        #expect(try await store.entities("p?$filter=c/aggregate(id with max) eq 3").map { $0["n"] } == [.integer(7)])
        #expect(try await store.entities("p?$filter=c/aggregate($count) eq 0").map { $0["n"] } == [.integer(8)])
        let name = try #require(
            try await store.model().entitySet(named: "c")?.type.navigationProperties.first { !$0.isCollection }?.name)
        #expect(
            try await store.entities("c?$expand=\(name)&$filter=id eq 1").first?.related(name)?["n"] == .integer(7))
        #expect(try await store.entities("c?$filter=\(name)/n eq 7").count == 2)
    }

    @Test("What a lambda says of other rows than the members is not a list")
    func correlated() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY, t TEXT);
            CREATE TABLE c(id INTEGER PRIMARY KEY, p_id INTEGER REFERENCES p, t TEXT);
            INSERT INTO p VALUES (1, 'x'), (2, 'y');
            INSERT INTO c VALUES (1, 1, 'x'), (2, 2, 'x'), (3, 2, 'z');
            """)
        let store = try file.store()
        #expect(try await store.entities("p?$filter=c/any(x:x/t eq t)").map { $0["id"] } == [.integer(1)])
        #expect(try await store.entities("p?$filter=c/any(x:x/p/t eq 'y')").map { $0["id"] } == [.integer(2)])
        #expect(
            try await store.entities("p?$filter=c/$count($filter=t eq $it/t) eq 1").map { $0["id"] } == [.integer(1)])
        #expect(try await store.entities("c?$filter=p/c/$count gt 1").count == 2)
        #expect(try await store.entities("p?$filter=c/any(x:x/p/c/any(y:y/t eq 'z'))").count == 1)
    }

    @Test("A foreign key without an index costs no more than five times what one with an index costs")
    func unindexed() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY, t TEXT);
            CREATE TABLE c(id INTEGER PRIMARY KEY, p_id INTEGER REFERENCES p, t TEXT);
            CREATE TABLE d(id INTEGER PRIMARY KEY, p_id INTEGER REFERENCES p, t TEXT);
            CREATE INDEX byP ON d(p_id);
            WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 5000)
            INSERT INTO p SELECT n, 'p' || n FROM i;
            WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 15000)
            INSERT INTO c SELECT n, 1 + n * 7919 % 5000, 't' || n FROM i;
            INSERT INTO d SELECT * FROM c;
            """)
        let store = try file.store { $0.isReadOnly = true }
        let queries = [
            "p?$expand=@&$top=1000", "p?$filter=@/any(x:x/t eq 't7')", "p?$filter=@/$count gt 100",
            "p?$filter=@/aggregate(id with max) gt 14990",
        ]
        for query in queries {
            var times: [String: Duration] = [:]
            var counts: [Int] = []
            for set in ["d", "c"] {
                let url = query.replacing("@", with: set)
                times[set] = try await ContinuousClock().measure { counts.append(try await store.entities(url).count) }
            }
            #expect(counts[0] == counts[1])
            let (indexed, plain) = (try #require(times["d"]), try #require(times["c"]))
            #expect(plain < indexed * 5 + .milliseconds(100), "\(query)")
        }
        let notices = store.notices.filter { $0.contains("has no index") }
        #expect(notices.count == 1 && notices.first?.contains("foreign key c(p_id) to p") == true)
    }

    /// Declared types of the key and the foreign key, and an index that SQLite cannot use for one of both ways.
    struct Unusable: Sendable, CustomTestStringConvertible {
        var key: String
        var foreign: String
        var index: String
        /// Whether an index with the right collation would be used.
        var isMendable = false
        var testDescription: String { "\(foreign) → \(key), \(index)" }
    }

    private static let unusable = [
        Unusable(key: "INTEGER", foreign: "TEXT", index: "k"), Unusable(key: "INTEGER", foreign: "", index: "k"),
        Unusable(key: "REAL", foreign: "VARCHAR(9)", index: "k"),
        Unusable(key: "TEXT", foreign: "INTEGER", index: "t"), Unusable(key: "", foreign: "REAL", index: "t"),
        Unusable(key: "TEXT", foreign: "TEXT", index: "k COLLATE NOCASE", isMendable: true),
        Unusable(key: "TEXT", foreign: "TEXT COLLATE NOCASE", index: "k", isMendable: true),
        Unusable(key: "TEXT COLLATE NOCASE", foreign: "TEXT", index: "k", isMendable: true),
        Unusable(key: "INTEGER", foreign: "INTEGER", index: "k + 0", isMendable: true),
        Unusable(key: "INTEGER", foreign: "INTEGER", index: "k) WHERE (t > ''", isMendable: true),
    ]

    @Test("An index that SQLite cannot use costs no more than none", arguments: unusable)
    func unusableIndex(form: Unusable) async throws {
        let file = try SampleFile(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY, k \(form.key) NOT NULL UNIQUE, t TEXT);
            CREATE TABLE c(id INTEGER PRIMARY KEY, k \(form.foreign) REFERENCES p(k), t TEXT);
            CREATE TABLE q(id INTEGER PRIMARY KEY, t TEXT);
            CREATE TABLE d(id INTEGER PRIMARY KEY, k INTEGER REFERENCES q, t TEXT);
            CREATE INDEX byK ON d(k); CREATE INDEX unusable ON c(\(form.index));
            WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 2000) INSERT INTO p SELECT n, n, 'p' || n FROM i;
            INSERT INTO q SELECT id, t FROM p;
            WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 4000)
            INSERT INTO d SELECT n, 1 + n * 7919 % 2000, 't' || n FROM i;
            INSERT INTO c SELECT * FROM d;
            """)
        let store = try file.store { $0.isReadOnly = true }
        let toOne = try #require(
            try await store.model().entitySet(named: "c")?.type.navigationProperties.first { !$0.isCollection }?.name)
        let queries = [
            ("q?$expand=d&$top=1000", "p?$expand=c&$top=1000"),
            ("q?$filter=d/any(x:x/t eq 't7')", "p?$filter=c/any(x:x/t eq 't7')"),
            ("q?$compute=d/$count as number&$select=number", "p?$compute=c/$count as number&$select=number"),
            ("q?$filter=d/aggregate(id with max) gt 3990", "p?$filter=c/aggregate(id with max) gt 3990"),
            ("d?$filter=k_q/t eq 'p7'", "c?$filter=\(toOne)/t eq 'p7'"),
            ("d?$expand=k_q&$top=1000", "c?$expand=\(toOne)&$top=1000"),
        ]
        for (indexed, unindexed) in queries {
            var counts: [Int] = []
            let fast = try await ContinuousClock().measure { counts.append(try await store.entities(indexed).count) }
            let slow = try await ContinuousClock().measure { counts.append(try await store.entities(unindexed).count) }
            #expect(counts[0] == counts[1], "\(unindexed)")
            #expect(slow < fast * 5 + .milliseconds(100), "\(unindexed)")
        }
    }

    @Test("Indexes are made with the collation of the comparison, and not where none is of use", arguments: unusable)
    func createsUsable(form: Unusable) async throws {
        let file = try SampleFile(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY, k \(form.key) NOT NULL UNIQUE);
            CREATE TABLE c(id INTEGER PRIMARY KEY, k \(form.foreign) REFERENCES p(k), t TEXT);
            CREATE INDEX unusable ON c(\(form.index));
            INSERT INTO p VALUES (1, 7), (2, 8); INSERT INTO c VALUES (1, 7, 'x'), (2, 7, 'y'), (3, NULL, 'z');
            """)
        let isUsed = form.isMendable || form.index == "t"
        let store = try file.store { $0.createsIndexes = true }
        #expect(store.notices.contains { $0.contains("uses no index") } != isUsed)
        #expect(try file.value("SELECT count(*) FROM pragma_index_list('c')") == (isUsed ? "2" : "1"))
        #expect(try await store.entities("p?$orderby=id&$expand=c($orderby=id)").map { $0.ids("c") } == [[1, 2], []])
        let plan = try file.values("EXPLAIN QUERY PLAN SELECT * FROM p CROSS JOIN c ON p.k = c.k")
        #expect(plan.contains { $0.contains("SEARCH c USING INDEX odata_c_k") } == isUsed)
        #expect(try file.store().notices.contains { $0.contains("has no index") } == false)
    }

    @Test("Texts that are one number are one foreign key")
    func sameNumber() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY, t TEXT);
            CREATE TABLE c(id INTEGER PRIMARY KEY, p_id TEXT REFERENCES p, t TEXT);
            INSERT INTO p VALUES (1, 'x'), (2, 'y');
            INSERT INTO c VALUES (1, '1', 'a'), (2, '1.0', 'b'), (3, ' 1 ', 'c');
            """)
        let expected = try file.value(
            "SELECT group_concat(id) FROM (SELECT c.id FROM p JOIN c ON p.id = c.p_id ORDER BY 1)")
        let store = try file.store()
        let found = try await store.entities("p?$orderby=id&$expand=c($orderby=id)").map { $0.ids("c") }
        #expect(found == [[1, 2, 3], []])
        #expect(expected == "1,2,3")
        #expect(try await store.entities("p?$filter=c/$count eq 3").map { $0["id"] } == [.integer(1)])
        #expect(try await store.entities("p?$filter=c/aggregate(id with max) eq 3").map { $0["id"] } == [.integer(1)])
        #expect(try await store.entities("p?$filter=c/any(x:x/t eq 'c')").map { $0["id"] } == [.integer(1)])
    }

    @Test("The indexes that are missing are made where that is wanted, and are there from then on")
    func createsIndexes() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE p(a INTEGER, b TEXT, PRIMARY KEY (a, b));
            CREATE TABLE "c d"(id INTEGER PRIMARY KEY, a INTEGER, b TEXT, FOREIGN KEY (a, b) REFERENCES p);
            CREATE TABLE e(id INTEGER PRIMARY KEY, a INTEGER, b TEXT, FOREIGN KEY (a, b) REFERENCES p);
            CREATE INDEX partial ON e(a, b) WHERE a > 1;
            CREATE TABLE ok(a INTEGER, b TEXT, n INTEGER, PRIMARY KEY (b, a, n), FOREIGN KEY (a, b) REFERENCES p);
            INSERT INTO p VALUES (1, 'x'); INSERT INTO "c d" VALUES (1, 1, 'x'), (2, NULL, 'x');
            """)
        #expect(try file.store().notices.filter { $0.contains("has no index") }.count == 2)
        #expect(try await file.store().entities("p?$expand=c_d").map { $0.ids("c_d") } == [[1]])
        let store = try file.store { $0.createsIndexes = true }
        #expect(store.notices.filter { $0.contains("has no index") }.isEmpty)
        #expect(try await store.entities("p?$expand=c_d").map { $0.ids("c_d") } == [[1]])
        #expect(try file.value("SELECT count(*) FROM pragma_index_list('c d')") == "1")
    }
}

extension EdmEntity {
    /// The ids of the members of an expanded relation.
    fileprivate func ids(_ navigation: String) -> [Int64] {
        guard case .many(let entities, _)? = expanded[navigation] else { return [] }
        return entities.compactMap { if case .integer(let id) = $0["id"] { id } else { nil } }
    }

    fileprivate func related(_ navigation: String) -> EdmEntity? {
        if case .one(let entity)? = expanded[navigation] { entity } else { nil }
    }
}

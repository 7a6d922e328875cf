import Foundation
import GRDB
import ODataModel
import ODataStores
import Synchronization
import Testing

@testable import ODataSQLite

@Suite("Values that other programs make unfit while the file is published")
struct UnfitValueTests {
    private let sql = """
        CREATE TABLE good(id INTEGER PRIMARY KEY, n INTEGER, k BOOLEAN);
        INSERT INTO good VALUES (1, 5, 1), (2, 6, NULL);
        """

    @Test("The read that meets the value is refused, and it is text from the next request on")
    func becomesText() async throws {
        let file = try SampleFile(sql)
        let told = NoticeList()
        let store = try file.store { $0.onNotice = { told.append($0) } }
        try file.execute("UPDATE good SET n = 'garbage' WHERE id = 1")
        #expect(await code { _ = try await store.entities("good") } == .busy)
        let type = try await store.model().entitySet(named: "good")?.type.property(named: "n")?.type
        #expect(type == .string)
        #expect(try await store.entities("good").map { $0["n"] } == [.string("garbage"), .string("6")])
        #expect(told.texts.count == 1 && told.texts.first?.contains("good.n is declared INTEGER") == true)
        #expect(store.notices == told.texts)
    }

    @Test("A value alone is not null but busy, and text when it is read again", arguments: ["n", "k"])
    func singleValue(property: String) async throws {
        let file = try SampleFile(sql)
        let store = try file.store { $0.isReadOnly = true }
        try file.execute("UPDATE good SET \(property) = 'garbage' WHERE id = 1")
        let read = { try await store.read(ReadRequest(try store.parser.query("good(1)/\(property)"))) }
        #expect(await code { _ = try await read() } == .busy)
        guard case .value(.string("garbage"), _) = try await read().body else {
            Issue.record("not the text")
            return
        }
    }

    @Test("Rows whose key has become unfit or null are left out, and shown as text where they can be")
    func keys() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE t(id UUID PRIMARY KEY, n INTEGER);
            INSERT INTO t VALUES ('01234567-89ab-cdef-0123-456789abcdef', 1);
            CREATE TABLE c(id INTEGER PRIMARY KEY, t UUID REFERENCES t(id));
            INSERT INTO c VALUES (1, '01234567-89ab-cdef-0123-456789abcdef');
            """)
        let store = try file.store()
        try file.execute("INSERT INTO t VALUES ('x', 2), (NULL, 3)")
        #expect(await code { _ = try await store.entities("t") } == .busy)
        #expect(try await store.entities("c?$expand=t_t").count == 1)
        _ = try await store.model()
        #expect(try await store.entities("t?$orderby=n").map { $0["n"] } == [.integer(1), .integer(2)])
        _ = try await store.model()
        #expect(try await store.entities("t?$orderby=n").map { $0["n"] } == [.integer(1), .integer(2)])
    }

    @Test("A number beyond a small type is refused once, and widens the type")
    func ranges() async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, n SMALLINT); INSERT INTO t VALUES (1, 7);")
        let store = try file.store()
        try file.execute("UPDATE t SET n = 40000")
        #expect(await code { _ = try await store.entity("t(1)") } == .busy)
        #expect(try await store.model().entitySet(named: "t")?.type.property(named: "n")?.type == .int64)
        #expect(try await store.entity("t(1)")?["n"] == .integer(40_000))
    }

    /// What is asked of the column, and what the response is once the value is known.
    static let questions: [(url: String, rows: Int)] = [
        ("m?$filter=v eq 'text'", 1), ("m?$filter=contains(v,'ex')", 1), ("m?$filter=v eq '7'", 1),
        ("m?$filter=not (v eq 'text')", 2), ("m?$apply=groupby((v))", 3),
        ("m?$orderby=v desc&$top=1&$filter=v eq 'text'", 1),
        ("p?$filter=ms/any(m:m/v eq 'text')", 1), ("p?$expand=ms($filter=v eq 'text')&$filter=ms/any()", 1),
    ]

    @Test(
        "No condition, order or group uses a value that another program wrote before it was looked at",
        arguments: [false, true], [false, true])
    func otherProgram(isReadOnly: Bool, hasOwnChange: Bool) async throws {
        for question in Self.questions {
            let file = try SampleFile(
                """
                CREATE TABLE p(id INTEGER PRIMARY KEY);
                CREATE TABLE m(id INTEGER PRIMARY KEY, v INT, p INTEGER REFERENCES p(id));
                INSERT INTO p VALUES (1);
                INSERT INTO m VALUES (1, 5, 1), (2, 7, 1), (3, 9, 1);
                """)
            let store = try file.store { $0.isReadOnly = isReadOnly }
            _ = try await store.model()
            if hasOwnChange, !isReadOnly { _ = try await store.update("m(3)", ["v": .integer(8)]) }
            try file.execute("UPDATE m SET v = 'text' WHERE id = 1")
            let model = try await store.model()
            #expect(model.entitySet(named: "m")?.type.property(named: "v")?.type == .string)
            let url = question.url.replacing(
                "ms", with: model.entitySet(named: "p")?.type.navigationProperties.first?.name ?? "")
            #expect(try await store.entities(url).count == question.rows, "\(url)")
            #expect(try await store.model().entitySet(named: "m")?.type.property(named: "v")?.type == .string)
            try store.close()
        }
    }

    @Test("Own changes need no look at the values, and another program's fitting ones change nothing")
    func ownChanges() async throws {
        let file = try SampleFile(sql)
        let store = try file.store()
        let model = try await store.model()
        _ = try await store.create("good", ["n": .integer(3)])
        #expect(try await store.model() === model)
        try file.execute("INSERT INTO good VALUES (9, 9, 0)")
        #expect(try await store.model() === model)
        #expect(try await store.entities("good?$filter=n gt 5").count == 2)
        try store.close()
    }

    @Test("A delta has the value that another program wrote, as text")
    func delta() async throws {
        let file = try SampleFile("CREATE TABLE m(id INTEGER PRIMARY KEY, v INT); INSERT INTO m VALUES (1, 5), (2, 7);")
        let store = try file.store { $0.tracksChanges = true }
        let link = try #require(try await store.tracked("m").deltaLink)
        try file.execute("UPDATE m SET v = 'text' WHERE id = 2")
        _ = try await store.model()
        #expect(try await store.tracked(link).entities.map { $0["v"] } == [.string("text")])
    }

    @Test(
        "A table whose keys are the same as they are shown is left out, also when another program makes them so",
        arguments: [
            ("CREATE TABLE t(k PRIMARY KEY, n INT)", "1", "'1'"),
            ("CREATE TABLE t(k PRIMARY KEY, n INT)", "'a'", "x'61'"),
            (
                "CREATE TABLE t(k UUID PRIMARY KEY, n INT)", "'01234567-89ab-cdef-0123-456789abcdef'",
                "'01234567-89AB-cdef-0123-456789abcdef'"
            ),
        ])
    func equalKeys(sql: String, first: String, second: String) async throws {
        for isLate in [false, true] {
            let file = try SampleFile(
                "\(sql); INSERT INTO t VALUES (\(first), 1); CREATE TABLE o(id INTEGER PRIMARY KEY);")
            if !isLate { try file.execute("INSERT INTO t VALUES (\(second), 2)") }
            let store = try file.store()
            if isLate {
                #expect(try await store.model().entitySet(named: "t") != nil)
                try file.execute("INSERT INTO t VALUES (\(second), 2)")
            }
            #expect(try await store.model().entitySet(named: "t") == nil)
            #expect(store.notices.contains { $0.contains("several of its rows are shown with the same key") })
            try store.close()
        }
    }

    @Test("Where another look changes nothing, it is taken once only")
    func settles() async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT); INSERT INTO t VALUES (1, 'a');")
        let store = try file.store()
        try file.execute("UPDATE t SET s = x'FF00FE'")
        #expect(await code { _ = try await store.entities("t") } == .busy)
        _ = try await store.model()
        #expect(try await store.entities("t").first?["s"] == .string("x'FF00FE'"))
        #expect(store.schema.misfits.removeAll().isEmpty)
    }
}

final class NoticeList: Sendable {
    private let list = Mutex<[String]>([])
    var texts: [String] { list.withLock { $0 } }
    func append(_ text: String) { list.withLock { $0.append(text) } }
}

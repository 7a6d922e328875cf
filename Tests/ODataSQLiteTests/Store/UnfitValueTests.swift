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

    @Test("The property is absent in the read that meets the value, and text from the next request on")
    func becomesText() async throws {
        let file = try SampleFile(sql)
        let told = NoticeList()
        let store = try file.store { $0.onNotice = { told.append($0) } }
        try file.execute("UPDATE good SET n = 'garbage' WHERE id = 1")
        let first = try await store.entities("good")
        #expect(first.map { $0["n"] } == [nil, .integer(6)])
        let type = try await store.model().entitySet(named: "good")?.type.property(named: "n")?.type
        #expect(type == .string)
        #expect(try await store.entities("good").map { $0["n"] } == [.string("garbage"), .string("6")])
        #expect(told.texts.count == 1 && told.texts.first?.contains("good.n is declared INTEGER") == true)
        #expect(store.notices == told.texts)
    }

    @Test("A value alone is not null but busy, and text when it is read again")
    func singleValue() async throws {
        let file = try SampleFile(sql)
        let store = try file.store { $0.isReadOnly = true }
        try file.execute("UPDATE good SET n = 'garbage', k = 7 WHERE id = 1")
        for path in ["good(1)/n", "good(1)/k"] {
            #expect(await code { _ = try await store.read(ReadRequest(try store.parser.query(path))) } == .busy)
        }
        _ = try await store.model()
        guard
            case .value(.string("garbage"), _) = try await store.read(
                ReadRequest(try store.parser.query("good(1)/n"))
            ).body
        else {
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
        #expect(try await store.entities("t").map { $0["n"] } == [.integer(1)])
        #expect(try await store.entities("c?$expand=t_t").count == 1)
        _ = try await store.model()
        #expect(try await store.entities("t?$orderby=n").map { $0["n"] } == [.integer(1), .integer(2)])
        _ = try await store.model()
        #expect(try await store.entities("t?$orderby=n").map { $0["n"] } == [.integer(1), .integer(2)])
    }

    @Test("A number beyond a small type is absent, and widens the type")
    func ranges() async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, n SMALLINT); INSERT INTO t VALUES (1, 7);")
        let store = try file.store()
        try file.execute("UPDATE t SET n = 40000")
        #expect(try await store.entity("t(1)")?["n"] == nil)
        #expect(try await store.model().entitySet(named: "t")?.type.property(named: "n")?.type == .int64)
        #expect(try await store.entity("t(1)")?["n"] == .integer(40_000))
    }

    @Test("Where another look changes nothing, it is taken once only")
    func settles() async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT); INSERT INTO t VALUES (1, 'a');")
        let store = try file.store()
        try file.execute("UPDATE t SET s = x'FF00FE'")
        #expect(try await store.entities("t").first?["s"] == nil)
        _ = try await store.model()
        #expect(try await store.entities("t").first?["s"] == .string("x'FF00FE'"))
        #expect(store.schema.misfits.take().isEmpty)
    }
}

final class NoticeList: Sendable {
    private let list = Mutex<[String]>([])
    var texts: [String] { list.withLock { $0 } }
    func append(_ text: String) { list.withLock { $0.append(text) } }
}

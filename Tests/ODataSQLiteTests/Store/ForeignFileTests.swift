import ByteStreams
import GRDB
import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Files as others make them")
struct ForeignFileTests {
    @Test("Names with spaces and quotes are tracked, composite and GUID keys too")
    func oddNames() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE "it's ""odd"" [really]"("key 1" TEXT, "key'2" UUID, "val ue" TEXT, "pic ture" BLOB,
              PRIMARY KEY ("key 1", "key'2"));
            INSERT INTO "it's ""odd"" [really]" VALUES ('a''b', '01234567-89AB-CDEF-0123-456789ABCDEF', 'x', x'01');
            CREATE TABLE g(id GUID PRIMARY KEY, n TEXT) WITHOUT ROWID;
            INSERT INTO g VALUES (x'0123456789ABCDEF0123456789ABCDEF', 'n');
            """)
        let store = try file.store { $0.tracksChanges = true }
        let set = "it_s_odd_really"
        let odd = try #require(try await store.tracked(set).deltaLink)
        let binary = try #require(try await store.tracked("g").deltaLink)
        try file.execute(
            """
            UPDATE "it's ""odd"" [really]" SET "val ue" = 'y';
            INSERT INTO "it's ""odd"" [really]" VALUES ('c', '11234567-89ab-cdef-0123-456789abcdef', 'x', x'01');
            DELETE FROM "it's ""odd"" [really]" WHERE "key 1" = 'c';
            UPDATE g SET n = 'm';
            """)
        let delta = try await store.tracked(odd)
        #expect(delta.entities.map { $0["val_ue"] } == [.string("y")])
        #expect(delta.removed == ["\(set)(key_1='c',key_2=11234567-89ab-cdef-0123-456789abcdef) deleted"])
        #expect(try await store.tracked(binary).entities.map { $0["n"] } == [.string("m")])
        let path = "\(set)(key_1='a''b',key_2=01234567-89ab-cdef-0123-456789abcdef)"
        #expect(try await store.bytes("\(path)/pic_ture") == [1])
        _ = try await store.change(
            "\(path)/pic_ture", .replaceStream(MediaContent(ByteContent([7]), contentType: "a/b")))
        #expect(try await store.bytes("\(path)/pic_ture") == [7])
    }

    @Test("Long results stream, also from a read-only file without a write-ahead log")
    func longResults() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, n TEXT);
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 5000)
            INSERT INTO t SELECT i, 'name ' || i FROM c;
            """)
        let store = try file.store { $0.isReadOnly = true }
        #expect(try await store.entities("t").count == 5000)
        #expect(try file.value("PRAGMA journal_mode") == "delete")
        let paged = try file.store {
            $0.pageSize = 1000
            $0.tracksChanges = true
        }
        let tracked = try await paged.tracked("t")
        #expect(tracked.entities.count == 5000 && tracked.pages == 5)
        try file.execute("UPDATE t SET n = 'x'")
        let delta = try await paged.tracked(try #require(tracked.deltaLink))
        #expect(delta.entities.count == 5000 && delta.pages >= 5)
    }

    @Test("Rows whose key is null are not shown, and none are made")
    func nullKeys() async throws {
        let file = try SampleFile(
            "CREATE TABLE t(k TEXT PRIMARY KEY, n TEXT); INSERT INTO t VALUES ('a', 'x'), (NULL, 'y');")
        let store = try file.store()
        #expect(try await store.entities("t").map { $0["k"] } == [.string("a")])
        #expect(store.notices.count == 1)
        #expect(await code { _ = try await store.create("t", ["n": .string("z")]) } == .badRequest)
    }

    @Test("A column that became unfit is a string that takes what was in it")
    func misfitValues() async throws {
        let file = try SampleFile(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO t VALUES (1, 5), (2, 'many'), (3, 2.5);")
        let store = try file.store()
        #expect(try await store.entities("t").map { $0["n"] } == [.string("5"), .string("many"), .string("2.5")])
        _ = try await store.update("t(2)", ["n": .string("7")])
        _ = try await store.update("t(3)", ["n": .string("none")])
        #expect(try file.values("SELECT n, typeof(n) FROM t") == ["5|integer", "7|integer", "none|text"])
        #expect(try await store.entities("t?$filter=n eq 'none'").count == 1)
    }

    @Test("Triggers of the file's owner work, and what they refuse is told")
    func ownersTriggers() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, n TEXT, stamp TEXT);
            CREATE TABLE audit(id INTEGER PRIMARY KEY, what TEXT);
            CREATE TRIGGER a AFTER INSERT ON t BEGIN
              UPDATE t SET stamp = 'set' WHERE id = NEW.id; INSERT INTO audit(id, what) VALUES (NEW.id + 100, NEW.n); END;
            CREATE TRIGGER b BEFORE INSERT ON t WHEN NEW.n = 'bad' BEGIN SELECT RAISE(ABORT, 'no bad names'); END;
            """)
        let store = try file.store { $0.tracksChanges = true }
        let link = try #require(try await store.tracked("audit").deltaLink)
        let made = try await store.create("t", ["n": .string("good")])
        #expect(made.entityID == "t(1)" && made.entity?["stamp"] == .string("set"))
        #expect(try await store.tracked(link).entities.count == 1)
        #expect(await message { _ = try await store.create("t", ["n": .string("bad")]) }.contains("no bad names"))
    }

    @Test("A store waits for another program's transaction and sees what it wrote")
    func otherWriter() async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO t VALUES (1, 0);")
        let store = try file.store()
        var patient = GRDB.Configuration()
        patient.busyMode = .timeout(10)
        let other = try DatabaseQueue(path: file.path, configuration: patient)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try await store.create("t", ["n": .integer(1)]) }
                group.addTask { try await other.write { try $0.execute(sql: "INSERT INTO t(n) VALUES (2)") } }
            }
            try await group.waitForAll()
        }
        #expect(try await store.entities("t").count == 41)
    }

    @Test("Bookkeeping that another program drops makes old tokens unknown; the file can be opened again")
    func droppedBookkeeping() async throws {
        let file = try Shop.file()
        let store = try file.store { $0.tracksChanges = true }
        let link = try #require(try await store.tracked("Product").deltaLink)
        try store.close()
        let names = try file.values(
            "SELECT type || ' \"' || name || '\"' FROM sqlite_master WHERE name LIKE 'odata_store_%' AND type IN ('table', 'trigger')"
        )
        for name in names.sorted().reversed() { try file.execute("DROP \(name)") }
        let again = try file.store { $0.tracksChanges = true }
        #expect(await code { _ = try await again.tracked(link) } == .gone)
        #expect(try await again.model().entitySets.allSatisfy { !$0.name.hasPrefix("odata") })
    }
}

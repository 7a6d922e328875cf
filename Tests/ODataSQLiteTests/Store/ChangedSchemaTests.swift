import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("A schema that another program changes, and triggers that keep changes from being made")
struct ChangedSchemaTests {
    private static let sql = """
        CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, old TEXT); INSERT INTO t VALUES (1, 'a', 'b');
        """

    @Test(
        "The model is read anew with the next request",
        arguments: [
            ("ALTER TABLE t ADD COLUMN more INTEGER DEFAULT 5", "t?$filter=more eq 5", 1),
            ("ALTER TABLE t RENAME COLUMN name TO title", "t?$filter=title eq 'a'", 1),
            ("ALTER TABLE t DROP COLUMN old", "t", 1), ("CREATE TABLE u(id INTEGER PRIMARY KEY)", "u", 0),
            ("DROP TABLE t; CREATE TABLE t(id INTEGER PRIMARY KEY, x INTEGER)", "t?$orderby=x", 0),
        ])
    func changed(change: String, url: String, count: Int) async throws {
        for isReadOnly in [false, true] {
            let file = try SampleFile(Self.sql)
            let store = try file.store {
                $0.isReadOnly = isReadOnly
                $0.tracksChanges = !isReadOnly
            }
            let before = try await store.model()
            #expect(try await store.entities("t").count == 1)
            try file.execute(change)
            let after = try await store.model()
            #expect(before != after)
            #expect(try await store.entities(url).count == count)
            #expect(try await store.model() == after)
        }
    }

    @Test("A query of the old model is busy, not a failure, and nothing else changes without need")
    func between() async throws {
        let file = try SampleFile(Self.sql)
        let store = try file.store()
        let query = try store.parser.query("t?$filter=name eq 'a'")
        try file.execute("ALTER TABLE t RENAME COLUMN name TO title")
        #expect(await code { _ = try await store.read(ReadRequest(query)) } == .busy)
        _ = try await store.model()
        #expect(try await store.entities("t").map { $0["title"] } == [.string("a")])
    }

    @Test("What the configuration names and is gone makes the file busy, with a notice")
    func unpublishable() async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, photo BLOB)")
        let told = NoticeList()
        let store = try file.store {
            $0.media = [MediaColumn(set: "t", column: "photo")]
            $0.onNotice = { told.append($0) }
        }
        try file.execute("ALTER TABLE t DROP COLUMN photo")
        #expect(await code { _ = try await store.model() } == .busy)
        #expect(told.texts.first?.contains("is no longer served") == true)
        try file.execute("ALTER TABLE t ADD COLUMN photo BLOB")
        _ = try await store.model()
    }

    @Test("RAISE(IGNORE) is a conflict, and nothing has changed", arguments: ["", " WITHOUT ROWID"])
    func ignored(ending: String) async throws {
        let file = try SampleFile(
            """
            CREATE TABLE t(id TEXT PRIMARY KEY NOT NULL, name TEXT)\(ending);
            INSERT INTO t VALUES ('1', 'a');
            CREATE TRIGGER i BEFORE INSERT ON t BEGIN SELECT RAISE(IGNORE); END;
            CREATE TRIGGER u BEFORE UPDATE ON t WHEN NEW.name <> 'free' BEGIN SELECT RAISE(IGNORE); END;
            CREATE TRIGGER d BEFORE DELETE ON t BEGIN SELECT RAISE(IGNORE); END;
            """)
        let store = try file.store()
        #expect(
            await code { _ = try await store.create("t", ["id": .string("2"), "name": .string("b")]) } == .conflict)
        #expect(await code { _ = try await store.update("t('1')", ["name": .string("b")]) } == .conflict)
        #expect(await code { _ = try await store.change("t('1')", .delete) } == .conflict)
        #expect(try await store.entities("t").map { $0["name"] } == [.string("a")])
        _ = try await store.update("t('1')", ["name": .string("free")])
        #expect(try await store.entities("t").map { $0["name"] } == [.string("free")])
    }

    @Test("A file with a write-ahead log is read where no file can be made, with a notice")
    func unwritableFolder() async throws {
        let file = try SampleFile(Self.sql)
        try file.useLog()
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: file.folder.path)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.folder.path)
        }
        let store = try file.store { $0.isReadOnly = true }
        #expect(try await store.entities("t").count == 1)
        // Whoever may write everywhere sees no difference.
        let isWritable = FileManager.default.isWritableFile(atPath: file.folder.path)
        #expect(store.notices.contains { $0.contains("no files can be made beside it") } != isWritable)
    }
}

import Foundation
import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Triggers and constraints that change what was written")
struct TriggerTests {
    /// What a trigger does with a row after it was written, by the name that it was written with.
    private static func sql(_ key: String, _ ending: String) -> String {
        let another = key.hasPrefix("TEXT") ? "id || 'x'" : "id + 100"
        let events = ["INSERT", "UPDATE"].map { event in
            """
            CREATE TRIGGER gone\(event) AFTER \(event) ON t WHEN NEW.name = 'gone' BEGIN DELETE FROM t WHERE id = NEW.id; END;
            CREATE TRIGGER key\(event) AFTER \(event) ON t WHEN NEW.name = 'key'
            BEGIN UPDATE t SET id = \(another), name = 'moved' WHERE id = NEW.id; END;
            CREATE TRIGGER more\(event) AFTER \(event) ON t WHEN NEW.name = 'more'
            BEGIN UPDATE t SET name = 'changed' WHERE id = NEW.id; END;
            """
        }
        return """
            CREATE TABLE t(id \(key), name TEXT)\(ending);
            INSERT INTO t VALUES (1, 'a');
            \(events.joined(separator: "\n"))
            """
    }

    @Test(
        "A new row or a changed one that a trigger takes away or gives another key is a conflict, and nothing has changed",
        arguments: [("INTEGER PRIMARY KEY", ""), ("TEXT PRIMARY KEY NOT NULL", " WITHOUT ROWID")], ["gone", "key"])
    func taken(table: (key: String, ending: String), name: String) async throws {
        let file = try SampleFile(Self.sql(table.key, table.ending))
        let store = try file.store()
        let isText = table.key.hasPrefix("TEXT")
        let id: EdmValue = isText ? .string("2") : .integer(2)
        let url = isText ? "t('1')" : "t(1)"
        let values: EdmComplexValue = ["id": id, "name": .string(name)]
        #expect(await message { _ = try await store.create("t", values) }?.contains("a trigger deletes it") == true)
        #expect(
            await message { _ = try await store.update(url, ["name": .string(name)]) }?.contains("another key") == true)
        #expect(try file.value("SELECT group_concat(id || name) FROM t") == "1a")
    }

    @Test(
        "A row that a trigger changes otherwise is told as it is",
        arguments: [("INTEGER PRIMARY KEY", ""), ("TEXT PRIMARY KEY NOT NULL", " WITHOUT ROWID")])
    func changed(table: (key: String, ending: String)) async throws {
        let file = try SampleFile(Self.sql(table.key, table.ending))
        let store = try file.store()
        let isText = table.key.hasPrefix("TEXT")
        _ = try await store.create("t", ["id": isText ? .string("2") : .integer(2), "name": .string("more")])
        _ = try await store.update(isText ? "t('1')" : "t(1)", ["name": .string("more")])
        #expect(try await store.entities("t").map { $0["name"] } == [.string("changed"), .string("changed")])
    }

    @Test(
        "What ON CONFLICT IGNORE keeps from being made is a conflict that does not blame a trigger alone",
        arguments: ["v TEXT UNIQUE ON CONFLICT IGNORE", "v TEXT, UNIQUE(v) ON CONFLICT IGNORE"])
    func ignored(column: String) async throws {
        let file = try SampleFile(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, \(column)); INSERT INTO t VALUES (1, 'a'), (2, 'b');")
        let store = try file.store()
        let value = EdmValue.string("a")
        #expect(await message { _ = try await store.create("t", ["v": value]) }?.contains("ON CONFLICT IGNORE") == true)
        #expect(
            await message { _ = try await store.update("t(2)", ["v": value]) }?.contains("ON CONFLICT IGNORE") == true)
        #expect(try file.value("SELECT group_concat(id || v) FROM t") == "1a,2b")
    }

    /// The message of the conflict that `body` ends with; nil if it ends otherwise.
    private func message(_ body: () async throws -> Void) async -> String? {
        do { try await body() } catch let error as ODataError where error.code == .conflict {
            return error.message
        } catch {}
        return nil
    }
}

import Foundation
import GRDB
import ODataStores
import Testing

@testable import ODataSQLite

/// Full-text tables of published files.
@Suite struct PublishedSearchTests {
    private func file(_ work: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("shop.db").path
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE Products (ID INTEGER PRIMARY KEY, Name TEXT, Code TEXT UNIQUE);
                    INSERT INTO Products VALUES (1, 'Mountain bike', 'x1'), (2, 'Städter', 'x2'), (3, NULL, 'x3');
                    CREATE TABLE Notes (Title TEXT PRIMARY KEY, Body TEXT);
                    INSERT INTO Notes VALUES ('a', 'mountain view'), ('b', 'sea');
                    """)
        }
        try queue.close()
        try await work(path)
    }

    private func count(_ url: String, in store: SQLiteStore) async throws -> Int {
        let result = try await store.read(ReadRequest(try store.parser.query(url)))
        guard case .entities(let reader) = result.body else { return -1 }
        var count = 0
        while let block = try await reader.next() { count += block.rows.count }
        return count
    }

    @Test("The index is made once, follows all changes, and is used where it is there", arguments: [true, false])
    func index(_ isIndexed: Bool) async throws {
        try await file { path in
            var configuration = SQLiteStore.Configuration()
            configuration.indexesText = isIndexed
            let store = try SQLiteStore(path: path, configuration: configuration)
            #expect(try await count("Products?$search=mount", in: store) == 1)
            #expect(try await count("Products?$search=stadter", in: store) == 1)
            #expect(try await count("Notes?$search=mountain", in: store) == 1)
            #expect(try await count("Products?$search=NOT%20mountain", in: store) == 2)
            let other = try DatabaseQueue(path: path)
            try await other.write { db in
                try db.execute(
                    sql: """
                        UPDATE Products SET Name = 'River boat' WHERE ID = 1;
                        INSERT OR REPLACE INTO Products VALUES (2, 'Mountain goat', 'x2');
                        INSERT OR REPLACE INTO Products VALUES (9, 'Mountain top', 'x3');
                        """)
            }
            try other.close()
            #expect(try await count("Products?$search=mountain", in: store) == 2)
            #expect(try await count("Products?$search=river%20boat", in: store) == 1)
            let sql = try store.explain(try store.parser.query("Products?$search=mountain")).joined()
            #expect(sql.contains("MATCH") == isIndexed)
            #expect(try await store.model().entitySets.map(\.name).sorted() == ["Notes", "Products"])
            try store.close()
            var reading = SQLiteStore.Configuration()
            reading.isReadOnly = true
            let again = try SQLiteStore(path: path, configuration: reading)
            #expect(try await count("Products?$search=mountain", in: again) == 2)
            #expect(
                try again.explain(try again.parser.query("Products?$search=mountain")).joined().contains("MATCH")
                    == isIndexed)
            try again.close()
        }
    }

    @Test("The SQL of a query is shown with its bindings, expansions after it")
    func explanation() throws {
        let shop = try ShopDatabase()
        let query = try shop.parser.query("Orders?$filter=OrderID%20gt%201&$expand=Items($expand=Product)")
        let statements = try shop.executor.explanation(of: query)
        #expect(statements.count == 3)
        #expect(statements.first?.hasSuffix("\n-- 1: 1") == true)
        #expect(statements.last?.contains(":parents") == true)
    }
}

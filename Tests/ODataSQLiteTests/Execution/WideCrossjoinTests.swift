import GRDB
import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

/// Products of sets that nobody could make as a whole.
@Suite("Crossjoins of many sets")
struct WideCrossjoinTests {
    /// Keys of all kinds: row ids, text that may be null, several columns, a table without row ids.
    private static func file() throws -> SampleFile {
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
        return try SampleFile(
            """
            CREATE TABLE A (ID INTEGER PRIMARY KEY, Name TEXT, Part INTEGER);
            CREATE TABLE B (Code NCHAR(5) PRIMARY KEY, Name TEXT, Part INTEGER);
            CREATE TABLE C (X INTEGER, Y TEXT, Name TEXT, PRIMARY KEY (X, Y));
            CREATE TABLE D (ID INTEGER NOT NULL UNIQUE, Name TEXT, PRIMARY KEY (ID DESC));
            CREATE TABLE E (ID TEXT NOT NULL PRIMARY KEY, Name TEXT) WITHOUT ROWID;
            INSERT INTO A \(numbers) SELECT i, 'a' || i, i % 7 FROM n;
            INSERT INTO B \(numbers) SELECT 'b' || i, 'n' || i, i % 7 FROM n;
            INSERT INTO B VALUES (NULL, 'none', 0);
            INSERT INTO C \(numbers) SELECT i, 'y', 'c' || i FROM n;
            INSERT INTO D \(numbers) SELECT i, 'd' || i FROM n;
            INSERT INTO E \(numbers) SELECT 'e' || (i + 100), 'e' || i FROM n;
            """)
    }

    /// What is asked, and some of the first row's ids.
    private static let queries: [(String, [String])] = [
        ("$crossjoin(A,B,C,D,E)?$top=1", ["A(1)", "B('b1')", "C(X=1,Y='y')", "E('e101')"]),
        ("$crossjoin(E,D,C,B,A)?$top=1", ["A(1)", "B('b1')", "E('e101')"]),
        ("$crossjoin(A,B,C,D,E)?$top=1&$skip=3", ["A(1)", "E('e104')"]),
        ("$crossjoin(A,B,C,D,E)?$filter=A/ID gt 3&$top=1", ["A(4)", "E('e101')"]),
        ("$crossjoin(A,B,C,D,E)?$filter=E/Name eq 'e9' and B/Name eq 'n7'&$top=1", ["B('b7')", "E('e109')"]),
        ("$crossjoin(A,B,C,D,E)?$filter=C/X eq 5 and A/Name eq 'none' and E/ID eq 'e7'&$top=1", []),
        ("$crossjoin(A,B,C,D,E)?$filter=A/ID eq D/ID and A/Part eq 3&$top=1", ["A(3)", "D(3)"]),
        ("$crossjoin(A,B,C,D,E)?$orderby=D/ID desc&$top=1", ["D(300)", "A(1)"]),
        ("$crossjoin(A,B,C,D,E)?$orderby=A/ID desc,D/ID&$top=1", ["A(300)", "D(1)"]),
        ("$crossjoin(A,B,C,D,E)?$expand=B,A($select=Name)&$top=1", ["A(1)", "B('b1')"]),
    ]

    @Test("End with the rows that are wanted", arguments: queries)
    func first(url: String, expected: [String]) async throws {
        let file = try Self.file()
        let store = try file.store()
        defer { try? store.close() }
        let rows = try await store.entities(url)
        #expect(rows.count == (expected.isEmpty ? 0 : 1))
        let ids = (rows.first?.expanded.values.map { $0 } ?? []).compactMap { expanded in
            if case .one(let entity?) = expanded { entity.id } else { nil }
        }
        #expect(ids.count == (expected.isEmpty ? 0 : 5))
        for id in expected { #expect(ids.contains(id), "\(ids)") }
    }

    @Test("Pages have each combination once, whatever the keys are")
    func pages() async throws {
        let file = try Self.file()
        try file.execute(
            """
            DELETE FROM A WHERE ID > 3; DELETE FROM B WHERE rowid > 3 AND Code IS NOT NULL; DELETE FROM C WHERE X > 2;
            DELETE FROM D WHERE ID > 2; DELETE FROM E WHERE ID > 'e102';
            """)
        let store = try file.store()
        defer { try? store.close() }
        for (url, count) in [
            ("$crossjoin(A,B,C,D,E)", 72), ("$crossjoin(E,D,C,B,A)?$filter=B/Name ne 'n2' and A/ID ne 1", 32),
            ("$crossjoin(A,B,C,D,E)?$filter=A/ID eq D/ID", 24), ("$crossjoin(A,B,C,D,E)?$orderby=B/Name desc", 72),
        ] {
            let query = try store.parser.query(url)
            var found: [String] = []
            var next: String?
            repeat {
                var request = ReadRequest(query, continuation: next)
                request.maxPageSize = 5
                guard case .entities(let reader) = try await store.read(request).body else { return }
                next = nil
                while let block = try await reader.next() {
                    next = block.nextLink ?? next
                    for entity in EntityAssembler(shape: reader.shape).entities(in: block) {
                        found.append(
                            entity.expanded.sorted { $0.key < $1.key }.map { _, value in
                                if case .one(let other?) = value { other.id ?? "-" } else { "-" }
                            }.joined(separator: " "))
                    }
                }
            } while next != nil && found.count < 100
            #expect(found.count == count, "\(url)")
            #expect(Set(found).count == count, "\(url)")
        }
    }
}

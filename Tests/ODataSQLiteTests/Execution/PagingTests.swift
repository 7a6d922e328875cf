import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores
import Testing

@testable import ODataSQLite

/// Server-driven paging: every row once, in order, whatever the order is.
@Suite struct PagingTests {
    static let queries = [
        "Things2?", "Things2?$orderby=Number", "Things2?$orderby=Number desc", "Things2?$orderby=Text,Number desc",
        "Things2?$orderby=Exact desc,Text", "Things2?$orderby=Moment", "Things2?$orderby=Span desc",
        "Things2?$orderby=Number mod 3 desc,Text desc", "Things2?$orderby=Guid16", "Things2?$orderby=Real",
        "Things2?$top=50&$skip=7&$orderby=Number desc", "Things2?$filter=Number gt 3&$top=40",
    ]

    private func filled() throws -> ShopDatabase {
        let shop = try ShopDatabase()
        try shop.pool.write { db in
            try db.execute(sql: "DELETE FROM Things")
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                    INSERT INTO Things (ID, Number, Real, Text, Exact, Moment, Span, Guid16)
                    SELECT i, nullif(i * 7 % 11, 0), nullif(i * 0.1, 5), nullif(char(65 + i * 3 % 5), 'C'),
                    nullif((i * 5 % 13) || '.' || i % 3 + 1, '4.2'), '2024-01-' || substr('0' || (i % 28 + 1), -2)
                    || 'T00:00:00', 'PT' || (i % 17) || 'M', CASE WHEN i % 9 THEN zeroblob(i % 5 + 11) END FROM n
                    """)
        }
        return shop
    }

    @Test("Pages hold every row once and in order", arguments: queries)
    func pages(_ query: String) async throws {
        let shop = try filled()
        let url = query.replacing("Things2", with: "Things")
        let whole = try await shop.ids(url)
        #expect(whole.count > 30)
        for size in [1, 7, 50, 100] {
            var ids: [String] = []
            var link: String?
            repeat {
                let blocks = try await shop.blocks(url, pageSize: size, continuation: link)
                ids += blocks.flatMap(\.entities).map { $0.id ?? "-" }
                link = blocks.last?.block.nextLink
            } while link != nil && ids.count < 200
            #expect(ids == whole, "\(size)")
        }
    }

    @Test("The next link goes on where the page ended, and carries what is left of $top")
    func link() async throws {
        let shop = try filled()
        let page = try await shop.blocks("Things?$top=5&$select=ID&$count=true", pageSize: 3)
        let link = try #require(page.last?.block.nextLink)
        #expect(link.hasPrefix("Things?") && link.contains("$skiptoken="))
        #expect(page.first?.block.count == 100)
        let rest = try await shop.ids(link)
        #expect(rest == ["Things(4)", "Things(5)"])
    }

    @Test("A token that is none, or of another order, is refused")
    func garbage() async throws {
        let shop = try filled()
        let link = try #require(try await shop.blocks("Things?$select=ID", pageSize: 3).last?.block.nextLink)
        let token = try #require(link.split(separator: "$skiptoken=").last)
        for url in [
            "Things?$skiptoken=abc", "Things?$orderby=Text&$skiptoken=\(token)",
            "Things?$skiptoken=\(token.dropLast())", "Things?$skiptoken=\(token.dropLast(2))zz",
        ] {
            let error = await #expect(throws: ODataError.self, "\(url)") { _ = try await shop.ids(url) }
            #expect(error?.code == .badRequest)
        }
    }

    @Test("A long result is streamed from one state of the database", arguments: [true, false])
    func long(isPool: Bool) async throws {
        let shop = try ShopDatabase()
        try await shop.pool.write { db in
            try db.execute(sql: "DELETE FROM Things")
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                    INSERT INTO Things (ID, Number) SELECT i, i * 7919 % 10007 FROM n
                    """)
        }
        let database: any DatabaseReader = isPool ? shop.pool : try shop.queue()
        let query = try shop.parser.query("Things?$select=ID&$orderby=Number&$count=true")
        let result = try await shop.executor.read(ReadRequest(query), in: database, pageSize: nil)
        guard case .entities(let reader) = result.body else { return }
        var count = 0
        var ids: Set<Int64> = []
        while let block = try await reader.next() {
            if count == 0 {
                #expect(block.count == 10000)
                if isPool { try await shop.pool.write { try $0.execute(sql: "DELETE FROM Things WHERE ID > 5000") } }
            }
            #expect(block.rows.count <= 512 && block.nextLink == nil)
            count += block.rows.count
            for row in block.rows { ids.insert(block.slots[Int(row.firstSlot)].bits) }
        }
        #expect(count == 10000 && ids.count == 10000)
    }
}

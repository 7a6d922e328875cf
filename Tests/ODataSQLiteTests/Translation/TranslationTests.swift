import Foundation
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// The requests of `Translations.txt`: what is asked, its SQL, and the rows.
@Suite struct TranslationTests {
    static let topics = ["paths", "comparison", "arithmetic", "functions", "relations", "order", "expand", "apply"]

    @Test("Requests to the shop have this SQL and these rows", arguments: topics)
    func shop(_ topic: String) async throws {
        let shop = try ShopDatabase()
        try await check(topic) { url in
            let query = try shop.parser.query(MenagerieDatabase.encoded(url))
            let result = try await shop.executor.read(ReadRequest(query), in: shop.pool, pageSize: nil)
            return (try TranslationTable.sql(query, shop.executor), try await TranslationTable.rows(of: result))
        }
    }

    @Test("Requests for values of every kind have this SQL and these rows")
    func zoo() async throws {
        let zoo = try MenagerieDatabase()
        try await check("values") { url in
            let query = try zoo.parser.query(MenagerieDatabase.encoded(url))
            let result = try await zoo.executor.read(ReadRequest(query), in: zoo.pool, pageSize: nil)
            return (try TranslationTable.sql(query, zoo.executor), try await TranslationTable.rows(of: result))
        }
    }

    private func check(_ topic: String, response: (String) async throws -> (sql: String, rows: String)) async throws {
        let table = try TranslationTable(topic: topic)
        #expect(table.rows.count > 10)
        for row in table.rows {
            do {
                let found = try await response(row.url)
                #expect(found.sql == row.sql, "\(row.url)")
                #expect(found.rows == row.rows, "\(row.url)")
            } catch {
                Issue.record(error, "\(row.url)")
            }
        }
    }
}

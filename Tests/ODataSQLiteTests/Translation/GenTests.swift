import Foundation
import ODataStores
import Testing

@testable import ODataSQLite

@Suite struct GenTests {
    @Test func generate() async throws {
        let groups =
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: "/tmp/sq_groups.json")))
            as! [String: [Any]]
        let shop = try ShopDatabase()
        let zoo = try MenagerieDatabase()
        var out: [String: [[String]]] = [:]
        for (name, group) in groups {
            let isShop = group[0] as! String == "shop"
            for url in group[1] as! [String] {
                let text = MenagerieDatabase.encoded(url)
                do {
                    let parser = isShop ? shop.parser : zoo.parser
                    let query = try parser.query(text)
                    let executor = isShop ? shop.executor : zoo.executor
                    let sql = try TranslationTable.sql(query, executor)
                    let pool = isShop ? shop.pool : zoo.pool
                    var rows = ""
                    let result = try await executor.read(ReadRequest(query), in: pool, pageSize: nil)
                    rows = try await TranslationTable.rows(of: result)
                    out[name, default: []].append([url, sql, rows])
                } catch { out[name, default: []].append([url, "ERROR", "\(error)"]) }
            }
        }
        try JSONSerialization.data(withJSONObject: out).write(to: URL(fileURLWithPath: "/tmp/sq_out.json"))
    }
}

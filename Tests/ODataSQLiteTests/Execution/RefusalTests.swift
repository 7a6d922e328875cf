import ODataModel
import ODataQuery
import ODataSQL
import ODataStores
import Testing

@testable import ODataSQLite

/// What is read from the language but refused: the list in the support matrix. Hierarchies, `$it` and functions of the
/// model have theirs beside what works.
@Suite struct RefusalTests {
    static let shop: [(String, String)] = [
        ("Items?$apply=aggregate(Quantity with Custom.median as M)", "Custom.median"),
        ("Items?$apply=expand(Order)", "expand"),
        (
            "Customers?$filter=Orders/aggregate(Items/ProductID with countdistinct from OrderID with max) gt 1",
            "inside and outside a collection"
        ),
        ("Products?$search='ch'", "$search"),
        ("$all?$apply=aggregate($count as N)", "$apply on $all"),
        ("Things(1)/Words?$search=a", "$search"),
        ("Products?$filter=$root/Products(1)/@Core.Description eq null", "annotation"),
        ("Orders?$compute={\"C\":Customer} as O", "an entity as a member of an object"),
    ]

    @Test("What SQL cannot mean, and what is not there yet, is refused by name", arguments: shop)
    func refused(_ url: String, _ name: String) async throws {
        let shop = try ShopDatabase()
        let error = await #expect(throws: (any Error).self) { _ = try await shop.result(url) }
        Self.check(error, name)
    }

    @Test("An order of all entities of more sets than one statement of SQLite reads")
    func manySets() async throws {
        let shop = try ShopDatabase()
        let query = try shop.parser.query("Tags?$orderby=Code")
        func turns(_ count: Int) throws -> SQLFragment {
            let queries = Array(repeating: query, count: count)
            return try shop.executor.translator.turns(of: queries, by: query.options.orderBy, limit: 2000)
        }
        let most = try turns(500)
        #expect(try await shop.pool.read { try most.rows(in: $0).count } == 1500)
        let error = #expect(throws: (any Error).self) { _ = try turns(501) }
        Self.check(error, "$orderby on $all of more than 500 sets")
    }

    @Test("Annotations that are neither constants nor paths")
    func annotation() async throws {
        let zoo = try MenagerieDatabase()
        let error = await #expect(throws: (any Error).self) { _ = try await zoo.animals("Weight/@Zoo.Label eq 'x'") }
        Self.check(error, "annotation")
    }

    private static func check(_ error: (any Error)?, _ name: String) {
        let found = (error as? QueryError).map { ODataError(reading: $0) } ?? error as? ODataError
        #expect(found?.code == .notImplemented, "\(found?.message ?? "")")
        #expect(found?.message.contains(name) == true, "\(found?.message ?? "")")
    }
}

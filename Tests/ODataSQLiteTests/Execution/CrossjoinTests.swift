import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// `$crossjoin` and `$all`. [OData-URL, sections 4.15 and 4.16]
@Suite struct CrossjoinTests {
    private static func text(_ entity: EdmEntity) -> String {
        entity.expanded.sorted { $0.key < $1.key }.map { name, expanded in
            if case .one(let other) = expanded { other?.id ?? "null" } else { name }
        }.joined(separator: "+")
    }

    static let cases: [(String, String)] = [
        (
            "$crossjoin(Orders,Products)?$filter=Orders/OrderID eq Products/ProductID",
            "Orders(1)+Products(1) Orders(2)+Products(2) Orders(3)+Products(3)"
        ),
        (
            "$crossjoin(Orders,Products)?$filter=Orders/OrderID eq Products/ProductID&$orderby=Products/Price desc&$top=2",
            "Orders(3)+Products(3) Orders(1)+Products(1)"
        ),
        (
            "$crossjoin(Items,Products)?$filter=Items/ProductID eq Products/ProductID and Items/Order/Customer/City eq 'Bern'&$expand=Products($select=Name)",
            "Items(OrderID=3,ProductID=3)+Products(3)"
        ),
    ]

    @Test("Rows of a crossjoin", arguments: cases)
    func crossjoin(_ url: String, _ expected: String) async throws {
        let entities = try await ShopDatabase().entities(url)
        #expect(entities.map(Self.text).joined(separator: " ") == expected)
    }

    @Test("A crossjoin is counted and read in pages")
    func pages() async throws {
        let shop = try ShopDatabase()
        guard case .count(let count) = try await shop.result("$crossjoin(Orders,Tags)/$count").body else {
            throw TestFailure()
        }
        #expect(count == 12)
        var found: [String] = []
        var next: String?
        repeat {
            let blocks = try await shop.blocks("$crossjoin(Orders,Tags)?$count=true", pageSize: 5, continuation: next)
            #expect(blocks.first?.block.count == 12)
            found += blocks.flatMap(\.entities).map(Self.text)
            next = blocks.last?.block.nextLink
        } while next != nil && found.count < 20
        #expect(found.count == 12)
        #expect(Set(found).count == 12)
    }

    @Test("$apply on a crossjoin")
    func apply() async throws {
        let url =
            "$crossjoin(Items,Products)?$apply=filter(Items/ProductID eq Products/ProductID)/groupby((Products/Name),aggregate(Items/Quantity with sum as Q))"
        let rows = try await ShopDatabase().rows(url)
        #expect(rows == "Q=17 Products={Name=Chai}; Q=3 Products={Name=Chang}; Q=-7 Products={Name=Çay}")
    }

    @Test("All entities in one order, in pages too; of those that lack the property it is null")
    func ordered() async throws {
        let shop = try ShopDatabase()
        for (options, expected) in [
            (
                "$orderby=Name desc&$top=6",
                ["Products(3)", "Products(4)", "Employees(4)", "Employees(3)", "Products(2)", "Products(1)"]
            ),
            ("$orderby=Name desc&$skip=9&$top=3", ["Customers('ALFKI')", "Customers('CHOPS')", "Orders(1)"]),
            // Values of different kinds.
            ("$orderby=ID desc&$skip=2&$top=2", ["Customers('ALFKI')", "Things(4)"]),
            ("$filter=Name eq 'Ann' or Freight gt 10&$orderby=Name", ["Orders(1)", "Employees(1)"]),
            ("$filter=Name eq 'Ann' or Freight gt 10", ["Orders(1)", "Employees(1)"]),
        ] {
            let ids = try await shop.ids("$all?" + options)
            #expect(ids == expected, "\(options)")
        }
        let whole = try await shop.ids("$all?$orderby=ProductID desc,Name")
        #expect(whole.count == 26)
        #expect(whole.prefix(2) == ["Products(4)", "Items(OrderID=3,ProductID=3)"])
        var found: [String] = []
        var next: String?
        repeat {
            let blocks = try await shop.blocks(
                "$all?$orderby=ProductID desc,Name&$count=true", pageSize: 5, continuation: next)
            if next == nil { #expect(blocks.first?.block.count == 26) }
            found += blocks.flatMap(\.entities).map { $0.id ?? "-" }
            next = blocks.last?.block.nextLink
        } while next != nil && found.count < 100
        #expect(found == whole)
    }

    @Test("A long read of all entities comes from one state of the database", arguments: ["", "?$orderby=Number"])
    func state(_ options: String) async throws {
        let shop = try ShopDatabase()
        try await shop.pool.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (VALUES (5) UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
                    INSERT INTO Things (ID, Number) SELECT i, i FROM n
                    """)
        }
        guard case .entities(let reader) = try await shop.result("$all" + options).body else { throw TestFailure() }
        let assembler = EntityAssembler(shape: reader.shape)
        var ids: [String] = []
        while let block = try await reader.next() {
            if ids.isEmpty {
                try await shop.pool.write { db in
                    try db.execute(sql: "DELETE FROM Things WHERE ID BETWEEN 5 AND 100 OR ID > 8000")
                }
            }
            ids += assembler.entities(in: block).map { $0.id ?? "-" }
        }
        #expect(ids.count == 26 + 8996)
        #expect(Set(ids).count == ids.count)
    }

    @Test("A token of another order of all entities, or of none, is refused")
    func tokens() async throws {
        let shop = try ShopDatabase()
        let orders = ["$all?", "$all?$orderby=Name&", "$all?$orderby=Name desc&"]
        for order in orders {
            let link = try #require(try await shop.blocks(String(order.dropLast()), pageSize: 3).last?.block.nextLink)
            let token = try #require(link.split(separator: "$skiptoken=").last)
            #expect(try await shop.ids("\(order)$skiptoken=\(token)").count == 23)
            for other in orders where other != order {
                let error = await #expect(throws: ODataError.self, "\(order) \(other)") {
                    _ = try await shop.ids("\(other)$skiptoken=\(token)")
                }
                #expect(error?.code == .badRequest)
            }
        }
    }

    @Test("All entities, set after set, in pages too")
    func all() async throws {
        let shop = try ShopDatabase()
        let ids = try await shop.ids("$all")
        #expect(ids.count == 26)
        #expect(ids.first == "Customers('ALFKI')")
        #expect(ids.contains("Items(OrderID=1,ProductID=2)") && ids.contains("Tags('hot')"))
        guard case .count(let count) = try await shop.result("$all/$count").body else { throw TestFailure() }
        #expect(Int(count) == ids.count)
        var found: [String] = []
        var next: String?
        repeat {
            let blocks = try await shop.blocks("$all", pageSize: 4, continuation: next)
            found += blocks.flatMap(\.entities).map { $0.id ?? "-" }
            next = blocks.last?.block.nextLink
        } while next != nil && found.count < 100
        #expect(found == ids)
        #expect(try await shop.ids("$all/Shop.Tag") == ["Tags('cold')", "Tags('hot')", "Tags('new')"])
    }
}

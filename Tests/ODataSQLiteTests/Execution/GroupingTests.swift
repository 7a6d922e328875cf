import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// Groups of entities, and sequences of transformations. [OData-Aggregation, section 3.2.3]
@Suite struct GroupingTests {
    /// Each group by the ids of its entities and its properties.
    private static func groups(_ url: String) async throws -> String {
        try await ShopDatabase().entities(url).map { entity in
            let ids = entity.expanded.sorted { $0.key < $1.key }.map { name, value in
                if case .one(let one) = value { "\(name)=\(one?.id ?? "-")" } else { "\(name)=?" }
            }
            return (ids + [ShopDatabase.text(entity.properties)]).filter { !$0.isEmpty }.joined(separator: " ")
        }.joined(separator: "; ")
    }

    static let entityGroups: [(String, String)] = [
        ("Orders?$apply=groupby((Customer))", "Customer=-; Customer=Customers('ALFKI'); Customer=Customers('CHOPS')"),
        (
            "Orders?$apply=groupby((Customer),aggregate($count as N))",
            "Customer=- N=1; Customer=Customers('ALFKI') N=2; Customer=Customers('CHOPS') N=1"
        ),
        (
            "Items?$apply=groupby((Product,Order),aggregate(Quantity with sum as Q))/filter(Q gt 5)/aggregate($count as N)",
            "N=2"
        ),
        (
            "Orders?$apply=groupby((Customer))/groupby((Customer))",
            "Customer=-; Customer=Customers('ALFKI'); Customer=Customers('CHOPS')"
        ),
        ("Orders?$apply=groupby((Customer))/filter(Customer/City eq 'Berlin')", "Customer=Customers('ALFKI')"),
        ("Orders?$apply=groupby((Customer))/filter(Customer ne null)/aggregate($count as N)", "N=2"),
        (
            "Orders?$apply=groupby((Customer))/compute(Customer/City as C)&$filter=C eq 'Berlin'",
            "Customer=Customers('ALFKI') C=Berlin"
        ),
        ("Orders?$apply=groupby((Customer))&$orderby=Customer/ID desc&$top=1", "Customer=Customers('CHOPS')"),
        ("Orders?$apply=groupby((Customer))&$skip=1&$top=1", "Customer=Customers('ALFKI')"),
        (
            "Orders?$apply=groupby((Customer,CustomerID))&$top=2",
            "Customer=- CustomerID=null; Customer=Customers('ALFKI') CustomerID=ALFKI"
        ),
        ("Orders?$apply=groupby((Customer,Customer),aggregate($count as N))&$top=1", "Customer=- N=1"),
        ("Orders?$apply=groupby((CustomerID,CustomerID))&$top=2", "CustomerID=null; CustomerID=ALFKI"),
        ("Orders?$apply=groupby((Customer))/concat(identity,identity)/aggregate($count as N)", "N=6"),
        (
            "Orders?$apply=groupby((Customer))/concat(top(1),top(2))",
            "Customer=-; Customer=-; Customer=Customers('ALFKI')"
        ),
        (
            "Orders?$apply=groupby((Customer),topcount(1,OrderID))/groupby((Customer),aggregate(OrderID with max as M))",
            "Customer=- M=5; Customer=Customers('ALFKI') M=2; Customer=Customers('CHOPS') M=3"
        ),
    ]

    @Test("Groups by related entities tell them", arguments: entityGroups)
    func entities(_ url: String, _ groups: String) async throws {
        #expect(try await Self.groups(url) == groups, "\(url)")
    }

    @Test("Groups that have no properties are counted and read")
    func bare() async throws {
        let shop = try ShopDatabase()
        #expect(try await shop.entities("Orders?$apply=groupby((rollup($all)))").count == 1)
        #expect(try await shop.rows("Orders?$apply=groupby((rollup($all)),aggregate($count as N))") == "N=4")
        guard case .count(let count) = try await shop.result("Orders/$count?$apply=groupby((Customer))").body else {
            return
        }
        #expect(count == 3)
    }

    static let refusals: [(String, ODataError.Code, String)] = [
        ("Items?$apply=groupby((Order/Customer))", .notImplemented, "Order/Customer"),
        ("Orders?$apply=groupby((rollup(Customer,OrderID)))", .notImplemented, "Customer"),
        ("Orders?$apply=groupby((Customer,Customer/City))", .notImplemented, "Customer"),
    ]

    @Test("Groups that are not made are refused by name", arguments: refusals)
    func refused(_ url: String, _ code: ODataError.Code, _ name: String) async throws {
        let shop = try ShopDatabase()
        let error = #expect(throws: (any Error).self) { _ = try shop.parser.query(url) }
        let found = try ODataError(reading: #require(error))
        #expect(found.code == code)
        #expect(found.message.contains(name), "\(found.message)")
    }

    static let badAliases = [
        "Orders?$apply=aggregate(Freight with sum as Freight)", "Orders?$apply=aggregate($count as Customer)",
        "Orders?$apply=groupby((CustomerID),aggregate(Freight with sum as CustomerID))",
        "Orders?$apply=groupby((CustomerID),aggregate(Freight with sum as OrderID))",
        "Orders?$apply=nest(identity as Freight)", "Orders?$apply=nest(identity as A,identity as A)",
        "Orders?$apply=addnested(Items,identity as Freight)", "Orders?$apply=addnested(Items,identity as Items)",
        "Orders?$apply=join(Items as Freight)", "Orders?$apply=outerjoin(Items as Items)",
        "Orders?$apply=compute(1 as Freight)", "Orders?$compute=1 as Customer",
        "Orders?$apply=aggregate(Freight with sum as S)/aggregate(S with max as S)",
        "Orders?$apply=aggregate($count with sum as c)", "Orders?$apply=aggregate(Items/$count with sum as c)",
        "Orders?$apply=topcount(0,Freight)", "Orders?$apply=topcount(-1,Freight)",
        "Orders?$apply=bottomcount(1.5,Freight)",
        "Orders?$apply=toppercent(101,Freight)", "Orders?$apply=bottompercent(0,Freight)",
        "Orders?$apply=toppercent(-5,Freight)", "Orders?$apply=topcount(null,Freight)",
        "Orders?$apply=topsum(null,Freight)",
    ]

    @Test("Aliases of properties and amounts that are none are refused", arguments: badAliases)
    func aliases(_ url: String) throws {
        #expect(throws: QueryError.self) { _ = try ShopDatabase().parser.query(url) }
    }

    @Test(
        "An amount that is computed is checked too",
        arguments: ["topcount(1 sub 1,Freight)", "toppercent(100 add 1,Freight)"])
    func amounts(_ step: String) async throws {
        let shop = try ShopDatabase()
        let error = await #expect(throws: ODataError.self) { _ = try await shop.rows("Orders?$apply=\(step)") }
        #expect(error?.code == .badRequest)
    }

    static let computedAmounts: [(String, String)] = [
        ("Items?$apply=topcount($root/Customers/$count sub 1,Quantity)&$select=Quantity", "Quantity=10; Quantity=7"),
        ("Items?$apply=topcount($these/$count div 2,Quantity)&$select=Quantity", "Quantity=10; Quantity=7"),
        ("Items?$apply=toppercent($root/Customers/$count,Quantity)&$select=Quantity", "Quantity=10"),
        ("Items?$apply=topsum($root/Customers/$count mul 4,Quantity)&$select=Quantity", "Quantity=10; Quantity=7"),
        (
            "Orders?$apply=addnested(Items,topcount($it/OrderID,Quantity)/aggregate($count as N) as T)&$select=OrderID,T",
            "OrderID=1 T=[{N=1}]; OrderID=2 T=[{N=1}]; OrderID=3 T=[{N=1}]; OrderID=5 T=[]"
        ),
        (
            "Orders?$apply=groupby((CustomerID),topcount(($these/$count add 1) div 2,OrderID))&$select=OrderID&$orderby=OrderID",
            "OrderID=2; OrderID=3; OrderID=5"
        ),
        ("Orders?$apply=groupby((Customer))/nest(aggregate($count as N) as X)", "X=[{N=3}]"),
        (
            "Orders?$apply=groupby((CustomerID),nest(aggregate($count as N) as X))&$orderby=CustomerID",
            "CustomerID=null X=[{N=1}]; CustomerID=ALFKI X=[{N=2}]; CustomerID=CHOPS X=[{N=1}]"
        ),
    ]

    @Test("Amounts that are computed, and nested results alone", arguments: computedAmounts)
    func computed(_ url: String, _ rows: String) async throws {
        #expect(try await ShopDatabase().rows(url) == rows)
    }

    // MARK: Sequences

    /// Transformations that leave orders, or rows with what orders have.
    private static let steps = [
        "identity", "filter(OrderID gt 1)", "orderby(Freight)", "orderby(Customer/City desc,OrderID)", "top(3)",
        "skip(1)",
        "search(a)", "compute(OrderID mul 2 as C#)", "concat(identity,top(1))", "topcount(2,OrderID)",
        "bottomsum(5,OrderID)",
        "join(Items as J#)", "outerjoin(Items as J#,top(1))", "addnested(Items,orderby(Quantity) as N#)",
        "groupby((OrderID,Freight,CustomerID),identity)", "filter($these/$count gt 0)",
    ]
    private static let ends = [
        "", "/aggregate($count as N)", "/groupby((CustomerID),aggregate(OrderID with sum as S))",
        "/nest(identity as X)",
        "/groupby((rollup($all,CustomerID,OrderID)),aggregate($count as N))", "/groupby((Customer))",
    ]

    @Test("No sequence of transformations is a statement that the database does not take", arguments: steps)
    func sequences(_ first: String) async throws {
        let shop = try ShopDatabase()
        for (row, second) in Self.steps.enumerated() {
            // A quarter of all sequences, not the same ones for each first step.
            for (column, third) in Self.steps.enumerated() where (row + column + first.count).isMultiple(of: 4) {
                let names = [first, second, third].enumerated().map { $1.replacing("#", with: "\($0)") }
                let end = Self.ends[(second.count + third.count) % Self.ends.count]
                let url = "Orders?$apply=\(names.joined(separator: "/"))\(end)"
                do { _ = try await shop.entities(url) } catch {
                    let code = (error as? ODataError)?.code
                    let isRefused = error is QueryError || code == .badRequest || code == .notImplemented
                    #expect(isRefused, "\(url): \(error)")
                }
            }
        }
    }
}

import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// `$apply`. [OData-Aggregation, section 3]
@Suite struct ApplyTests {
    private static func test(_ cases: [(String, String)]) async throws {
        let shop = try ShopDatabase()
        for (url, expected) in cases {
            let rows = try await shop.rows(url)
            #expect(rows == expected, "\(url)")
        }
    }

    @Test("Aggregates over all instances")
    func aggregate() async throws {
        try await Self.test([
            ("Orders?$apply=aggregate($count as N)", "N=4"),
            ("Orders?$apply=aggregate(Freight with sum as S,Freight with average as A)", "S=15.6 A=5.2"),
            ("Orders?$apply=aggregate(Freight with min as L,Freight with max as H)", "L=0.1 H=12.5"),
            ("Items?$apply=aggregate(Quantity with sum as S,Quantity with average as A)", "S=13 A=3.25"),
            ("Items?$apply=aggregate(Discount with average as A)", "A=0.1875"),
            ("Items?$apply=aggregate(ProductID with countdistinct as N)", "N=3"),
            ("Items?$apply=aggregate(Quantity mul 2 with sum as S)", "S=26"),
            ("Products?$apply=aggregate(Price with sum as S)", "S=127.55"),
            ("Orders?$apply=aggregate(Placed with max as Last)", "Last=2024-02-03T00:00:00Z"),
            ("Customers?$apply=aggregate(Name with min as First)", "First=100%_Chop"),
            ("Orders?$apply=filter(OrderID gt 99)/aggregate(Freight with sum as S,$count as N)", "S=null N=0"),
            ("Orders?$apply=aggregate(CustomerID with countdistinct as N)", "N=2"),
            (
                "Things?$apply=filter(ID lt 3)/aggregate(Span with sum as S,Span with max as M)",
                "S=PT1H29M59.5S M=PT1H30M"
            ),
            ("Things?$apply=filter(ID lt 3)/aggregate(Exact with sum as S)", "S=12345678901234567889.625"),
            ("Things?$apply=filter(ID lt 3)/aggregate(Guid16 with max as G)", "G=11111111-1111-1111-1111-111111111111"),
        ])
    }

    @Test("Aggregates over related instances")
    func collections() async throws {
        try await Self.test([
            ("Orders?$apply=aggregate(Items/Quantity with sum as S,$count as N)", "S=13 N=4"),
            ("Orders?$apply=aggregate(Items/$count as N)", "N=4"),
            (
                "Orders?$apply=filter(Customer/City eq 'Berlin')"
                    + "/aggregate(Items/Quantity with sum as S,Items/Discount with max as D,$count as N)",
                "S=20 D=0.5 N=2"
            ),
            (
                "Customers?$apply=groupby((ID),aggregate(Orders/$count as N))",
                "ID=ALFKI N=2; ID=BON'A N=0; ID=CHOPS N=1"
            ),
            (
                "Customers?$apply=groupby((ID),aggregate(Orders/Freight with sum as S))",
                "ID=ALFKI S=15.5; ID=BON'A S=null; ID=CHOPS S=null"
            ),
            ("Items?$apply=aggregate(Order/Freight with max as F)", "F=12.5"),
            (
                "Items?$apply=aggregate(Quantity with sum from OrderID with average as Q)",
                "Q=4.333333333333333333333333333333333"
            ),
            // By values of the instance that the collection belongs to.
            ("Orders?$apply=aggregate(Items/Quantity with sum from CustomerID with max as M)", "M=20"),
            ("Orders?$apply=aggregate(Items/$count from OrderID with average as A)", "A=1"),
            (
                "Orders?$apply=aggregate(Items/Quantity with sum from CustomerID,Items/ProductID with max as M)", "M=17"
            ),
        ])
    }

    @Test("Aggregates over collections of values")
    func values() async throws {
        let zoo = try MenagerieDatabase()
        for (application, expected) in [
            ("aggregate(Scores with sum as S,Scores/$count as N,$count as A)", "S=10 N=5 A=4"),
            ("aggregate(Prices with sum as P)", "P=12345678901234567891.625"),
            ("aggregate(Days with max as D)", "D=2021-01-01"),
            ("aggregate(Homes/City with max as C,Homes/City with countdistinct as N)", "C=Lyon N=2"),
            ("aggregate(Homes/Zoo.ForeignAddress/City with countdistinct as N)", "N=1"),
            ("aggregate(Scores/$filter($this gt 1) with sum as S)", "S=7"),
            ("aggregate(Home/Lines/$count as N)", "N=4"),
            ("aggregate(Friends/Scores with sum as S)", "S=10"),
            ("aggregate(Scores with sum from ID with average as A)", "A=5"),
            ("aggregate(Scores/$count from ID with average as A)", "A=1.25"),
            (
                "groupby((Cage/Code),aggregate(Scores with max as M,Tags/$count as N))",
                "M=null N=0 Cage={Code=null}; M=4 N=2 Cage={Code=A1}; M=null N=0 Cage={Code=B2}"
            ),
        ] {
            let rows = try await zoo.rows("Animals?$apply=" + application)
            #expect(rows == expected, "\(application)")
        }
        #expect(try await zoo.animals("Friends/aggregate(Scores with sum) eq 2") == "1")
        #expect(try await zoo.animals("Friends/aggregate(Home/Lines/$count) eq 2") == "1 2 4")
        #expect(try await zoo.animals("Homes/aggregate(Lines/$count from City with max) eq 0") == "1")
        #expect(try await zoo.animals("Friends/aggregate(Home/Lines with countdistinct from ID with min) eq 0") == "1")
        #expect(
            try await zoo.animals("Friends/aggregate(Home/Lines with countdistinct from ID with max) eq 2") == "1 2 4")
    }

    @Test("Groups")
    func groups() async throws {
        try await Self.test([
            ("Orders?$apply=groupby((CustomerID))", "CustomerID=null; CustomerID=ALFKI; CustomerID=CHOPS"),
            (
                "Orders?$apply=groupby((CustomerID),aggregate($count as N))&$orderby=N desc,CustomerID",
                "CustomerID=ALFKI N=2; CustomerID=null N=1; CustomerID=CHOPS N=1"
            ),
            (
                "Orders?$apply=groupby((Customer/City),aggregate(Freight with sum as S))&$orderby=Customer/City",
                "S=0.1 Customer={City=null}; S=15.5 Customer={City=Berlin}; S=null Customer={City=Bern}"
            ),
            (
                "Orders?$apply=groupby((Customer/City,Customer/Name))&$filter=Customer/City ne null",
                "Customer={City=Berlin Name=Alfreds}; Customer={City=Bern Name=100%_Chop}"
            ),
            (
                "Items?$apply=groupby((OrderID),topcount(1,Quantity))&$select=OrderID,ProductID",
                "OrderID=1 ProductID=1; OrderID=2 ProductID=1; OrderID=3 ProductID=3"
            ),
            (
                "Items?$apply=groupby((OrderID),filter(Quantity gt 3)/aggregate($count as N))",
                "OrderID=1 N=1; OrderID=2 N=1"
            ),
            (
                "Items?$apply=groupby((OrderID,ProductID),aggregate(Quantity with sum as Q))/groupby((ProductID),aggregate(Q with max as M))",
                "ProductID=1 M=10; ProductID=2 M=3; ProductID=3 M=-7"
            ),
        ])
    }

    @Test("Rollup has a row for each level, without the properties that were rolled up")
    func rollup() async throws {
        try await Self.test([
            (
                "Items?$apply=groupby((rollup($all,OrderID,ProductID)),aggregate(Quantity with sum as Q))",
                "OrderID=1 ProductID=1 Q=10; OrderID=1 ProductID=2 Q=3; OrderID=2 ProductID=1 Q=7; "
                    + "OrderID=3 ProductID=3 Q=-7; OrderID=1 Q=13; OrderID=2 Q=7; OrderID=3 Q=-7; Q=13"
            ),
            (
                "Items?$apply=groupby((rollup(OrderID,ProductID)),aggregate($count as N))/filter(N gt 1)",
                "OrderID=1 N=2"
            ),
        ])
    }

    @Test("The first and last of an order")
    func ranks() async throws {
        try await Self.test([
            ("Items?$apply=topcount(2,Quantity)&$select=Quantity", "Quantity=10; Quantity=7"),
            ("Items?$apply=bottomcount(2,Quantity)&$select=Quantity", "Quantity=3; Quantity=-7"),
            ("Products?$apply=topsum(101,Price)&$select=ProductID", "ProductID=1; ProductID=3"),
            ("Products?$apply=topsum(100.05,Price)&$select=ProductID", "ProductID=3"),
            ("Items?$apply=filter(Quantity gt 0)/toppercent(60,Quantity)&$select=Quantity", "Quantity=10; Quantity=7"),
            ("Items?$apply=filter(Quantity gt 0)/toppercent(50,Quantity)&$select=Quantity", "Quantity=10"),
            ("Items?$apply=filter(Quantity gt 0)/bottomsum(3,Quantity)&$select=Quantity", "Quantity=3"),
            ("Items?$apply=filter(Quantity gt 0)/bottomsum(5,Quantity)&$select=Quantity", "Quantity=3; Quantity=7"),
            ("Items?$apply=filter(Quantity gt 0)/bottompercent(15,Quantity)&$select=Quantity", "Quantity=3"),
            (
                "Items?$apply=filter(Quantity gt 0)/bottompercent(16,Quantity)&$select=Quantity",
                "Quantity=3; Quantity=7"
            ),
            ("Items?$apply=orderby(Quantity desc)/top(2)/skip(1)&$select=Quantity", "Quantity=7"),
            ("Items?$apply=orderby(Quantity)/aggregate($count as N)", "N=4"),
            ("Items?$apply=top(2)/aggregate(Quantity with sum as S)", "S=13"),
        ])
    }

    @Test("Instances keep what they are until they are aggregated")
    func identity() async throws {
        let shop = try ShopDatabase()
        #expect(try await shop.ids("Orders?$apply=filter(Freight gt 1)") == ["Orders(1)", "Orders(2)"])
        #expect(try await shop.ids("Orders?$apply=identity&$filter=OrderID lt 3&$expand=Items").count == 2)
        let entity = try #require(
            try await shop.entities("Orders?$apply=compute(Freight mul 2 as Twice)/filter(Twice gt 6)").first)
        #expect(entity.id == "Orders(1)")
        #expect(entity.properties["Twice"]?.lexical == "25")
        let expanded = try await shop.entities("Orders?$apply=topcount(1,Freight)&$expand=Items($select=Quantity)")
        guard case .many(let items, _)? = expanded.first?.expanded["Items"] else { throw TestFailure() }
        #expect(items.count == 2)
    }

    @Test("Results side by side, and pairs of instances")
    func concatAndJoin() async throws {
        try await Self.test([
            (
                "Items?$apply=concat(topcount(1,Quantity),aggregate(Quantity with sum as Total))&$select=Quantity,Total",
                "Quantity=10; Total=13"
            ),
            (
                "Items?$apply=concat(groupby((OrderID),aggregate($count as N)),aggregate($count as N))",
                "OrderID=1 N=2; OrderID=2 N=1; OrderID=3 N=1; N=4"
            ),
            (
                "Orders?$apply=join(Items as Item)/groupby((OrderID,Item/Quantity))",
                "OrderID=1 Item={Quantity=3}; OrderID=1 Item={Quantity=10}; OrderID=2 Item={Quantity=7}; "
                    + "OrderID=3 Item={Quantity=-7}"
            ),
        ])
    }

    @Test("A name that parts have for values of different forms")
    func forms() async throws {
        let mixed = "Orders?$apply=concat(aggregate(Freight with sum as V),aggregate(CustomerID with max as V))"
        try await Self.test([
            (
                "Items?$apply=concat(aggregate(Quantity with sum as V),aggregate(Discount with average as V))",
                "V=13; V=0.1875"
            ),
            (
                "Things?$apply=filter(ID lt 3)/concat(aggregate(Amount with max as V),aggregate(Exact with max as V))",
                "V=12.25; V=12345678901234567890.125"
            ),
            (
                "Things?$apply=filter(ID lt 3)/concat(aggregate(Guid with max as V),aggregate(Stamp with max as V),"
                    + "aggregate(Number with min as V),aggregate(Flag with max as W))",
                "V=11111111-1111-1111-1111-111111111111; V=2024-01-02T03:04:05Z; V=-5; W=true"
            ),
            (
                "Things?$apply=filter(ID eq 1)/concat(compute(Stamp as V)/groupby((V)),compute(Epoch as V)/groupby((V)))",
                "V=2024-01-02T03:04:05Z; V=2024-01-02T03:04:05Z"
            ),
            (
                "Things?$apply=filter(ID eq 1)/concat(compute(Guid as V)/groupby((V)),compute(Guid16 as V)/groupby((V)))",
                "V=01234567-89ab-cdef-0123-456789abcdef; V=01234567-89ab-cdef-0123-456789abcdef"
            ),
            (mixed, "V=15.6; V=CHOPS"), (mixed + "&$filter=V eq 'CHOPS'", "V=CHOPS"),
            (mixed + "&$filter=V gt 15.5", "V=15.6"), (mixed + "&$orderby=V desc", "V=CHOPS; V=15.6"),
        ])
    }

    @Test("The other options see what $apply gives")
    func options() async throws {
        let grouped = "Items?$apply=groupby((ProductID),aggregate(Quantity with sum as Q))"
        try await Self.test([
            (grouped + "&$filter=Q gt 0&$orderby=Q&$select=ProductID", "ProductID=2; ProductID=1"),
            (grouped + "&$top=1&$skip=1", "ProductID=2 Q=3"),
            (grouped + "&$compute=Q mul 10 as T&$select=T&$orderby=T desc", "T=170; T=30; T=-70"),
        ])
        let shop = try ShopDatabase()
        let blocks = try await shop.blocks(grouped + "&$count=true&$top=1")
        #expect(blocks.first?.block.count == 3)
        guard case .count(let count) = try await shop.result("Items/$count?$apply=groupby((OrderID))").body else {
            throw TestFailure()
        }
        #expect(count == 3)
    }

    @Test("Pages of rows without a key follow each other")
    func pages() async throws {
        let shop = try ShopDatabase()
        let url = "Items?$apply=groupby((OrderID,ProductID),aggregate(Quantity with sum as Q))&$select=Q"
        let whole = try await shop.rows(url)
        let pages = try await shop.pages(url, pageSize: 1)
        #expect(pages.rows == whole)
        #expect(pages.count == 4)
        let keyed = try await shop.pages("Items?$compute=Quantity mul 2 as T&$orderby=T&$select=T", pageSize: 3)
        #expect(keyed.rows == "T=-14; T=6; T=14; T=20")
        #expect(keyed.count == 2)
    }

    @Test("Nested results")
    func nested() async throws {
        try await Self.test([
            (
                "Orders?$apply=nest(groupby((CustomerID)) as G,aggregate(Freight with sum as S) as T)&$select=G,T",
                "G=[{CustomerID=null},{CustomerID=ALFKI},{CustomerID=CHOPS}] T=[{S=15.6}]"
            ),
            (
                "Orders?$apply=addnested(Items,filter(Quantity gt 3)/aggregate($count as N) as Big)&$select=OrderID,Big",
                "OrderID=1 Big=[{N=1}]; OrderID=2 Big=[{N=1}]; OrderID=3 Big=[]; OrderID=5 Big=[]"
            ),
        ])
    }

    @Test("$it in what is applied to related rows is the row that they are related to")
    func resource() async throws {
        try await Self.test([
            (
                "Orders?$apply=addnested(Items,filter(Quantity gt $it/Freight)/aggregate($count as N) as Big)"
                    + "&$select=OrderID,Big",
                "OrderID=1 Big=[]; OrderID=2 Big=[{N=1}]; OrderID=3 Big=[]; OrderID=5 Big=[]"
            ),
            (
                "Orders?$apply=addnested(Items,filter($it/Customer/City eq 'Berlin')/aggregate($count as N) as A,"
                    + "filter($it/Freight eq null)/aggregate(Quantity with sum as S) as B)&$select=OrderID,A,B",
                "OrderID=1 A=[{N=2}] B=[]; OrderID=2 A=[{N=1}] B=[]; OrderID=3 A=[] B=[{S=-7}]; OrderID=5 A=[] B=[]"
            ),
            ("Orders?$apply=join(Items as I,filter(Quantity lt $it/Freight))/aggregate($count as N)", "N=2"),
            (
                "Orders?$apply=aggregate(Items/$filter(Quantity gt $it/Freight)/Quantity with sum as S,"
                    + "Items/$filter($it/Customer/City eq 'Berlin')/Quantity with sum as B)", "S=7 B=20"
            ),
            (
                "Orders?$apply=groupby((CustomerID),"
                    + "aggregate(Items/$filter($it/Customer/City ne null)/Quantity with sum as S))",
                "CustomerID=null S=null; CustomerID=ALFKI S=20; CustomerID=CHOPS S=-7"
            ),
        ])
    }

    @Test("Groups of entities and pairs can be expanded")
    func expanded() async throws {
        let shop = try ShopDatabase()
        let url = "Orders?$apply=groupby((Customer),aggregate(Freight with sum as S))&$expand=Customer"
        let entities = try await shop.entities(url)
        let found = entities.map { entity in
            guard case .one(let customer)? = entity.expanded["Customer"] else { return "?" }
            return "\(customer?.id ?? "-") \(ShopDatabase.text(entity.properties))"
        }
        #expect(found.sorted() == ["- S=0.1", "Customers('ALFKI') S=15.5", "Customers('CHOPS') S=null"])
        let pairs = try await shop.entities("Orders?$apply=join(Items as Item)&$expand=Item")
        let ids = pairs.map { pair in
            if case .one(let item?)? = pair.expanded["Item"] { item.id ?? "" } else { "?" }
        }
        #expect(ids.count == 4 && Set(ids).count == 4)
        let outer = try await shop.rows(
            "Orders?$apply=outerjoin(Items as Item,aggregate($count as N))&$select=OrderID,Item")
        #expect(outer == "OrderID=1 Item={N=2}; OrderID=2 Item={N=1}; OrderID=3 Item={N=1}; OrderID=5")
    }
}

struct TestFailure: Error {}

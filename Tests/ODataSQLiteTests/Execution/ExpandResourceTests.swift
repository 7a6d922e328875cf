import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// `$it` in the options of `$expand`: the instance of the resource path. [OData-URL, section 5.1.1.14.4]
@Suite struct ExpandResourceTests {
    /// The keys of an entity and of what it expands, in brackets; the values alone of what has no key.
    private static func keys(_ entity: EdmEntity) -> String {
        let key = (entity.key?.values ?? []).map(\.lexical).joined(separator: "/")
        return (key.isEmpty ? ShopDatabase.text(entity.properties) : key) + expanded(entity) { keys($0) }
    }

    /// The values of an entity, likewise.
    private static func values(_ entity: EdmEntity) -> String {
        ShopDatabase.text(entity.properties) + expanded(entity) { values($0) }
    }

    private static func expanded(_ entity: EdmEntity, _ text: (EdmEntity) -> String) -> String {
        let parts = entity.expanded.sorted { $0.key < $1.key }.map { _, expanded in
            switch expanded {
            case .one(let other): other.map(text) ?? "null"
            case .many(let others, let count): (count.map { "#\($0) " } ?? "") + others.map(text).joined(separator: " ")
            }
        }
        return parts.isEmpty ? "" : "[" + parts.joined(separator: ";") + "]"
    }

    static let deep: [(String, String)] = [
        // Two and three relations down.
        (
            "Customers?$expand=Orders($expand=Items($filter=$it/ID eq 'ALFKI' and Quantity gt 5))",
            "ALFKI[1[1/1] 2[2/1]] BON'A[] CHOPS[3[]]"
        ),
        (
            "Orders?$expand=Items($expand=Product($expand=Tags($filter=$it/OrderID eq 1)))&$filter=OrderID le 2",
            "1[1/1[1[hot new]] 1/2[2[]]] 2[2/1[1[]]]"
        ),
        // An entity that several rows lead to has other members below each of them.
        (
            "Orders?$expand=Customer($expand=Orders($filter=OrderID ne $it/OrderID))",
            "1[ALFKI[2]] 2[ALFKI[1]] 3[CHOPS[]] 5[null]"
        ),
        (
            "Orders?$expand=Customer($expand=Orders($orderby=OrderID mul (3 sub 2 mul $it/OrderID)))&$filter=OrderID lt 3",
            "1[ALFKI[1 2]] 2[ALFKI[2 1]]"
        ),
        (
            "Orders?$expand=Customer($expand=Orders($orderby=OrderID mul (3 sub 2 mul $it/OrderID);$top=1;$count=true))"
                + "&$filter=OrderID lt 3",
            "1[ALFKI[#2 1]] 2[ALFKI[#2 2]]"
        ),
        // Relations in link tables, and to the instance itself.
        (
            "Products?$expand=Tags($expand=Products($filter=ProductID ne $it/ProductID))",
            "1[hot[3] new[]] 2[] 3[hot[1]] 4[]"
        ),
        (
            "Products?$expand=Tags($expand=Products/$count($filter=$this ne $it))&$filter=ProductID eq 1",
            "1[hot[#1 ] new[#0 ]]"
        ),
        ("Orders?$expand=Gift($expand=Items($filter=OrderID eq $it/OrderID))", "1[2[1/2]] 2[null] 3[4[]] 5[null]"),
        // Relations of the instance, null ones too.
        (
            "Employees?$expand=Reports($expand=Reports($filter=$it/Manager/Name eq null))",
            "1[2[4] 3[]] 2[4[]] 3[] 4[]"
        ),
        (
            "Items?$expand=Order($expand=Customer($expand=Orders($filter=$it/Product/Price gt 10)))",
            "1/1[1[ALFKI[1 2]]] 1/2[1[ALFKI[]]] 2/1[2[ALFKI[1 2]]] 3/3[3[CHOPS[3]]]"
        ),
        (
            "Customers?$expand=Orders($expand=Items($filter=Product/Items/any(i:i/Order/CustomerID ne $it/ID)))",
            "ALFKI[1[] 2[]] BON'A[] CHOPS[3[]]"
        ),
        (
            "Orders?$expand=Customer($expand=Orders($filter=Items/$filter(Quantity gt $it/Freight)/any()))",
            "1[ALFKI[]] 2[ALFKI[1 2]] 3[CHOPS[]] 5[null]"
        ),
        // Levels, and one entity as the resource.
        (
            "Employees?$expand=Reports($levels=2;$filter=EmployeeID gt 2 mul $it/EmployeeID)&$filter=EmployeeID eq 1",
            "1[3[]]"
        ),
        ("Employees(1)?$expand=Reports($levels=max;$filter=EmployeeID gt $it/EmployeeID)", "1[2[4[]] 3[]]"),
        ("Orders(1)/Items?$expand=Product($expand=Items($filter=Quantity lt $it/Quantity))", "1/1[1[2/1]] 1/2[2[]]"),
        // After what makes a table of the rows.
        (
            "Customers?$expand=Orders($expand=Items($compute=length($it/ID) as L;$filter=Quantity gt L))",
            "ALFKI[1[1/1] 2[2/1]] BON'A[] CHOPS[3[]]"
        ),
        (
            "Orders?$compute=1 as One&$expand=Items($compute=Quantity add 1 as More;"
                + "$filter=More gt $it/Freight;$expand=Product($expand=Tags($filter=$it/OrderID eq 2)))",
            "1[] 2[2/1[1[hot new]]] 3[] 5[]"
        ),
    ]

    @Test("The rows of any depth know it", arguments: deep)
    func depth(_ url: String, _ expected: String) async throws {
        let found = try await ShopDatabase().entities(url).map(Self.keys).joined(separator: " ")
        #expect(found == expected)
    }

    static let computed: [(String, String)] = [
        (
            "Items?$expand=Product($compute=$it/Quantity mul 2 as Twice;$select=Twice)&$select=Quantity",
            "Quantity=10[Twice=20] Quantity=3[Twice=6] Quantity=7[Twice=14] Quantity=-7[Twice=-14]"
        ),
        (
            "Orders?$expand=Customer($compute=$it/Freight as F;$select=F)&$select=OrderID",
            "OrderID=1[F=12.5] OrderID=2[F=3] OrderID=3[F=null] OrderID=5[null]"
        ),
        (
            "Customers?$expand=Orders($apply=filter($it/City eq 'Berlin')/aggregate($count as N))&$select=ID",
            "ID=ALFKI[N=2] ID=BON'A[N=0] ID=CHOPS[N=0]"
        ),
        (
            "Customers?$expand=Orders($expand=Items($apply=filter($it/City eq 'Berlin')/aggregate($count as N)"
                + "/compute(length($it/ID) as L));$select=OrderID)&$select=ID",
            "ID=ALFKI[OrderID=1[N=2 L=5] OrderID=2[N=1 L=5]] ID=BON'A[] ID=CHOPS[OrderID=3[N=0 L=5]]"
        ),
        (
            "Customers?$expand=Orders($expand=Items($apply=groupby((OrderID),aggregate($count as N))"
                + "/filter(N gt 1)/compute($it/Name as Name));$select=OrderID)&$select=ID&$filter=ID eq 'ALFKI'",
            "ID=ALFKI[OrderID=1[OrderID=1 N=2 Name=Alfreds] OrderID=2[]]"
        ),
    ]

    @Test("It stands in $compute and $apply", arguments: computed)
    func computation(_ url: String, _ expected: String) async throws {
        let found = try await ShopDatabase().entities(url).map(Self.values).joined(separator: " ")
        #expect(found == expected)
    }

    @Test("A key names the row where the table has no row id, a binary one too")
    func withoutRowID() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE a(x INTEGER, y TEXT, PRIMARY KEY (x, y)) WITHOUT ROWID;
            INSERT INTO a VALUES (1, '"'), (2, 'b');
            CREATE TABLE b(id INTEGER PRIMARY KEY, ax INTEGER, ay TEXT, FOREIGN KEY (ax, ay) REFERENCES a(x, y));
            INSERT INTO b VALUES (1, 1, '"'), (2, 2, 'b'), (3, 2, 'b');
            CREATE TABLE k(id UUID PRIMARY KEY, n INTEGER) WITHOUT ROWID;
            INSERT INTO k VALUES (x'000102030405060708090a0b0c0d0e0f', 1), (x'ff0102030405060708090a0b0c0d0e0f', 2);
            CREATE TABLE c(id INTEGER PRIMARY KEY, bID INTEGER REFERENCES b, k UUID REFERENCES k);
            INSERT INTO c VALUES (1, 1, x'000102030405060708090a0b0c0d0e0f'), (2, 2, NULL), (3, 3, NULL);
            """)
        let store = try file.store()
        let found = try await store.entities("a?$expand=b($expand=c($filter=id gt $it/x and $it/y ne '\"'))")
        #expect(found.map(Self.keys).joined(separator: " ") == "1/\"[1[]] 2/b[2[] 3[3]]")
        let (first, second) = ("00010203-0405-0607-0809-0a0b0c0d0e0f", "ff010203-0405-0607-0809-0a0b0c0d0e0f")
        for (options, expected) in [
            ("k?$expand=c", "\(first)[1] \(second)[]"),
            ("k?$expand=c($filter=$it/n eq 1)", "\(first)[1] \(second)[]"),
            ("k?$expand=c($filter=$it/n eq 2)", "\(first)[] \(second)[]"),
            ("k?$apply=filter(n gt 0)&$expand=c", "\(first)[1] \(second)[]"),
        ] {
            let found = try await store.entities(options)
            #expect(found.map(Self.keys).joined(separator: " ") == expected, "\(options)")
        }
    }

    @Test("There is one statement for each relation nonetheless")
    func statements() async throws {
        let url = "Orders?$expand=Items($expand=Product($expand=Tags($filter=$it/OrderID eq 1)))"
        #expect(try await ShopDatabase().statements(url) == 4)
    }

    @Test("Rows without a key of their own are refused by name")
    func refused() async throws {
        let shop = try ShopDatabase()
        for url in [
            "$crossjoin(Orders,Tags)?$expand=Orders($expand=Items($filter=$it/Orders/OrderID eq OrderID))",
            "Orders?$apply=groupby((Customer))&$expand=Customer($expand=Orders($filter=$it/Customer/ID eq CustomerID))",
            "Orders?$apply=groupby((Customer))/addnested(Customer,filter(ID eq $it/Customer/ID) as Same)",
        ] {
            let error = await #expect(throws: ODataError.self) { _ = try await shop.entities(url) }
            #expect(error?.code == .notImplemented)
            #expect(error?.message.contains("$it") == true, "\(url)")
        }
    }
}

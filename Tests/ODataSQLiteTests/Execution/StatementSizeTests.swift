import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

/// Short queries that stand for much: what is computed has a name and is not copied, and what would fill the memory is
/// refused before it does.
@Suite struct StatementSizeTests {
    /// `OrderID sub OrderID as A0,A0 sub A0 as A1,…`
    private static func chain(_ count: Int, _ first: String, _ next: (String) -> String) -> String {
        (0..<count).map { "\(next($0 == 0 ? first : "A\($0 - 1)")) as A\($0)" }.joined(separator: ",")
    }

    private static func repeated(_ step: String, _ count: Int) -> String {
        Array(repeating: step, count: count).joined(separator: "/")
    }

    static let computed: [(String, String)] = [
        ("$compute=\(chain(40, "OrderID") { "\($0) sub \($0)" })&$select=A39", "A39=0; A39=0; A39=0; A39=0"),
        ("$apply=compute(\(chain(40, "OrderID") { "\($0) sub \($0)" }))&$select=A39&$top=1", "A39=0"),
        (
            "$apply=compute(OrderID add OrderID as A0)/\((1..<30).map { "compute(A\($0 - 1) add A\($0 - 1) as A\($0))" }.joined(separator: "/"))&$select=A29&$top=2",
            "A29=1073741824; A29=2147483648"
        ),
        (
            "$compute=\(chain(30, "OrderID") { "\($0) add \($0)" })&$select=OrderID&$orderby=A29 desc&$top=1",
            "OrderID=5"
        ),
        (
            "$compute=\(chain(30, "OrderID") { "\($0) add \($0)" })&$select=OrderID&$filter=A29 gt 2147483648",
            "OrderID=3; OrderID=5"
        ),
        ("$apply=compute(\(chain(30, "OrderID") { "\($0) add \($0)" }))/aggregate(A29 with sum as S)", "S=11811160064"),
        ("$apply=compute(\(chain(30, "OrderID") { "\($0) add \($0)" }))/groupby((A29))&$top=1", "A29=1073741824"),
    ]

    @Test("A value computed by many steps is computed once", arguments: computed)
    func named(_ options: String, _ rows: String) async throws {
        #expect(try await ShopDatabase().rows("Orders?\(options)") == rows)
    }

    static let statements: [(String, String, Bool)] = [
        ("Orders?$compute=Freight add 1 as A&$orderby=A", "OFFSET 0", false),
        ("Orders?$compute=\(chain(3, "OrderID") { "\($0) sub \($0)" })", "OFFSET 0", false),
        ("Orders?$compute=\(chain(9, "OrderID") { "\($0) sub \($0)" })", " LIMIT -1 OFFSET 0)", true),
        ("Items?$filter=Discount gt 0.1", "typeof", false),
        ("Items?$filter=Discount div 2 gt 0.1", "AND typeof(odata_realdiv(", true),
        ("Items?$filter=Discount div 2 eq 0.1", "typeof", false),
        ("Items?$filter=Discount div 2 eq Discount mul 2", "AND typeof(odata_realdiv(", true),
        ("Orders?$apply=groupby((Customer))", "GROUP BY \"t", true),
    ]

    @Test("Statements isolate what is long, and ask for NaN where it may be", arguments: statements)
    func statement(_ url: String, _ part: String, _ isThere: Bool) throws {
        let text = try ShopDatabase().sql(url).text
        #expect(text.contains(part) == isThere, "\(text)")
    }

    static let refusals: [(String, String)] = [
        ("Orders?$apply=\(repeated("concat(identity,identity)", 20))", "300000 bytes"),
        ("Orders/$count?$apply=\(repeated("concat(identity,identity)", 60))", "300000 bytes"),
        (
            "Orders?$apply=\((0..<24).map { "nest(identity as A\($0),identity as B\($0))" }.joined(separator: "/"))",
            "300000 bytes"
        ),
        (
            "Customers?$apply=\((0..<40).map { "addnested(Orders,identity as N\($0))" }.joined(separator: "/"))",
            "300000 bytes"
        ),
        ("Orders?$apply=\((0..<40).map { "outerjoin(Items as J\($0))" }.joined(separator: "/"))", "300000 bytes"),
        ("Orders?$apply=\(repeated("top(5)", 4000))", "250 steps"),
        ("Orders?$compute=\(chain(1000, "OrderID") { "\($0) add 1" })", "250 steps"),
        (
            "Orders?$apply=groupby((rollup($all,OrderID,CustomerID,Freight,Placed),rollup($all,OrderID,CustomerID,Freight,Placed),rollup($all,OrderID,CustomerID,Freight,Placed),rollup($all,OrderID,CustomerID,Freight,Placed)))",
            "500 combinations"
        ),
        (
            "Customers?$compute=\(chain(4, "Name") { (0..<5).reduce($0) { text, _ in "concat(\(text),\(text))" } })",
            "1048576 bytes"
        ),
        ("Customers?$compute=\(chain(32, "Name") { "concat(\($0),\($0))" })", "299593 bytes"),
        ("Customers?$filter=length(A30) gt 3&$compute=\(chain(32, "Name") { "concat(\($0),\($0))" })", "299593 bytes"),
        ("Customers?$compute=\(chain(32, "Name") { "[\($0),\($0)]" })", "262144 bytes"),
        ("Customers?$compute=\(chain(32, "Name") { "{\"a\":\($0),\"b\":\($0)}" })", "262144 bytes"),
        (
            "Items?$select=OrderID&$compute=\((0..<200).map { "Order/Customer/City as A\($0)" }.joined(separator: ","))",
            "x"
        ),
        (
            "Customers?$compute=[\(Array(repeating: "Name", count: 1000).joined(separator: ","))] as A",
            "too many arguments"
        ),
    ]

    @Test("What would be too much is refused with the limit", arguments: refusals)
    func refused(_ url: String, _ limit: String) async throws {
        let shop = try ShopDatabase()
        let error = await #expect(throws: ODataError.self) { _ = try await shop.result(url) }
        #expect(error?.code == .badRequest)
        #expect(error?.message.contains(limit) == true, "\(error?.message ?? "")")
    }

    // MARK: Long values

    static let nested: [(String, String?)] = [
        ("nest(identity as A)", nil), ("nest(identity as A,identity as B)", nil),
        ("nest(identity as A)/compute(A as B)", nil), ("addnested(kids,identity as A)/top(1)", nil),
        ("concat(nest(identity as A),nest(identity as A))", nil),
        ("nest(top(30) as A,top(30) as B,top(30) as C,top(30) as D)", nil),
        ("nest(identity as A,identity as B,identity as C,identity as D)", "2097152 bytes"),
        ("nest(identity as A)/compute(A as B,A as C,A as D)", "2097152 bytes"),
        ("nest(identity as A)/compute(A as B)/compute(B as C)/compute(C as D)", "2097152 bytes"),
        (
            "concat(nest(identity as A),concat(nest(identity as A),concat(nest(identity as A),nest(identity as A))))",
            "2097152 bytes"
        ),
        ("addnested(kids,identity as A,identity as B,identity as C,identity as D)", "2097152 bytes"),
        ("groupby((g),nest(identity as A,identity as B,identity as C,identity as D))", "2097152 bytes"),
        ("nest(nest(identity as A,identity as B) as C,identity as D)", "2097152 bytes"),
        ("nest(join(kids as K) as A)", "4194304 bytes"),
        (
            "top(1)/compute(\((0..<5).map { "concat(concat(t,t),concat(t,t)) as A\($0)" }.joined(separator: ",")))", nil
        ),
        (
            "top(1)/compute(\((0..<104).map { "concat(concat(t,t),concat(t,t)) as A\($0)" }.joined(separator: ",")))",
            "83886 bytes"
        ),
    ]

    @Test("The long values of a row share a budget, whatever they are made by", arguments: nested)
    func longValues(_ steps: String, _ limit: String?) async throws {
        let store = try Self.longTexts.get().store()
        let read = { _ = try await store.entities("a?$apply=\(steps)") }
        guard let limit else { return try await read() }
        let error = await #expect(throws: ODataError.self) { try await read() }
        #expect(error?.code == .badRequest)
        #expect(error?.message.contains(limit) == true, "\(error?.message ?? "")")
    }

    /// 60 rows of 40,000 bytes, in a collection 2.4 million, and as many that belong to the first one.
    private static let longTexts = Result {
        try SampleFile(
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, g INTEGER, t TEXT);
            CREATE TABLE kids (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), t TEXT);
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
            INSERT INTO a SELECT i, 1, replace(hex(zeroblob(20000)), '0', 'x') FROM n;
            INSERT INTO kids SELECT id, 1, t FROM a;
            """)
    }

    // MARK: Limits of SQLite

    static let many: [(String, String?)] = [
        (
            "Items?$select=OrderID&$compute=\(list(210) { "Order/Customer/Orders/$count as A\($0)" })",
            "too many FROM clause terms"
        ),
        ("Items?$filter=\(list(210, " and ") { "Order/Customer/Orders/any(x:x/OrderID ne \($0))" })", nil),
        ("Items?$orderby=\(list(210) { "Order/Customer/Orders/$count add \($0)" })", nil),
        ("Orders?$apply=aggregate(\(list(210) { "Items/$count as A\($0)" }))", "250 steps"),
        (
            "Orders?$apply=concat(\(list(600) { "filter(OrderID eq \($0))" }))/aggregate($count as N)",
            "too many terms in compound SELECT"
        ),
        ("Orders?$orderby=\(list(2100) { "OrderID add \($0)" })", "too many columns"),
        ("Orders?$apply=compute(\(list(240) { "Customer/City as A\($0)" }))", "too many FROM clause terms"),
        ("Orders?$apply=\(list(70, "/") { "join(Customer as C\($0))" })", "300000 bytes"),
    ]

    private static func list(_ count: Int, _ separator: String = ",", _ part: (Int) -> String) -> String {
        (0..<count).map(part).joined(separator: separator)
    }

    @Test("What SQLite refuses because of a limit is a bad request, and never a fault of the store", arguments: many)
    func limits(_ url: String, _ text: String?) async throws {
        let shop = try ShopDatabase()
        guard let text else {
            _ = try await shop.result(url)
            return
        }
        let error = await #expect(throws: (any Error).self) { _ = try await shop.result(url) }
        let found = ODataError(reading: try #require(error))
        #expect(found.code == .badRequest)
        #expect(found.message.contains(text), "\(found.message)")
    }

    // MARK: $expand

    /// Two tables that lead to and fro: each entity of `b` belongs to one of `a`.
    private static func circle(_ rows: Int) throws -> SampleFile {
        try SampleFile(
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY);
            CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id));
            CREATE INDEX i ON b (a_id);
            INSERT INTO a VALUES (1), (2), (3);
            WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows - 1))
            INSERT INTO b SELECT i, i % 3 + 1 FROM n;
            """)
    }

    private static func nested(_ depth: Int) -> String {
        (0..<depth).reversed().reduce("") { inner, level in
            let name = level.isMultiple(of: 2) ? "b" : "a"
            return inner.isEmpty ? name : "\(name)($expand=\(inner))"
        }
    }

    @Test(
        "An entity that $expand makes too many of is refused, and one that it does not is read",
        arguments: [(3, true), (7, true), (9, false), (18, false)])
    func expansion(_ depth: Int, _ isRead: Bool) async throws {
        let store = try Self.circle(30).store()
        let url = "a?$expand=\(Self.nested(depth))"
        if isRead {
            #expect(try await store.entities(url).count == 3)
        } else {
            let error = await #expect(throws: ODataError.self) { _ = try await store.entities(url) }
            #expect(error?.code == .badRequest)
            #expect(error?.message.contains("100000 entities") == true)
        }
    }

    @Test("Entities that expand much each are read in small blocks, all of them")
    func blocks() async throws {
        let store = try Self.circle(9000).store()
        // 3,000 for each of the first ones, which all 9,000 share.
        let request = ReadRequest(try store.parser.query("b?$expand=a($expand=b)&$top=60&$select=id"))
        guard case .entities(let reader) = try await store.read(request).body else { return }
        var sizes: [Int] = []
        while let block = try await reader.next() { sizes.append(block.rows.count) }
        let all: Int = sizes.reduce(0, +)
        #expect(all == 180_120)
        #expect(sizes.dropFirst().allSatisfy { $0 <= 20_000 })
    }
}

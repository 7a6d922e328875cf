import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// `$compute` and `$apply` on collections of values. [OData-Protocol, section 11.2.5; OData-Aggregation, section 3]
@Suite struct CollectionOptionTests {
    private static func text(_ url: String) async throws -> String {
        let zoo = try MenagerieDatabase()
        let query = try zoo.parser.query(url)
        let result = try await zoo.executor.read(ReadRequest(query), in: zoo.pool, pageSize: nil)
        guard case .value(let value, _) = result.body else { return "?" }
        let text = ShopDatabase.text(EdmComplexValue([.init(name: "", value: value)]))
        return String(text.dropFirst()) + (result.count.map { " #\($0)" } ?? "")
    }

    static let computed: [(String, String)] = [
        ("Animals(1)/Homes?$compute=length(City) as L", "[{City=Bonn L=4},{City=Lyon Country=France L=4}]"),
        ("Animals(1)/Homes?$compute=concat(City,'!') as S&$filter=S eq 'Bonn!'&$select=S", "[{S=Bonn!}]"),
        (
            "Animals(1)/Homes?$compute=length(City) as L&$orderby=City desc&$top=1&$count=true",
            "[{City=Lyon Country=France L=4}] #2"
        ),
        ("Animals(1)/Homes?$compute=length(City) as L,L add 1 as M&$select=City,M&$top=1", "[{City=Bonn M=5}]"),
        ("Animals(1)/Homes?$compute=2020-01-01 as D&$select=D&$top=1", "[{D=2020-01-01}]"),
        ("Animals(1)/Homes?$compute=length(City) as L&$select=City&$top=1", "[{City=Bonn}]"),
        ("Animals(1)/Tags?$compute=length($this) as L&$filter=L eq 3&$orderby=L,$this", "[new,red]"),
        ("Animals(1)/Scores?$compute=$this mul 2 as D&$filter=D gt 2", "[4,3]"),
        ("Animals(2)/Homes?$compute=length(City) as L", "[]"),
    ]

    @Test("$compute", arguments: computed)
    func compute(_ url: String, _ expected: String) async throws {
        #expect(try await Self.text(url) == expected)
    }

    static let applied: [(String, String)] = [
        ("aggregate(City with max as C,$count as N)", "[{C=Lyon N=2}]"),
        ("groupby((City),aggregate($count as N))&$orderby=City desc", "[{City=Lyon N=1},{City=Bonn N=1}]"),
        ("filter(City eq 'Lyon')", "[{City=Lyon Country=France}]"),
        ("filter(City ne 'x')&$count=true&$top=1", "[{City=Bonn}] #2"),
        ("filter(City ne 'x')&$skip=1&$select=City", "[{City=Lyon}]"),
        ("filter(Zoo.ForeignAddress/Country eq 'France')/aggregate($count as N)", "[{N=1}]"),
        ("compute(length(City) as L)/filter(L gt 3)&$select=City,L&$top=1", "[{City=Bonn L=4}]"),
        ("orderby(City desc)/top(1)", "[{City=Lyon Country=France}]"),
        ("concat(topcount(1,length(City)),aggregate($count as N))/aggregate(N with sum as S)", "[{S=2}]"),
        ("aggregate($count as N)&$compute=N mul 2 as M", "[{N=2 M=4}]"),
        ("identity&$filter=City eq 'Bonn'", "[{City=Bonn}]"),
    ]

    @Test("$apply", arguments: applied)
    func apply(_ application: String, _ expected: String) async throws {
        #expect(try await Self.text("Animals(1)/Homes?$apply=" + application) == expected)
    }

    @Test("Nothing to apply to")
    func empty() async throws {
        #expect(try await Self.text("Animals(3)/Homes?$apply=aggregate($count as N)") == "[{N=0}]")
        #expect(try await Self.text("Animals(2)/Homes?$apply=filter(City eq 'a')") == "[]")
    }

    static let selected: [(String, String)] = [
        ("Homes($orderby=City desc)", "Homes=[{City=Lyon Country=France},{City=Bonn}]"),
        ("Homes($orderby=City desc;$top=1)", "Homes=[{City=Lyon Country=France}]"),
        ("Homes($orderby=City;$skip=1;$select=City)", "Homes=[{City=Lyon}]"),
        ("Homes($filter=City eq @c;@c='Bonn')", "Homes=[{City=Bonn}]"),
        ("Tags($orderby=$this)", "Tags=[new,red]"), ("Tags($orderby=$this desc;$top=1)", "Tags=[red]"),
        ("Scores($orderby=$this;$skip=1;$top=1)", "Scores=[3]"),
        ("Scores($filter=$this gt @p;$top=1;@p=1)", "Scores=[4]"),
    ]

    @Test("Order, $top, $skip and aliases in $select", arguments: selected)
    func select(_ item: String, _ expected: String) async throws {
        #expect(try await MenagerieDatabase().rows("Animals/$filter(ID eq 1)?$select=" + item) == expected)
    }

    @Test("$compute in $select")
    func nested() async throws {
        let zoo = try MenagerieDatabase()
        let rows = try await zoo.rows("Animals/$filter(ID eq 1)?$select=Homes($compute=length(City) as L;$select=L)")
        #expect(rows == "Homes=[{L=4},{L=4}]")
    }

    @Test(
        "What nothing gives a meaning to",
        arguments: [
            ("Homes?$search=a", "$search"), ("Homes?$apply=search(a)", "$search"),
            ("Scores?$search=a", "$search"),
        ])
    func refused(_ path: String, _ name: String) async throws {
        let error = await #expect(throws: (any Error).self) { _ = try await Self.text("Animals(1)/" + path) }
        let found = (error as? QueryError).map { ODataError(reading: $0) } ?? error as? ODataError
        #expect(found?.code == .notImplemented, "\(found?.message ?? "")")
        #expect(found?.message.contains(name) == true, "\(found?.message ?? "")")
    }
    @Test(
        "What would be passed over inside $select is refused",
        arguments: [
            ("Tags($count=true)", "$count"), ("Homes($count=true;$top=0;$select=City)", "$count"),
            ("Home/Lines($top=1)", "$select"), ("Homes($select=Lines($top=1))", "$select"),
            ("Home($compute=length(City) as L;$select=L)", "$select"),
        ])
    func passedOver(_ item: String, _ name: String) async throws {
        let error = await #expect(throws: (any Error).self) {
            _ = try await MenagerieDatabase().rows("Animals?$select=" + item)
        }
        let found = (error as? QueryError).map { ODataError(reading: $0) } ?? error as? ODataError
        #expect(found?.code == .notImplemented, "\(found?.message ?? "")")
        #expect(found?.message.contains(name) == true, "\(found?.message ?? "")")
    }
}

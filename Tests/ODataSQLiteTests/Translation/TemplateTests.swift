import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores
import TestSupport
import Testing

@testable import ODataSQLite

/// Statements out of a template are those that the query itself would be translated to.
@Suite struct TemplateTests {
    /// Literals of one kind, among them those that could be translated in another way than most.
    static let literals: [(column: String, values: [String])] = [
        ("Flag", ["true", "false", "null"]),
        ("Number", ["1", "-5", "0", "2147483647", "2147483648", "-9223372036854775808", "1431655000", "1.5", "1e0"]),
        ("Real", ["1.5", "0", "-1", "1e300", "NaN", "INF", "0.1", "1431655000.1", "2147483648"]),
        (
            "Text",
            [
                "'a'", "''", "'O''Neil'", "'5'", "'5.0'", "'%25_'", "'odata$value0'", "'x''00'''", "'Ünï'", "null",
                "'2024-01-02'",
            ]
        ),
        ("Bytes", ["binary'AAH_'", "binary''"]),
        ("Amount", ["12.25", "0.1", "5", "-5.5", "1e20", "12345678901234567890.125", "1431655000"]),
        ("Exact", ["12345678901234567890.125", "0.1", "5", "12.50", "1431655000.1", "1e30"]),
        ("Guid", ["01234567-89ab-cdef-0123-456789abcdef", "6f646174-6124-7661-0000-000000000000"]),
        ("Guid16", ["01234567-89ab-cdef-0123-456789abcdef", "6f646174-6124-7661-0000-000000000000"]),
        ("Day", ["2024-02-29", "0001-01-01", "9999-12-31", "-0044-03-15", "12024-01-01", "3001-03-04"]),
        ("Clock", ["07:59:59.5", "00:00:00", "23:59"]),
        ("Span", ["duration'PT90M'", "duration'P1D'", "duration'-PT0.5S'"]),
    ]

    private static let instants = [
        "2024-01-02T03:04:05Z", "2024-01-02T00:00:00Z", "2024-01-02T03:04:05.25Z", "2024-01-02T03:04:05.250001Z",
        "2024-01-02T03:04:05.123456789Z", "2024-01-02T05:04:05+02:00", "2024-01-02T05:04:05.5-11:30",
        "12024-01-02T03:04:05Z", "1969-12-31T23:59:59.999Z", "2024-01-02",
    ]

    static let columns =
        literals + ["Stamp", "Epoch", "Millis", "Julian", "Midnight", "Moment"].map { ($0, instants) }

    @Test("Comparisons of a column with all kinds of literals", arguments: columns)
    func comparisons(column: String, values: [String]) throws {
        let shop = try ShopDatabase()
        let urls = ["eq", "ne", "lt", "ge"].flatMap { sign in
            ["\(column) \(sign) {}", "{} \(sign) \(column)", "not (\(column) \(sign) {} or ID eq 4)"]
        }.map { "Things?$filter=\($0)" }
        // Each form and three of the operators.
        try check(LongTests.slice(urls, step: 5), values, shop)
    }

    @Test("Keys, paths and nested conditions")
    func places() throws {
        let shop = try ShopDatabase()
        let numbers = ["1", "2", "-1", "2147483648", "9223372036854775807"]
        try check(
            [
                "Products({})", "Products({})?$expand=Tags", "Orders({})/Items", "Orders({})/Customer",
                "Orders(1)/Items(OrderID={},ProductID=2)", "Orders({})/Items(OrderID=1,ProductID={})",
                "Products({})/Name", "Orders({})/Items/$count", "Products?$filter=ProductID gt {}&$top=2&$count=true",
                "Products?$filter=ProductID gt {} and ProductID lt 4&$orderby=Name desc",
                "Orders?$filter=Items/any(i:i/Quantity gt {} and i/ProductID eq 2)",
                "Orders?$filter=OrderID eq {} or OrderID add 1 eq {}",
                "Orders?$expand=Items($filter=Quantity gt {};$count=true;$top=1)&$filter=OrderID lt {}",
                "Products?$filter=ProductID in ({},3)", "Products?$filter=ProductID mul {} gt {}",
                "Products?$filter=ProductID eq {}&$skip=1", "Products?$orderby=ProductID mod {}",
                "Products?$compute=ProductID add {} as Next&$filter=Next gt {}&$select=Next",
            ], numbers, shop)
        let texts = ["'ALFKI'", "''", "'O''Neil'", "'a/b'", "'1'"]
        try check(
            [
                "Customers({})", "Customers({})/Orders", "Customers({})/Orders/$count", "Tags({})/Products",
                "Customers?$filter=ID eq {} or contains(ID,{})", "Products?$filter=startswith(Name,{})",
                "Products?$filter=Name eq {} and length(Name) gt 2", "Products?$filter=tolower(Name) ne {}",
                "Products?$filter=concat(Name,{}) eq {}", "Products?$filter={} eq {}",
            ], texts, shop)
    }

    @Test("Queries with now() are translated each time")
    func now() throws {
        let shop = try ShopDatabase()
        let query = try shop.parser.query("Things?$filter=Stamp lt now() and ID gt 0".replacing(" ", with: "%20"))
        let bindings = try (0..<4).map { _ in
            try Set(statements(of: query, shop.executor, shop.pool).flatMap(\.bindings))
        }
        let sample = EdmDateTimeOffset(secondsSinceEpoch: -1)
        for formats in ["1969-12-31 23:59:59", "1969-12-31T23:59:59", sample.storedText] {
            #expect(bindings.allSatisfy { !$0.contains(.text(formats)) })
        }
    }

    @Test("Queries made at random, each seen three times", arguments: LongTests.areWanted ? 0..<4 : 0..<2)
    func random(seed: UInt64) throws {
        let zoo = try MenagerieDatabase()
        let set = try #require(MenagerieModel.model?.entitySet(named: "Animals"))
        let names = TreeMaker.Names(
            text: "Name", number: "Legs", selectable: ["Legs", "Home", "Name", "Tags"], one: "Friend",
            many: "Friends", derived: EdmQualifiedName("Zoo.Dog"), keys: 1..<5)
        var maker = TreeMaker(seed: seed, set: set, names: names)
        for _ in 0..<60 {
            let query = maker.query()
            for _ in 0..<3 { try compare(query, zoo.executor, zoo.pool) }
        }
    }

    @Test("More shapes than a cache keeps")
    func bounded() throws {
        let cache = TemplateCache<SQLStatement>(capacity: 2)
        let shop = try ShopDatabase()
        var made = 0
        for round in 0..<3 {
            for name in ["Products", "Orders", "Customers", "Tags", "Products"] {
                let query = try shop.parser.query(name)
                let statement = try cache.plan(for: query) { query, _ in
                    made += 1
                    return SQLStatement(text: query.url, bindings: [])
                }
                #expect(statement.text == name, "\(round)")
            }
        }
        #expect(made > 3)
    }

    @Test("A translation that fails is not kept, and another variant is another plan")
    func variants() throws {
        struct Refusal: Error {}
        let cache = TemplateCache<SQLStatement>()
        let query = try ShopDatabase().parser.query("Products(1)")
        for _ in 0..<3 { #expect(throws: Refusal.self) { try cache.plan(for: query) { _, _ in throw Refusal() } } }
        for variant in [1, 2, 1, 2, 1, 2] {
            let statement = try cache.plan(for: query, variant: variant) { _, _ in
                SQLStatement(text: "\(variant)", bindings: [])
            }
            #expect(statement.text == "\(variant)")
        }
    }

    // MARK: Comparison

    /// Each URL with each value, in different orders, so that each is once the query that a template is made of.
    private func check(_ urls: [String], _ values: [String], _ shop: ShopDatabase) throws {
        for url in urls {
            for start in values.indices {
                let executor = QueryExecutor(model: shop.executor.model, mapping: shop.executor.mapping)
                for value in values[start...] + values[..<start] + values[start...] {
                    let text = MenagerieDatabase.encoded(url.replacing("{}", with: value))
                    guard let query = try? shop.parser.query(text) else { continue }
                    try compare(query, executor, shop.pool)
                }
            }
        }
    }

    private func compare(_ query: BoundQuery, _ executor: QueryExecutor, _ pool: DatabasePool) throws {
        let exact = Result { try executor.statements(for: query) }
        let planned = Result { try statements(of: query, executor, pool) }
        switch (exact, planned) {
        case (.success(let exact), .success(let planned)):
            #expect(planned == exact, "\(query.url)")
        case (.failure(let first), .failure(let second)):
            #expect(ODataError(reading: first).message == ODataError(reading: second).message)
        default: Issue.record("\(query.url): \(exact), \(planned)")
        }
    }

    /// In the order of ``QueryExecutor/statements(for:)``.
    private func statements(
        of query: BoundQuery, _ executor: QueryExecutor, _ pool: DatabasePool
    ) throws -> [SQLStatement] {
        try pool.read { db in
            var statements: [SQLStatement] = []
            if case .property = query.path.target {
                return [try executor.valueStatement(of: query).sql]
            }
            if query.path.suffix == .count || query.options.count {
                statements.append(try executor.countStatement(of: query))
            }
            guard query.path.suffix != .count else { return statements }
            var plan = try executor.plan(for: query, in: db)
            var rows: [SQLStatement] = []
            plan.updateStatements { rows.append($0) }
            return rows.prefix(1) + statements + rows.dropFirst()
        }
    }
}

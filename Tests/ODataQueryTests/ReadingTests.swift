import ODataModel
import ODataQuery
import Testing

/// The same request written in different ways.
@Suite struct ReadingTests {
    private let parser = SampleModel.parser

    @Test(arguments: [
        ("/Products", "Products"), ("Products?", "Products"), ("Products?&", "Products"),
        ("Products%281%29", "Products(1)"), ("Categories(%27a%27)", "Categories('a')"),
        ("Categories('O%27%27N')/Rank", "Categories(Name='O''N')/Rank"), ("Products( 1 )", "Products(1)"),
        ("Products(ID=1)", "Products(1)"), ("Products(+1)", "Products(1)"), ("Products(1.0)", "Products(1)"),
        ("Items(ProductID=2,OrderID=1)", "Items(OrderID=1,ProductID=2)"),
        ("Items( ProductID = 2 , OrderID = 1 )", "Items(OrderID=1,ProductID=2)"),
        ("Customers(01234567-89AB-CDEF-0123-456789ABCDEF)", "Customers(01234567-89ab-cdef-0123-456789abcdef)"),
        ("Customers(abcdefab-89AB-CDEF-0123-456789ABCDEF)", "Customers(ABCDEFAB-89ab-cdef-0123-456789abcdef)"),
        ("Categories('日本')", "Categories('%E6%97%A5%E6%9C%AC')"),
        ("Products?%24filter=Price%20gt%201", "Products?$filter=Price gt 1"),
        ("Products?$filter=Price+gt+1", "Products?$filter=Price gt 1"),
        ("Products?$filter=Name+eq+'a'+and+contains(Name,+'b')", "Products?$filter=Name eq 'a' and contains(Name,'b')"),
        ("Products?$filter=Weight+gt+1e+5", "Products?$filter=Weight gt 100000"),
        (
            "Products?$filter=Changed+gt+2024-01-01T00:00:00+02:00",
            "Products?$filter=Changed gt 2024-01-01T00:00:00%2B02:00"
        ),
        ("Products?$filter=Price gt +1", "Products?$filter=Price gt 1"),
        ("Products?filter=Price gt 1&TOP=5", "Products?$filter=Price gt 1&$top=5"),
        ("Products?$FILTER=Price GT 1 AND Contains(Name,'a')", "Products?$filter=Price gt 1 and contains(Name,'a')"),
        (
            "Products?$filter=Items/ANY(i:i/Quantity gt 1)&$orderby=Name DESC",
            "Products?$filter=Items/any(i:i/Quantity gt 1)&$orderby=Name desc"
        ),
        ("Products?custom=1&x&@p=1&$top=5", "Products?$top=5&custom=1&x="),
        ("Products?$filter= ( ( Price gt 1 ) ) ", "Products?$filter=Price gt 1"),
        ("Products?$filter=(Price gt 1)and(Price lt 2)", "Products?$filter=Price gt 1 and Price lt 2"),
        ("Products?$filter=not(Discontinued)", "Products?$filter=not Discontinued"),
        ("Products?$filter=$it/Price gt 1", "Products?$filter=Price gt 1"),
        (
            "Products?$filter=Discontinued or (Price gt 1 or Price lt 2)",
            "Products?$filter=Discontinued or Price gt 1 or Price lt 2"
        ),
        ("Products?$filter=Color eq 'Red'", "Products?$filter=Color eq Model.Color'Red'"),
        ("Products?$filter=Color eq Self.Color'Red'", "Products?$filter=Color eq Model.Color'Red'"),
        ("Products?$filter=Rights eq 'Read, Write'", "Products?$filter=Rights eq Model.Rights'Read,Write'"),
        ("Products?$filter=Age gt 'PT1H'", "Products?$filter=Age gt duration'PT1H'"),
        ("Products?$filter=Changed gt 2024-01-01", "Products?$filter=Changed gt 2024-01-01T00:00:00Z"),
        ("Products?$filter=Items/any( i : i/Quantity gt 1 )", "Products?$filter=Items/any(i:i/Quantity gt 1)"),
        ("Products?$filter=Stock in ( 1 , 2 )", "Products?$filter=Stock in (1,2)"),
        ("Products?$filter=now( ) gt Changed", "Products?$filter=now() gt Changed"),
        (
            "Products?$select= ID , Name &$orderby= Name asc , ID desc ",
            "Products?$select=ID,Name&$orderby=Name,ID desc"
        ),
        (
            "Products?$expand=Items( $top=1 ; SELECT=Quantity ) , Category",
            "Products?$expand=Items($top=1;$select=Quantity),Category"
        ),
        ("Products?$count=TRUE", "Products?$count=true"), ("Products?$count=false", "Products"),
        ("Products?$filter=Name eq 'a%26b%3Bc%2Bd'", "Products?$filter=Name eq 'a%26b;c+d'"),
        ("Products/$count?$filter=Price gt 1", "Products/$count?filter=Price+gt+1"),
    ])
    func differentSpellingsMeanTheSame(first: String, second: String) throws {
        #expect(try parser.query(first) == parser.query(second))
    }

    @Test func literalsTakeTheTypeOfWhatTheyMeet() throws {
        let set = try SampleModel.set("Products")
        let cases: [(String, EdmValue, EdmPrimitiveType)] = [
            ("Price eq 1", .decimal(EdmDecimal(1)), .decimal), ("Stock eq 1", .integer(1), .int16),
            ("Stock eq 1.0", .integer(1), .int16), ("Stock eq 100000", .integer(100_000), .int32),
            ("Weight eq 1", .double(1), .double), ("Weight eq 0.1", .double(0.1), .double),
            ("Small eq 0.1", .double(Double(Float(0.1))), .single), ("Sold eq 1", .integer(1), .int64),
            ("Price add 1 eq 1.50", .decimal(1.5), .decimal),
            ("Name eq '1'", .string("1"), .string), ("length(Name) eq 1", .integer(1), .int32),
        ]
        for (text, value, type) in cases {
            let expression = try parser.expression(text, type: set.type, set: set)
            guard case .binary(.eq, _, let right) = expression else {
                Issue.record("\(text)")
                continue
            }
            #expect(right == .literal(value, .primitive(type)), "\(text)")
        }
    }

    @Test(arguments: [
        ("Price add Stock", "Edm.Decimal"), ("Stock add Sold", "Edm.Int64"), ("Weight mul Price", "Edm.Double"),
        ("Stock div 2", "Edm.Int16"), ("Stock divby 2", "Edm.Decimal"), ("Changed sub Changed", "Edm.Duration"),
        ("Changed add Age", "Edm.DateTimeOffset"), ("Released sub Released", "Edm.Duration"),
        ("Age mul 2", "Edm.Duration"),
        ("length(Name)", "Edm.Int32"), ("round(Weight)", "Edm.Double"), ("round(Stock)", "Edm.Decimal"),
        ("Category/Name", "Edm.String"), ("Category", "Model.Category"), ("Items", "Collection(Model.Item)"),
        ("Items/$count", "Edm.Int64"), ("Tags", "Collection(Edm.String)"), ("-Stock", "Edm.Int16"),
        ("Color", "Model.Color"),
        ("Items/any()", "Edm.Boolean"), ("2 add 3.5", "Edm.Decimal"), ("$it", "Model.Product"),
        ("now()", "Edm.DateTimeOffset"),
    ])
    func expressionsHaveTypes(text: String, type: String) throws {
        let set = try SampleModel.set("Products")
        #expect(try parser.expression(text, type: set.type, set: set).type?.description == type)
    }

    @Test func systemResourcesAreKnown() throws {
        #expect(try parser.resource("") == .serviceDocument)
        #expect(try parser.resource("/") == .serviceDocument)
        #expect(try parser.resource("?$format=json") == .serviceDocument)
        #expect(try parser.resource("$metadata") == .metadata)
        #expect(try parser.resource("/%24metadata?$format=xml") == .metadata)
        #expect(try parser.resource("$batch") == .batch)
        #expect(try parser.resource("$metadata/") == .metadata)
        #expect(throws: QueryError.self) { try parser.resource("$metadata/x") }
        #expect(try parser.query("Products/?$top=1") == parser.query("Products?$top=1"))
        #expect(try parser.query("Products(1)/") == parser.query("Products(1)"))
        #expect(throws: QueryError.self) { try parser.query("$metadata") }
    }

    @Test func contentIDsStandForEntities() throws {
        let orders = try SampleModel.set("Orders")
        let contentIDs = ["1": orders, "new-order": orders]
        guard case .query(let query) = try parser.resource("$1/Items", contentIDs: contentIDs) else {
            Issue.record("no query")
            return
        }
        #expect(query.path.root == .contentID("1", orders))
        #expect(query.path.entitySet?.name == "Items")
        #expect(query.url == "$1/Items")
        #expect(throws: Never.self) { try parser.resource("/$new-order", contentIDs: contentIDs) }
        #expect(throws: QueryError.self) { try parser.resource("$2/Items", contentIDs: contentIDs) }
    }

    @Test(arguments: [
        ("Products(1)", nil as String?), ("/Products(1)", nil), ("http://h:1/x/Products(1)", "http://h:1/x/"),
        ("http://h:1/x/Products(1)", "http://h:1/x"), ("/x/Products(1)", "http://h:1/x/"),
        ("Products(1)", "http://h:1/x/"),
    ])
    func idsLeadToPaths(id: String, root: String?) throws {
        #expect(try parser.entityPath(id: id, serviceRoot: root).url == "Products(1)")
    }

    @Test(arguments: [
        ("Products(1)", "Products(1)"), ("http://h/x/Products(1L)", "Products(1)"), ("Products(+1L)", "Products(1)"),
        (
            "/x/Customers(guid'01234567-89AB-CDEF-0123-456789ABCDEF')",
            "Customers(01234567-89ab-cdef-0123-456789abcdef)"
        ),
        ("Items(OrderID=1L,ProductID=2L)", "Items(OrderID=1,ProductID=2)"),
        ("Categories('a+b%2Bc')", "Categories('a%2Bb%2Bc')"), ("http://other/Products(1L)", nil),
    ])
    func idsOfAnyVersionLeadToPaths(id: String, path: String?) {
        #expect(parser.entityPath(ofAnyVersion: id, serviceRoot: "http://h/x/")?.url == path)
    }

    @Test func idsOfOtherServicesAreRefused() {
        #expect(throws: QueryError.self) {
            try parser.entityPath(id: "http://other/Products(1)", serviceRoot: "http://h/")
        }
    }

    @Test func referencesTakeTheIDOfTheOtherEntity() throws {
        let query = try parser.query("Orders(1)/Items/$ref?$id=http://h/Items(OrderID=1,ProductID=2)")
        #expect(query.options.id == "http://h/Items(OrderID=1,ProductID=2)")
        #expect(try parser.query("Orders(1)?id=5").options.id == nil)
    }

    @Test func setsFollowTheBindings() throws {
        let query = try parser.query("Products?$filter=Category/Rank gt 1&$expand=Items($expand=Order)")
        guard case .binary(_, .path(let path), _) = query.options.filter else {
            Issue.record("no path")
            return
        }
        guard case .navigation(_, let set, let type) = path.steps.first else {
            Issue.record("no step")
            return
        }
        #expect(set?.name == "Categories")
        #expect(type.name.name == "Category")
        #expect(query.options.expand.first?.targetSet?.name == "Items")
        #expect(query.options.expand.first?.options.expand.first?.targetSet?.name == "Orders")
    }
}

import ODataModel
import ODataQuery
import Testing

/// What is not understood says why and where.
@Suite struct RefusalTests {
    private let parser = SampleModel.parser

    private func error(_ url: String, _ parser: QueryParser? = nil) -> QueryError? {
        do throws(QueryError) {
            _ = try (parser ?? self.parser).resource(url)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("Prodcts", 0, "Products"),
        ("Products(1)/Nmae", 12, "Name"),
        ("/Products(1)/Nmae", 13, "Name"),
        ("Products?$filter=Prise gt 1", 17, "Price"),
        ("Products?$filter=%50rise gt 1", 17, "Price"),
        ("Products?$filter=Name eq 'ä%C3%A4€' and Prise gt 1", 40, "Price"),
        ("Products?$filter=Category/Nam eq 'x'", 26, "Name"),
        ("Products?$filter=contians(Name,'a')", 17, "contains"),
        ("Products?$filter=Color eq Model.Color'Rad'", 26, "Red"),
        ("Products?$filter=Color eq Model.Colour'Red'", 26, "Model.Color"),
        ("Products?$select=Nme", 17, "Name"),
        ("Products?$expand=Categry", 17, "Category"),
        ("Products?$expand=Items($select=Quantty)", 31, "Quantity"),
        ("Products?$orderby=Nme", 18, "Name"),
        ("Items(OrderID=1,ProdctID=2)", 16, "ProductID"),
        ("Products?$filter=Xyzzy eq 1", 17, nil as String?),
    ])
    func unknownNamesAreToldWithTheNearestOne(url: String, position: Int, nearest: String?) {
        let error = error(url)
        #expect(error?.code == .unknownName)
        #expect(error?.position == position)
        #expect(error?.expected == nearest)
    }

    @Test(arguments: [
        ("Products('a')", 9), ("Products(1.5)", 9), ("Products(3000000000)", 9), ("Products(null)", 9),
        ("Categories(1)", 11), ("Items(1)", 6), ("Items(OrderID=1)", 5), ("Items(OrderID=1,ProductID='2')", 26),
        ("Customers('01234567-89ab-cdef-0123-456789abcdef')", 10), ("Products/Name", 9), ("Products(1)(2)", 11),
        ("Products(1)/Name(1)", 16), ("Products(1)/Name/$count", 17), ("Products/$value", 9), ("Me(1)", 2),
        ("Categories('a')/$value", 16), ("Products(1)/Name/$ref", 17),
        ("Products(1)/Name/Length", 17), ("Products(1)/Category(1)", 20),
        ("Products?$filter=Name", 17), ("Products?$filter=Name gt 1", 22), ("Products?$filter=Price eq '1'", 23),
        ("Products?$filter=Released eq '2024-01-01'", 26), ("Products?$filter=Released eq Changed", 26),
        ("Products?$filter=Price and Discontinued", 17), ("Products?$filter=not Price", 21),
        ("Products?$filter=Name add 'x' eq 'y'", 22), ("Products?$filter=length(Price) gt 1", 24),
        ("Products?$filter=length(Name,Name) gt 1", 17), ("Products?$filter=Category gt null", 26),
        ("Products?$filter=Picture gt null", 25), ("Products?$filter=Picture eq Picture", 25),
        ("Products?$filter=Items/Quantity gt 1", 23), ("Products?$filter=Category/any()", 26),
        ("Products?$filter=Name/$count gt 1", 22), ("Products?$filter=Tags eq 'a'", 22),
        ("Products?$filter=Name/Length gt 1", 22), ("Products?$filter=Stock in (1,'a')", 29),
        ("Products?$filter=Color eq Model.Rights'Read'", 23),
        ("Products?$filter=-Name eq 'a'", 18),
        ("Products?$orderby=Category", 18), ("Products?$orderby=Picture", 18), ("Products?$select=Category/Name", 26),
        ("Products?$expand=Name", 17), ("Products(1)?$filter=true", 12), ("Products(1)?$top=1", 12),
        ("Products(1)/Name?$select=ID", 17), ("Products?$expand=Category($top=1)", 26),
        ("Products?$expand=Category/$count", 17), ("Products(1)?$compute=$these/$count as N", 21),
        ("Categories?$expand=$value", 19), ("Products?$expand=Picture($top=1)", 17),
        ("Products?$expand=Category($compute=$these/$count as N)", 35), ("Products?$filter=isdefined(Items)", 27),
        ("Products?$filter=Price gt @p&@p={\"a\":1}", 23), ("Products?$filter=Price eq @p&@p={\"a\":1}", 23),
        ("Products?$filter=1 add @p gt 1&@p={\"a\":1}", 19), ("Products?$filter=Tags eq {\"a\":1}", 22),
        ("Products?$filter=length(@p) gt 1&@p={\"a\":1}", 24), ("Products?$filter=not @p&@p={\"a\":1}", 21),
        ("Products?$filter=Stock in [1,{\"a\":1}]", 29),
    ])
    func wrongTypesAreToldWithTheirPlace(url: String, position: Int) {
        let error = error(url)
        #expect(error?.code == .typeMismatch || (error?.code == .syntax && url == "Products(1)(2)"), "\(error as Any)")
        #expect(error?.position == position, "\(error as Any)")
    }

    @Test(arguments: [
        ("Products(", 9), ("Products(1", 10), ("Products()", 8), ("Products//Name", 9), ("Products//", 9), ("//", 1),
        ("Products(1)x", 11), ("$crossjoin(Products,Products)", 20),
        ("Products(a)", 9), ("Items(OrderID=1,OrderID=2)", 16), ("Products/$count/x", 16),
        ("Products?$filter=", 17), ("Products?$filter=Price gt", 25), ("Products?$filter=Price gt ", 26),
        ("Products?$filter=(Price gt 1", 28), ("Products?$filter=Price gt 1)", 27),
        ("Products?$filter=Price xx 1", 23), ("Products?$filter=Name eq 'a", 25),
        ("Products?$filter=Name eq 'a&b'", 25), ("Products?$filter=Price gt 1x", 27),
        ("Products?$filter=Price gt 1.", 27), ("Products?$filter=Released eq 2024-02-30", 29),
        ("Products?$filter=Changed gt 2024-01-01T00:00:00", 47), ("Products?$filter=Opens gt 25:00", 26),
        ("Products?$filter=Weight gt 1e999", 27), ("Products?$filter=Age gt duration'1H'", 32),
        ("Products?$filter=Code eq guid'01234567-89ab-cdef-0123-456789abcdef'", 25),
        ("Products?$filter=Items/all()", 27), ("Products?$filter=Items/any(i)", 28),
        ("Products?$expand=Items/$ref($select=Quantity)", 28), ("Products?$expand=Items/$count($count=true)", 30),
        ("Products?$top=-1", 14), ("Products?$top=x", 14), ("Products?$top=99999999999999999999", 14),
        ("Products?$skip=1.5", 16), ("Products?$count=1", 16), ("Products?$top=1&$top=2", 16),
        ("Products?@a=1&@a=2", 15), ("Products?$filter=Price%2Beq%2B9", 22),
        ("Products?$filter=true&filter=false", 22), ("Products?$orderby=Name up", 23), ("Products?$select=Name,", 22),
        ("Products?$select=Name Price", 22), ("Products?$expand=Items(", 23), ("Products?$expand=Items($top=1", 29),
        ("Products?$expand=Items,Items", 23), ("Products?$expand=Items($format=json)", 23),
        ("Products?$filter=Name eq '%'", 26), ("Products?$filter=Name eq '%zz'", 26), ("Products%2", 8),
        ("Products?=Price gt 20&=3", 9), ("Products?$top=1&=", 16), ("Products?$filter=eq 1", -1),
    ])
    func badTextIsToldWithItsPlace(url: String, position: Int) {
        let error = error(url)
        guard position >= 0 else {
            #expect(error != nil)
            return
        }
        #expect(error?.code == .syntax, "\(error as Any)")
        #expect(error?.position == position, "\(error as Any)")
    }

    @Test(arguments: [
        ("Products?$apply=aggregate(Forecast)", "Forecast")
    ])
    func whatIsNotSupportedIsNamed(url: String, name: String) {
        let error = error(url)
        #expect(error?.code == .notImplemented, "\(error as Any)")
        #expect(error?.message.contains(name) == true, "\(error as Any)")
    }

    @Test(arguments: [
        String(repeating: "(", count: 100_000), String(repeating: "not ", count: 100_000),
        String(repeating: "-", count: 100_000) + "Price", String(repeating: "Category/", count: 100_000) + "Name",
        "ID eq 1" + String(repeating: " add 1", count: 100_000), "ID" + String(repeating: " eq ID", count: 100_000),
        "ID eq 1" + String(repeating: " or ID eq 1", count: 60_000),
        String(repeating: "Category/Products/any(p:", count: 10_000), String(repeating: "tolower(", count: 100_000),
        "ID in (" + String(repeating: "1,", count: 100_000) + "1)", String(repeating: "x", count: 2_000_000),
    ])
    func absurdFiltersPassALimit(filter: String) {
        #expect(error("Products?$filter=\(filter)")?.code == .limitExceeded)
    }

    @Test func absurdPathsAndExpandsPassALimit() {
        let deep = String(repeating: "Products($expand=Category($expand=", count: 10_000)
        #expect(error("Categories?$expand=\(deep)")?.code == .limitExceeded)
        #expect(
            error("Products(1)" + String(repeating: "/Category/Products(1)", count: 10_000))?.code == .limitExceeded)
        #expect(error("Products?$select=" + String(repeating: "ID,", count: 100_000) + "ID")?.code == .limitExceeded)
    }

    @Test func limitsCanBeSet() {
        let limits = QueryLimits(length: 60, depth: 10, count: 7)
        let parser = QueryParser(model: SampleModel.model, limits: limits)
        #expect(error("Products?$filter=((((Price gt 1))))", parser) == nil)
        #expect(error("Products?$filter=((((((((((Price gt 1))))))))))", parser)?.code == .limitExceeded)
        #expect(error("Products?$filter=ID in (1,2,3,4)", parser)?.code == .limitExceeded)
        #expect(error("Products?$filter=" + String(repeating: " ", count: 60), parser)?.code == .limitExceeded)
    }

    @Test func errorsSayWhatIsThere() {
        let error = error("Products?$filter=Price gt 1 und Price lt 2")
        #expect(error?.found == "'und'")
        #expect(error?.expected == "an operator, ',' or the end of $filter")
        #expect(self.error("Products?$filter=Price gt")?.found == "the end")
        #expect(self.error("Products?$foo=1")?.found == "'$foo'")
        #expect(self.error("Products?$filter=Name in ('a',1)")?.message.contains("operator in ") == true)
    }

    static let streams = [
        "$compute=Picture as P", "$compute=case(true:Picture) as P", "$compute=[Picture] as P",
        "$compute={\"a\":Picture} as P", "$compute=cast(Picture,Edm.String) as P", "$compute=length(Picture) as P",
        "$compute=concat(Picture,'a') as P", "$compute=Category/Products/$count($filter=contains(Picture,'a')) as P",
        "$filter=Picture", "$filter=Picture add 1 eq 2", "$orderby=Picture", "$orderby=Category/Products/max(Picture)",
        "$filter=Category/Products/any(p:p/Picture gt null)", "$apply=groupby((Picture))",
        "$apply=groupby((Name,Picture))", "$apply=groupby((rollup($all,Picture)))", "$apply=compute(Picture as P)",
        "$apply=aggregate(Picture with countdistinct as C)", "$apply=aggregate(Picture with max as C)",
        "$apply=aggregate(Picture with min as C)", "$apply=aggregate(Price with sum as C from Picture with max)",
        "$apply=aggregate(Category/Products/Picture with countdistinct as C)", "$apply=topcount(2,Picture)",
        "$apply=topcount(Picture,Price)", "$apply=orderby(Picture)", "$apply=nest(groupby((Picture)) as N)",
        "$expand=Category($expand=Products($compute=Picture as P))",
    ]

    @Test("A stream property has no value", arguments: streams)
    func stream(_ options: String) {
        #expect([.typeMismatch, .syntax].contains(error("Products?\(options)")?.code))
    }

    @Test(
        "A stream property is compared with null, selected and expanded",
        arguments: [
            "$filter=Picture eq null", "$filter=null ne Picture", "$filter=Picture in (null)", "$select=Picture",
            "$filter=Category/Products/any(p:p/Picture ne null)", "$compute=Picture eq null as P", "$expand=Picture",
            "$apply=filter(Picture ne null)/groupby((Name))",
            "$apply=aggregate(case(Picture eq null:1,true:0) with sum as S)", "$filter=isdefined(Picture)",
        ])
    func streamPresence(_ options: String) { #expect(error("Products?\(options)") == nil) }

    static let amounts = [
        "topcount(Stock,Price)", "bottomcount(Stock add 1,Price)", "toppercent(Price,Price)", "topsum($it/Price,Price)",
        "bottompercent(Category/Rank,Price)", "bottomsum(Items/$count,Price)", "topcount(length(Name),Price)",
        "topcount(case(Stock gt 1:1,true:2),Price)", "compute(1 as X)/topcount(X,Price)",
        "groupby((Name),topcount(Stock,Price))", "nest(topcount(Stock,Price) as N)",
        "concat(topcount(Stock,Price),identity)", "topcount(Items/any(i:i/Quantity gt 1),Price)",
        "topcount(@a,Price)&@a=Stock", "topcount(Category/Products/$filter(ID eq $it/ID)/$count,Price)",
    ]

    @Test("The first parameter of a ranking is the same for all instances", arguments: amounts)
    func amount(_ steps: String) {
        let error = error("Products?$apply=\(steps)")
        #expect(error?.code == .typeMismatch, "\(error as Any)")
    }

    @Test("and it is told by its name")
    func amountName() {
        #expect(
            error("Products?$apply=toppercent(Price,Price)")?.message.contains("first parameter of toppercent") == true)
    }

    @Test(
        "It may be computed",
        arguments: [
            "topcount(1 add 1,Price)", "topcount($root/Orders/$count,Price)", "topcount($these/$count,Price)",
            "topcount($root/Orders/$filter(ID gt 1)/$count,Price)",
            "topsum($these/aggregate(Price with sum) div 2,Price)",
            "addnested(Items,topcount($it/Stock,Quantity) as N)", "topcount(@a,Price)&@a=2",
        ])
    func computedAmount(_ steps: String) {
        let error = error("Products?$apply=\(steps)")
        #expect(error == nil, "\(error as Any)")
    }

    @Test(
        "Options in $select are for collections and complex values",
        arguments: [
            ("Products?$select=ID($top=1)", "$top"), ("Products?$select=Name($select=X)", "$select"),
            ("Products?$select=Picture($top=1)", "$top"), ("Products?$select=Color($filter=true)", "$filter"),
            ("Customers?$select=Address($top=1)", "$top"), ("Customers?$select=Address/City($top=1)", "$top"),
            ("Customers?$select=Address($filter=City eq 'a')", "$filter"),
            ("Products?$select=Category($select=Name)", "$expand=Category"),
            ("Products?$expand=Category($select=Rank($skip=1))", "$skip"),
        ])
    func selectOptions(_ url: String, _ name: String) {
        let error = error(url)
        #expect(error?.code == .typeMismatch)
        let text = "\(error?.message ?? "") \(error?.expected ?? "")"
        #expect(text.contains(name), "\(error as Any)")
    }

    @Test(
        "Options in $select",
        arguments: [
            "Products?$select=Tags($top=1)", "Customers?$select=Address($select=City)",
            "Customers?$select=Addresses($filter=City eq 'a';$select=Street)",
        ])
    func takenSelectOptions(_ url: String) { #expect(error(url) == nil) }

    @Test(
        "Numbers beyond the range of their type",
        arguments: [
            "Products?$filter=Weight eq 1e400", "Products?$filter=Weight in (-1e400)", "Products?$compute=1e999 as X",
            "Events(At=2024-01-02T03:04:05Z,Day=2024-01-02,Length=duration'PT1H',Color='Red',Ratio=1e400)",
            "Events(At=2024-01-02T03:04:05Z,Day=2024-01-02,Length=duration'PT1H',Color='Red',Ratio=1\(zeros))",
            "Products?$filter=geo.distance(geography'POINT(1e400 2)',geography'POINT(1 2)') gt 1",
        ])
    func numbers(_ url: String) {
        #expect([.syntax, .typeMismatch].contains(error(url)?.code), "\(error(url) as Any)")
    }

    private static let zeros = String(repeating: "0", count: 400)

    @Test(
        "Places on the earth and points of a plane do not meet",
        arguments: [
            "geo.distance(geometry'SRID=0;POINT(1 2)',geography'POINT(1 3)') gt 1",
            "geo.distance(geography'POINT(1 2)',geometry'SRID=0;POINT(1 3)') gt 1",
            "geo.intersects(geography'POINT(1 2)',geometry'SRID=0;POLYGON((0 0,0 5,5 5,0 0))')",
            "geography'POINT(1 2)' eq geometry'SRID=0;POINT(1 2)'",
            "geography'POINT(1 2)' in (geometry'SRID=0;POINT(1 2)')",
        ])
    func spaces(_ filter: String) {
        #expect(error("Products?$filter=\(filter)")?.code == .typeMismatch)
    }

    @Test func slashesThatAreNoPartOfAKeySplitThePath() {
        #expect(error("Categories('a')%2FName")?.expected == "'/' as it is, not as %2F, or the end")
        #expect(error("Categories('a/Name")?.position == 11)
        #expect(error("Categories('a/Name?$filter=Rank eq 'x'")?.position == 11)
    }
}

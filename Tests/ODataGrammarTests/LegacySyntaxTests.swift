import ODataModel
import Testing

@testable import ODataGrammar
@testable import ODataQuery

/// URLs of V2, read as trees of V4.
@Suite struct LegacySyntaxTests {
    @Test(arguments: [
        ("Products?$filter=substringof('a',Name)", "Products?$filter=contains(Name,'a')"),
        ("Products?$filter=substringof('a',Name) eq true", "Products?$filter=contains(Name,'a')%20eq%20true"),
        ("Products?$filter=startswith(Name,'a') eq true", "Products?$filter=startswith(Name,'a')%20eq%20true"),
        (
            "Products?$filter=Changed gt datetime'2012-01-31T13:20:00'",
            "Products?$filter=Changed%20gt%202012-01-31T13:20:00Z"
        ),
        (
            "Products?$filter=Changed gt datetime'2012-01-31T13:20'",
            "Products?$filter=Changed%20gt%202012-01-31T13:20:00Z"
        ),
        (
            "Products?$filter=Changed gt datetimeoffset'2012-01-31T13:20:00+02:00'",
            "Products?$filter=Changed%20gt%202012-01-31T13:20:00%2B02:00"
        ),
        ("Products?$filter=Opens eq time'PT13H20M'", "Products?$filter=Opens%20eq%2013:20:00"),
        ("Products?$filter=Opens eq time'P1DT2H'", "Products?$filter=Opens%20eq%20duration'P1DT2H'"),
        ("Products(guid'01234567-89ab-cdef-0123-456789abcdef')", "Products(01234567-89ab-cdef-0123-456789abcdef)"),
        ("Products?$filter=Data eq X'00ff'", "Products?$filter=Data%20eq%20binary'AP8'"),
        ("Products?$filter=Data eq binary'00ff'", "Products?$filter=Data%20eq%20binary'AP8'"),
        (
            "Products?$filter=A eq 12L and B gt 12.5M or C lt 1.5d and D ne 2f",
            "Products?$filter=A%20eq%2012%20and%20B%20gt%2012.5%20or%20C%20lt%201.5%20and%20D%20ne%202.0"
        ),
        ("Products(12L)", "Products(12)"),
        ("Items(OrderID=1L,ProductID=2)", "Items(OrderID=1,ProductID=2)"),
        ("Products?$inlinecount=allpages&$top=2", "Products?$count=true&$top=2"),
        ("Products?$inlinecount=none", "Products?$count=false"),
        ("Products?$format=json", "Products?$format=json"),
        ("Products(1)/$links/Category", "Products(1)/Category/$ref"),
        ("Products(1)/$links/Items(2)", "Products(1)/Items(2)/$ref"),
        ("Categories(1)/$links/Products/$count", "Categories(1)/Products/$count"),
        ("Products(1)/Name/$value", "Products(1)/Name/$value"),
        ("Products?$expand=Category/Parent,Items", "Products?$expand=Category($expand=Parent),Items"),
        ("Products?$expand=Category,Category/Parent", "Products?$expand=Category($expand=Parent)"),
        (
            "Products?$expand=Category&$select=Name,Category/Name",
            "Products?$expand=Category($select=Name)&$select=Name,Category"
        ),
        ("Products?$select=Address/City", "Products?$select=Address/City"),
        ("Products?$expand=Category&$select=Category/*", "Products?$expand=Category($select=*)&$select=Category"),
        ("Products?!deltatoken='201208210403'", "Products?$deltatoken='201208210403'"),
        ("Products?$filter=Name+eq+'a+b'", "Products?$filter=Name%20eq%20'a%20b'"),
        (
            "Products?$filter=Name+eq+'1e+5'+and+A+eq+1.5E+1d",
            "Products?$filter=Name%20eq%20'1e%205'%20and%20A%20eq%2015.0"
        ),
        ("Products?$filter=Name eq 'a%2Bb'", "Products?$filter=Name%20eq%20'a%2Bb'"),
        ("Products?$filter=isof('Model.Special')", "Products?$filter=isof(Model.Special)"),
        ("Products?$filter=cast(Price,'Edm.String') eq '1'", "Products?$filter=cast(Price,Edm.String)%20eq%20'1'"),
    ])
    func urlsBecomeThoseOfVersion4(legacy: String, version4: String) throws {
        let reader = try #require(GrammarReader(isLegacy: true))
        #expect(reader.canonical(try reader.node(legacy)) == version4)
        let other = try #require(GrammarReader())
        #expect(other.canonical(try other.node(version4)) == version4)
    }

    @Test(arguments: [
        ("Products?$filter=A gt datetime'2012-01-31T25:00:00'", 30), ("Products?$filter=A eq X'0'", 23),
        ("Products?$filter=A eq 12.5L", 22), ("Products?$inlinecount=all", 22),
        ("Products?$filter=A eq guid'12'", 26), ("Products?$filter=A eq time'x'", 26),
        ("Products?!deltatoken", 20), ("Products?a=1&!deltatoken=", 25),
    ])
    func faultyLiteralsAreToldWithTheirPlace(url: String, position: Int) throws {
        let reader = try #require(GrammarReader(isLegacy: true))
        let error = #expect(throws: QueryError.self) { try reader.node(url) }
        #expect(error?.position == position)
    }

    @Test func version4HasNoneOfThem() throws {
        let reader = try #require(GrammarReader())
        for url in [
            "Products?$filter=A eq 12L", "Products?$filter=A gt datetime'2012-01-31T13:20:00'",
            "Products?$inlinecount=none", "Products?$filter=replace(Name,'a','b') eq 'x'",
        ] {
            #expect(throws: QueryError.self) { try reader.node(url) }
        }
    }
}

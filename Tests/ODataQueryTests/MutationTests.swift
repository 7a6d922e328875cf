import ODataModel
import ODataQuery
import TestSupport
import Testing

/// Text with random faults is either read, and then written so that it is read again as the same, or refused with a
/// position inside it. The random numbers are the same every time.
@Suite struct MutationTests {
    private static let seeds = [
        "Products(1)/Category/Products(2)/Items(OrderID=1,ProductID=2)?$select=Quantity",
        "Customers(01234567-89ab-cdef-0123-456789abcdef)/Address/City/$value",
        "Products?$filter=Price%20gt%2020.5 and (Name ne 'O''Neil' or not contains(Name,'ä'))&$top=5&$skip=1",
        "Products?$filter=Items/any(i:i/Quantity gt 5 and i/Product/Name eq $it/Name)&$orderby=Name desc,Price mul -2",
        "Products?$expand=Items($filter=Quantity in (1,2,3);$expand=Order($select=ID);$top=1),Category&$count=true",
        "Products?$filter=Changed sub duration'PT1H' lt 2024-01-02T03:04:05.6+02:00 and Color eq Model.Color'Red'",
        "Products?$filter=round(Weight add 1e-3) eq -INF or Code eq 01234567-89ab-cdef-0123-456789abcdef&$format=json",
    ]

    private static let languageSeeds = [
        "People(1)/Reports?$expand=Boss($select=Name;$levels=2),Reports($filter=$it/Age gt Age;"
            + "$compute=Age add 1 as Next;$orderby=Next desc;$top=2)&$select=Home/City,Tags($filter=startswith($this,'a'))",
        "Sales?$apply=filter(Amount gt 5)/groupby((Customer/Country,Year),aggregate(Amount with max as Most,$count as N))"
            + "/topcount(2,Most)&$filter=N gt 1&$orderby=Most desc",
        "People/$filter(Age gt 30)/Self.Manager?$compute=Budget mul 2 as Twice&$select=Name,Twice&$search=a OR NOT \"b c\""
            + "&$filter=Twice gt 4 and Boss/Age lt case(Age gt 60:1,true:2)",
        "TopPeople(count=3)(1)/Files('a/b%2Fc')/Size",
        "People?$filter=Reports/$count($filter=Age gt 5;$search=ada) gt 2 or hassubset(Tags,[\"a\"]) and Mood eq 'Good'",
    ]

    private static let legacySeeds = [
        "Products(1)/$links/Category?$format=json",
        "Products?$filter=substringof('a',Name) and Price gt 12.5M or replace(Name,'a','b') eq 'c'&$inlinecount=allpages",
        "Products?$filter=Changed gt datetimeoffset'2024-01-02T03:04:05Z' and Hash eq X'0102' and Sold lt 7L"
            + "&$expand=Items/Order,Category&$select=Name,Items/Quantity,Category&$orderby=Name desc&$top=5&$skip=1",
        "Customers(guid'01234567-89ab-cdef-0123-456789abcdef')/Orders(7L)/Items(OrderID=1L,ProductID=2)",
    ]

    private static let pieces = [
        "(", ")", "'", "''", ",", ";", ":", "/", "$", "%", "%2", "%27", "%ff", "&", "=", "?", "+", "-", ".", " ", "@",
        "$it",
        "$count", "null", "any(", "eq", " and ", " not ", "1", "1e9", "99999999999999999999", "2024-01-01", "T", "é",
        "\u{0}",
    ]

    @Test(arguments: seeds)
    func faultyTextIsReadOrRefused(seed: String) throws {
        try check(seed, SampleModel.parser) { query in
            let again = try SampleModel.parser.query(query.url)
            #expect(again == query || query.url.contains("NaN"), "\(query.url)")
        }
    }

    @Test(arguments: languageSeeds)
    func faultyTextOfAllOptionsIsReadOrRefused(seed: String) throws {
        try check(seed, LanguageModel.parser) { query in
            let again = try LanguageModel.parser.query(query.url)
            #expect(again == query || query.url.contains("NaN"), "\(query.url)")
        }
    }

    /// What V2 cannot say is not written; `in` is written as comparisons.
    @Test(arguments: legacySeeds)
    func faultyLegacyTextIsReadOrRefused(seed: String) throws {
        let parser = QueryParser(model: SampleModel.model, conventions: .legacy)
        try check(seed, parser) { query in
            guard let written = try? query.legacyURL() else { return }
            let again = try parser.query(written).legacyURL()
            #expect(again == written)
        }
    }

    private func check(_ seed: String, _ parser: QueryParser, _ checkPrint: (BoundQuery) throws -> Void) throws {
        var random = SplitMix(seed: 42)
        for _ in 0..<1500 {
            let url = Self.mutated(seed, &random)
            let outcome = Result { () throws(QueryError) in try parser.resource(url) }
            switch outcome {
            case .success(.query(let query)): try checkPrint(query)
            case .success: break
            case .failure(let error):
                let position = error.position ?? 0
                #expect((0...url.unicodeScalars.count).contains(position), "\(url): \(error)")
            }
        }
    }

    private static func mutated(_ text: String, _ random: inout SplitMix) -> String {
        var scalars = Array(text.unicodeScalars)
        for _ in 0...random.below(3) {
            let index = random.below(scalars.count + 1)
            switch random.below(3) {
            case 0: scalars.insert(contentsOf: Array(pieces[random.below(pieces.count)].unicodeScalars), at: index)
            case 1: scalars.removeSubrange(index..<min(scalars.count, index + 1 + random.below(4)))
            default:
                let other = random.below(scalars.count + 1)
                scalars.insert(contentsOf: Array(scalars[min(index, other)..<max(index, other)].prefix(12)), at: index)
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

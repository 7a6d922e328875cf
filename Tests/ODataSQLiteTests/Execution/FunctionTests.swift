import GRDB
import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

/// Functions and arithmetic of expressions. [OData-URL, sections 5.1.1.2 and 5.1.1.5 to 5.1.1.9]
@Suite struct FunctionTests {
    static let texts: [(String, String)] = [
        ("contains(Name,'%_')", "CHOPS"),
        ("contains(Name,'')", "ALFKI BON'A CHOPS"),
        ("contains(Name,'ALF')", ""),
        ("startswith(Name,'Alf')", "ALFKI"),
        ("startswith(Name,'')", "ALFKI BON'A CHOPS"),
        ("startswith(Name,City)", ""),
        ("not startswith(City,'Berl')", "CHOPS"),
        ("endswith(Name,'parte')", "BON'A"),
        ("endswith(Name,'')", "ALFKI BON'A CHOPS"),
        ("endswith(Name,'a very long text that is longer')", ""),
        ("length(Name) eq 11", "BON'A"),
        ("indexof(Name,'à') eq 4", "BON'A"),
        ("indexof(Name,'zz') eq -1", "ALFKI BON'A CHOPS"),
        ("indexof(City,'e') eq 1", "ALFKI CHOPS"),
        ("substring(Name,1) eq 'lfreds'", "ALFKI"),
        ("substring(Name,1,2) eq 'lf'", "ALFKI"),
        ("substring(Name,4,1) eq 'à'", "BON'A"),
        ("substring(Name,99) eq ''", "ALFKI BON'A CHOPS"),
        ("substring(Name,-2) eq 'ds'", "ALFKI"),
        ("substring(Name,0,length(City)) eq 'Alfred'", "ALFKI"),
        ("tolower(Name) eq 'bon à parte'", "BON'A"),
        ("toupper(Name) eq 'BON À PARTE'", "BON'A"),
        ("trim(concat(' ',concat(ID,'  '))) eq 'CHOPS'", "CHOPS"),
        ("concat(ID,City) eq null", "BON'A"),
        ("matchesPattern(Name,'^Al.*s$')", "ALFKI"),
        ("matchesPattern(Name,'[%]')", "CHOPS"),
    ]

    @Test("Texts", arguments: texts)
    func text(_ filter: String, _ keys: String) async throws {
        #expect(try await ShopDatabase().keys("Customers?$filter=\(filter.replacing("%", with: "%25"))") == keys)
    }

    static let numbers: [(String, String)] = [
        ("Number div 2 eq -2", "1"),
        ("Number mod 3 eq -2", "1"),
        ("Number divby 2 eq -2.5", "1"),
        ("-Number eq 5", "1"),
        ("Amount add 0.1 eq 12.35", "1"),
        ("Exact add 0.000 eq 12345678901234567890.125", "1"),
        ("Exact mul 2 eq 24691357802469135780.25", "1"),
        ("Exact gt 12345678901234567890.124", "1"),
        ("Exact eq -0.50", "2"),
        ("Exact lt 0", "2"),
        ("Exact mod 1 eq 0.125", "1"),
        ("Exact div 2 eq -0.25", "2"),
        ("Real mul 2 eq 3", "1"),
        ("Real mod 1 eq 0.5", "1"),
        ("round(Real) eq 2", "1"),
        ("round(Real) eq -1", "2"),
        ("floor(Exact) eq -1", "2"),
        ("ceiling(Exact) eq 12345678901234567891", "1"),
        ("round(Exact) eq -1", "2"),
        ("round(Amount) eq 12", "1"),
        ("Number gt 2.5", "2"),
        ("Number lt Amount", "1"),
        ("Amount lt Exact", "1 2"),
        ("Real lt Exact", "1"),
        ("Guid eq 01234567-89ab-cdef-0123-456789ABCDEF", "1"),
        ("Guid eq Guid16", "1 2 3"),
        ("Guid16 eq 11111111-1111-1111-1111-111111111111", "2"),
        ("Guid in (01234567-89ab-cdef-0123-456789abcdef)", "1"),
    ]

    @Test("Numbers and GUIDs", arguments: numbers)
    func number(_ filter: String, _ keys: String) async throws {
        let found = try await ShopDatabase().keys("Things?$filter=ID lt 4 and (\(filter))")
        #expect(found == keys)
    }

    static let times: [(String, String)] = [
        ("year(Day) eq 2024 and month(Day) eq 2 and day(Day) eq 29", "1"),
        ("year(Stamp) eq 2023 and second(Stamp) eq 59", "2"),
        ("hour(Moment) eq 5", "1"),
        ("totaloffsetminutes(Moment) eq 120", "1"),
        ("fractionalseconds(Moment) eq 0.5", "1"),
        ("date(Moment) eq 2024-01-02", "1"),
        ("time(Moment) eq 05:04:05.5", "1"),
        ("Moment eq 2024-01-02T03:04:05.5Z", "1"),
        ("Moment gt 2024-01-01T00:00:00Z", "1"),
        ("Moment in (2024-01-02T04:04:05.5%2B01:00)", "1"),
        ("Stamp eq 2024-01-02T03:04:05Z", "1"),
        ("Stamp lt 2024-01-02T03:04:05.5Z", "1 2"),
        ("Epoch eq 2024-01-02T03:04:05Z", "1"),
        ("Epoch lt 1970-01-01T00:00:00Z", "2"),
        ("Millis eq 2024-01-02T03:04:05.25Z", "1"),
        ("Julian eq 1970-01-01T00:00:00Z", "2"),
        ("Julian gt 1970-01-01T00:00:00Z", "1"),
        ("Midnight eq 2024-01-02T00:00:00Z", "1"),
        ("Midnight lt 2024-01-02T05:00:00Z", "1 2"),
        ("year(Epoch) eq 1969", "2"),
        ("Stamp gt Moment", ""),
        ("Stamp lt Moment", "1"),
        ("Stamp lt now()", "1 2"),
        ("Stamp gt mindatetime() and Stamp lt maxdatetime()", "1 2"),
        ("Clock gt 07:59:59", "1"),
        ("hour(Clock) eq 7 and minute(Clock) eq 59", "1"),
        ("Span gt duration'PT1H'", "1"),
        ("Span eq duration'PT90M'", "1"),
        ("totalseconds(Span) eq -0.5", "2"),
        ("Moment add duration'PT1H' eq 2024-01-02T04:04:05.5Z", "1"),
        ("Moment sub Stamp eq duration'PT0.5S'", "1"),
        ("Day add duration'P1D' eq 2024-03-01", "1"),
        ("Day sub 2024-02-28 eq duration'P1D'", "1"),
    ]

    @Test("Dates, times and durations", arguments: times)
    func time(_ filter: String, _ keys: String) async throws {
        #expect(try await ShopDatabase().keys("Things?$filter=ID lt 4 and \(filter)") == keys)
    }

    @Test("Odd stored values and nulls never end a statement, but for what a request fails for")
    func oddValues() throws {
        let queue = try DatabaseQueue(configuration: ModelDatabase.configuration)
        try queue.read { db in
            for (name, count, _) in SQLiteFunctions.all {
                for value in ["NULL", "'x'", "x'00ff'", "9223372036854775807", "1e308", "''", "-0.0", "'['"] {
                    let arguments = Array(repeating: value, count: count < 0 ? 3 : Int(count)).joined(separator: ", ")
                    do {
                        let result = try DatabaseValue.fetchOne(db, sql: "SELECT \(name)(\(arguments))")
                        if value == "NULL", name != "odata_search" { #expect(result?.isNull == true, "\(name)") }
                    } catch let error as DatabaseError {
                        #expect(error.message?.hasPrefix(SQLiteFunctions.argumentFault) == true, "\(name)")
                    }
                }
            }
        }
    }

    @Test("A pattern that is none is the request's fault")
    func badPattern() async throws {
        let shop = try ShopDatabase()
        await #expect(throws: ODataError.self) {
            _ = try await shop.keys("Customers?$filter=matchesPattern(Name,'(')")
        }
    }

    static let order: [(String, String)] = [
        ("-1", "1"), ("9", "10"), ("-10", "-9"), ("0.09", "0.1"), ("1", "1.0000000000000000000001"), ("5", "x"),
        ("1e2", "101"), ("-0.5", "0"), ("12345678901234567890", "12345678901234567891"),
    ]

    @Test("Decimal text is in the order of its numbers", arguments: order)
    func ordered(_ less: String, _ greater: String) throws {
        let queue = try DatabaseQueue(configuration: ModelDatabase.configuration)
        try queue.read { db in
            let sql = "SELECT ? COLLATE ODATA_DECIMAL < ?, ? COLLATE ODATA_DECIMAL < ?"
            let row = try Row.fetchOne(db, sql: sql, arguments: [less, greater, greater, less])
            #expect(row?[0] == true && row?[1] == false)
        }
    }

    static let arithmetic: [(String, String?)] = [
        ("odata_add('0.1', '0.2')", "0.3"), ("odata_subtract('1', '1')", "0"), ("odata_add('-5', '3.25')", "-1.75"),
        ("odata_multiply('-1.5', '1.5')", "-2.25"), ("odata_divide('1', '3')", "0.3333333333333333333333333333333333"),
        ("odata_divide('2', '3')", "0.6666666666666666666666666666666667"), ("odata_divide('10', '4')", "2.5"),
        ("odata_mod('-7.5', '2')", "-1.5"), ("odata_round('2.5')", "3"),
        ("odata_round('-2.5')", "-3"), ("odata_round('0.04')", "0"), ("odata_floor('-0.1')", "-1"),
        ("odata_ceiling('-0.1')", "0"), ("odata_ceiling('99.9')", "100"), ("odata_add('1e900', '1e-900')", nil),
        ("odata_decimal(0.1)", "0.1"), ("odata_decimal('1.50')", "1.5"),
        ("odata_addduration('PT1H', 'PT0.5S', -1)", "PT59M59.5S"), ("odata_scaleduration('PT1H', '1.5')", "PT1H30M"),
        ("odata_addtodate('2024-01-01', 'PT1H', -1)", "2023-12-31"),
        ("odata_between('2024-01-01T00:00:00', '2024-01-01T00:00:00.5')", "-PT0.5S"),
    ]

    @Test("Exact arithmetic", arguments: arithmetic)
    func exact(_ expression: String, _ result: String?) throws {
        let queue = try DatabaseQueue(configuration: ModelDatabase.configuration)
        #expect(try queue.read { try String.fetchOne($0, sql: "SELECT \(expression)") } == result)
    }
}

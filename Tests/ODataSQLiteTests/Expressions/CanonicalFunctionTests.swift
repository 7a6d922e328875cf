import ODataStores
import Testing

@testable import ODataSQLite

/// A table of cases for each canonical function; animal 3 has nulls only. [OData-URL, sections 5.1.1.5 to 5.1.1.12]
@Suite struct CanonicalFunctionTests {
    static let texts: [(String, String)] = [
        ("concat(Name,'!') eq 'ärger!'", "2"), ("concat(Name,null) eq null", "1 2 3 4"),
        ("concat(Name,'x') eq null", "3"),
        ("contains(Name,'RG')", ""), ("contains(Name,'rg')", "1 2"), ("contains(Name,'x') eq null", "3"),
        ("contains(Name,null) eq null", "1 2 3 4"), ("endswith(Name,'Bird')", "4"), ("endswith(Name,'') ", "1 2 4"),
        ("endswith(Name,'x') eq null", "3"), ("startswith(Name,'Ä')", "1"), ("startswith(Name,'') eq true", "1 2 4"),
        ("startswith(Name,'x') eq null", "3"), ("startswith(Name,Trick) eq null", "3 4"),
        ("indexof(Name,'r') eq 1", "1 2"), ("indexof(Name,'zz') eq -1", "1 2 4"), ("indexof(Name,'') eq 0", "1 2 4"),
        ("indexof(Name,null) eq null", "1 2 3 4"), ("length(Name) eq 5", "1 2"), ("length(Name) eq null", "3"),
        ("substring(Name,1) eq 'rger'", "1 2"), ("substring(Name,1,2) eq 'rg'", "1 2"),
        ("substring(Name,99) eq ''", "1 2 4"),
        ("substring(Name,-4) eq 'rger'", "1 2"), ("substring(Name,-99,2) eq 'Tw'", "4"),
        ("substring(Name,0,99) eq Name", "1 2 3 4"),
        ("substring(Name,0,0) eq ''", "1 2 4"), ("substring(Name,1) eq null", "3"),
        ("substring(Name,null) eq null", "1 2 3 4"),
        ("tolower('ΟΔΟΣ ΣΑΣ') eq 'οδος σας'", "1 2 3 4"), ("tolower('ΑΣ.Β Σ') eq 'ας.β σ'", ""),
        ("tolower('ΑΣ.Β Σ') eq 'ασ.β σ'", "1 2 3 4"), ("toupper('οδος') eq 'ΟΔΟΣ'", "1 2 3 4"),
        ("tolower(concat('ΟΔΟΣ',substring(Name,0,0))) eq 'οδος'", "1 2 4"),
        ("tolower(Name) eq 'ärger'", "1 2"), ("toupper(Name) eq 'ÄRGER'", "1 2"), ("tolower(Name) eq null", "3"),
        ("toupper(null) eq null", "1 2 3 4"), ("trim(concat('\u{00A0} ',concat(Name,'\u{2003}'))) eq Name", "1 2 3 4"),
        ("trim(Name) eq null", "3"), ("matchesPattern(Name,'^.rger$')", "1 2"), ("matchesPattern(Name,'^Ä')", "1"),
        ("matchesPattern(Name,'x') eq null", "3"), ("matchesPattern(Name,null) eq null", "1 2 3 4"),
        ("not matchesPattern(Name,'(a|b)*c')", "1 2 4"),
    ]

    @Test("Strings", arguments: texts)
    func text(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let collections: [(String, String)] = [
        ("length(Tags) eq 2", "1"), ("length(Tags) eq 0", "2"), ("length(Tags) eq null", "3 4"),
        ("concat(Tags,[\"x\"]) eq [\"red\",\"new\",\"x\"]", "1"), ("concat(Tags,[\"x\"]) eq null", "3 4"),
        ("contains(Scores,[1,3])", "1"), ("contains(Scores,[4,3])", ""), ("contains(Scores,[]) eq null", "3 4"),
        ("startswith(Scores,[4,1])", "1"), ("startswith(Scores,[1])", "2"), ("startswith(Scores,[1]) eq null", "3 4"),
        ("endswith(Scores,[1])", "2"), ("endswith(Scores,[]) ", "1 2"), ("endswith(Scores,[1]) eq null", "3 4"),
        ("indexof(Scores,[3]) eq 2", "1"), ("indexof(Scores,[9]) eq -1", "1 2"), ("indexof(Scores,[9]) eq null", "3 4"),
        ("substring(Scores,1) eq [1,3]", "1"), ("substring(Scores,-1) eq [3]", "1"),
        ("substring(Scores,0,1) eq [1]", "2"),
        ("substring(Scores,9) eq []", "1 2"), ("substring(Scores,1) eq null", "3 4"),
        ("hassubset(Scores,[3,4])", "1"), ("hassubset(Scores,[1,1])", "2"), ("hassubset(Scores,[1,1,1])", ""),
        ("hassubset(Scores,[]) eq null", "3 4"), ("hassubset([4,1,3,1],[1,1])", "1 2 3 4"),
        ("hassubsequence(Scores,[4,3])", "1"), ("hassubsequence(Scores,[3,4])", ""),
        ("hassubsequence(Scores,null) eq null", "1 2 3 4"),
        ("hassubset(Prices,[1.5])", "1"), ("hassubset(Days,[2021-01-01])", "1"),
    ]

    @Test("Collections", arguments: collections)
    func collection(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let times: [(String, String)] = [
        ("date(Seen) eq 2024-01-02", "1"), ("date(Seen) eq null", "3 4"), ("time(Seen) eq 01:30:00.123", "1"),
        ("time(Seen) eq null", "3 4"), ("year(Seen) eq 2023", "2"), ("year(Born) eq 2020", "1"),
        ("year(Born) eq null", "3 4"),
        ("month(Seen) eq 1", "1"), ("month(Born) eq 12", "2"), ("month(Born) eq null", "3 4"), ("day(Seen) eq 2", "1"),
        ("day(Born) eq 29", "1"), ("day(null) eq null", "1 2 3 4"), ("hour(Seen) eq 1", "1"),
        ("hour(Feeding) eq 7", "1"),
        ("hour(Feeding) eq null", "3 4"), ("minute(Seen) eq 30", "1 2"), ("minute(Feeding) eq 59", "1"),
        ("minute(Feeding) eq null", "3 4"), ("second(Feeding) eq 59", "1"), ("second(Seen) eq 0", "1 2"),
        ("second(Seen) eq null", "3 4"), ("fractionalseconds(Seen) eq 0.123", "1"),
        ("fractionalseconds(Feeding) eq 0.5", "1"),
        ("fractionalseconds(Seen) lt 0.1", "2"), ("fractionalseconds(Seen) eq null", "3 4"),
        ("totaloffsetminutes(Seen) eq 120", "1"), ("totaloffsetminutes(Seen) eq 0", "2"),
        ("totaloffsetminutes(Seen) eq null", "3 4"), ("totalseconds(Sleep) eq 28800.5", "1"),
        ("totalseconds(Sleep) eq -3600", "2"), ("totalseconds(Sleep) eq null", "3 4"), ("now() gt Seen", "1 2"),
        ("mindatetime() lt Seen and maxdatetime() gt Seen", "1 2"),
        ("year(2020-05-05T23:00:00-05:00) eq 2020", "1 2 3 4"),
        ("day(2020-05-05T23:00:00-05:00) eq 5", "1 2 3 4"),
    ]

    @Test("Dates and times, at the value's own offset", arguments: times)
    func time(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let numbers: [(String, String)] = [
        ("round(Height) eq -3", "2"), ("round(2.5) eq 3", "1 2 3 4"), ("round(-2.5) eq -3", "1 2 3 4"),
        ("round(Price) eq 13", "1"), ("round(Price) eq -1", "2"), ("round(Price) eq null", "3 4"),
        ("floor(Price) eq 12", "1"),
        ("floor(Height) eq -3", "2"), ("floor(Height) eq null", "3 4"), ("ceiling(Price) eq 13", "1"),
        ("ceiling(Height) eq -2", "2"), ("ceiling(Height) eq null", "3 4"), ("ceiling(Legs) eq 4", "1"),
        ("floor(Home/Fee) eq 12345678901234567890", "1 4"),
    ]

    @Test("Rounding", arguments: numbers)
    func number(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let places: [(String, String)] = [
        ("geo.distance(Place,geography'SRID=4326;Point(7.1 50.7)') eq 0", "1"),
        ("geo.distance(Place,geography'SRID=4326;Point(7.1 51.7)') gt 111250", "1 2"),
        ("geo.distance(Place,geography'SRID=4326;Point(7.1 51.7)') lt 111270", "1"),
        ("geo.distance(Place,null) eq null", "1 2 3 4"),
        ("geo.distance(Place,geography'SRID=4326;Point(0 0)') eq null", "3 4"),
        ("geo.distance(Spot,geometry'SRID=0;Point(0 0)') eq 5", "1"), ("geo.length(Route) gt 221890", "1"),
        ("geo.length(Route) lt 221900", "1"), ("geo.length(Route) eq null", "2 3 4"),
        ("geo.intersects(Place,geography'SRID=4326;Polygon((7 50,8 50,8 51,7 51,7 50))')", "1"),
        ("geo.intersects(Place,Area)", "1"), ("geo.intersects(Place,Area) eq null", "2 3 4"),
        ("geo.intersects(Spot,geometry'SRID=0;Polygon((0 0,10 0,10 10,0 10,0 0),(4 4,6 4,6 6,4 6,4 4))')", "1"),
        ("geo.intersects(Spot,Field)", "1"), ("geo.intersects(geography'SRID=4326;Point(7 50.5)',Area)", "1"),
        (
            "geo.intersects(geography'SRID=4326;Point(179.5 0)',geography'SRID=4326;Polygon((179 -1,-179 -1,-179 1,179 1,179 -1))')",
            "1 2 3 4"
        ),
        ("cast(Place,Edm.String) eq 'SRID=4326;Point(7.1 50.7)'", "1"),
    ]

    @Test("Places: the ellipsoid for geography, the plane for geometry", arguments: places)
    func place(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let choices: [(String, String)] = [
        ("case(Legs gt 3:'many',Legs gt 2:'some',true:'few') eq 'some'", "2"),
        ("case(Legs gt 3:'many') eq null", "2 3 4"),
        ("case(Tame:1,true:2.5) eq 2.5", "2 3 4"), ("case(Tame:Price,true:Height) lt 0", "2"),
        ("case(Tame:null,true:Legs) eq null", "1 3"), ("case(true:Mood) eq 'Calm'", "1"),
    ]

    @Test("case", arguments: choices)
    func conditional(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let refused = [
        ("matchesPattern(Name,'(')", "matchesPattern: '(': "),
        ("matchesPattern(Name,'[')", "matchesPattern: '[': "),
        ("substring(Name,0,-1) eq 'x'", "cannot be negative: -1"),
        ("matchesPattern(Name,'((((a{1000}){1000}){1000}){1000})')", "matchesPattern: '((((a{1000})"),
    ]

    @Test("Arguments that make no sense are the request's fault", arguments: refused)
    func fault(_ filter: String, _ message: String) async throws {
        let zoo = try MenagerieDatabase()
        let error = await #expect(throws: ODataError.self) { _ = try await zoo.animals(filter) }
        #expect(error?.code == .badRequest)
        #expect(error?.message.contains(message) == true, "\(error as Any)")
    }
}

import ODataStores
import Testing

@testable import ODataSQLite

/// Operators on values of every kind, null included: animal 3 has nulls only. [OData-URL, sections 5.1.1.1 and 5.1.1.2]
@Suite struct OperatorTests {
    static let conditions: [(String, String)] = [
        ("null eq null", "1 2 3 4"), ("null ne null", ""), ("null lt null", ""), ("not (null ge null)", "1 2 3 4"),
        ("Tame eq true", "1"), ("Tame ne true", "2 3 4"), ("not (Tame eq true)", "2 3 4"), ("not Tame", "2"),
        ("Tame and true", "1"), ("Tame or false", "1"), ("(Tame and false) eq false", "1 2 3 4"),
        ("(Tame or true) eq true", "1 2 3 4"), ("(Tame and true) eq null", "3 4"), ("(Tame or false) eq null", "3 4"),
        ("(not Tame) eq null", "3 4"), ("not (Legs lt 3)", "1 2 3"), ("Legs gt null", ""), ("Tame gt false", "1"),
        ("Name eq Name", "1 2 3 4"), ("Name ne Name", ""), ("Legs ge Legs", "1 2 4"),
        ("Name lt 'a'", "4"), ("Name gt 'z'", "1 2"), ("Name eq 'ärger'", "2"),
        ("Legs in (3,4)", "1 2"), ("Legs in (3,null)", "2 3"), ("not (Legs in (3,4))", "3 4"),
        ("Legs in (null)", "3"), ("4 in [Legs,3]", "1"), ("'new' in Tags", "1"), ("not ('new' in Tags)", "2 3 4"),
        ("Legs in Scores", "1"), ("Legs in [4,2]", "1 4"), ("[Name,Legs] in [[\"ärger\",3],[\"x\",4]]", "2"),
        ("Chip eq 01234567-89AB-CDEF-0123-456789ABCDEF", "1"), ("Chip gt 02000000-0000-0000-0000-000000000000", "2"),
        ("Photo eq binary'AP8='", "1"), ("Photo ne binary''", "1 3 4"),
        ("Sleep gt duration'PT8H'", "1"), ("Sleep lt duration'PT0S'", "2"), ("Sleep eq duration'PT8H0.500S'", "1"),
        ("Feeding ge 07:59:59.500", "1"), ("Born lt 2020-03-01", "1 2"), ("Born gt -0001-01-01", "1 2"),
        ("Seen eq 2024-01-01T23:30:00.123Z", "1"), ("Seen lt 2024-01-01T00:00:00Z", "2"),
        ("Big eq 9223372036854775807", "1"), ("Big lt 9223372036854775807", "2"), ("Big gt 9223372036854775806", "1"),
        ("Weight eq 1.1", "1"), ("Weight gt 1.1", "2"), ("Weight in (1.1,7)", "1"), ("Height eq 0.1", "1"),
        ("Price eq 12.5", "1"), ("Height lt INF", "1 2"), ("Height gt -INF", "1 2"), ("Height eq NaN", ""),
        ("Height ne NaN", "1 2 3 4"), ("Price lt INF", "1 2"),
    ]

    @Test("Logical and comparison operators", arguments: conditions)
    func logic(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let enumerations: [(String, String)] = [
        ("Colors has Zoo.Colors'Red'", "1"), ("Colors has Zoo.Colors'Red,Blue'", "1"), ("Colors has 'Green'", "2"),
        ("(Colors has 'Red') eq null", "3"), ("not (Colors has 'Red')", "2 4"), ("Colors eq 'Red,Blue'", "1"),
        ("Colors eq Zoo.Colors'Blue,Red'", "1"), ("Colors eq Zoo.Colors'5'", "1"),
        ("Colors eq null", "3"), ("Colors in ('Green','Red,Blue')", "1 2"), ("Mood eq 'Calm'", "1"),
        ("Mood ne Zoo.Mood'Calm'", "2 3 4"), ("Mood in ('Calm','Asleep')", "1 4"),
        ("Mood gt 'Calm'", "2 4"), ("Mood lt Zoo.Mood'Asleep'", "1 2"), ("Mood ge Mood", "1 2 4"),

        ("Zoo.Mood'Asleep' lt Zoo.Mood'Wild'", ""), ("Mood le null", ""), ("not (Mood gt 'Calm')", "1 3"),
        ("Colors gt 'Red'", "1 2"),
        ("Colors ge 'Red,Blue'", "1"), ("Colors le 'Green'", "2 4"), ("Zoo.Colors'Blue' gt Colors", "2 4"),
        ("Moods/any(m:m eq 'Wild')", "1"), ("Mood in Moods", "1"), ("Mood has 'Calm'", "1"),
    ]

    @Test("Enumerations compare by number", arguments: enumerations)
    func enumeration(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let structures: [(String, String)] = [
        ("Friend eq null", "3"), ("Friend ne null", "1 2 4"), ("Friend eq $it", "4"), ("Friend ne $it", "1 2 3"),
        ("Friend/Friend eq $it", "1 2 4"), ("Home eq null", "3"), ("Home ne null", "1 2 4"),
        ("Home eq Friend/Home", "3 4"), ("Friend/Friend/Home eq Home", "1 2 3 4"), ("Size eq null", "3 4"),
        ("Size eq {\"Unit\":\"m\",\"Width\":1.5}", "1"), ("Size eq {\"Unit\":\"m\"}", "2"),
        ("Size eq {\"Unit\":\"m\",\"Width\":Size/Width}", "1 2"), ("Deep eq {\"x\":Rank sub 6}", "1"),
        ("Home eq {\"City\":\"Lyon\"}", ""), ("Tags eq [\"red\",\"new\"]", "1"),
        ("Tags ne [\"new\",\"red\"]", "1 2 3 4"),
        ("Tags eq []", "2"), ("Tags eq null", "3 4"), ("Scores eq [4,1,3]", "1"),
        ("Prices eq [12345678901234567890.125,1.5]", "1"),
        ("Home eq $root/Animals(4)/Home", "1 4"),
    ]

    @Test("Entities, complex values and collections are equal or not", arguments: structures)
    func structure(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let calculations: [(String, String)] = [
        ("Legs add 1 eq 5", "1"), ("(Legs add null) eq null", "1 2 3 4"), ("(Legs sub 1) eq null", "3"),
        ("Legs div 2 eq 2", "1"), ("Legs div 2 eq 1", "2 4"), ("Legs divby 2 eq 1.5", "2"),
        ("Legs div 2.0 eq 1.5", "2"),
        ("Legs mod 2 eq 1", "2"), ("-Legs mod 3 eq -1", "1"), ("Big mod 2 eq -1", "2"), ("Price add 0.1 eq 12.6", "1"),
        ("Price mul Price eq 156.25", "1"), ("Price div 3 gt 4.16666666666666666", "1"), ("Price mod 1 eq -0.5", "2"),
        ("Height add 0.2 eq 0.30000000000000004", "1"), ("Height div 0 eq INF", "1"), ("Height div 0 eq -INF", "2"),
        ("Height divby 0 eq INF", "1"), ("Height divby 0 gt 100000", "1"),
        ("-Height divby 0 eq -INF", "1"), ("Height mod 0 eq 1", ""), ("Weight mul 2 eq 5", "2"),
        ("-Sleep eq duration'PT1H'", "2"), ("-Price eq 0.5", "2"),
        ("Born add duration'PT23H' eq 2020-02-29", "1"), ("Born sub duration'PT1S' eq 2020-02-28", "1"),
        ("Born add duration'P1D' eq 2020-03-01", "1"), ("Born sub 1999-12-30 eq duration'P1D'", "2"),
        ("Seen add duration'PT0.877S' eq 2024-01-01T23:30:01Z", "1"),
        ("Seen sub duration'P1D' lt 2024-01-01T00:00:00Z", "1 2"),
        ("Seen sub 2024-01-01T23:30:00Z eq duration'PT0.123S'", "1"), ("Sleep mul 2 eq duration'PT16H1S'", "1"),
        ("2 mul Sleep eq duration'-PT2H'", "2"), ("Sleep div 2 eq duration'-PT30M'", "2"),
        ("Sleep divby 3 eq duration'-PT20M'", "2"), ("Sleep add Sleep eq duration'-PT2H'", "2"),
        ("(Born add null) eq null", "1 2 3 4"), ("(Seen sub Seen) eq null", "3 4"),
        ("duration'P1D' add Born eq 2000-01-01", "2"),
        ("Home/Number add 1 eq 9007199254740994", "1 4"),
    ]

    @Test("Arithmetic", arguments: calculations)
    func arithmetic(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let failing = [
        "Legs div 0 eq 1", "Legs mod 0 eq 1", "Price div 0 eq 1", "Legs divby 0 eq INF", "0 divby 0 gt 0",
        "Big add 1 eq 0",
        "Big mul 2 eq 0",
        "Sleep div 0 eq Sleep", "substring(Name,1,Big) eq 'x'",
    ]

    @Test("What has no result ends the request with 400", arguments: failing)
    func failure(_ filter: String) async throws {
        let zoo = try MenagerieDatabase()
        let error = await #expect(throws: ODataError.self) { _ = try await zoo.animals(filter) }
        #expect(error?.code == .badRequest)
    }
}

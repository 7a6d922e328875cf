import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// Paths, lambdas, casts and types. [OData-URL, sections 5.1.1.10, 5.1.1.13 and 5.1.1.15]
@Suite struct PathTests {
    static let paths: [(String, String)] = [
        ("Home/City eq 'Bonn'", "1 4"), ("Home/City eq null", "3"), ("Home/Fee eq 12345678901234567890.125", "1 4"),
        ("Home/Fee eq 1.5", "2"), ("Home/Number eq 9007199254740993", "1 4"),
        ("Home/Since eq 2019-12-31T23:00:00Z", "1 4"),
        ("Home/Seal eq binary'AP8='", "1 4"), ("Size/Width eq 1.5", "1"), ("Size/Unit eq 'm'", "1 2"),
        ("Friend/Home/City eq 'Lyon'", "1"), ("Friend/Cage/Room eq 1", "1 2"), ("Cage/Code eq 'A1'", "1 2"),
        ("Home/Lines/any(l:l eq 'b')", "1 4"), ("Home/Lines/$count eq 0", "2 3"), ("Cage/Animals/$count eq 2", "1 2"),
        ("Homes/any(h:h/City eq 'Lyon')", "1"), ("Homes/all(h:h/City ne 'x')", "1 2 3 4"), ("Homes/any()", "1"),
        ("Friends/any(f:f/Friends/any(g:g/ID eq $it/ID))", "1 2 4"), ("Friends/any(f:f eq $it)", "4"),
        ("Friends/any(f:f/Legs lt Legs)", "1"),
        ("Friends/$count($filter=Legs gt 2) eq 1", "1 2"), ("Friends/$count($search=bird) eq 1", "1 4"),
        ("Friends/$filter(Legs gt 2)/$count eq 1", "1 2"), ("Friends/$filter(Legs gt 2)/any(f:f/Tame)", "2"),
        ("Friends(4)/Name eq 'Tweety Bird'", "1 4"), ("Friends(9)/Name eq null", "1 2 3 4"),
        ("Friends(2)/Cage/Room eq 1", "1"),
        ("Scores/any(s:s gt 3)", "1"), ("Scores/all(s:s eq 1)", "2 3 4"),
        ("Prices/any(p:p eq 12345678901234567890.125)", "1"),
        ("Days/any(d:year(d) eq 2021)", "1"), ("Tags/$count eq 0", "2 3 4"),
        ("Tags/$filter($this eq 'new')/$count eq 1", "1"),
        ("Name eq $root/Animals(2)/Name", "2"), ("Legs gt $root/Animals(4)/Legs", "1 2"),
        ("$root/Animals(9)/Name eq null", "1 2 3 4"),
        ("$root/Cages/$count eq 3", "1 2 3 4"), ("Cage/Room eq $root/Animals(1)/Cage/Room", "1 2"),
        ("Note eq 'shy'", "1"), ("Note eq 5", "2"), ("Note eq null", "3 4"), ("Rank gt 6", "1"), ("Exact eq 0.1", "1"),
        ("Exact gt 12345678901234567890", "2"), ("Since lt 2020-01-02", "1"), ("Fine", "1"), ("Fine eq true", "1"),
        ("contains(Note,'h')", "1"),
        ("Deep/x eq 1", "1"), ("Nothing eq null", "1 2 3 4"), ("Rank add 1 eq 8", "1"), ("year(Since) eq 2020", "1"),
    ]

    @Test("Paths", arguments: paths)
    func path(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let types: [(String, String)] = [
        ("isof(Zoo.Dog)", "1 2"), ("isof(Zoo.Puppy)", "2"), ("isof(Zoo.Animal)", "1 2 3 4"),
        ("not isof(Zoo.Dog)", "3 4"),
        ("isof(Friend,Zoo.Puppy)", "1"), ("isof(Friend,Zoo.Animal)", "1 2 4"), ("Zoo.Dog/Trick eq 'sit'", "2"),
        ("Zoo.Dog/Name eq 'ärger'", "2"), ("Zoo.Bird/Name eq null", "1 2 3"), ("Zoo.Bird/Wings gt 1", "4"),
        ("Friends/any(f:isof(f,Zoo.Bird))", "1 4"), ("Friends/Zoo.Puppy/any(f:f/Trick eq 'sit')", "1"),
        ("Friends/Zoo.Dog/$count eq 1", "1 2"), ("Home/Zoo.ForeignAddress/Country eq 'France'", "2"),
        ("isof(Home,Zoo.ForeignAddress)", "2"), ("isof(Home,Zoo.Address)", "1 2 4"),
        ("Home/Zoo.ForeignAddress/City eq null", "1 3 4"),
        ("Homes/Zoo.ForeignAddress/any(h:h/Country eq 'France')", "1"),
        ("cast(Zoo.Bird) eq null", "1 2 3"),
        ("isof(Name,Edm.String)", "1 2 4"),
        ("isof(Legs,Edm.Int32)", ""), ("isof(Legs,Edm.Byte)", "1 2 4"), ("isof(Note,Edm.String)", "1"),
        ("isof(Mood,Zoo.Mood)", "1 2 4"),
        ("isof(Place,Edm.Geography)", "1 2"),
    ]

    @Test("isof and casts of structured values", arguments: types)
    func type(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    static let casts: [(String, String)] = [
        ("cast(Legs,Edm.String) eq '4'", "1"), ("cast(Legs,Edm.String) eq null", "3"),
        ("cast(Tame,Edm.String) eq 'true'", "1"),
        ("cast(Price,Edm.String) eq '12.5'", "1"), ("cast(Height,Edm.String) eq '0.1'", "1"),
        ("cast(Weight,Edm.String) eq '1.1'", "1"),
        ("cast(Height div 0,Edm.String) eq 'INF'", "1"),
        ("cast(Chip,Edm.String) eq '01234567-89ab-cdef-0123-456789abcdef'", "1"),
        ("cast(Photo,Edm.String) eq 'AP8'", "1"), ("cast(Born,Edm.String) eq '2020-02-29'", "1"),
        ("cast(Seen,Edm.String) eq '2024-01-02T01:30:00.123+02:00'", "1"),
        ("cast(Seen,Edm.String) eq '2023-12-31T23:30:00Z'", "2"),
        ("cast(Feeding,Edm.String) eq '07:59:59.5'", "1"), ("cast(Sleep,Edm.String) eq '-PT1H'", "2"),
        ("cast(Colors,Edm.String) eq 'Red,Blue'", "1"), ("cast(Mood,Edm.String) eq 'Calm'", "1"),
        ("cast(Mood,Edm.Int32) eq 2", "1"),
        ("cast(Colors,Edm.Int32) eq 5", "1"), ("cast(5,Zoo.Colors) eq 'Red,Blue'", "1 2 3 4"),
        ("cast(7,Zoo.Mood) eq null", "1 2 3 4"),
        ("cast('Calm',Zoo.Mood) eq Mood", "1"), ("cast('nothing',Zoo.Mood) eq null", "1 2 3 4"),
        ("cast('12',Edm.Int32) eq 12", "1 2 3 4"), ("cast('x',Edm.Int32) eq null", "1 2 3 4"),
        ("cast('300',Edm.Byte) eq null", "1 2 3 4"),
        ("cast(300,Edm.Byte) eq null", "1 2 3 4"), ("cast(2.5,Edm.Int32) eq 3", "1 2 3 4"),
        ("cast(-2.5,Edm.Int32) eq -3", "1 2 3 4"),
        ("cast(Height,Edm.Int32) eq 0", "1"), ("cast(Big,Edm.Int32) eq null", "1 3 4"),
        ("cast(Legs,Edm.Decimal) eq 4.0", "1"),
        ("cast(Price,Edm.Double) eq 12.5", "1"), ("cast(0.1,Edm.Single) eq cast(0.1,Edm.Double)", ""),
        ("cast('2020-02-29',Edm.Date) eq Born", "1"), ("cast('2020-02-30',Edm.Date) eq null", "1 2 3 4"),
        ("cast('2023-12-31T23:30:00',Edm.DateTimeOffset) eq Seen", "2"), ("cast('PT60M',Edm.Duration) eq -Sleep", "2"),
        ("cast('true',Edm.Boolean)", "1 2 3 4"), ("cast('01234567-89ab-cdef-0123-456789abcdef',Edm.Guid) eq Chip", "1"),
        ("cast('AP8=',Edm.Binary) eq Photo", "1"), ("cast(null,Edm.Int32) eq null", "1 2 3 4"),
        ("cast(Name,Edm.Date) eq null", "1 2 3 4"),
        ("cast('INF',Edm.Double) eq INF", "1 2 3 4"),
        ("cast(Scores,Collection(Edm.String)) eq [\"4\",\"1\",\"3\"]", "1"),
        ("cast(Note,Edm.Int32) eq 5", "2"), ("cast(Born,Edm.Int32) eq null", "1 2 3 4"),
    ]

    @Test("Casts of primitive values", arguments: casts)
    func cast(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    @Test("Members of what a cast gives, and enumerations by number, as trees")
    func trees() async throws {
        let zoo = try MenagerieDatabase()
        let model = try #require(MenagerieModel.model)
        let dog = try #require(model.structuredType(named: EdmQualifiedName("Zoo.Dog")))
        let trick = try #require(dog.property(named: "Trick"))
        let sits = QueryExpression.binary(
            .eq, .member(.cast(nil, .entity(dog.name)), [.property(trick)]), .literal(.string("sit"), .string))
        #expect(try await zoo.animals(sits) == "2")
        let animal = try #require(model.entitySet(named: "Animals"))
        let mood = PropertyPath(
            variableSet: animal, variableType: animal.type,
            steps: [.property(try #require(animal.type.property(named: "Mood")))])
        let calm = QueryExpression.literal(
            .enumeration(MenagerieModel.mood.name, "Calm"), .enumeration(MenagerieModel.mood.name))
        #expect(try await zoo.animals(.binary(.gt, .path(mood), calm)) == "2 4")
        #expect(try await zoo.animals(.inList(calm, [.path(mood)])) == "1")
    }

    static let expansions: [(String, String)] = [
        ("Animals?$expand=Friends($filter=$it/Legs gt Legs)", "1:2,4 2: 3: 4:"),
        ("Animals?$expand=Friends($filter=Friends/any(f:f/ID eq $it/ID))", "1:2 2:1 3: 4:4"),
        ("Cages?$expand=Animals($filter=$it/Room eq Legs sub 2)", "A1:2 B2: C3:"),
        ("Cages?$expand=Animals($orderby=$it/Room mul Legs desc)", "A1:1,2 B2:4 C3:"),
    ]

    @Test("$it inside $expand is the entity of the resource path", arguments: expansions)
    func expansion(_ url: String, _ keys: String) async throws {
        let zoo = try MenagerieDatabase()
        #expect(try await zoo.members(MenagerieDatabase.encoded(url)) == keys)
    }

    @Test("Enumerations are ordered by number")
    func order() async throws {
        #expect(try await MenagerieDatabase().keys("Animals?$orderby=Mood") == "3 1 2 4")
        #expect(try await MenagerieDatabase().keys("Animals?$orderby=Colors%20desc") == "1 2 4 3")
    }

    static let functions: [(String, String)] = [
        ("$it/Zoo.Times(factor=3) eq 6", "2"), ("Zoo.Times(factor=Legs) eq 4", "1"),
    ]

    @Test("A function with SQL of its own runs", arguments: functions)
    func function(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    @Test(
        "A function without SQL is refused by name", arguments: ["$it/Zoo.Mystery() eq 1"])
    func refusal(_ filter: String) async throws {
        let zoo = try MenagerieDatabase()
        let error = await #expect(throws: ODataError.self) { _ = try await zoo.animals(filter) }
        #expect(error?.code == .notImplemented)
        #expect(error?.message.contains("Zoo.Mystery") == true)
    }

    @Test(
        "An annotation is what the model says of the property; null where it says nothing",
        arguments: [
            ("Weight/@Core.Description eq null", "1 2 3 4"), ("@Core.Messages/any(m:m/severity eq 'error')", ""),
            ("@Zoo.Note eq 'x'", ""), ("Name/@Zoo.Nick eq Name", "1 2 3 4"), ("Legs/@Zoo.Unit eq 'piece'", "1 2 3 4"),
            ("Legs/@Zoo.Unit eq 'pair'", ""), ("Big/@Zoo.Limit gt 1.4", "1 2 3 4"), ("Big/@Zoo.Limit gt 1.5", ""),
            ("Tame/@Zoo.State eq Zoo.Mood'Calm'", "1 2 3 4"), ("Price/@Zoo.Label eq 'ärger'", "1"),
            ("Height/@Zoo.Label eq 'Bonn'", "1 4"), ("Weight/@Zoo.Label/any(l:l eq 'light')", "1 2 3 4"),
            ("Weight/@Zoo.Label/any(l:l eq 'heavy')", ""), ("Weight/@Zoo.Label/$count eq 1", "1 2 3 4"),
            ("Seen/@Zoo.Info/Text eq 'seen'", "1 2 3 4"), ("Seen/@Zoo.Info/By eq 'ärger'", "2"),
            ("Seen/@Zoo.Info/Way eq 'Home/City'", "1 2 3 4"), ("Name eq $root/Animals(2)/Name/@Zoo.Nick", "2"),
            ("$root/Animals(1)/Legs/@Zoo.Unit eq 'piece'", "1 2 3 4"),
            ("$root/Animals(9)/Legs/@Zoo.Unit eq null", "1 2 3 4"), ("$root/Animals(1)/@Zoo.Note eq null", "1 2 3 4"),
        ])
    func annotation(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }
}

import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

/// Derived types, open types, complex values and contained entities. [OData-URL, sections 4.3, 4.11 and 5.1.4]
@Suite struct DerivedTypeTests {
    static let cases: [(String, String)] = [
        (
            "Animals?$select=Name,Zoo.Bird/Wings",
            "Dog Name=Rex; Bird Name=Tux Wings=2; Animal Name=Ex; Parrot Name=Rio Wings=2"
        ),
        ("Animals/Zoo.Bird?$select=ID", "Bird ID=2; Parrot ID=4"),
        ("Animals/Zoo.Parrot?$select=ID", "Parrot ID=4"),
        ("Animals(4)/Zoo.Bird?$select=ID", "Parrot ID=4"),
        ("Animals/Zoo.Bird(2)?$select=Wings", "Bird Wings=2"),
        ("Animals?$filter=isof(Zoo.Dog)&$select=ID", "Dog ID=1"),
        ("Animals?$filter=Zoo.Bird/Wings eq 2&$select=ID", "Bird ID=2; Parrot ID=4"),
        ("Animals/Zoo.Bird/$filter(Name ne 'Tux')?$select=ID", "Parrot ID=4"),
        ("Animals(1)?$select=Home/City", "Dog Home={City=Bern}"),
        ("Animals(1)?$select=Home/Place/Lat,Home/City", "Dog Home={Place={Lat=1.5} City=Bern}"),
        (
            "Animals?$select=ID,Home/Place/Lon&$filter=ID gt 1",
            "Bird ID=2 Home={Place=null}; Animal ID=3 Home=null; Parrot ID=4 Home={Place={Lon=0}}"
        ),
        ("Animals(1)?$select=Home($select=City)", "Dog Home={City=Bern}"),
        ("Animals(1)?$select=Tags($filter=$this ne 'old')", "Dog Tags=[big]"),
        ("Animals(1)?$select=Colour", "Dog Colour=red"),
        ("Animals(1)?$select=Tags,Zoo.Dog/OwnerID", "Dog Tags=[big,old] OwnerID=1"),
        ("Animals(1)/Toys?$select=Name&$orderby=Name desc", "Toy Name=Bone; Toy Name=Ball"),
        ("Animals(1)/Toys(2)", "Toy No=2 Name=Bone"),
        ("Animals(1)/Home/Country", "Country Code=CH Name=Switzerland"),
        ("Animals(1)/Zoo.Dog/Owner", "Keeper ID=1 Name=Ann"),
        ("Boss", "Keeper ID=2 Name=Bob"),
        ("Animals?$filter=Home/Country/Name eq 'Brazil'&$select=ID", "Parrot ID=4"),
        (
            "Animals?$apply=filter(isof(Zoo.Bird))&$select=Name,Zoo.Bird/Wings",
            "Bird Name=Tux Wings=2; Parrot Name=Rio Wings=2"
        ),
        ("Animals?$compute=length(Name) as L&$select=L&$filter=L gt 2", "Dog L=3; Bird L=3; Parrot L=3"),
        (
            "Animals?$apply=groupby((Home/City),aggregate($count as N))",
            "Animal N=1 Home={City=null}; Animal N=1 Home={City=Bern}; Animal N=1 Home={City=Rio}; Animal N=1 Home={City=Rome}"
        ),
    ]

    @Test("Entities of derived types and parts of them", arguments: cases)
    func read(_ url: String, _ expected: String) async throws {
        let rows = try await ZooDatabase().rows(url)
        #expect(rows == expected)
    }

    @Test("All properties of a type and its dynamic ones")
    func whole() async throws {
        let zoo = try ZooDatabase()
        let rows = try await zoo.rows("Animals?$top=2")
        #expect(
            rows
                == "Dog ID=1 Name=Rex Home={City=Bern Place={Lat=1.5 Lon=2}} Tags=[big,old] OwnerID=1 Colour=red; "
                + "Bird ID=2 Name=Tux Home={City=Rome Place=null} Tags=[] Wings=2 Size=3")
    }

    @Test("Expanded relations of derived types and complex values")
    func expand() async throws {
        let zoo = try ZooDatabase()
        let animals = try await zoo.entities("Animals?$expand=Zoo.Dog/Owner,Toys($select=Name)")
        #expect(animals.map { $0.expanded["Owner"] != nil } == [true, false, false, false])
        guard case .one(let owner?)? = animals.first?.expanded["Owner"],
            case .many(let toys, _)? = animals.first?.expanded["Toys"]
        else { throw TestFailure() }
        #expect(owner.id == "Keepers(1)")
        #expect(toys.map(\.id) == ["Animals(1)/Toys(1)", "Animals(1)/Toys(2)"])
        let home = try await zoo.entities("Animals?$expand=Home/Country&$filter=ID eq 4")
        guard case .one(let country?)? = home.first?.expanded["Home/Country"] else { throw TestFailure() }
        #expect(country.id == "Countries('BR')")
    }

    static let single: [(String, String)] = [
        ("Animals(1)/Home/City", "Bern"), ("Animals(1)/Home/Place/Lat", "1.5"), ("Animals(2)/Zoo.Bird/Wings", "2"),
        ("Animals(1)/Colour", "red"), ("Animals(1)/Tags/1", "old"), ("Animals(1)/Tags/$count", "#2"),
        ("Animals(1)/Home?$select=City", #"{"City":"Bern"}"#), ("Animals/$count", "#4"),
        ("Animals/Zoo.Bird/$count", "#2"), ("Boss/Name", "Bob"),
    ]

    @Test("Single values", arguments: single)
    func value(_ url: String, _ expected: String) async throws {
        switch try await ZooDatabase().result(url).body {
        case .count(let count): #expect("#\(count)" == expected)
        case .value(let value, _): #expect(value.lexical == expected)
        default: Issue.record("\(url) is not a value")
        }
    }

    @Test("An entity of another type is not found", arguments: ["Animals(1)/Zoo.Bird", "Animals(1)/Zoo.Bird/Wings"])
    func missing(_ url: String) async throws {
        let zoo = try ZooDatabase()
        let error = await #expect(throws: ODataError.self) { _ = try await zoo.result(url) }
        #expect(error?.code == .notFound)
    }
}

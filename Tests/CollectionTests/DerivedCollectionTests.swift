import OData
import Testing

@Suite("Derived types, and collections of complex values")
struct DerivedCollectionTests {
    private static let animals = [
        StoredEntity("Animals", animal(1, "Rex", type: "Dog", ["Breed": .string("Spitz")], visits: ["Bern", "Chur"])),
        StoredEntity("Animals", animal(2, "Mimi", type: nil, [:], visits: [])),
        StoredEntity("Animals", animal(3, "Bello", type: "Dog", ["Breed": .string("Collie")], visits: ["Bern"])),
    ]

    private static func animal(
        _ id: Int64, _ name: String, type: String?, _ more: EdmComplexValue, visits: [String]
    ) -> EntityPayload {
        let cities = visits.map { EdmValue.complex(["City": .string($0)]) }
        let common: EdmComplexValue = ["ID": .integer(id), "Name": .string(name), "Visits": .collection(cities)]
        var payload = EntityPayload(EdmComplexValue(common.members + more.members))
        payload.type = type.map { EdmQualifiedName("Zoo.\($0)") }
        return payload
    }

    private func shop(_ kind: StoreKind) async throws -> Shop {
        try await Shop(kind, metadata: Self.metadata, entities: Self.animals, sets: ["Animals"])
    }

    @Test("entities of a derived type are asked for, and changed", arguments: [StoreKind.file, .online])
    func derived(kind: StoreKind) async throws {
        let shop = try await shop(kind)
        let dogs = shop.collections.of(Animal.self, in: "Animals").of(Dog.self)
        #expect(dogs.url == "Animals/Zoo.Dog")
        #expect(try await dogs.orderBy(\.id).findAll().map(\.breed) == ["Spitz", "Collie"])
        #expect(try await dogs.where { $0.breed == "Collie" }.findAll().map(\.id) == [3])
        var rex = try #require(try await dogs.find(1))
        rex.breed = "Poodle"
        rex = try await dogs.update(rex)
        #expect(rex.breed == "Poodle" && shop.requests.changes == ["Animals/Zoo.Dog(1)"])
        #expect(try await dogs.find(2) == nil)
    }

    @Test("conditions on the members of a collection", arguments: [StoreKind.file, .online])
    func members(kind: StoreKind) async throws {
        let shop = try await shop(kind)
        let animals = shop.collections.of(Animal.self, in: "Animals").orderBy(\.id)
        let inBern = animals.where { $0.visits.contains { $0.city == "Bern" } }
        #expect(inBern.url.contains("Visits/any(a:a/City%20eq%20'Bern')"))
        #expect(try await inBern.findAll().map(\.id) == [1, 3])
        #expect(try await animals.where { $0.visits.count > 1 }.findAll().map(\.id) == [1])
    }

    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Zoo" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <ComplexType Name="Visit"><Property Name="City" Type="Edm.String"/></ComplexType>
          <EntityType Name="Animal"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            <Property Name="Visits" Type="Collection(Zoo.Visit)" Nullable="false"/>
          </EntityType>
          <EntityType Name="Dog" BaseType="Zoo.Animal"><Property Name="Breed" Type="Edm.String"/></EntityType>
          <EntityContainer Name="Container"><EntitySet Name="Animals" EntityType="Zoo.Animal"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}

private struct Visit: QueryElement {
    struct Fields: QueryFields {
        let path: FieldPath
        var city: QueryOperand<String> { path.property("City") }
    }
}

private struct Animal: TypedEntity {
    static let typeName = EdmQualifiedName("Zoo.Animal")
    static let propertyNames = ["ID"]
    static let keyNames = ["ID"]
    static let navigationNames: [String] = []

    var id: Int32
    var origin: EntityOrigin<Animal>?

    init(_ row: TypedRow) throws(ODataError) { id = try row.value(0) }
    func value(at index: Int) -> EdmValue? { id.edm }
    func related(at index: Int) -> RelatedEntities? { nil }
    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var id: QueryOperand<Int32> { path.property("ID") }
        var visits: ComplexCollectionOperand<Visit> { path.complexCollection("Visits") }
    }
}

private struct Dog: TypedEntity {
    static let typeName = EdmQualifiedName("Zoo.Dog")
    static let propertyNames = ["ID", "Breed"]
    static let keyNames = ["ID"]
    static let navigationNames: [String] = []

    var id: Int32
    var breed: String?
    var origin: EntityOrigin<Dog>?

    init(_ row: TypedRow) throws(ODataError) {
        id = try row.value(0)
        breed = try row.optional(1)
    }

    func value(at index: Int) -> EdmValue? { index == 0 ? id.edm : breed?.edm ?? .null }
    func related(at index: Int) -> RelatedEntities? { nil }
    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var id: QueryOperand<Int32> { path.property("ID") }
        var breed: QueryOperand<String> { path.property("Breed") }
    }
}

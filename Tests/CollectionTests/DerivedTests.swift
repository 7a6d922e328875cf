import OData
import Testing

@Suite("Conditions on properties of derived types")
struct DerivedTests {
    private static let examples: [ConditionExample<Animal.Fields>] = [
        .init("Zoo.Dog/Breed eq 'Poodle'", [2]) { $0.as(Dog.self).breed == "Poodle" },
        .init("Zoo.Dog/Breed ne null", [2, 3]) { $0.as(Dog.self).breed != nil },
        .init("isof($it,Zoo.Dog)", [2, 3]) { $0.is(Dog.self) },
        .init("Friend/Zoo.Dog/Breed eq 'Poodle'", [1]) { $0.friend.as(Dog.self).breed == "Poodle" },
        .init("isof(Friend,Zoo.Dog)", [1]) { $0.friend.is(Dog.self) },
        .init("Young/Zoo.Dog/any(a:a/Breed eq 'Pug')", [2]) { $0.young.of(Dog.self).contains { $0.breed == "Pug" } },
        .init("Young/any(a:isof(a,Zoo.Dog))", [2]) { $0.young.contains { $0.is(Dog.self) } },
        .init("Young/$count($filter=isof($this,Zoo.Dog)) eq 1", [2]) {
            $0.young.count(where: { $0.is(Dog.self) }) == 1
        },
    ]

    @Test("their texts, and what they find", arguments: StoreKind.allCases)
    func finding(kind: StoreKind) async throws {
        let shop = try await Shop(kind, metadata: Animal.metadata, entities: Animal.entities, sets: ["Animals"])
        for example in Self.examples {
            #expect(example.condition.text == example.text)
            let animals = shop.collections.of(Animal.self, in: "Animals").where { _ in example.condition }
            let found = try await animals.orderBy(\.id).findAll()
            #expect(found.map(\.id) == example.keys, "\(example.text)")
        }
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
        var friend: ToOne<Animal> { path.toOne("Friend") }
        var young: ToMany<Animal> { path.toMany("Young") }
    }

    static let entities: [StoredEntity] = [
        StoredEntity("Animals", EntityPayload(["ID": .integer(1), "FriendID": .integer(2)])),
        dog(2, "Poodle", nil), dog(3, "Pug", 2),
    ]

    private static func dog(_ id: Int64, _ breed: String, _ parent: Int64?) -> StoredEntity {
        let values: EdmComplexValue = [
            "ID": .integer(id), "Breed": .string(breed), "ParentID": parent.map(EdmValue.integer) ?? .null,
        ]
        var payload = EntityPayload(values)
        payload.type = Dog.typeName
        return StoredEntity("Animals", payload)
    }

    static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Zoo" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Animal"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="FriendID" Type="Edm.Int32"/><Property Name="ParentID" Type="Edm.Int32"/>
            <NavigationProperty Name="Friend" Type="Zoo.Animal">
              <ReferentialConstraint Property="FriendID" ReferencedProperty="ID"/>
            </NavigationProperty>
            <NavigationProperty Name="Parent" Type="Zoo.Animal" Partner="Young">
              <ReferentialConstraint Property="ParentID" ReferencedProperty="ID"/>
            </NavigationProperty>
            <NavigationProperty Name="Young" Type="Collection(Zoo.Animal)" Partner="Parent"/>
          </EntityType>
          <EntityType Name="Dog" BaseType="Zoo.Animal"><Property Name="Breed" Type="Edm.String"/></EntityType>
          <EntityContainer Name="Container">
            <EntitySet Name="Animals" EntityType="Zoo.Animal">
              <NavigationPropertyBinding Path="Friend" Target="Animals"/>
              <NavigationPropertyBinding Path="Parent" Target="Animals"/>
              <NavigationPropertyBinding Path="Young" Target="Animals"/>
            </EntitySet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
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
    func value(at index: Int) -> EdmValue? { index == 0 ? id.edm : breed?.edm }
    func related(at index: Int) -> RelatedEntities? { nil }
    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var breed: QueryOperand<String> { path.property("Breed") }
    }
}

import ODataGeneration
import Testing

/// What is written where only some sets are wanted.
@Suite struct SelectionTests {
    @Test func setsComeWithWhatTheirPropertiesLeadTo() throws {
        let files = try generated(ShopModel.document, sets: ["Products"])
        #expect(files.keys.sorted() == ["Color.swift", "Product.swift", "ShopService.swift", "Size.swift"])
    }

    @Test func relationshipsToOtherSetsAreLeftOut() throws {
        let text = try generated(ShopModel.document, sets: ["Products"])["Product.swift"] ?? ""
        #expect(text.contains("static let navigationNames = [\"Parts\"]"))
        #expect(!text.contains("Category"))
    }

    @Test func theServiceHasTheChosenSetsOnly() throws {
        let text = try generated(ShopModel.document, sets: ["Categories"])["ShopService.swift"] ?? ""
        #expect(text.contains("var categories: EntityCollection<Category>"))
        #expect(!text.contains("Product"))
    }

    private static let staff = #"""
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Staff" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person" Abstract="true"><Key><PropertyRef Name="Nr"/></Key>
        <Property Name="Nr" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Manager" BaseType="Staff.Person"/>
        <Action Name="Promote" IsBound="true"><Parameter Name="person" Type="Staff.Person"/>
        <Parameter Name="grade" Type="Edm.Int32" Nullable="false"/></Action>
        <Action Name="Promote" IsBound="true"><Parameter Name="manager" Type="Staff.Manager"/>
        <Parameter Name="grade" Type="Edm.Int32" Nullable="false"/></Action>
        <Action Name="Greet" IsBound="true"><Parameter Name="person" Type="Staff.Person"/>
        <Annotation Term="Org.OData.Core.V1.Revisions"><Collection><Record>
        <PropertyValue Property="Kind" EnumMember="Org.OData.Core.V1.RevisionKind/Deprecated"/>
        <PropertyValue Property="Description" String="Use Promote"/></Record></Collection></Annotation></Action>
        <EntityContainer Name="Container"><EntitySet Name="People" EntityType="Staff.Person"/>
        <EntitySet Name="Managers" EntityType="Staff.Manager"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#

    @Test(arguments: [nil, ["Managers"]])
    func operationsOfBaseTypesAreInheritedAndOverridden(sets: [String]?) throws {
        let files = try generated(Self.staff, sets: sets)
        let text = try #require(files["Manager.swift"])
        #expect(text.contains("func promote(_ manager: Manager, grade: Int32) async throws"))
        #expect(text.contains("func greet(_ person: Manager) async throws"))
        #expect(!text.contains("promote2") && text.contains("/// Deprecated: Use Promote"))
        #expect((files["Person.swift"] == nil) == (sets != nil))
    }

    @Test func entitiesOfAbstractTypesCannotBeMade() throws {
        let files = try generated(Self.staff)
        #expect(files["Person.swift"]?.contains("    init(nr:") == false)
        #expect(files["Person.swift"]?.contains("    init(_ row: TypedRow)") == true)
        #expect(files["Manager.swift"]?.contains("    init(nr: Int32? = nil)") == true)
    }

    @Test func aSetThatThereIsNotIsRefused() throws {
        let error = #expect(throws: GenerationError.self) {
            try generated(ShopModel.document, sets: ["Products", "Orders"])
        }
        #expect(error?.message == "There is no entity set Orders. The sets are Products, Categories, Favourite.")
    }
}

import Foundation
import OData
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite("The overview of metadata")
struct ModelSummaryTests {
    private static let document = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="Shop.Model" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Party" Abstract="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="Tags" Type="Collection(Edm.String)"/>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityType Name="Customer" BaseType="Shop.Model.Party">
            <Property Name="Name" Type="Edm.String" MaxLength="40">
              <Annotation Term="Org.OData.Core.V1.Description" String="What the customer is called"/></Property>
            <Property Name="Credit" Type="Edm.Decimal" Precision="19" Scale="4" Nullable="false" DefaultValue="0"/>
            <Property Name="Home" Type="Shop.Model.Address"/>
            <NavigationProperty Name="Agent" Type="Shop.Model.Party"/>
            <NavigationProperty Name="Main" Type="Shop.Model.Customer" Nullable="false"/>
            <NavigationProperty Name="Others" Type="Collection(Shop.Model.Customer)" ContainsTarget="true"/></EntityType>
          <ComplexType Name="Address"><Property Name="Kind" Type="Shop.Model.Kind"/></ComplexType>
          <EnumType Name="Kind"><Member Name="Home"/><Member Name="Work"/></EnumType>
          <Action Name="Block" IsBound="true"><Parameter Name="it" Type="Shop.Model.Customer"/>
            <Parameter Name="why" Type="Edm.String"/><ReturnType Type="Edm.Boolean" Nullable="false"/></Action>
          <Function Name="Best" IsBound="true"><Parameter Name="them" Type="Collection(Shop.Model.Customer)"/>
            <ReturnType Type="Shop.Model.Customer" Nullable="false"/></Function>
          <EntityContainer Name="C"><EntitySet Name="Customers" EntityType="Shop.Model.Customer">
            <NavigationPropertyBinding Path="Main" Target="Customers"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private let plain = Terminal(isTerminal: false, environment: [:])

    private func model() throws -> EdmModel { try CSDL.document(Array(Self.document.utf8)).model }

    @Test("Names have no namespace, keys come first, and what belongs to a type stands with it")
    func overview() throws {
        #expect(
            ModelSummary(try model(), title: "The shop").lines.text(on: plain) == """
                The shop
                1 entity set, 2 entity types, 1 complex type, 1 enumeration type, 1 action, 1 function

                Schema Shop.Model
                  Entity sets
                    Customers: Customer
                  Entity types
                    Party (abstract)
                      ID: Int32 key
                      Tags: String[]
                    Customer (is a Party)
                      Name: String(40)?  What the customer is called
                      Credit: Decimal(19,4)
                      Home: Address?
                      → Agent: Party 0..1
                      → Main: Customer 1
                      → Others: Customer[] contained
                      action Block(why: String?) → Boolean
                      function Best() → Customer on a collection
                  Complex types
                    Address
                      Kind: Kind?
                  Enumeration types
                    Kind: Home = 0, Work = 1
                """)
    }

    @Test("A name gives all about what has it")
    func details() throws {
        #expect(
            try ModelDetails(try model(), of: ["Customers", "Kind"]).lines.text(on: plain) == """
                Entity set Customers (of Customer)
                  Main leads to Customers

                Entity type Shop.Model.Customer (is a Party)
                  in Customers
                  key  ID      Int32          from Party
                       Tags    String[]       from Party
                       Name    String(40)?    What the customer is called
                       Credit  Decimal(19,4)  default 0
                       Home    Address?
                  →    Agent   Party 0..1
                  →    Main    Customer 1
                  →    Others  Customer[]     contained
                  action Block(why: String?) → Boolean
                  function Best() → Customer on a collection

                Enumeration type Shop.Model.Kind (Int32)
                  0  Home
                  1  Work
                """)
        #expect(try ModelDetails(try model(), of: ["Shop.Model.Block"]).lines.count == 3)
    }

    @Test("A name that nothing has is an error with the nearest one")
    func unknownName() throws {
        let model = try model()
        let error = #expect(throws: Failure.self) { try ModelDetails(model, of: ["Custmers"]) }
        #expect(error?.description == "Nothing in the metadata has the name Custmers. Did you mean Customers?")
    }

    @Test("What two schemas have, or what is called as a primitive type, keeps its namespace")
    func ambiguousNames() throws {
        let schemas = ["A", "B"].map { namespace in
            EdmSchema(
                namespace: namespace,
                types: ["T", "\(namespace)Only"].map {
                    EdmStructuredTypeDeclaration(name: EdmQualifiedName(namespace: namespace, name: $0), properties: [])
                }, enumTypes: [EdmEnumType(name: EdmQualifiedName(namespace: namespace, name: "Guid"), members: [])])
        }
        let names = ModelNames(try EdmModel(schemas: schemas))
        for (name, shown) in [("A.T", "A.T"), ("B.BOnly", "BOnly"), ("A.Guid", "A.Guid")] {
            #expect(names.name(EdmQualifiedName(name)) == shown)
        }
    }

    @Test("On a terminal keys and names of types are bold, and outside data cannot steer it")
    func styles() throws {
        let terminal = Terminal(isTerminal: true, environment: ["TERM": "xterm"])
        let text = ModelSummary(try model(), title: "a\u{1B}[2Jb").lines.text(on: terminal)
        #expect(text.hasPrefix("a [2Jb\n"))
        for part in ["\u{1B}[1mID: Int32 key\u{1B}[0m", "\u{1B}[1mCustomer\u{1B}[0m (is a Party)"] {
            #expect(text.contains(part), "\(text)")
        }
    }
}

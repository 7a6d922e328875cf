import ODataGeneration
import Testing

/// How names of a model become names in Swift.
@Suite struct NameTests {
    @Test(arguments: [
        ("ID", "id"), ("CustomerID", "customerID"), ("CUSTOMER_ID", "customerID"), ("URLPath", "urlPath"),
        ("name", "name"), ("NAME", "name"), ("WBSElement", "wbsElement"), ("IDs", "ids"), ("to_Items", "toItems"),
        ("Status_fc", "statusFc"), ("A-B", "aB"), ("3D", "_3D"), ("class", "`class`"), ("Größe", "größe"),
        ("Origin", "originProperty"), ("Self", "selfProperty"), ("Path", "pathProperty"),
        ("hasChanges", "hasChangesProperty"),
    ])
    func properties(name: String, swift: String) throws {
        let text = try generated(Self.document(properties: [name]))["Thing.swift"] ?? ""
        #expect(text.contains("\n    var \(swift): Int32?\n"), "\(text)")
    }

    @Test(arguments: [
        ("Thing", "Thing"), ("order_item", "Order_item"), ("Error", "ErrorEntity"), ("Type", "TypeEntity"),
        ("EdmEntity", "EdmEntityEntity"), ("EdmValue", "EdmValueEntity"), ("String", "StringEntity"),
        ("QueryOperand", "QueryOperandEntity"),
        ("Fields", "FieldsEntity"), ("Key", "KeyEntity"), ("3D", "_3D"),
        ("ProjectedCollection", "ProjectedCollectionEntity"), ("Entity", "Entity"),
    ])
    func types(name: String, swift: String) throws {
        let file = try generated(Self.document(type: name, properties: ["A"]))["\(swift).swift"]
        #expect(file?.contains("\nstruct \(swift): TypedEntity {\n") == true)
    }

    @Test(arguments: [
        ("Shop", "ShopService"), ("ODataWeb.Northwind.Model", "NorthwindService"), ("CUAN_LIST_SRV", "CuanListService"),
        ("My.DataService", "DataService"), ("Model", "ModelService"),
    ])
    func services(namespace: String, swift: String) throws {
        #expect(try generated(Self.document(namespace: namespace, properties: ["A"]))["\(swift).swift"] != nil)
    }

    @Test func namesThatMapAlikeGetNumbers() throws {
        let text = try generated(Self.document(properties: ["A_B", "aB", "AB", "ab"]))["Thing.swift"] ?? ""
        for (swift, name) in [("aB", "A_B"), ("aB2", "aB"), ("ab", "AB"), ("ab2", "ab")] {
            #expect(text.contains("var \(swift): QueryOperand<Int32> { path.property(\"\(name)\") }"), "\(text)")
        }
    }

    @Test func storageGivesWayToProperties() throws {
        let text = try generated(Self.document(properties: ["KeyValue"]))["Thing.swift"] ?? ""
        #expect(text.contains("    private var keyValue2: Int32?\n"))
        #expect(text.contains("    var keyValue: Int32?\n"))
    }

    @Test func typesOfTheSameNameInTwoNamespacesGetNumbers() throws {
        let type =
            "<EntityType Name=\"Item\"><Key><PropertyRef Name=\"ID\"/></Key>"
            + "<Property Name=\"ID\" Type=\"Edm.Int32\" Nullable=\"false\"/></EntityType>"
        let schemas = ["One", "Two"].map { namespace in
            "<Schema Namespace=\"\(namespace)\" xmlns=\"http://docs.oasis-open.org/odata/ns/edm\">\(type)</Schema>"
        }
        let files = try generated(Self.document(schemas: schemas.joined()))
        #expect(files["Item.swift"]?.contains("EdmQualifiedName(\"One.Item\")") == true)
        #expect(files["Item2.swift"]?.contains("EdmQualifiedName(\"Two.Item\")") == true)
    }

    @Test("methods of collections keep their names", arguments: ["Update", "Select", "Child", "Save", "Replace"])
    func boundOperations(name: String) throws {
        let action =
            "<Action Name=\"\(name)\" IsBound=\"true\"><Parameter Name=\"thing\" Type=\"Odd.Thing\"/></Action>"
        let document = Self.document(properties: ["A"]).replacing("</EntityType>", with: "</EntityType>" + action)
        let text = try generated(document)["Thing.swift"] ?? ""
        #expect(text.contains("func \(name.lowercased())Operation(_ thing: Thing)"), "\(text)")
    }

    static func document(
        namespace: String = "Odd", type: String = "Thing", properties: [String]
    ) -> String {
        let declared = properties.map { "<Property Name=\"\($0)\" Type=\"Edm.Int32\"/>" }.joined()
        return document(
            schemas: """
                <Schema Namespace="\(namespace)" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <EntityType Name="\(type)"><Key><PropertyRef Name="Key"/></Key>
                <Property Name="Key" Type="Edm.Int32" Nullable="false"/>\(declared)</EntityType>
                <EntityContainer Name="Container"><EntitySet Name="Things" EntityType="\(namespace).\(type)"/>
                </EntityContainer></Schema>
                """)
    }

    private static func document(schemas: String) -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        \(schemas)</edmx:DataServices></edmx:Edmx>
        """
    }
}

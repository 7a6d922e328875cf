import ODataGeneration
import Testing

/// What is written of types other than entity types, and of the service, to the letter.
@Suite struct GoldenTypeTests {
    @Test func complexTypesBecomeStructures() throws {
        let files = try generated(ShopModel.document)
        #expect(
            files["Size.swift"] == #"""
                // Written by `odata generate`: changes are lost when it runs again.

                import OData

                /// `Shop.Size`
                struct Size: ComplexPropertyValue, QueryElement {
                    static let typeName = EdmQualifiedName("Shop.Size")
                    static let propertyNames = ["Width", "Unit"]

                    var width: Double
                    var unit: String?
                    /// Members that this structure does not know, with the name of a derived type: written back as read.
                    var additional = EdmComplexValue()

                    init(width: Double, unit: String? = nil) {
                        self.width = width
                        self.unit = unit
                    }

                    init?(complex: EdmComplexValue) {
                        guard let width: Double = complex.value("Width") else { return nil }
                        self.width = width
                        guard let unit: String? = complex.optional("Unit") else { return nil }
                        self.unit = unit
                        self.additional = complex.additional(to: Self.propertyNames)
                    }

                    var complex: EdmComplexValue {
                        EdmComplexValue(
                            [.init(name: "Width", value: width.edm), .init(name: "Unit", value: unit?.edm ?? .null)], and: additional)
                    }

                    struct Fields: QueryFields {
                        let path: FieldPath
                        var width: QueryOperand<Double> { path.property("Width") }
                        var unit: QueryOperand<String> { path.property("Unit") }
                    }
                }

                """#)
    }

    @Test func enumerationsBecomeStructuresThatTakeUnknownMembers() throws {
        let files = try generated(ShopModel.document)
        #expect(
            files["Color.swift"] == #"""
                // Written by `odata generate`: changes are lost when it runs again.

                import OData

                /// `Shop.Color`
                struct Color: EnumerationValue, CaseIterable {
                    static let typeName = EdmQualifiedName("Shop.Color")
                    static let members: [EdmEnumType.Member] = [.init(name: "Red", value: 0), .init(name: "DarkBlue", value: 1)]
                    static let allCases: [Color] = [.red, .darkBlue]

                    static let red = Color(rawValue: "Red")
                    static let darkBlue = Color(rawValue: "DarkBlue")

                    let rawValue: String
                }

                """#)
    }

    @Test func flagsBecomeOptionSets() throws {
        let files = try generated(ShopModel.document)
        #expect(
            files["Rights.swift"] == #"""
                // Written by `odata generate`: changes are lost when it runs again.

                import OData

                /// `Shop.Rights`
                struct Rights: FlagsValue {
                    static let typeName = EdmQualifiedName("Shop.Rights")
                    private static let members: [EdmEnumType.Member] = [.init(name: "None", value: 0), .init(name: "Read", value: 1)]
                    static let type = EdmEnumType(name: typeName, underlyingType: .int32, isFlags: true, members: members)

                    static let noneMember: Rights = []
                    static let read = Rights(rawValue: 1)

                    let rawValue: Int64
                    var unknownMembers: Set<String> = []

                    init(rawValue: Int64) { self.rawValue = rawValue }
                }

                """#)
    }

    @Test func theServiceHasSetsSingletonsAndOperations() throws {
        let files = try generated(ShopModel.document)
        #expect(
            files["ShopService.swift"] == #"""
                // Written by `odata generate`: changes are lost when it runs again.

                import OData

                struct ShopService: Sendable {
                    let collections: EntityCollections

                    init(_ store: any ODataStore) {
                        collections = EntityCollections(store)
                    }

                    /// `Products`
                    var products: EntityCollection<Product> { collections.of(Product.self, in: "Products") }

                    /// `Categories`
                    var categories: EntityCollection<Category> { collections.of(Category.self, in: "Categories") }

                    /// `Favourite`, one entity: `one()` reads it.
                    var favourite: EntityCollection<Product> { collections.singleton(Product.self, named: "Favourite") }

                    /// `Best`
                    func best(count: Int32) -> EntityCollection<Product> {
                        collections.function("Best", ["count": count.edm]).entities(of: Product.self)
                    }
                }

                """#)
    }

    @Test func keysOfSeveralPropertiesBecomeStructures() throws {
        let text = try #require(try generated(ShopModel.document)["Category.swift"])
        #expect(
            text.contains(
                """
                    struct Key: Hashable, Sendable {
                        var code: String
                        var region: Int32
                    }

                    static func entityKey(_ key: Key) -> EntityKey {
                        EntityKey([.init(name: "Code", value: key.code.edm), .init(name: "Region", value: key.region.edm)])
                    }
                """))
    }

    @Test func whatIsPublicHasInitializersForOtherModules() throws {
        let files = try generated(ShopModel.document, access: .public)
        #expect(files["Category.swift"]?.contains("        public init(code: String, region: Int32) {") == true)
        #expect(files["Color.swift"]?.contains("    public init(rawValue: String) { self.rawValue") == true)
        #expect(files["Size.swift"]?.contains("        public init(path: FieldPath) { self.path") == true)
        #expect(files["ShopService.swift"]?.contains("    public init(_ store: any ODataStore) {") == true)
        #expect(files["Product.swift"]?.contains("    @ExpandedEntity public var category: Category?") == true)
    }

    @Test func theSameModelGivesTheSameFiles() throws {
        #expect(try generated(ShopModel.document) == generated(ShopModel.document))
    }

    @Test func keysInComplexPropertiesAreFoundByTheirAliases() throws {
        let document = ShopModel.document.replacing(
            """
            <PropertyRef Name="Code"/><PropertyRef Name="Region"/></Key>
            """,
            with: """
                <PropertyRef Name="Size/Unit" Alias="unit"/><PropertyRef Name="Region"/></Key>
                <Property Name="Size" Type="Shop.Size" Nullable="false"/>
                """
        ).replacing(
            #"<PropertyRef Name="ID"/>"#, with: #"<PropertyRef Name="Size/Width" Alias="width"/>"#)
        let files = try generated(document)
        let category = try #require(files["Category.swift"])
        for line in [
            #"static let keyNames = ["unit", "Region"]"#, #"static let keyPaths = ["Size/Unit", "Region"]"#,
            "struct Category: TypedEntity {", "struct Key: Hashable, Sendable {", "var unit: String",
            "var region: Int32",
            "static func entityKey(_ key: Key) -> EntityKey {",
            #"EntityKey([.init(name: "unit", value: key.unit.edm), .init(name: "Region", value: key.region.edm)])"#,
        ] {
            #expect(category.contains(line), "\(line) in\n\(category)")
        }
        let product = try #require(files["Product.swift"])
        for line in [
            #"static let keyPaths = ["Size/Width"]"#,
            #"static func entityKey(_ key: Double) -> EntityKey { EntityKey("width", key.edm) }"#,
        ] {
            #expect(product.contains(line), "\(line) in\n\(product)")
        }
        #expect(files.values.filter { $0.contains("keyPaths") }.count == 2)
    }
}

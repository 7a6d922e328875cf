import ODataModel
import ODataQuery
import ODataStores

@testable import ODataSQLite

/// A model with what tables of somebody else's file do not have.
enum DeclaredShop {
    static let namespace = "Shop"

    static func name(_ name: String) -> QualifiedName { QualifiedName(namespace: namespace, name: name) }

    static func model() throws -> Model {
        let color = EnumType(
            name: name("Color"), isFlags: true,
            members: [.init(name: "Red", value: 1), .init(name: "Green", value: 2), .init(name: "Blue", value: 4)])
        return try Model(schemas: [
            Schema(
                namespace: namespace,
                types: [address, product, special, category, order, item, note, profile, settings],
                enumTypes: [color], container: "Container", entitySets: sets)
        ])
    }

    private static let address = StructuredTypeDeclaration(
        kind: .complex, name: name("Address"),
        properties: [
            Property(name: "City", type: .string, isNullable: false, maxLength: 10),
            Property(name: "Zip", type: .string),
        ])

    private static let product = StructuredTypeDeclaration(
        name: name("Product"), isOpen: true, key: ["ID"],
        properties: [
            Property(name: "ID", type: .int32, isNullable: false),
            Property(name: "Name", type: .string, isNullable: false, maxLength: 20),
            Property(name: "Price", type: .decimal, precision: 20, scale: .fixed(4)),
            Property(name: "Rating", type: .primitive(.byte), isNullable: false, defaultValue: "3"),
            Property(name: "Color", type: .enumeration(name("Color")), isNullable: false, defaultValue: "Red"),
            Property(name: "Tags", type: .collection(.string), isNullable: false),
            Property(name: "Origin", type: .complex(name("Address"))),
            Property(name: "Seen", type: .primitive(.dateTimeOffset)),
            Property(name: "Code", type: .string, annotations: [Annotation(term: Annotation.immutable)]),
            Property(name: "Version", type: .int32, annotations: [Annotation(term: Annotation.computed)]),
            Property(name: "CategoryID", type: .primitive(.guid)),
        ],
        navigationProperties: [
            NavigationProperty(
                name: "Category", target: name("Category"), isCollection: false, partner: "Products",
                constraints: [.init(property: "CategoryID", referencedProperty: "ID")]),
            NavigationProperty(name: "Related", target: name("Product"), isCollection: true),
            NavigationProperty(
                name: "Profile", target: name("Profile"), isCollection: false, containsTarget: true),
        ])

    private static let special = StructuredTypeDeclaration(
        name: name("Special"), baseType: name("Product"),
        properties: [Property(name: "Extra", type: .string, isNullable: false)])

    private static let category = StructuredTypeDeclaration(
        name: name("Category"), key: ["ID"],
        properties: [
            Property(name: "ID", type: .primitive(.guid), isNullable: false),
            Property(name: "Name", type: .string, isNullable: false),
        ],
        navigationProperties: [
            NavigationProperty(name: "Products", target: name("Product"), isCollection: true, partner: "Category")
        ])

    private static let order = StructuredTypeDeclaration(
        name: name("Order"), key: ["ID"],
        properties: [
            Property(name: "ID", type: .int32, isNullable: false), Property(name: "Customer", type: .string),
        ],
        navigationProperties: [
            NavigationProperty(name: "Items", target: name("Item"), isCollection: true, containsTarget: true)
        ])

    private static let item = StructuredTypeDeclaration(
        name: name("Item"), key: ["Line"],
        properties: [
            Property(name: "Line", type: .string, isNullable: false),
            Property(name: "Quantity", type: .int32, isNullable: false),
            Property(name: "ProductID", type: .int32, isNullable: false),
            Property(name: "Scan", type: .stream),
        ],
        navigationProperties: [
            NavigationProperty(
                name: "Product", target: name("Product"), isCollection: false, isNullable: false,
                constraints: [.init(property: "ProductID", referencedProperty: "ID")]),
            NavigationProperty(name: "Notes", target: name("Note"), isCollection: true, containsTarget: true),
        ])

    private static let note = StructuredTypeDeclaration(
        name: name("Note"), key: ["ID"],
        properties: [
            Property(name: "ID", type: .int32, isNullable: false), Property(name: "Text", type: .string),
        ])

    private static let profile = StructuredTypeDeclaration(
        name: name("Profile"),
        properties: [Property(name: "Text", type: .string), Property(name: "Scan", type: .stream)])

    private static let settings = StructuredTypeDeclaration(
        name: name("Settings"),
        properties: [
            Property(name: "Theme", type: .string, isNullable: false, defaultValue: "light"),
            Property(name: "Volume", type: .int32),
        ])

    private static let sets = [
        EntitySetDeclaration(
            name: "Products", type: name("Product"), bindings: ["Category": "Categories", "Related": "Products"]),
        EntitySetDeclaration(name: "Categories", type: name("Category"), bindings: ["Products": "Products"]),
        EntitySetDeclaration(name: "Orders", type: name("Order"), bindings: ["Items/Product": "Products"]),
        EntitySetDeclaration(kind: .singleton, name: "Settings", type: name("Settings")),
    ]

    /// A temporary store with three products, a category and an order.
    static func store(tracksChanges: Bool = false) async throws -> SQLiteStore {
        var rules = TableRules()
        rules.computed = ["Products/Version": .version]
        var configuration = SQLiteStore.Configuration()
        configuration.tracksChanges = tracksChanges
        let store = try SQLiteStore(model: try model(), rules: rules, configuration: configuration)
        try await store.load([
            StoredEntity("Categories", EntityPayload(["ID": .guid(tea), "Name": .string("Tea")])),
            product(1, "Green", category: .guid(tea)), product(2, "Black", category: .guid(tea)), product(3, "White"),
            StoredEntity(
                "Orders",
                EntityPayload(
                    ["ID": .integer(1), "Customer": .string("Ada")],
                    nested: [
                        .init(
                            navigation: "Items",
                            entities: [
                                EntityPayload([
                                    "Line": .string("a"), "Quantity": .integer(2), "ProductID": .integer(1),
                                ])
                            ])
                    ])),
        ])
        return store
    }

    static let tea = EdmGuid(high: 1, low: 2)

    private static func product(_ id: Int64, _ name: String, category: Value = .null) -> StoredEntity {
        StoredEntity(
            "Products",
            EntityPayload([
                "ID": .integer(id), "Name": .string(name), "Version": .integer(1), "CategoryID": category,
                "Origin": .complex(["City": .string("Uji"), "Zip": .string("611")]),
            ]))
    }
}

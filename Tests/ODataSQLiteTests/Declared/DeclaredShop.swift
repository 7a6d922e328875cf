import ODataModel
import ODataQuery
import ODataStores

@testable import ODataSQLite

/// A model with what tables of somebody else's file do not have.
enum DeclaredShop {
    static let namespace = "Shop"

    static func name(_ name: String) -> EdmQualifiedName { EdmQualifiedName(namespace: namespace, name: name) }

    static func model() throws -> EdmModel {
        let color = EdmEnumType(
            name: name("Color"), isFlags: true,
            members: [.init(name: "Red", value: 1), .init(name: "Green", value: 2), .init(name: "Blue", value: 4)])
        return try EdmModel(schemas: [
            EdmSchema(
                namespace: namespace,
                types: [address, product, special, category, order, item, note, profile, settings],
                enumTypes: [color], container: "Container", entitySets: sets)
        ])
    }

    private static let address = EdmStructuredTypeDeclaration(
        kind: .complex, name: name("Address"),
        properties: [
            EdmProperty(name: "City", type: .string, isNullable: false, maxLength: 10),
            EdmProperty(name: "Zip", type: .string),
        ])

    private static let product = EdmStructuredTypeDeclaration(
        name: name("Product"), isOpen: true, key: ["ID"],
        properties: [
            EdmProperty(name: "ID", type: .int32, isNullable: false),
            EdmProperty(name: "Name", type: .string, isNullable: false, maxLength: 20),
            EdmProperty(name: "Price", type: .decimal, precision: 20, scale: .fixed(4)),
            EdmProperty(name: "Rating", type: .primitive(.byte), isNullable: false, defaultValue: "3"),
            EdmProperty(name: "Color", type: .enumeration(name("Color")), isNullable: false, defaultValue: "Red"),
            EdmProperty(name: "Tags", type: .collection(.string), isNullable: false),
            EdmProperty(name: "Origin", type: .complex(name("Address"))),
            EdmProperty(name: "Seen", type: .primitive(.dateTimeOffset)),
            EdmProperty(name: "Code", type: .string, annotations: [EdmAnnotation(term: EdmAnnotation.immutable)]),
            EdmProperty(name: "Version", type: .int32, annotations: [EdmAnnotation(term: EdmAnnotation.computed)]),
            EdmProperty(name: "CategoryID", type: .primitive(.guid)),
        ],
        navigationProperties: [
            EdmNavigationProperty(
                name: "Category", target: name("Category"), isCollection: false, partner: "Products",
                constraints: [.init(property: "CategoryID", referencedProperty: "ID")]),
            EdmNavigationProperty(name: "Related", target: name("Product"), isCollection: true),
            EdmNavigationProperty(
                name: "Profile", target: name("Profile"), isCollection: false, containsTarget: true),
        ])

    private static let special = EdmStructuredTypeDeclaration(
        name: name("Special"), baseType: name("Product"),
        properties: [EdmProperty(name: "Extra", type: .string, isNullable: false)])

    private static let category = EdmStructuredTypeDeclaration(
        name: name("Category"), key: ["ID"],
        properties: [
            EdmProperty(name: "ID", type: .primitive(.guid), isNullable: false),
            EdmProperty(name: "Name", type: .string, isNullable: false),
        ],
        navigationProperties: [
            EdmNavigationProperty(name: "Products", target: name("Product"), isCollection: true, partner: "Category")
        ])

    private static let order = EdmStructuredTypeDeclaration(
        name: name("Order"), key: ["ID"],
        properties: [
            EdmProperty(name: "ID", type: .int32, isNullable: false), EdmProperty(name: "Customer", type: .string),
        ],
        navigationProperties: [
            EdmNavigationProperty(name: "Items", target: name("Item"), isCollection: true, containsTarget: true)
        ])

    private static let item = EdmStructuredTypeDeclaration(
        name: name("Item"), key: ["Line"],
        properties: [
            EdmProperty(name: "Line", type: .string, isNullable: false),
            EdmProperty(name: "Quantity", type: .int32, isNullable: false),
            EdmProperty(name: "ProductID", type: .int32, isNullable: false),
            EdmProperty(name: "Scan", type: .stream),
        ],
        navigationProperties: [
            EdmNavigationProperty(
                name: "Product", target: name("Product"), isCollection: false, isNullable: false,
                constraints: [.init(property: "ProductID", referencedProperty: "ID")]),
            EdmNavigationProperty(name: "Notes", target: name("Note"), isCollection: true, containsTarget: true),
        ])

    private static let note = EdmStructuredTypeDeclaration(
        name: name("Note"), key: ["ID"],
        properties: [
            EdmProperty(name: "ID", type: .int32, isNullable: false), EdmProperty(name: "Text", type: .string),
        ])

    private static let profile = EdmStructuredTypeDeclaration(
        name: name("Profile"),
        properties: [EdmProperty(name: "Text", type: .string), EdmProperty(name: "Scan", type: .stream)])

    private static let settings = EdmStructuredTypeDeclaration(
        name: name("Settings"),
        properties: [
            EdmProperty(name: "Theme", type: .string, isNullable: false, defaultValue: "light"),
            EdmProperty(name: "Volume", type: .int32),
        ])

    private static let sets = [
        EdmEntitySetDeclaration(
            name: "Products", type: name("Product"), bindings: ["Category": "Categories", "Related": "Products"]),
        EdmEntitySetDeclaration(name: "Categories", type: name("Category"), bindings: ["Products": "Products"]),
        EdmEntitySetDeclaration(name: "Orders", type: name("Order"), bindings: ["Items/Product": "Products"]),
        EdmEntitySetDeclaration(kind: .singleton, name: "Settings", type: name("Settings")),
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

    private static func product(_ id: Int64, _ name: String, category: EdmValue = .null) -> StoredEntity {
        StoredEntity(
            "Products",
            EntityPayload([
                "ID": .integer(id), "Name": .string(name), "Version": .integer(1), "CategoryID": category,
                "Origin": .complex(["City": .string("Uji"), "Zip": .string("611")]),
            ]))
    }
}

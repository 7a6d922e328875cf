import ODataModel
import ODataQuery

/// A model with inheritance, open types, containment and operations, for the parts of the language that need them.
enum LanguageModel {
    static let model = make()
    static let parser = QueryParser(model: model)

    private static func make() -> EdmModel {
        var schema = schema
        schema.typeDefinitions = [EdmTypeDefinition(name: name("Kilograms"), underlyingType: .decimal)]
        do {
            return try EdmModel(schemas: [schema])
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func name(_ text: String) -> EdmQualifiedName {
        EdmQualifiedName(namespace: "Sales.Model", name: text)
    }

    private static func property(_ name: String, _ type: EdmPrimitiveType) -> EdmProperty {
        EdmProperty(name: name, type: .primitive(type))
    }

    private static let schema = EdmSchema(
        namespace: "Sales.Model", alias: "Self",
        types: [person, manager, note, address, place, sale, line, part, customer, file],
        enumTypes: [.init(name: name("Mood"), members: [.init(name: "Good", value: 1), .init(name: "Bad", value: 2)])],
        operations: operations, container: "Container",
        entitySets: [
            .init(name: "People", type: name("Person"), bindings: ["Boss": "People", "Reports": "People"]),
            .init(name: "Notes", type: name("Note")),
            .init(name: "Sales", type: name("Sale"), bindings: ["Customer": "Customers", "Seller": "People"]),
            .init(name: "Customers", type: name("Customer"), bindings: ["Sales": "Sales"]),
            .init(kind: .singleton, name: "Me", type: name("Person"), bindings: ["Boss": "People"]),
            .init(kind: .singleton, name: "LastSale", type: name("Sale")),
        ],
        operationImports: [
            .init(kind: .function, name: "TopPeople", operation: name("TopPeople"), entitySet: "People"),
            .init(kind: .function, name: "Area", operation: name("Area")),
            .init(kind: .action, name: "Reset", operation: name("Reset")),
        ])

    private static let person = EdmStructuredTypeDeclaration(
        name: name("Person"), key: ["ID"],
        properties: [
            property("ID", .int32), property("Name", .string), property("Age", .int32),
            EdmProperty(name: "Home", type: .complex(name("Address"))),
            EdmProperty(name: "Mood", type: .enumeration(name("Mood"))),
            EdmProperty(name: "Tags", type: .collection(.string)),
            EdmProperty(name: "Homes", type: .collection(.complex(name("Address")))),
            property("Spot", .geographyPoint), property("Photo", .stream), weight,
        ],
        navigationProperties: [
            .init(name: "Boss", target: name("Person"), isCollection: false),
            .init(name: "Reports", target: name("Person"), isCollection: true),
            .init(name: "Files", target: name("File"), isCollection: true, containsTarget: true),
        ],
        annotations: [
            EdmAnnotation(
                term: "Org.OData.Aggregation.V1.RecursiveHierarchy#Chain",
                value: .record([
                    "NodeProperty": .path(.property, "ID"),
                    "ParentNavigationProperty": .path(.navigationProperty, "Boss"),
                ]))
        ])

    private static let weight: EdmProperty = {
        var weight = EdmProperty(name: "Weight", type: .decimal)
        weight.namedType = name("Kilograms")
        return weight
    }()

    private static let manager = EdmStructuredTypeDeclaration(
        name: name("Manager"), baseType: name("Person"), properties: [property("Budget", .decimal)],
        navigationProperties: [.init(name: "Deputy", target: name("Person"), isCollection: false)])

    private static let note = EdmStructuredTypeDeclaration(
        name: name("Note"), isOpen: true, key: ["ID"], properties: [property("ID", .guid)])

    private static let file = EdmStructuredTypeDeclaration(
        name: name("File"), key: ["Path"], properties: [property("Path", .string), property("Size", .int64)])

    private static let address = EdmStructuredTypeDeclaration(
        kind: .complex, name: name("Address"), properties: [property("City", .string), property("Zip", .string)],
        navigationProperties: [.init(name: "Mayor", target: name("Person"), isCollection: false)])

    private static let place = EdmStructuredTypeDeclaration(
        kind: .complex, name: name("Place"), baseType: name("Address"), properties: [property("Height", .double)])

    private static let sale = EdmStructuredTypeDeclaration(
        name: name("Sale"), key: ["ID"],
        properties: [
            property("ID", .int32), property("Amount", .decimal), property("Year", .int32), property("Month", .int32),
        ],
        navigationProperties: [
            .init(name: "Customer", target: name("Customer"), isCollection: false),
            .init(name: "Seller", target: name("Person"), isCollection: false),
            .init(name: "Lines", target: name("Line"), isCollection: true, partner: "Sale", containsTarget: true),
        ])

    private static let line = EdmStructuredTypeDeclaration(
        name: name("Line"), key: ["SaleID", "Number"],
        properties: [property("SaleID", .int32), property("Number", .int32), property("Note", .string)],
        navigationProperties: [
            .init(
                name: "Sale", target: name("Sale"), isCollection: false,
                constraints: [.init(property: "SaleID", referencedProperty: "ID")]),
            .init(name: "Parts", target: name("Part"), isCollection: true, containsTarget: true),
        ])

    /// Its relation names its partner, which does not name it.
    private static let part = EdmStructuredTypeDeclaration(
        name: name("Part"), key: ["SaleID", "Number", "Code"],
        properties: [property("SaleID", .int32), property("Number", .int32), property("Code", .string)],
        navigationProperties: [
            .init(
                name: "Line", target: name("Line"), isCollection: false, partner: "Parts",
                constraints: [
                    .init(property: "SaleID", referencedProperty: "SaleID"),
                    .init(property: "Number", referencedProperty: "Number"),
                ])
        ])

    private static let customer = EdmStructuredTypeDeclaration(
        name: name("Customer"), key: ["ID"],
        properties: [property("ID", .string), property("Country", .string), property("City", .string)],
        navigationProperties: [.init(name: "Sales", target: name("Sale"), isCollection: true)])

    private static let operations: [EdmOperationDeclaration] = [
        EdmOperationDeclaration(
            kind: .function, name: name("TopPeople"), isComposable: true,
            parameters: [.init(name: "count", type: .int32)], result: .init(type: .collection(.entity(name("Person"))))),
        EdmOperationDeclaration(
            kind: .function, name: name("TopPeople"), isComposable: true,
            parameters: [.init(name: "count", type: .int32), .init(name: "mood", type: .enumeration(name("Mood")))],
            result: .init(type: .collection(.entity(name("Person"))))),
        EdmOperationDeclaration(
            kind: .function, name: name("Area"),
            parameters: [
                .init(name: "sizes", type: .collection(.double)), .init(name: "at", type: .complex(name("Address"))),
            ],
            result: .init(type: .double)),
        EdmOperationDeclaration(kind: .action, name: name("Reset")),
        EdmOperationDeclaration(
            kind: .function, name: name("Oldest"), isBound: true, isComposable: true, entitySetPath: "people",
            parameters: [.init(name: "people", type: .collection(.entity(name("Person"))))],
            result: .init(type: .entity(name("Person")))),
        EdmOperationDeclaration(
            kind: .function, name: name("Distance"), isBound: true,
            parameters: [.init(name: "from", type: .entity(name("Person"))), .init(name: "to", type: .string)],
            result: .init(type: .double)),
        EdmOperationDeclaration(
            kind: .action, name: name("Promote"), isBound: true,
            parameters: [.init(name: "person", type: .entity(name("Person"))), .init(name: "by", type: .int32)],
            result: .init(type: .entity(name("Person")))),
    ]
}

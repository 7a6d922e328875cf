import ODataModel
import ODataQuery

/// The model the tests of this target ask questions about.
enum SampleModel {
    static let model = make()
    static let parser = QueryParser(model: model)

    static func set(_ name: String) throws -> EdmEntitySet {
        guard let set = model.entitySet(named: name) else { throw QueryError(.unknownName, name) }
        return set
    }

    private static func make() -> EdmModel {
        do {
            return try EdmModel(schemas: [schema])
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func name(_ text: String) -> EdmQualifiedName { EdmQualifiedName(namespace: "Model", name: text) }

    private static func property(_ name: String, _ type: EdmPrimitiveType) -> EdmProperty {
        EdmProperty(name: name, type: .primitive(type))
    }

    private static let color = EdmEnumType(
        name: name("Color"), members: [.init(name: "Red", value: 0), .init(name: "Green", value: 1)])

    private static let rights = EdmEnumType(
        name: name("Rights"), isFlags: true, members: [.init(name: "Read", value: 1), .init(name: "Write", value: 2)])

    private static let schema = EdmSchema(
        namespace: "Model", alias: "Self",
        types: [product, category, order, item, customer, address, event],
        enumTypes: [color, rights], container: "Container",
        entitySets: [
            .init(name: "Products", type: name("Product"), bindings: ["Category": "Categories", "Items": "Items"]),
            .init(name: "Categories", type: name("Category"), bindings: ["Products": "Products"]),
            .init(name: "Orders", type: name("Order"), bindings: ["Items": "Items", "Customer": "Customers"]),
            .init(name: "Items", type: name("Item"), bindings: ["Order": "Orders", "Product": "Products"]),
            .init(name: "Customers", type: name("Customer"), bindings: ["Orders": "Orders"]),
            .init(name: "Events", type: name("Event")),
            .init(kind: .singleton, name: "Me", type: name("Customer"), bindings: ["Orders": "Orders"]),
        ])

    private static let product = EdmStructuredTypeDeclaration(
        name: name("Product"), hasStream: true, key: ["ID"],
        properties: [
            property("ID", .int32), property("Name", .string), property("Price", .decimal),
            property("Weight", .double), property("Small", .single), property("Stock", .int16),
            property("Sold", .int64), property("Level", .byte), property("Discontinued", .boolean),
            property("Released", .date), property("Changed", .dateTimeOffset), property("Opens", .timeOfDay),
            property("Age", .duration), property("Code", .guid), property("Picture", .stream),
            property("Hash", .binary), EdmProperty(name: "Color", type: .enumeration(name("Color"))),
            EdmProperty(name: "Rights", type: .enumeration(name("Rights"))),
            EdmProperty(name: "Tags", type: .collection(.string)), property("Größe", .int32),
        ],
        navigationProperties: [
            .init(name: "Category", target: name("Category"), isCollection: false),
            .init(name: "Items", target: name("Item"), isCollection: true),
        ])

    private static let category = EdmStructuredTypeDeclaration(
        name: name("Category"), key: ["Name"], properties: [property("Name", .string), property("Rank", .int32)],
        navigationProperties: [.init(name: "Products", target: name("Product"), isCollection: true)])

    private static let order = EdmStructuredTypeDeclaration(
        name: name("Order"), key: ["ID"], properties: [property("ID", .int64), property("Placed", .dateTimeOffset)],
        navigationProperties: [
            .init(name: "Items", target: name("Item"), isCollection: true),
            .init(name: "Customer", target: name("Customer"), isCollection: false),
        ])

    private static let item = EdmStructuredTypeDeclaration(
        name: name("Item"), key: ["OrderID", "ProductID"],
        properties: [property("OrderID", .int64), property("ProductID", .int32), property("Quantity", .int32)],
        navigationProperties: [
            .init(name: "Order", target: name("Order"), isCollection: false),
            .init(name: "Product", target: name("Product"), isCollection: false),
        ])

    private static let customer = EdmStructuredTypeDeclaration(
        name: name("Customer"), key: ["ID"],
        properties: [
            property("ID", .guid), property("Name", .string),
            EdmProperty(name: "Address", type: .complex(name("Address"))),
            EdmProperty(name: "Addresses", type: .collection(.complex(name("Address")))),
        ],
        navigationProperties: [.init(name: "Orders", target: name("Order"), isCollection: true)])

    private static let address = EdmStructuredTypeDeclaration(
        kind: .complex, name: name("Address"), properties: [property("Street", .string), property("City", .string)])

    private static let event = EdmStructuredTypeDeclaration(
        name: name("Event"), key: ["At", "Day", "Length", "Color", "Ratio"],
        properties: [
            property("At", .dateTimeOffset), property("Day", .date), property("Length", .duration),
            EdmProperty(name: "Color", type: .enumeration(name("Color"))), property("Ratio", .double),
        ])
}

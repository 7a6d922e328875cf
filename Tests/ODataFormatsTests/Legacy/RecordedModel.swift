import Foundation
import ODataModel

@testable import ODataFormats

/// The model that the recorded messages assume, as far as they show it.
enum RecordedModel {
    static func make() throws -> EdmModel {
        func type(
            _ name: String, base: String? = nil, key: [String] = [], _ properties: [(String, EdmPrimitiveType)],
            _ navigation: [(String, String, Bool)] = []
        ) -> EdmStructuredTypeDeclaration {
            EdmStructuredTypeDeclaration(
                name: EdmQualifiedName("NorthwindModel.\(name)"),
                baseType: base.map { EdmQualifiedName("NorthwindModel.\($0)") }, key: key,
                properties: properties.map { EdmProperty(name: $0, type: .primitive($1)) },
                navigationProperties: navigation.map {
                    EdmNavigationProperty(name: $0, target: EdmQualifiedName("NorthwindModel.\($1)"), isCollection: $2)
                })
        }
        let names = ["Products", "Categories", "Orders", "Employees", "Transport", "Movies"]
        let types = ["Product", "Category", "Order", "Employee", "Transport", "Movie"]
        let schema = EdmSchema(
            namespace: "NorthwindModel",
            types: [
                type(
                    "Product", key: ["ProductID"],
                    [
                        ("ProductID", .int32), ("ProductName", .string), ("EnglishName", .string),
                        ("SupplierID", .int32), ("CategoryID", .int32), ("QuantityPerUnit", .string),
                        ("UnitPrice", .decimal), ("UnitsInStock", .int16), ("UnitsOnOrder", .int16),
                        ("ReorderLevel", .int16), ("Discontinued", .boolean),
                    ], [("Category", "Category", false)]),
                type(
                    "Category", key: ["CategoryID"],
                    [
                        ("CategoryID", .int32), ("CategoryName", .string), ("Description", .string),
                        ("Picture", .binary),
                    ], [("Products", "Product", true)]),
                type(
                    "Order", key: ["OrderID"],
                    [
                        ("OrderID", .int32), ("CustomerID", .string), ("EmployeeID", .int32), ("ShipName", .string),
                        ("ShipAddress", .string), ("ShipCity", .string), ("ShipRegion", .string),
                        ("ShipPostalCode", .string), ("ShipCountry", .string), ("ShipVia", .int32),
                        ("OrderDate", .dateTimeOffset), ("RequiredDate", .dateTimeOffset),
                        ("ShippedDate", .dateTimeOffset), ("Freight", .decimal),
                    ], [("Employee", "Employee", false)]),
                type(
                    "Employee", key: ["EmployeeID"],
                    [
                        ("EmployeeID", .int32), ("FirstName", .string), ("LastName", .string), ("Title", .string),
                        ("BirthDate", .dateTimeOffset), ("HireDate", .dateTimeOffset), ("Address", .string),
                        ("City", .string), ("Region", .string), ("PostalCode", .string), ("Country", .string),
                        ("HomePhone", .string), ("Extension", .string), ("Photo", .binary), ("Notes", .string),
                        ("ReportsTo", .int32),
                    ], [("Superior", "Employee", false), ("Subordinates", "Employee", true)]),
                type("Transport", key: ["TransportID"], [("TransportID", .int32), ("TransportType", .int32)]),
                type("Ship", base: "Transport", [("ShipName", .string)]),
                type("Truck", base: "Transport", [("TruckNumber", .string)]),
                type(
                    "Movie", key: ["ID"],
                    [
                        ("ID", .int32), ("Title", .string), ("Year", .int32), ("DueDate", .dateTimeOffset),
                        ("Count", .int64),
                    ]),
            ], container: "Container",
            entitySets: zip(names, types).map {
                EdmEntitySetDeclaration(name: $0, type: EdmQualifiedName("NorthwindModel.\($1)"))
            })
        return try EdmModel(schemas: [schema])
    }

    /// All properties of `type` and its heirs, and `depth` levels of everything it can expand.
    static func shape(_ type: EdmStructuredType, model: EdmModel, depth: Int = 3) -> RowShape {
        let types = [type] + model.derivedTypes(of: type)
        var properties = type.properties
        for derived in types.dropFirst() {
            properties += derived.properties.filter { property in !properties.contains { $0.name == property.name } }
        }
        let children: [RowShape.Child] =
            depth == 0
            ? []
            : type.navigationProperties.compactMap { navigation in
                model.target(of: navigation).map {
                    RowShape.Child(navigation: navigation, shape: shape($0, model: model, depth: depth - 1))
                }
            }
        let set = model.entitySets.first { $0.type == type }
        return RowShape(
            model: model, entitySet: set, type: type, properties: properties, children: children, types: types)
    }
}

/// One of the recorded messages.
struct RecordedMessage: Decodable {
    struct Header: Decodable {
        var key: String
        var value: [String]

        enum CodingKeys: String, CodingKey {
            case key = "Key"
            case value = "Value"
        }
    }

    var test: String
    var index: Int
    var content: String?
    var contentHeaders: [Header]?
    var method: String?
    var statusCode: Int?
    var uri: String

    enum CodingKeys: String, CodingKey {
        case test, index
        case content = "Content"
        case contentHeaders = "ContentHeaders"
        case method = "Method"
        case statusCode = "StatusCode"
        case uri = "RequestUri"
    }

    var contentType: String {
        contentHeaders?.first { $0.key.lowercased() == "content-type" }?.value.joined(separator: ",") ?? ""
    }

    static func all(in folder: String) throws -> [RecordedMessage] {
        let file = URL(fileURLWithPath: folder).appendingPathComponent("simple-odata-client-sample.jsonl")
        let text = try String(contentsOf: file, encoding: .utf8)
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(RecordedMessage.self, from: Data($0.utf8))
        }
    }
}

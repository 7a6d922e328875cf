import ODataModel
import ODataSQL

/// A small shop: a composite key, a self reference, a link table, every codec.
enum ShopModel {
    static let model: EdmModel? = try? EdmModel(schemas: [schema])

    private static let schema = EdmSchema(
        namespace: "Shop",
        types: [customer, order, item, product, tag, employee, thing], container: "Container",
        entitySets: [
            set("Customers", "Customer", ["Orders": "Orders"]),
            set("Orders", "Order", ["Customer": "Customers", "Items": "Items", "Gift": "Products"]),
            set("Items", "Item", ["Order": "Orders", "Product": "Products"]),
            set("Products", "Product", ["Tags": "Tags", "Items": "Items"]),
            set("Tags", "Tag", ["Products": "Products"]),
            set("Employees", "Employee", ["Manager": "Employees", "Reports": "Employees"]),
            set("Things", "Thing", [:]),
        ])

    private static func set(_ name: String, _ type: String, _ bindings: [String: String]) -> EdmEntitySetDeclaration {
        EdmEntitySetDeclaration(name: name, type: EdmQualifiedName("Shop.\(type)"), bindings: bindings)
    }

    private static func type(
        _ name: String, key: [String], _ properties: [(String, EdmTypeReference)],
        _ navigation: [EdmNavigationProperty] = []
    ) -> EdmStructuredTypeDeclaration {
        EdmStructuredTypeDeclaration(
            name: EdmQualifiedName("Shop.\(name)"), key: key,
            properties: properties.map { EdmProperty(name: $0.0, type: $0.1, isNullable: !key.contains($0.0)) },
            navigationProperties: navigation)
    }

    private static func to(_ target: String, _ name: String, many: Bool = false) -> EdmNavigationProperty {
        EdmNavigationProperty(name: name, target: EdmQualifiedName("Shop.\(target)"), isCollection: many)
    }

    private static let customer = type(
        "Customer", key: ["ID"], [("ID", .string), ("Name", .string), ("City", .string)],
        [to("Order", "Orders", many: true)])
    private static let order = type(
        "Order", key: ["OrderID"],
        [("OrderID", .int32), ("CustomerID", .string), ("Placed", .primitive(.dateTimeOffset)), ("Freight", .decimal)],
        [to("Customer", "Customer"), to("Item", "Items", many: true), to("Product", "Gift")])
    private static let item = type(
        "Item", key: ["OrderID", "ProductID"],
        [("OrderID", .int32), ("ProductID", .int32), ("Quantity", .int32), ("Discount", .double)],
        [to("Order", "Order"), to("Product", "Product")])
    private static let product = type(
        "Product", key: ["ProductID"],
        [("ProductID", .int32), ("Name", .string), ("Price", .decimal), ("Discontinued", .boolean)],
        [to("Tag", "Tags", many: true), to("Item", "Items", many: true)])
    private static let tag = type(
        "Tag", key: ["Code"], [("Code", .string)], [to("Product", "Products", many: true)])
    private static let employee = type(
        "Employee", key: ["EmployeeID"],
        [("EmployeeID", .int32), ("Name", .string), ("ReportsTo", .int32)],
        [to("Employee", "Manager"), to("Employee", "Reports", many: true)])
    private static let thing = type(
        "Thing", key: ["ID"],
        [
            ("ID", .int64), ("Flag", .boolean), ("Number", .int32), ("Real", .double), ("Text", .string),
            ("Bytes", .primitive(.binary)), ("Amount", .decimal), ("Exact", .decimal),
            ("Guid", .primitive(.guid)), ("Guid16", .primitive(.guid)), ("Day", .primitive(.date)),
            ("Stamp", .primitive(.dateTimeOffset)), ("Epoch", .primitive(.dateTimeOffset)),
            ("Millis", .primitive(.dateTimeOffset)), ("Julian", .primitive(.dateTimeOffset)),
            ("Midnight", .primitive(.dateTimeOffset)), ("Moment", .primitive(.dateTimeOffset)),
            ("Clock", .primitive(.timeOfDay)), ("Span", .primitive(.duration)),
            ("Words", .collection(.string)),
        ])
}

/// Where the shop lies in the test database.
struct ShopMapping: SQLMapping {
    func rows(of set: EdmEntitySet) throws -> RowSource {
        switch set.name {
        case "Customers": customers
        case "Orders": orders
        case "Items": items
        case "Products": products
        case "Tags": tags
        case "Employees": employees
        default: things
        }
    }

    private func columns(_ codecs: [(String, ColumnCodec)]) -> [String: ColumnMapping] {
        Dictionary(uniqueKeysWithValues: codecs.map { ($0.0, ColumnMapping(column: $0.0, codec: $0.1)) })
    }

    private func navigation(_ source: String, _ target: String, _ set: String) -> NavigationMapping {
        .columns([.init(source: source, target: target)], target: set)
    }

    private var customers: RowSource {
        RowSource(
            table: "Customers", rowID: "rowid",
            columns: columns([("ID", .text), ("Name", .text), ("City", .text)]),
            navigation: ["Orders": navigation("ID", "CustomerID", "Orders")],
            etag: "'W/\"' || \(.row("version")) || '\"'")
    }

    private var orders: RowSource {
        RowSource(
            table: "Orders", rowID: "OrderID",
            columns: columns([
                ("OrderID", .integer), ("CustomerID", .text), ("Freight", .decimalNumber),
                ("Placed", .instant(.text(separator: " ", fractionDigits: 0, zone: false))),
            ]),
            navigation: [
                "Customer": navigation("CustomerID", "ID", "Customers"),
                "Items": navigation("OrderID", "OrderID", "Items"),
                "Gift": .linkTable(
                    table: "gifts", source: "from", target: "to", targetSet: "Products", condition: .row("live")),
            ], condition: .row("deleted") + " = 0")
    }

    private var items: RowSource {
        RowSource(
            table: "Order Items", rowID: "rowid",
            columns: columns([
                ("OrderID", .integer), ("ProductID", .integer), ("Quantity", .integer), ("Discount", .real),
            ]),
            navigation: [
                "Order": navigation("OrderID", "OrderID", "Orders"),
                "Product": navigation("ProductID", "ProductID", "Products"),
            ])
    }

    private var products: RowSource {
        RowSource(
            table: "Products", rowID: "ProductID",
            columns: columns([
                ("ProductID", .integer), ("Name", .text), ("Price", .decimalText), ("Discontinued", .boolean),
            ]),
            navigation: [
                "Items": navigation("ProductID", "ProductID", "Items"),
                "Tags": .linkTable(
                    table: "product_tags", source: "product", target: "tag", targetSet: "Tags", condition: nil),
            ], media: StreamMapping(contentType: "CASE WHEN \(.row("ProductID")) = 1 THEN 'image/png' END"))
    }

    private var tags: RowSource {
        RowSource(
            table: "Tags", rowID: "rowid", columns: columns([("Code", .text)]),
            navigation: [
                "Products": .linkTable(
                    table: "product_tags", source: "tag", target: "product", targetSet: "Products", condition: nil)
            ])
    }

    private var employees: RowSource {
        RowSource(
            table: "Employees", rowID: "EmployeeID",
            columns: columns([("EmployeeID", .integer), ("Name", .text), ("ReportsTo", .integer)]),
            navigation: [
                "Manager": navigation("ReportsTo", "EmployeeID", "Employees"),
                "Reports": navigation("EmployeeID", "ReportsTo", "Employees"),
            ])
    }

    private var things: RowSource {
        RowSource(
            table: "Things", rowID: "ID",
            columns: columns([
                ("ID", .integer), ("Flag", .boolean), ("Number", .integer), ("Real", .real), ("Text", .text),
                ("Bytes", .blob), ("Amount", .decimalNumber), ("Exact", .decimalText), ("Guid", .guidText),
                ("Guid16", .guidBlob), ("Day", .date),
                ("Stamp", .instant(.text(separator: " ", fractionDigits: 0, zone: false))),
                ("Epoch", .instant(.unixSeconds)), ("Millis", .instant(.unixMilliseconds)),
                ("Julian", .instant(.julianDay)), ("Midnight", .instant(.dateText)), ("Moment", .instantText),
                ("Clock", .timeOfDay), ("Span", .durationText), ("Words", .json),
            ]))
    }
}

import OData

/// What the demo does with a database: which part is downloaded, read and changed offline, and what another
/// client changes meanwhile.
struct DemoScenario: Sendable {
    struct Query: Sendable {
        var name: String
        var text: String
        var streams = false
    }

    /// Created as a media entity with a drawn picture; `owner` is a binding to an entity created before.
    struct Photo: Sendable {
        var set: String
        var properties: String
        /// A navigation property and the position in ``creates`` of the entity it leads to.
        var owner: (navigation: String, create: Int)?
    }

    var title: String
    var media: [MediaColumn]
    var queries: [Query]
    /// What it shows and the URL.
    var reads: [(String, String)]
    /// Paths and JSON.
    var updates: [(String, String)]
    /// Entity sets and JSON.
    var creates: [(String, String)]
    var photos: [Photo]
    /// Paths of streams that get a new picture.
    var replacedStreams: [String]
    var deletes: [String]
    var otherUpdate: (String, String)?
    var otherDelete: String?
}

extension DemoScenario {
    /// The embedded sample.
    static let fieldService = DemoScenario(
        title: "field service sample",
        media: [MediaColumn(set: "Photos", column: "Content", contentType: "image/png")],
        queries: [
            .init(name: "partners", text: "BusinessPartners"),
            .init(name: "products", text: "Products"),
            .init(name: "orders", text: "SalesOrders?$expand=SalesOrderItems"),
            .init(name: "equipment", text: "Equipment"),
            .init(name: "work", text: "WorkOrders"),
            .init(name: "inspections", text: "Inspections"),
            .init(name: "photos", text: "Photos", streams: true),
        ],
        reads: [
            ("a filter", "Products?$filter=Price gt 1500 and not Discontinued&$orderby=Price desc&$top=3"),
            (
                "an expand",
                "SalesOrders(1000)?$expand=BusinessPartner($select=Name),SalesOrderItems($expand=Product($select=Name))"
            ),
            (
                "an aggregate count",
                "WorkOrders/$count?$filter=State eq 'open' and Equipment/BusinessPartner/Country eq 'DE'"
            ),
        ],
        updates: [
            ("WorkOrders(5000)", #"{"State":"done","EstimatedHours":7.25}"#),
            ("Products('P-0002')", #"{"Price":17.35}"#),
            ("BusinessPartners(101)", #"{"City":"Turku","Country":"FI"}"#),
        ],
        creates: [
            (
                "SalesOrders",
                #"""
                {"BusinessPartnerID":100,"OrderDate":"2024-03-01","Status":"new","SalesOrderItems":[
                {"Position":10,"ProductID":"P-0001","Quantity":3,"Price":12.5},
                {"Position":20,"ProductID":"P-0003","Quantity":1,"Price":99.95}]}
                """#
            ),
            (
                "Inspections",
                #"{"WorkOrderID":5000,"InspectedAt":"2024-03-01T09:30:00Z","Inspector":"Aino","Result":"passed"}"#
            ),
        ],
        photos: [
            .init(set: "Photos", properties: #"{"Caption":"Front"}"#, owner: ("Inspection", 1)),
            .init(set: "Photos", properties: #"{"Caption":"Back"}"#, owner: ("Inspection", 1)),
        ],
        replacedStreams: ["Photos(9001)"],
        deletes: ["SalesOrderItems(SalesOrderID=1001,Position=10)", "Photos(9002)"],
        otherUpdate: ("BusinessPartners(102)", #"{"City":"Bergen"}"#),
        otherDelete: "Photos(9003)")

    /// The Northwind sample database.
    static let northwind = DemoScenario(
        title: "Northwind",
        media: [
            MediaColumn(set: "Employees", column: "Photo"),
            MediaColumn(set: "Categories", column: "Picture"),
        ],
        queries: [
            .init(name: "categories", text: "Categories", streams: true),
            .init(name: "employees", text: "Employees", streams: true),
            .init(name: "products", text: "Products"),
            .init(name: "customers", text: "Customers"),
            .init(name: "orders", text: "Orders?$expand=Order_Details"),
            .init(name: "suppliers", text: "Suppliers"),
        ],
        reads: [
            ("a filter", "Products?$filter=UnitPrice gt 50&$orderby=UnitPrice desc&$top=3"),
            (
                "an expand",
                "Orders(10248)?$expand=Customer($select=CompanyName),Order_Details($expand=Product($select=ProductName))"
            ),
            ("an aggregate count", "Orders/$count?$filter=Customer/Country eq 'Germany'"),
        ],
        updates: [
            ("Products(1)", #"{"UnitPrice":19.5}"#),
            ("Customers('ALFKI')", #"{"ContactName":"Maria Anders-Öz"}"#),
        ],
        creates: [
            (
                "Orders",
                #"""
                {"CustomerID":"ALFKI","EmployeeID":1,"OrderDate":"1998-05-07T00:00:00Z","Order_Details":[
                {"ProductID":1,"UnitPrice":18,"Quantity":5,"Discount":0},
                {"ProductID":2,"UnitPrice":19,"Quantity":2,"Discount":0.05}]}
                """#
            )
        ],
        photos: [
            .init(set: "Categories", properties: #"{"CategoryName":"Tea"}"#),
            .init(set: "Categories", properties: #"{"CategoryName":"Bread"}"#),
        ],
        replacedStreams: ["Employees(1)"],
        deletes: ["Order_Details(OrderID=10248,ProductID=11)"],
        otherUpdate: ("Customers('ANATR')", #"{"City":"Puebla"}"#),
        otherDelete: "Order_Details(OrderID=10249,ProductID=14)")

    /// For any other database: all its sets, and an edit of the first text it can find.
    static func generic(model: EdmModel) -> DemoScenario {
        DemoScenario(
            title: model.namespace, media: [],
            queries: model.entitySets.map { .init(name: $0.name, text: $0.name, streams: $0.type.hasStream) },
            reads: model.entitySets.prefix(3).map { ("a count", "\($0.name)/$count") },
            updates: [], creates: [], photos: [], replacedStreams: [], deletes: [])
    }
}

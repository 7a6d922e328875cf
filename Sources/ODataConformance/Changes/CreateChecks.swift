import ODataModel
import ODataQuery
import ODataStores

/// Creating entities.
enum CreateChecks {
    private static let section = "OData-Protocol 11.4.2"
    private static let guid = "01234567-89ab-cdef-0123-456789abcdef"

    static let all: [ConformanceCheck] = [
        .change("Create with a given key", section: section) { session in
            let url = try await session.create("Customers", ["CustomerID": "\(guid)", "Name": "New", "City": "Turku"])
            try session.expect(url == "Customers(\(guid))", "Customers(\(guid))", found: url)
            try await session.expect(url, .line("CustomerID=\(guid) Name='New' City='Turku' Note=null"))
            try await session.expect("Customers/$count", .line("4"))
        },
        .change("Create with a key that the service makes", section: section, needs: [.madeKeys]) { session in
            let url = try await session.create("Products", ["Name": "New"])
            let id = try await session.entity(url)["ProductID"] ?? .null
            try session.expect(id == .integer(11), "ProductID=11", found: id.urlLiteral)
        },
        .change("What is created is found by its own path and by a filter", section: section) { session in
            let url = try await session.create("Products", ["Name": "New", "Price": "12.34"])
            try await session.expect("\(url)?$select=Name,Price", .line("Name='New' Price=12.34"))
            try await session.expect("Products?$filter=Price eq 12.34&$select=Name", .line("Name='New'"))
            try await session.expect("Products/$count", .line("11"))
        },
        .change("Create fills in default values", section: section, needs: [.defaults]) { session in
            let url = try await session.create("Products", ["Name": "New"])
            try await session.expect(
                "\(url)?$select=Stock,Discontinued,Price", .line("Price=null Stock=0 Discontinued=false"))
        },
        .change("Create with values of every type", section: section) { session in
            let url = try await session.create(
                "Products",
                [
                    "Name": "New", "Price": "0.05", "Weight": "0.125", "Stock": 7, "Discontinued": true,
                    "Released": "2024-02-29", "UpdatedAt": "2024-02-29T23:59:59.125Z", "SupplierID": nil,
                ])
            try await session.expect(
                "\(url)?$select=Name,SupplierID,Price,Weight,Stock,Discontinued,Released,UpdatedAt",
                .line(
                    "Name='New' SupplierID=null Price=0.05 Weight=0.125 Stock=7 Discontinued=true Released=2024-02-29 UpdatedAt=2024-02-29T23:59:59.125Z"
                ))
        },
        .change("Create with the bounds of integers, and a time of day", section: section) { session in
            _ = try await session.create(
                "Numbers",
                ["NumberID": 7, "Tiny": 255, "Small": -32768, "Whole": -2_147_483_648, "Big": "-9223372036854775808"])
            try await session.expect(
                "Numbers(7)?$select=Tiny,Small,Whole,Big",
                .line("Tiny=255 Small=-32768 Whole=-2147483648 Big=-9223372036854775808"))
            _ = try await session.create("Instants", ["InstantID": 6, "Clock": "23:59:59"])
            try await session.expect("Instants(6)/Clock", .line("23:59:59"))
        },
        .change("Create with an instant of another time zone", section: section) { session in
            _ = try await session.create("Instants", ["InstantID": 6, "At": "2024-03-01T00:30:00+02:00"])
            try await session.expect(
                "Instants?$filter=At eq 2024-02-29T22:30:00Z&$select=InstantID", .line("InstantID=6"))
        },
        .change("Create with a key of special characters", section: section) { session in
            let url = try await session.create("Settings", ["Name": "ä/b'c d%e", "Value": "line\nbreak \"quoted\" 😀"])
            try await session.expect(url + "/Value", .line("'line\nbreak \"quoted\" 😀'"))
            try await session.expect("Settings('%C3%A4%2Fb''c%20d%25e')?$select=Name", .line("Name='ä/b''c d%e'"))
        },
        .change("Create with a composite key", section: section) { session in
            let url = try await session.create(
                "Order_Details",
                ["OrderID": 104, "ProductID": 5, "Quantity": 2, "UnitPrice": "21.35", "Discount": "0.5"])
            try session.expect(url == "Order_Details(OrderID=104,ProductID=5)", "its path", found: url)
            try await session.expect("Orders(104)/Order_Details?$select=Quantity", .line("Quantity=2"))
        },
        .change("Create gives the entity with its ETag", section: section, needs: [.newETags]) { session in
            let payload = try session.payload(["TerritoryID": "X", "Name": "New"], at: "Territories")
            let result = try await session.change("Territories", .create(payload))
            try session.expect(result.entity?["Name"] == .string("New"), "the entity in the response")
            let etag = try await session.etag("Territories('X')")
            try session.expect((result.etag ?? result.entity?.etag) == etag, etag, found: result.etag ?? "none")
        },
    ]

    static let refused: [ConformanceCheck] = [
        refused(
            "a key that exists", "Customers", ["CustomerID": "11111111-1111-1111-1111-111111111111", "Name": "New"],
            .conflict),
        refused("a unique value that exists", "Categories", ["Name": "Produce"], .conflict, needs: [.constraints]),
        refused("no value where one is needed", "Products", ["Price": "1"], .badRequest, needs: [.constraints]),
        refused("null where a value is needed", "Products", ["Name": nil], .badRequest),
        refused(
            "a value that a check refuses", "Products", ["Name": "New", "Price": "-1"], .badRequest,
            needs: [.constraints]),
        refused(
            "a foreign key that leads nowhere", "Products", ["Name": "New", "CategoryID": 999], .conflict,
            needs: [.constraints]),
        refused("an unknown property", "Products", ["Name": "New", "Colour": "red"], .badRequest),
        refused("a value of another type", "Products", ["Name": 5], .badRequest),
        refused("a text for a number", "Products", ["Name": "New", "Stock": "many"], .badRequest),
        refused("a number out of range", "Numbers", ["NumberID": 8, "Tiny": 256], .badRequest),
    ]

    private static func refused(
        _ what: String, _ set: String, _ draft: EntityDraft, _ code: ODataError.Code,
        needs: Set<ConformanceCapability> = []
    ) -> ConformanceCheck {
        .change("Create with \(what) is refused", section: section, needs: needs) { session in
            let before = try await session.response(to: "\(set)/$count").lines
            try await session.expectError(code) { _ = try await session.create(set, draft) }
            try await session.expect("\(set)/$count", .lines(before))
        }
    }
}

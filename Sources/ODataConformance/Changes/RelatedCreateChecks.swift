import ODataStores

/// Creating entities together with related entities.
enum RelatedCreateChecks {
    private static let section = "OData-Protocol 11.4.2"

    static let all: [ConformanceCheck] = [
        .change("Create in a related collection", section: section) { session in
            let url = try await session.create("Categories(4)/Products", ["Name": "New"])
            try await session.expect("\(url)?$select=CategoryID", .line("CategoryID=4"))
            try await session.expect("Categories(4)/Products?$select=Name", .line("Name='New'"))
        },
        .change("Create with a binding", section: "OData-Protocol 11.4.2.1") { session in
            let draft: EntityDraft = ["Name": "New"]
            let url = try await session.create("Products", draft.bound("Category", to: "Categories(3)"))
            try await session.expect("\(url)?$select=CategoryID", .line("CategoryID=3"))
            try await session.expect("\(url)/Category?$select=Name", .line("Name='Produce'"))
        },
        .change("Create with entities bound to it", section: "OData-Protocol 11.4.2.1") { session in
            let draft: EntityDraft = ["CategoryID": 5, "Name": "New"]
            _ = try await session.create("Categories", draft.bound("Products", to: "Products(1)", "Products(9)"))
            try await session.expect("Categories(5)/Products", .keys("1 9"))
            try await session.expect("Categories(1)/Products", .keys("2"))
        },
        .change("Create with related entities", section: "OData-Protocol 11.4.2.2") { session in
            let order: EntityDraft = ["OrderID": 200, "OrderedAt": "2024-05-01T10:00:00Z"]
            _ = try await session.create(
                "Orders",
                order.bound("Customer", to: "Customers(22222222-2222-2222-2222-222222222222)").with(
                    "Order_Details", ["ProductID": 1, "Quantity": 2, "UnitPrice": "18"],
                    ["ProductID": 2, "Quantity": 3, "UnitPrice": "19.5"]))
            try await session.expect(
                "Orders(200)?$select=OrderID&$expand=Customer($select=Name),Order_Details($select=OrderID,Quantity;$orderby=ProductID)",
                .line(
                    "OrderID=200 Customer(Name='Bólido') Order_Details[OrderID=200 Quantity=2; OrderID=200 Quantity=3]")
            )
        },
        .change(
            "Create with related media entities", section: "OData-Protocol 11.4.2.2", needs: [.nestedMedia]
        ) { session in
            let product: EntityDraft = ["Name": "New product"]
            let url = try await session.create(
                "Products", product.with("Photos", ["Caption": "One"], ["Caption": "Two"]))
            try await session.expect(
                "\(url)/Photos?$orderby=Caption&$select=Caption", .lines(["Caption='One'", "Caption='Two'"]))
        },
        .change("Create with a related entity of a key that the service makes", section: "OData-Protocol 11.4.2.2") {
            session in
            let product: EntityDraft = ["Name": "New product"]
            let url = try await session.create("Products", product.with("Category", ["Name": "New category"]))
            try await session.expect("\(url)/Category/Name", .line("'New category'"))
            try await session.expect(
                "Categories?$filter=Products/any(p:p/Name eq 'New product')&$select=Name", .line("Name='New category'"))
        },
        .change("Create an entity related to one just created", section: section) { session in
            let parent = try await session.create("Employees", ["FirstName": "Eve", "LastName": "New"])
            let draft: EntityDraft = ["FirstName": "Flo", "LastName": "New"]
            let child = try await session.create("Employees", draft.bound("ReportsTo_Employees", to: parent))
            try await session.expect("\(child)/ReportsTo_Employees/FirstName", .line("'Eve'"))
            try await session.expect("\(parent)/Employees_ReportsTo?$select=FirstName", .line("FirstName='Flo'"))
        },
    ]

    static let refused: [ConformanceCheck] = [
        .change(
            "Create with a binding that leads nowhere is refused", section: "OData-Protocol 11.4.2.1",
            needs: [.references]
        ) { session in
            let draft: EntityDraft = ["Name": "New"]
            try await session.expectError(.notFound, .badRequest, .conflict) {
                _ = try await session.create("Products", draft.bound("Category", to: "Categories(99)"))
            }
            try await session.expect("Products/$count", .line("10"))
        },
        .change("Create in a related collection of nothing is refused", section: section) { session in
            try await session.expectError(.notFound, .conflict) {
                _ = try await session.create("Categories(99)/Products", ["Name": "New"])
            }
            try await session.expect("Products/$count", .line("10"))
        },
        .change(
            "Create with a wrong related entity leaves nothing", section: "OData-Protocol 11.4.2.2",
            needs: [.constraints]
        ) {
            session in
            let order: EntityDraft = ["OrderID": 200, "OrderedAt": "2024-05-01T10:00:00Z"]
            try await session.expectError(.badRequest, .conflict) {
                _ = try await session.create(
                    "Orders",
                    order.with("Order_Details", ["ProductID": 1, "Quantity": 0, "UnitPrice": "18"]))
            }
            try await session.expect("Orders(200)", .missing)
        },
    ]
}

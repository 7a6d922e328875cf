/// `$expand` with options inside.
enum ExpandChecks {
    static let expansions = ConformanceCheck.reads(
        section: "OData-URL 5.1.3",
        [
            (
                "Products(1)?$select=Name&$expand=Category($select=Name)",
                .line("Name='Chai' Category(Name='Beverages')")
            ),
            ("Products(9)?$select=Name&$expand=Category", .line("Name='100% Juice' Category()")),
            (
                "Categories(1)?$select=Name&$expand=Products($select=Name;$orderby=Name desc)",
                .line("Name='Beverages' Products[Name='Chang'; Name='Chai']")
            ),
            ("Categories(4)?$select=Name&$expand=Products", .line("Name='Empty' Products[]")),
            (
                "Categories(2)?$select=Name&$expand=Products($filter=Price gt 21;$orderby=Price desc;$top=2;$select=Name)",
                .line("Name='Condiments' Products[Name='Cranberry Sauce'; Name='Boysenberry Spread']")
            ),
            (
                "Categories(2)?$select=Name&$expand=Products($filter=Price gt 21;$count=true;$orderby=Price desc;$skip=1;$top=2;$select=Name)",
                .line("Name='Condiments' Products#4[Name='Boysenberry Spread'; Name='Cajun Seasoning']")
            ),
            (
                "Orders(100)?$select=OrderID&$expand=Customer($select=Name),Order_Details($select=Quantity;$orderby=ProductID;$expand=Product($select=Name;$expand=Category($select=Name)))",
                .line(
                    "OrderID=100 Customer(Name='Alfreds') Order_Details[Quantity=10 Product(Name='Chai' Category(Name='Beverages')); Quantity=5 Product(Name='Chang' Category(Name='Beverages'))]"
                )
            ),
            (
                "Categories?$select=CategoryID&$orderby=CategoryID&$expand=Products($select=ProductID;$top=1;$orderby=ProductID)",
                .lines([
                    "CategoryID=1 Products[ProductID=1]", "CategoryID=2 Products[ProductID=3]",
                    "CategoryID=3 Products[ProductID=7]", "CategoryID=4 Products[]",
                ])
            ),
            (
                "Employees(2)?$select=FirstName&$expand=ReportsTo_Employees($select=FirstName),Employees_ReportsTo($select=FirstName)",
                .line("FirstName='Ben' Employees_ReportsTo[FirstName='Dan'] ReportsTo_Employees(FirstName='Ada')")
            ),
            (
                "Products?$select=ProductID&$filter=ProductID gt 8&$orderby=ProductID&$expand=Supplier($select=Name)",
                .lines(["ProductID=9 Supplier()", "ProductID=10 Supplier(Name='No City')"])
            ),
            (
                "Suppliers?$select=SupplierID&$orderby=SupplierID desc&$expand=Products($select=ProductID;$filter=Category/Name eq 'Condiments';$orderby=ProductID)",
                .lines([
                    "SupplierID=4 Products[]", "SupplierID=3 Products[]",
                    "SupplierID=2 Products[ProductID=4; ProductID=5; ProductID=6]",
                    "SupplierID=1 Products[ProductID=3]",
                ])
            ),
            (
                "Categories(1)/Products?$select=ProductID&$orderby=ProductID&$expand=Category($select=Name),Photos($select=Caption;$orderby=PhotoID)",
                .lines([
                    "ProductID=1 Category(Name='Beverages') Photos[Caption='Tea'; Caption=null]",
                    "ProductID=2 Category(Name='Beverages') Photos[]",
                ])
            ),
            (
                "Orders?$select=OrderID&$filter=OrderID ge 103&$orderby=OrderID&$expand=Order_Details($expand=Product($select=Name);$select=Discount)",
                .lines([
                    "OrderID=103 Order_Details[Discount=0.05 Product(Name='Ikura & Roe')]",
                    "OrderID=104 Order_Details[]",
                ])
            ),
        ])

    static let references: [ConformanceCheck] = [
        .read("Categories(3)?$expand=Products/$ref", section: "OData-URL 5.1.3") { session in
            let expanded = try await session.entity("Categories(3)?$expand=Products/$ref").expanded["Products"]
            guard case .many(let entities, _) = expanded else {
                throw ConformanceFailure(expected: "references to Products", found: "none")
            }
            let found = entities.map(\.referenceText)
            try session.expect(found == ["@Products(7)"], "@Products(7)", found: found.joined(separator: " "))
        }
    ]
}

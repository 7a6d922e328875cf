import ODataStores

/// Resource paths.
enum PathChecks {
    static let entities = ConformanceCheck.reads(
        section: "OData-URL 4.3",
        [
            ("Products(ProductID=2)?$select=Name", .line("Name='Chang'")), ("Products(999)", .missing),
            ("/Products(2)?$select=Name", .line("Name='Chang'")),
            ("Order_Details(OrderID=100,ProductID=2)?$select=Quantity", .line("Quantity=5")),
            ("Order_Details(ProductID=2,OrderID=100)?$select=Quantity", .line("Quantity=5")),
            ("Order_Details(OrderID=100,ProductID=9)", .missing),
            ("Customers(abcdef01-2345-6789-abcd-ef0123456789)?$select=Name", .line("Name='Chop-suey'")),
            ("Customers(ABCDEF01-2345-6789-ABCD-EF0123456789)?$select=Name", .line("Name='Chop-suey'")),
            ("Products(1)/Category?$select=Name", .line("Name='Beverages'")), ("Products(9)/Category", .nothing),
            ("Products(999)/Category", .missing), ("Categories(2)/Products", .keys("3 4 5 6 8")),
            ("Categories(2)/Products?$filter=Price gt 22&$orderby=Price desc", .sequence("8 6")),
            ("Categories(4)/Products", .keys("")), ("Categories(99)/Products", .missing),
            ("Categories(2)/Products(4)?$select=Name", .line("Name='Cajun Seasoning'")),
            ("Categories(2)/Products(1)", .missing),
            ("Employees(4)/ReportsTo_Employees/ReportsTo_Employees?$select=FirstName", .line("FirstName='Ada'")),
            ("Employees(1)/ReportsTo_Employees", .nothing), ("Employees(1)/Employees_ReportsTo", .keys("2 3")),
            ("Customers(11111111-1111-1111-1111-111111111111)/Orders", .keys("100 101")),
            ("Orders(100)/Order_Details", .keys("100,1 100,2")),
            (
                "Orders(100)/Order_Details(OrderID=100,ProductID=1)/Product/Supplier?$select=City",
                .line("City='London'")
            ),
            ("Products(1)/Category/Products(2)/Photos", .keys("")), ("Products(1)/Photos", .keys("1 2")),
            ("Products(1)/Category/$ref", .line("@Categories(1)")),
            ("Categories(3)/Products/$ref", .line("@Products(7)")),
            ("Products(9)/Category/$ref", .nothing),
        ])

    static let values =
        ConformanceCheck.reads(
            section: "OData-URL 4.6",
            [
                ("Products(1)/Name", .line("'Chai'")), ("Products(1)/Price", .line("18")),
                ("Products(1)/Discontinued", .line("false")), ("Products(1)/Released", .line("2020-01-15")),
                ("Products(1)/UpdatedAt", .line("2024-02-29T13:45:30.25Z")), ("Products(1)/Weight", .line("0.5")),
                ("Products(9)/Price", .nothing), ("Products(999)/Name", .missing),
                ("Products(1)/Category/Name", .line("'Beverages'")),
                ("Orders(100)/Order_Details(OrderID=100,ProductID=1)/Product/Category/Name", .line("'Beverages'")),
                ("Orders(100)/CustomerID", .line("11111111-1111-1111-1111-111111111111")),
                ("Orders(100)/Cutoff", .line("17:30:00")), ("Numbers(3)/Big", .line("-9223372036854775808")),
            ])
        + [
            ("Products(1)/Name/$value", "Chai"), ("Products(1)/Price/$value", "18"),
            ("Products(1)/Released/$value", "2020-01-15"), ("Products(1)/Discontinued/$value", "false"),
            ("Suppliers(3)/Name/$value", "Łódź Foods"),
        ].map(rawValue)

    private static func rawValue(_ url: String, _ text: String) -> ConformanceCheck {
        .read(url, section: "OData-URL 4.7") { session in
            let result = try await session.store.readStream(StreamRequest(session.parser.path(url)))
            let found = String(decoding: try await result.content.collect(upTo: 1_000), as: UTF8.self)
            try session.expect(found == text, text, found: found)
            let type = result.contentType ?? "none"
            try session.expect(type.hasPrefix("text/plain"), "content type text/plain", found: type)
        }
    }

    /// Keys with characters that have a meaning in URLs.
    static let keys = ConformanceCheck.reads(
        section: "OData-URL 2.2",
        [
            ("Settings('a%2Fb')/Value", .line("'slash'")), ("Settings('O''Neil')/Value", .line("'quote'")),
            ("Settings('O%27%27Neil')/Value", .line("'quote'")), ("Settings('%C3%BC')/Value", .line("'umlaut'")),
            ("Settings('ü')/Value", .line("'umlaut'")), ("Settings('x%20y')/Value", .line("'blank'")),
            ("Settings('x y')/Value", .line("'blank'")), ("Settings('50%25')/Value", .line("'percent'")),
            ("Settings('a+b')/Value", .line("'plus'")), ("Settings('q%3F')/Value", .line("'question'")),
            ("Settings('%23h')/Value", .line("'hash'")), ("Settings('(1)')/Value", .line("'parentheses'")),
            ("Settings(Name='a,b=c')/Value", .line("'comma'")), ("Settings('')/Value", .line("'empty'")),
            ("Settings?$filter=Name eq 'a%2Fb'&$select=Value", .line("Value='slash'")),
            ("Territories('A%2FB')?$select=Name", .line("Name='Slash & Co'")),
        ])

    static let preconditions: [ConformanceCheck] = [
        .read(
            "If-None-Match with the present ETag of an entity: not modified", section: "OData-Protocol 8.2.5",
            needs: [.etags]
        ) {
            session in
            var request = ReadRequest(try session.parser.query("Products(1)"))
            request.ifNoneMatch = try await session.etag("Products(1)")
            guard case .notModified = try await session.store.read(request).body else {
                throw ConformanceFailure(expected: "not modified", found: "another response")
            }
            request.ifNoneMatch = "W/\"other\""
            guard case .entities = try await session.store.read(request).body else {
                throw ConformanceFailure(expected: "the entity", found: "another response")
            }
        },
        .read("If-Match with another ETag than an entity has: refused", section: "OData-Protocol 8.2.4") { session in
            var request = ReadRequest(try session.parser.query("Products(1)"))
            request.ifMatch = "W/\"other\""
            try await session.expectError(.preconditionFailed) { _ = try await session.store.read(request) }
        },
        .read("Entities have ids that lead to them", section: "OData-JSON 4.6.8") { session in
            for url in ["Products(1)", "Order_Details(OrderID=100,ProductID=2)", "Settings('a%2Fb')"] {
                let entity = try await session.entity(url)
                // With minimal metadata a service leaves out ids that follow from the key.
                guard let id = entity.id else { continue }
                let path = try session.path(ofID: id)
                try session.expect(path.url == url, url, found: path.url)
            }
        },
    ]
}

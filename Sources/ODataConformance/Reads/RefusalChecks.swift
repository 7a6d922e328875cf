import ODataStores

/// Refused requests, and their errors.
enum RefusalChecks {
    static let unsupported = ConformanceCheck.reads(
        section: "OData-Protocol 11.2.1",
        [
            ("Products?$apply=aggregate(Forecast)", .unsupported("Forecast")),
            ("Products?$apply=aggregate(Price with Custom.Median as M)", .unsupported("Custom.Median")),
            ("Products?$apply=expand(Category)", .unsupported("expand")),
            ("Products?$search='sau'", .unsupported("$search")),
            ("Products/$each", .error([.methodNotAllowed], naming: "")),
        ])

    static let mistakes =
        ConformanceCheck.reads(
            section: "OData-Protocol 9.3",
            [
                ("Products?$foo=1", .mistake("$foo")), ("Products?$expand=Category/Products", .mistake("$expand")),
                ("Products?$expand=$value", .mistake("$value")), ("Nothing", .mistake("Nothing")),
                ("Products?$filter=Prise gt 1", .mistake("Prise")),
                ("Products?$select=Prise", .mistake("Prise")), ("Products?$orderby=Prise", .mistake("Prise")),
                ("Products?$expand=Kategory", .mistake("Kategory")), ("Products(1)/Prise", .mistake("Prise")),
                ("Products?$filter=Category/Nam eq 'x'", .mistake("Nam")),
                ("Products?$filter=foo(Name) eq 1", .mistake("foo")),
                ("Employees?$apply=ancestors($root/Employees,Tree,EmployeeID,identity)", .mistake("Tree")),
                ("Employees?$apply=groupby((rolluprecursive($root/Employees,Tree,EmployeeID)))", .mistake("Tree")),
                ("Products('x')", .mistake("ProductID")),
                ("Order_Details(1)", .mistake("key")), ("Order_Details(OrderID=1)", .mistake("key")),
                ("Customers(5)", .mistake("CustomerID")), ("Products?$filter=Name gt", .mistake("")),
                ("Products?$filter=Name eq 1", .mistake("eq")), ("Products?$filter=Price eq 'x'", .mistake("eq")),
                ("Products?$filter=Name", .mistake("Edm.String")), ("Products?$filter=(Price gt 1", .mistake("")),
                ("Products?$filter=length(Price) eq 1", .mistake("")),
                ("Products?$filter=length(Name,1) eq 1", .mistake("length")),
                ("Products?$top=-1", .mistake("")), ("Products?$top=x", .mistake("")),
                ("Products?$skip=-1", .mistake("")), ("Products?$count=maybe", .mistake("")),
                ("Products(1)?$filter=true", .mistake("$filter")), ("Products(1)/Name/Length", .mistake("")),
                ("Products/Name", .mistake("")), ("Products?$orderby=Category", .mistake("")),
                ("Products?$filter=Photos/any(p:p/Nam eq 1)", .mistake("Nam")),
                ("Products?$filter=Category/any()", .mistake("")), ("Products?$filter=x/Name eq 1", .mistake("x")),
            ])
        + [
            .read("A next link that the store did not give is refused", section: "OData-Protocol 11.2.6.7") { session in
                let query = try session.parser.query("Products")
                let request = ReadRequest(query, continuation: "Products?$skiptoken=nonsense")
                try await session.expectError(.badRequest, .gone, .notFound) { _ = try await session.page(request) }
            }
        ]
}

/// `$filter` with `any`, `all` and `$count` of related entities.
enum CollectionChecks {
    static let lambdas =
        ConformanceCheck.filters(
            of: "Categories", section: "OData-URL 5.1.1.13",
            [
                ("Products/any()", "1 2 3"), ("not Products/any()", "4"), ("Products/any(p:p/Price gt 35)", "2"),
                ("Products/any(p:p/Discontinued)", "2"), ("Products/all(p:p/Price ge 18)", "1 3 4"),
                ("Products/all(p:p/Weight ne null)", "1 3 4"), ("not Products/all(p:p/Price ge 18)", "2"),
                ("Products/any(p:p/Price gt 20 and p/Stock gt 100)", "2"),
                ("Products/any(p:p/Price gt 20) and Products/any(p:p/Price lt 20)", "2"),
                ("Products/any(p:p/Supplier/City eq 'London')", "1 2"),
                ("Products/any(p:p/Order_Details/any(d:d/Quantity ge 10))", "1 2"),
                ("Products/any(p:p/Photos/any() and p/CategoryID eq CategoryID)", "1 3"),
                ("Products/any(p:contains(p/Name,'Ch'))", "1"), ("Products/any(p:p/Released eq null)", "2"),
                ("Products/$count gt 1", "1 2"), ("Products/$count eq 0", "4"),
            ])
        + ConformanceCheck.filters(
            of: "Products", section: "OData-URL 5.1.1.13",
            [
                ("Category/Products/any(p:p/Price eq 40)", "3 4 5 6 8"), ("Photos/any(p:p/Caption eq null)", "1"),
                ("Order_Details/any(d:d/Order/Customer/Name eq 'Alfreds')", "1 2 3"),
                ("Order_Details/any(d:d/UnitPrice lt Price)", "3"),
            ])
        + ConformanceCheck.filters(
            of: "Orders", section: "OData-URL 5.1.1.13",
            [
                ("Order_Details/all(d:d/Discount eq 0)", "102 104"),
                ("Order_Details/any(d:d/Product/Category/Products/any(p:p/Name eq 'Chang'))", "100 101"),
            ])
        + ConformanceCheck.filters(
            of: "Employees", section: "OData-URL 5.1.1.13",
            [
                ("Employees_ReportsTo/any(e:e/Salary lt Salary)", "1"),
                ("Employees_ReportsTo/any(e:e/Salary lt $it/Salary)", "1"),
                ("EmployeeTerritories/any(t:t/Territory/Name eq 'Bedford')", "1"),
            ])
}

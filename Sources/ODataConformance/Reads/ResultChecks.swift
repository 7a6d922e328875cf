/// `$select`, `$orderby`, `$top`, `$skip` and `$count`.
enum ResultChecks {
    static let selections = ConformanceCheck.reads(
        section: "OData-URL 5.1.4",
        [
            ("Products(1)?$select=Name,Price", .line("Name='Chai' Price=18")),
            ("Products(1)?$select=Price,Name", .line("Name='Chai' Price=18")),
            (
                "Products(9)?$select=Name,Price,Released,Discontinued",
                .line("Name='100% Juice' Price=null Discontinued=true Released=null")
            ),
            ("Products(1)", .line(chai)), ("Products(1)?$select=*", .line(chai)),
            (
                "Order_Details(OrderID=101,ProductID=3)",
                .line("OrderID=101 ProductID=3 Quantity=20 UnitPrice=9.5 Discount=0.25")
            ),
            (
                "Numbers(2)",
                .line(
                    "NumberID=2 Tiny=255 Small=32767 Whole=2147483647 Big=9223372036854775807 Amount=123456789012.3456 Ratio=1.5"
                )
            ),
            ("Instants(1)", .line("InstantID=1 At=2024-02-29T13:45:30.25Z Day=2024-02-29 Clock=13:45:30.25")),
            ("Texts(7)", .line("TextID=7 Text='O''Neil' Other=''''")),
            ("Texts(9)?$select=Text", .line("Text='emoji 😀 end'")),
            (
                "Categories?$select=Name&$orderby=CategoryID",
                .lines(["Name='Beverages'", "Name='Condiments'", "Name='Produce'", "Name='Empty'"])
            ),
            (
                "Orders(103)?$select=Freight,EmployeeID,OrderedAt",
                .line("EmployeeID=null OrderedAt=2023-12-31T23:59:59Z Freight=null")
            ),
        ])

    private static let chai =
        "ProductID=1 Name='Chai' CategoryID=1 SupplierID=1 Price=18 Weight=0.5 Stock=39 Discontinued=false "
        + "Released=2020-01-15 UpdatedAt=2024-02-29T13:45:30.25Z"

    static let orders = ConformanceCheck.reads(
        section: "OData-URL 5.1.5",
        [
            ("Products?$orderby=Price", .sequence("9 3 1 2 5 4 6 7 10 8")),
            ("Products?$orderby=Price desc", .sequence("8 10 7 6 4 5 2 1 3 9")),
            ("Products?$orderby=Name", .sequence("9 3 6 4 1 2 8 7 5 10")),
            ("Products?$orderby=Released,Name desc", .sequence("5 8 9 10 3 1 2 6 4 7")),
            ("Products?$orderby=Category/Name,ProductID", .sequence("9 10 1 2 3 4 5 6 8 7")),
            ("Products?$orderby=Category/Name desc,ProductID desc", .sequence("7 8 6 5 4 3 2 1 10 9")),
            ("Products?$orderby=Supplier/Rating desc,ProductID", .sequence("4 5 6 1 2 3 10 7 8 9")),
            ("Products?$orderby=Stock mod 10,ProductID", .sequence("5 6 10 3 4 7 8 2 1 9")),
            ("Products?$orderby=length(Name),ProductID", .sequence("1 2 5 9 7 10 3 4 8 6")),
            ("Products?$orderby=UpdatedAt desc,ProductID", .sequence("4 2 1 6 8 3 5 7 9 10")),
            ("Products?$orderby=Discontinued desc,ProductID", .sequence("5 9 1 2 3 4 6 7 8 10")),
            ("Categories?$orderby=Products/$count desc", .sequence("2 1 3 4")),
            ("Texts?$orderby=Text", .sequence("5 4 2 6 1 7 10 9 3 8")),
            ("Numbers?$orderby=Amount desc", .sequence("2 6 5 1 3 4")),
            ("Numbers?$orderby=Big", .sequence("4 3 1 5 6 2")),
            ("Instants?$orderby=At", .sequence("4 5 2 3 1")),
            ("Orders?$orderby=Customer/Name desc,OrderID desc", .sequence("103 102 101 100 104")),
        ])

    static let windows =
        ConformanceCheck.reads(
            section: "OData-URL 5.1.6",
            [
                ("Products?$orderby=ProductID&$top=3", .sequence("1 2 3")), ("Products?$top=0", .sequence("")),
                ("Products?$orderby=ProductID&$skip=8", .sequence("9 10")),
                ("Products?$orderby=ProductID&$skip=2&$top=2", .sequence("3 4")),
                ("Products?$skip=100", .sequence("")), ("Products?$top=100", .keys("1 2 3 4 5 6 7 8 9 10")),
                ("Products?$orderby=Price desc&$filter=Stock gt 10&$top=2&$skip=1", .sequence("7 6")),
                (
                    "Products?$count=true&$top=2&$orderby=ProductID&$select=ProductID",
                    .lines(["#10", "ProductID=1", "ProductID=2"])
                ),
                ("Products?$count=true&$top=0&$filter=Price gt 20", .lines(["#6"])),
                (
                    "Categories?$count=true&$select=CategoryID&$skip=3&$orderby=CategoryID",
                    .lines(["#4", "CategoryID=4"])
                ),
            ])
        + ConformanceCheck.reads(
            section: "OData-URL 4.8",
            [
                ("Products/$count", .line("10")), ("Categories(2)/Products/$count", .line("5")),
                ("Products/$count?$filter=Price gt 20", .line("6")), ("Orders(100)/Order_Details/$count", .line("2")),
                ("Categories(4)/Products/$count", .line("0")), ("Categories(99)/Products/$count", .missing),
            ])
}

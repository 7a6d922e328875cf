/// `$filter` with operators and paths.
enum FilterChecks {
    static let comparisons: [ConformanceCheck] =
        products + others
        + ConformanceCheck.filters(
            of: "Products", section: "OData-URL 5.1.1.1.12",
            [
                ("ProductID in (1,3,5)", "1 3 5"), ("Name in ('Chai','Chang','x')", "1 2"),
                ("Price in (18,21.35)", "1 5"), ("Price in (null,18)", "1 9"),
                ("not (ProductID in (1,2,3,4,5,6,7,8))", "9 10"), ("Released in (2021-06-30,2024-02-29)", "2 6 7"),
            ])

    private static let products = ConformanceCheck.filters(
        of: "Products", section: "OData-URL 5.1.1.1",
        [
            ("Price eq 18", "1"), ("Price eq 21.35", "5"), ("Price ne 18", "2 3 4 5 6 7 8 9 10"),
            ("Price gt 25", "7 8 10"), ("Price ge 25", "6 7 8 10"), ("Price lt 19", "1 3"), ("Price le 19", "1 2 3"),
            ("Price gt 21.349", "4 5 6 7 8 10"), ("18 lt Price", "2 4 5 6 7 8 10"), ("Price eq 18.000", "1"),
            ("Price eq null", "9"), ("Price ne null", "1 2 3 4 5 6 7 8 10"), ("null eq Price", "9"),
            ("Price gt null", ""), ("Price le null", ""),
            ("Weight eq 0.5", "1"), ("Weight gt 1.25", "5 6 10"), ("Weight eq 2", "5"),
            ("Stock eq 0", "5"), ("Stock gt 29.5", "1 4 6 10"),
            ("Discontinued eq true", "5 9"), ("Discontinued", "5 9"), ("Discontinued ne true", "1 2 3 4 6 7 8 10"),
            ("Released eq 2021-06-30", "2 6"), ("Released lt 2020-01-15", "3 10"), ("Released ge 2022-02-28", "4 7"),
            ("UpdatedAt eq 2024-02-29T13:45:30.25Z", "1"), ("UpdatedAt eq 2024-02-29T14:45:30.25%2B01:00", "1"),
            ("UpdatedAt gt 2024-02-29T13:45:30.250Z", "2 4"), ("UpdatedAt le 2023-01-01T12:00:00Z", "6 8"),
            ("UpdatedAt lt 2024-02-29T13:45:30.2501Z", "1 6 8"),
            ("Name eq 'Chai'", "1"), ("Name eq 'chai'", ""), ("Name gt 'D'", "5 7 10"),
            ("Name eq 'Ikura %26 Roe'", "10"), ("Name eq '100%25 Juice'", "9"),
            ("CategoryID eq SupplierID", "1 2 4 5 6 7 9"), ("CategoryID ne SupplierID", "3 8 10"),
            ("Price eq Weight", "9"), ("Price gt Stock", "2 5 7 8"),
        ])

    private static let others =
        ConformanceCheck.filters(
            of: "Customers", section: "OData-URL 5.1.1.1",
            [
                (
                    "CustomerID eq abcdef01-2345-6789-abcd-ef0123456789", "abcdef01-2345-6789-abcd-ef0123456789"
                ),
                (
                    "CustomerID eq ABCDEF01-2345-6789-ABCD-EF0123456789", "abcdef01-2345-6789-abcd-ef0123456789"
                ),
                ("Note eq ''", "abcdef01-2345-6789-abcd-ef0123456789"),
                ("Name eq 'Bólido'", "22222222-2222-2222-2222-222222222222"),
            ])
        + ConformanceCheck.filters(
            of: "Orders", section: "OData-URL 5.1.1.1",
            [
                ("Cutoff gt 08:00:00", "100 104"), ("Cutoff eq 08:00:00", "102"), ("Freight eq 0", "102"),
                ("Freight gt 11.61", "100 104"), ("OrderedAt ge 2024-02-11T23:59:59Z", "102 104"),
                ("CustomerID eq 11111111-1111-1111-1111-111111111111", "100 101"), ("ShippedOn eq null", "101 104"),
            ])
        + ConformanceCheck.filters(
            of: "Numbers", section: "OData-URL 5.1.1.1",
            [
                ("Big eq 9223372036854775807", "2"), ("Big eq 9007199254740993", "6"), ("Big eq 9007199254740992", ""),
                ("Big lt -9223372036854775807", "3"), ("Amount eq 0.0001", "5"), ("Amount eq 123456789012.3456", "2"),
                ("Ratio eq 0.1", "6"), ("Ratio ge 1.5", "2 5"), ("Tiny eq 255", "2"), ("Tiny gt Small", "3"),
                ("Small eq Whole", "1 3 4"), ("Amount gt Ratio", "2 6"),
            ])

    static let logic = ConformanceCheck.filters(
        of: "Products", section: "OData-URL 5.1.1.1.7",
        [
            ("Price gt 20 and Stock gt 20", "4 6 10"), ("Price gt 30 or Stock eq 0", "5 8 10"),
            ("Price lt 11 or Price gt 30 and Stock gt 20", "3 10"),
            ("(Price lt 11 or Price gt 30) and Stock gt 20", "10"), ("not Discontinued", "1 2 3 4 6 7 8 10"),
            ("not (Discontinued) and Price gt 30", "8 10"), ("not (Price gt 20)", "1 2 3 9"),
            ("not (Price le 20)", "4 5 6 7 8 9 10"), ("not (Price eq null)", "1 2 3 4 5 6 7 8 10"),
            ("not (Price gt 20 or Stock gt 20)", "2 3"), ("not (Price gt 20 and Stock gt 20)", "1 2 3 5 7 8 9"),
            ("Price eq null or Weight eq null", "4 8 9"), ("true", "1 2 3 4 5 6 7 8 9 10"), ("false", ""),
        ])

    static let arithmetic = ConformanceCheck.filters(
        of: "Numbers", section: "OData-URL 5.1.1.2",
        [
            ("Whole add 2 eq 7", "6"), ("Whole sub 1000 eq 0", "5"), ("Whole mul 2 eq 10", "6"), ("-Whole eq 7", "3"),
            ("Whole div 2 eq 2", "6"), ("Whole div 2 eq -3", "3"), ("Whole mod 2 eq 1", "2 6"),
            ("Whole mod 2 eq -1", "3"), ("Whole divby 2 eq 2.5", "6"), ("Amount div 2 eq -1.25", "3"),
            ("Amount mul 2 eq 7", "6"), ("Amount add 0.1 eq 3.6", "6"), ("Amount sub 3.5 eq 0", "6"),
            ("Amount mod 2 eq -0.5", "3"), ("Amount mod 2 eq 1.5", "6"), ("Ratio mul 2 eq 3", "2"),
            ("Ratio add 1 eq 3.5", "5"), ("Ratio div 2 eq 0.75", "2"), ("Ratio sub 1.5 eq 0", "2"),
            ("Whole add 1 eq null", "4"), ("Whole add 2 mul 3 eq 11", "6"), ("(Whole add 2) mul 3 eq 21", "6"),
            ("Tiny add Small eq 0", "1 3"), ("Whole add Ratio gt 5", "2 5 6"), ("1 add 1 eq 2", "1 2 3 4 5 6"),
        ])

    static let paths =
        ConformanceCheck.filters(
            of: "Products", section: "OData-URL 5.1.1.15",
            [
                ("Category/Name eq 'Beverages'", "1 2"), ("Category/Name eq null", "9 10"),
                ("Category/Name ne 'Beverages'", "3 4 5 6 7 8 9 10"),
                ("Category/Description eq null", "3 4 5 6 8 9 10"), ("Supplier/Country eq 'US'", "4 5 6"),
                ("Supplier/Rating gt 3", "1 2 3 4 5 6"), ("Category/Name eq 'Condiments' and Supplier eq null", "8"),
                ("Category eq null", "9 10"), ("Category ne null and Supplier/City ne null", "1 2 3 4 5 6 7"),
                ("$it/Price gt 30", "8 10"),
            ])
        + ConformanceCheck.filters(
            of: "Order_Details", section: "OData-URL 5.1.1.15",
            [
                ("Product/Category/Name eq 'Beverages'", "100,1 100,2 101,1"),
                ("Order/Customer/City eq 'Madrid'", "102,7 103,10"), ("Product/Price ne UnitPrice", "101,3"),
            ])
        + ConformanceCheck.filters(
            of: "Employees", section: "OData-URL 5.1.1.15",
            [
                ("ReportsTo_Employees/FirstName eq 'Ada'", "2 3"),
                ("ReportsTo_Employees/ReportsTo_Employees/FirstName eq 'Ada'", "4"),
                ("ReportsTo_Employees/Salary gt Salary", "2 3"), ("LastName eq 'O''Neil'", "4"),
            ])
}

/// The parts of the language that not every store of others has.
enum LanguageChecks {
    static let expressions = ConformanceCheck.filters(
        of: "Products", section: "OData-URL 5.1.1",
        [
            ("case(Price gt 30:'dear',Price gt 20:'fair',true:'cheap') eq 'dear'", "8 10"),
            ("cast(ProductID,Edm.String) eq '7'", "7"), ("isof(Name,Edm.Int32)", ""),
            ("ProductID in [1,2]", "1 2"), ("Price gt @p&@p=30", "8 10"), ("CategoryID in @a&@a=[1,3]", "1 2 7"),
            ("Price gt $root/Products(7)/Price", "8 10"), ("$it/Price gt 30.5", "8 10"),
        ])

    static let collections = ConformanceCheck.filters(
        of: "Categories", section: "OData-URL 5.1.1.13",
        [
            ("Products/$count($filter=Price gt 20) gt 1", "2"),
            ("Products/$filter(Price gt 20)/any(p:p/Stock gt 100)", "2"), ("Products/$count lt 1", "4"),
        ])

    static let paths = ConformanceCheck.reads(
        section: "OData-URL 4",
        [
            ("Products/1", .keys("1")), ("Products/$filter(Price gt 25)", .keys("7 8 10")),
            ("Products/$filter(Price gt 25)/$count", .line("3")),
            ("$crossjoin(Categories,Suppliers)/$count", .line("16")),
            ("Categories(1)/Products/2", .keys("2")),
        ])

    static let options = ConformanceCheck.reads(
        section: "OData-URL 5.1",
        [
            ("Products?$search=sauce", .keys("8")), ("Products?$search=syrup OR pears", .keys("3 7")),
            ("Products?$search=\"dried pears\"", .keys("7")), ("Products?$search=dried NOT pears", .keys("")),
            (
                "Products?$compute=Price mul 2 as Twice&$filter=Twice gt 60&$orderby=Twice&$select=ProductID",
                .sequence("10 8")
            ),
            (
                "Employees(1)?$select=FirstName&$expand=Employees_ReportsTo($levels=2;$select=FirstName;$orderby=FirstName)",
                .line(
                    "FirstName='Ada' Employees_ReportsTo[FirstName='Ben' Employees_ReportsTo[FirstName='Dan']; FirstName='Cleo' Employees_ReportsTo[]]"
                )
            ),
            (
                "Employees(1)?$select=FirstName&$expand=Employees_ReportsTo($levels=1;$select=FirstName;$orderby=FirstName)",
                .line("FirstName='Ada' Employees_ReportsTo[FirstName='Ben'; FirstName='Cleo']")
            ),
            ("Categories?$expand=Products/$count", .keys("1 2 3 4")), ("Products(1)?$expand=*", .keys("1")),
        ])

    static let aggregations = ConformanceCheck.reads(
        section: "OData-Aggregation 3",
        [
            ("Products?$apply=aggregate(Price with sum as Total)", .line("Total=216.35")),
            (
                "Products?$apply=filter(CategoryID ne null)/groupby((CategoryID),aggregate($count as N))&$orderby=CategoryID",
                .lines(["CategoryID=1 N=2", "CategoryID=2 N=5", "CategoryID=3 N=1"])
            ),
            ("Products?$apply=topcount(2,Price)&$orderby=Price", .sequence("10 8")),
            ("Products?$filter=Price gt $these/aggregate(Price with average)&$orderby=ProductID", .keys("6 7 8 10")),
            ("Categories?$filter=Products/aggregate(Price with max) gt 30", .keys("2")),
            ("Products?$apply=aggregate(Price with sum as Total)&$filter=isdefined(Name)", .keys("")),
        ])

    private static let tree = "$root/Employees,ReportsTo_Employees,EmployeeID"
    private static let node = "HierarchyNodes=$root/Employees,HierarchyQualifier='ReportsTo_Employees',Node=EmployeeID"

    static let hierarchies = ConformanceCheck.reads(
        section: "OData-Aggregation 6",
        [
            ("Employees?$apply=ancestors(\(tree),filter(EmployeeID eq 4))", .keys("1 2")),
            ("Employees?$apply=descendants(\(tree),filter(EmployeeID eq 1),1)", .keys("2 3")),
            ("Employees?$apply=descendants(\(tree),filter(EmployeeID eq 2),keep start)", .keys("2 4")),
            ("Employees?$apply=traverse(\(tree),postorder,EmployeeID)", .sequence("4 2 3 1")),
            (
                "Employees?$apply=groupby((rolluprecursive(\(tree))),aggregate($count as N))"
                    + "/aggregate(N with sum as Sum)", .line("Sum=8")
            ),
            ("Employees?$filter=Aggregation.isleaf(\(node))", .keys("3 4")),
            ("Employees?$filter=Aggregation.isdescendant(\(node),Ancestor=2)", .keys("4")),
        ])
}

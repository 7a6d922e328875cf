import ODataModel
import ODataQuery
import Testing

/// The parts of the language beyond the basic ones: each text is bound, and its print means the same.
struct LanguageTests {
    private let parser = LanguageModel.parser

    private func text(_ url: String) throws -> String {
        let query = try parser.query(url)
        let print = query.url
        #expect(try parser.query(print) == query, "\(url) → \(print)")
        return print.replacing("%20", with: " ").replacing("%22", with: "\"")
    }

    @Test(
        arguments: [
            ("People/1", "People(1)"), ("People/1/Name", "People(1)/Name"),
            ("People/Self.Manager", "People/Sales.Model.Manager"),
            ("People/Sales.Model.Manager/1/Budget", "People/Sales.Model.Manager(1)/Budget"),
            ("People(1)/Sales.Model.Manager/Deputy", nil), ("People(1)/Home/Mayor/Name", nil),
            ("People(1)/Home/Sales.Model.Place/Height/$value", nil), ("People(1)/Tags/0", nil),
            ("People(1)/Tags/-1", nil),
            ("People(1)/Tags/$count", nil), ("People(1)/Files('a%2Fb')/Size", nil),
            ("People(@id)?@id=7", "People(7)"), ("$all", nil),
            ("$all/Self.Manager", "$all/Sales.Model.Manager"),
            ("$all/Self.Manager?$filter=Budget gt 1", "$all/Sales.Model.Manager?$filter=Budget gt 1"),
            ("$crossjoin(People,Sales)", nil),
            ("$entity?$id=People(3)", "People(3)"),
            ("$entity/Self.Manager?$id=People(3)", "People(3)/Sales.Model.Manager"),
            ("People/$filter(Age gt 30)/$each", nil),
            ("People/$filter(@f)/$count?@f=Age gt 30", "People/$filter(Age gt 30)/$count"),
            ("People/$filter(Age gt 30)(4)/Name", nil),
            ("People/$filter(Age gt 30)/4/Name", "People/$filter(Age gt 30)(4)/Name"),
            ("Notes(01234567-89ab-cdef-0123-456789abcdef)/Anything", nil), ("Me/Boss/$ref", nil),
            ("TopPeople(count=3)", nil), ("TopPeople(count=3)(1)/Name", nil),
            ("TopPeople(count=3,mood=Self.Mood'Good')?$top=1", "TopPeople(count=3,mood=Sales.Model.Mood'Good')?$top=1"),
            ("TopPeople(count=@n)?@n=4", "TopPeople(count=4)"),
            (
                "Area(sizes=@s,at=@a)?@s=[1,2.5]&@a={\"City\":\"Ulm\"}",
                "Area(sizes=%5B1,2.5%5D,at=%7B\"City\":\"Ulm\"%7D)"
            ),
            ("Reset", nil), ("People/Sales.Model.Oldest()", nil),
            ("People/Oldest()/Name", "People/Sales.Model.Oldest()/Name"),
            ("People(1)/Self.Distance(to='b c')", "People(1)/Sales.Model.Distance(to='b c')"),
            ("People(1)/Sales.Model.Promote", nil),
        ] as [(String, String?)])
    func pathsAreBoundAndPrinted(url: String, expected: String?) throws {
        #expect(try text(url) == expected ?? url)
    }

    /// [OData-URL, sections 4.3.3 and 4.3.6]
    @Test(
        arguments: [
            ("Sales(7)/Lines(3)", "Sales(7)/Lines(SaleID=7,Number=3)"),
            ("Sales(7)/Lines(Number=3)", "Sales(7)/Lines(SaleID=7,Number=3)"),
            ("Sales(7)/Lines(SaleID=7,Number=3)", nil), ("Sales/7/Lines/3", "Sales(7)/Lines(SaleID=7,Number=3)"),
            ("Sales/7/Lines/7/3/Note", "Sales(7)/Lines(SaleID=7,Number=3)/Note"),
            ("Sales/7/Lines/3/Note", "Sales(7)/Lines(SaleID=7,Number=3)/Note"),
            (
                "Sales(7)/Self.Sale/Lines/Self.Line(3)",
                "Sales(7)/Sales.Model.Sale/Lines/Sales.Model.Line(SaleID=7,Number=3)"
            ),
            (
                "Customers('a')/Sales/7/Lines(3)/Parts(@c)?@c='x'",
                "Customers('a')/Sales(7)/Lines(SaleID=7,Number=3)/Parts(SaleID=7,Number=3,Code='x')"
            ),
            (
                "Sales/7/Lines/3/Parts/x/Code",
                "Sales(7)/Lines(SaleID=7,Number=3)/Parts(SaleID=7,Number=3,Code='x')/Code"
            ),
            ("LastSale/Lines(SaleID=7,Number=3)", nil), ("LastSale/Lines/7/3", "LastSale/Lines(SaleID=7,Number=3)"),
            (
                "Sales?$filter=Customer/Sales(7)/Lines(3)/Note eq 'a'",
                "Sales?$filter=Customer/Sales(7)/Lines(SaleID=7,Number=3)/Note eq 'a'"
            ),
            (
                "Sales?$filter=$root/Sales(7)/Lines(3)/Note eq 'a'",
                "Sales?$filter=$root/Sales(7)/Lines(SaleID=7,Number=3)/Note eq 'a'"
            ),
        ] as [(String, String?)])
    func keysAreFilledWithWhatTheParentsTell(url: String, expected: String?) throws {
        #expect(try text(url) == expected ?? url)
    }

    @Test(arguments: [
        "LastSale/Lines(3)", "LastSale/Lines/3", "Sales(7)/Lines(SaleID=7)", "Sales(7)/Lines(3)/Parts(Number=3)",
        "Sales?$filter=Lines(3)/Note eq 'a'", "Sales?$filter=Customer/Sales(7)/Lines(SaleID=7)/Note eq 'a'",
    ])
    func keysThatNoParentTellsAreGivenAsAWhole(url: String) {
        let error = #expect(throws: QueryError.self) { try parser.query(url) }
        #expect(error?.code == .typeMismatch, "\(error as Any)")
        #expect(error?.message.hasPrefix("The key of Sales.Model.") == true, "\(error as Any)")
    }

    @Test(
        arguments: [
            ("case(Age gt 60:'old',Age gt 20:'grown',true:'young') eq 'old'", nil),
            ("cast(Age,Edm.String) eq '7'", nil),
            ("Self.Manager/Budget gt 5", "Sales.Model.Manager/Budget gt 5"), ("isof(Sales.Model.Manager)", nil),
            ("isof('Sales.Model.Manager')", "isof(Sales.Model.Manager)"),
            ("cast(Age,'Edm.String') eq '7'", "cast(Age,Edm.String) eq '7'"),
            ("isof(Age,Edm.Int32)", nil), ("isof(Weight,Self.Kilograms)", "isof(Weight,Edm.Decimal)"),
            ("isof(Boss/Weight,'Sales.Model.Kilograms')", "isof(Boss/Weight,Edm.Decimal)"),
            ("isof(Age,Sales.Model.Kilograms)", "false"), ("isof(Weight,Edm.Decimal)", nil),
            ("cast(Age,Sales.Model.Kilograms) eq 2", "cast(Age,Edm.Decimal) eq 2"), ("Photo eq null", nil),
            ("Boss/Photo ne null", nil), ("null eq Photo", nil),
            ("Reports/$count($filter=Age gt 5;$search=ada) gt 2", nil),
            ("Reports/$filter(Age gt 5)/any(r:r/Name eq 'a')", nil), ("Reports(7)/Name eq 'a'", nil),
            ("Tags/any(t:t eq 'a')", nil), ("Name in Tags", nil), ("Name in ['a','b']", "Name in ('a','b')"),
            ("Age in @l&@l=[1,2]", "Age in (1,2)"), ("hassubset(Tags,[\"a\",\"b\"])", nil),
            ("hassubsequence(Tags,[\"a\"])", nil),
            ("Self.Distance(to='x') lt 2.5", "Sales.Model.Distance(to='x') lt 2.5"),
            ("Boss/Sales.Model.Distance(to=Name) lt 2.5", nil),
            (
                "Self.Area(sizes=[1,2],at={\"City\":\"Ulm\"}) gt Age",
                "Sales.Model.Area(sizes=[1,2],at={\"City\":\"Ulm\"}) gt Age"
            ),
            ("Sales.Model.TopPeople(count=Age)(1)/Name eq 'a'", nil),
            ("TopPeople(count=3)(7)/Boss/Name eq 'a'", "Sales.Model.TopPeople(count=3)(7)/Boss/Name eq 'a'"),
            ("Reports/any(r:Sales.Model.TopPeople(count=r/Age)(1)/Name eq r/Name)", nil),
            ("Reports/$filter(Age gt 5)(7)/Name eq 'a'", nil),
            (
                "Reports/Self.Manager/$filter(Budget gt 5)(7)/Budget eq 1",
                "Reports/Sales.Model.Manager/$filter(Budget gt 5)(7)/Budget eq 1"
            ), ("$root/People(1)/Name eq Name", nil),
            ("geo.distance(Spot,geography'SRID=4326;Point(1.5 2)') lt 10.5", nil),
            ("geo.intersects(Spot,geography'SRID=4326;Polygon((0 0,1 0,1 1,0 0))')", nil),
            ("Home eq @h&@h={\"City\":\"Ulm\",\"Zip\":\"1\"}", "Home eq {\"City\":\"Ulm\",\"Zip\":\"1\"}"),
            ("Boss eq null", nil), ("Mood eq 'Good'", "Mood eq Sales.Model.Mood'Good'"), ("Tags eq []", nil),
            ("Home/@Core.Messages ne null", nil), ("Age gt @p&@p=3 add 4", "Age gt 3 add 4"),
            ("Age eq @none", "Age eq null"),
            ("Homes/any(h:h/City eq $it/Name)", "Homes/any(h:h/City eq Name)"),
            ("concat(Tags,[\"a\"]) eq Tags", nil), ("contains(Tags,'a')", nil),
            ("Age mod 2 eq -(1)", nil),
            (
                "Org.OData.Aggregation.V1.isdescendant(HierarchyNodes=$root/People,HierarchyQualifier='Chain',"
                    + "Node=Boss/ID,Ancestor=1,MaxDistance=2,IncludeSelf=true)",
                nil
            ),
            (
                "Aggregation.issibling(Other=Age,Node=ID,HierarchyQualifier=@q,"
                    + "HierarchyNodes=$root/People/$filter(Age gt 3))&@q='Chain'",
                "Org.OData.Aggregation.V1.issibling(HierarchyNodes=$root/People/$filter(Age gt 3),"
                    + "HierarchyQualifier='Chain',Node=ID,Other=Age)"
            ),
        ] as [(String, String?)])
    func expressionsAreBoundAndPrinted(filter: String, expected: String?) throws {
        let written = try text("People?$filter=\(filter)")
        let plain = written.replacing("%7B", with: "{").replacing("%7D", with: "}").replacing("%5B", with: "[")
            .replacing("%5D", with: "]")
        #expect(plain == "People?$filter=" + (expected ?? filter))
    }

    @Test(
        arguments: [
            ("$search=bike AND (red OR NOT \"old one\")", nil), ("$search=a b", "$search=a AND b"),
            (
                "$compute=Age mul 2 as Twice&$filter=Twice gt 4&$orderby=Twice desc&$select=Name,Twice",
                "$compute=Age mul 2 as Twice&$filter=Twice gt 4&$select=Name,Twice&$orderby=Twice desc"
            ),
            ("$select=*,Self.*", nil), ("$select=Home/City,Sales.Model.Manager/Budget", nil),
            (
                "$select=Tags($filter=startswith($this,'a');$top=2;$count=true)",
                "$select=Tags($filter=startswith($this,'a');$top=2;$count=true)"
            ),
            ("$select=Sales.Model.Promote", nil), ("$expand=*", "$expand=Boss,Reports,Files"),
            ("$expand=*/$ref,Boss($select=Name)", "$expand=Boss($select=Name),Reports/$ref,Files/$ref"),
            ("$expand=Reports($levels=3)", nil),
            ("$expand=Boss($levels=max;$select=Name)", "$expand=Boss($select=Name;$levels=max)"),
            ("$expand=Sales.Model.Manager/Deputy", nil), ("$expand=Reports/Sales.Model.Manager($select=Budget)", nil),
            ("$expand=Home/Mayor", nil), ("$expand=Reports/$count($filter=Age gt 3)", nil),
            (
                "$expand=Reports($filter=$it/Age gt Age;$compute=Age add 1 as Next;$orderby=Next)",
                "$expand=Reports($compute=Age add 1 as Next;$filter=$it/Age gt Age;$orderby=Next)"
            ),
            ("$top=1&foo=bar&$schemaversion=7", "$top=1&$schemaversion=7&foo=bar"), ("$skiptoken=a%26b", nil),
        ] as [(String, String?)])
    func optionsAreBoundAndPrinted(options: String, expected: String?) throws {
        #expect(try text("People?\(options)") == "People?" + (expected ?? options))
    }

    @Test(arguments: [
        "aggregate(Amount with sum as Total,$count as Number)",
        "groupby((Customer/Country,Year),aggregate(Amount with max as Most))",
        "groupby((rollup($all,Year,Month)),aggregate(Amount with average as Mean))",
        "filter(Amount gt 5)/groupby((Year))/filter(Year gt 2000)", "topcount(2,Amount)", "bottompercent(50,Amount)",
        "concat(topsum(10,Amount),aggregate(Amount with sum as Total))",
        "compute(Amount mul 2 as Twice)/filter(Twice gt 4)",
        "identity", "orderby(Amount desc)/skip(1)/top(2)", "search(bike)/aggregate($count as N)",
        "aggregate(Amount with Custom.median as Middle)", "aggregate(Amount with countdistinct as Different)",
        "aggregate(Amount with sum from Customer/Country with average as Total)",
        "ancestors($root/People,Chain,Seller/ID,filter(Amount gt 5),filter(Age gt 3),2,keep start)",
        "descendants($root/People/$filter(Age gt 3),Chain,Year,topcount(1,Amount)/identity)",
        "groupby((Customer/Country,rolluprecursive($root/People,Chain,Year,"
            + "descendants($root/People,Chain,ID,filter(Age gt 3),keep start))),"
            + "filter(Org.OData.Aggregation.V1.rollupnode()/Age gt 3)/aggregate(Amount with sum as Total))",
        "traverse($root/People,Chain,Year,preorder)/traverse($root/People,Chain,Year,postorder,top(3),Name desc,Age)",
    ])
    func transformationsAreBoundAndPrinted(apply: String) throws {
        #expect(try text("Sales?$apply=\(apply)") == "Sales?$apply=\(apply)")
    }

    @Test func whatTraverseLeadsAlongIsExpanded() throws {
        let apply = "Sales?$apply=traverse($root/People,Chain,Seller/ID,preorder)"
        #expect(try text(apply) == apply + "&$expand=Seller")
        #expect(try text(apply + "&$expand=Seller($select=Name)") == apply + "&$expand=Seller($select=Name)")
        #expect(try parser.query(apply + "/aggregate(Amount with sum as Sum)").options.expand.isEmpty)
        let rollup =
            "Sales?$apply=groupby((rolluprecursive($root/People,Chain,Seller/ID)),aggregate(Amount with sum as Sum))"
        #expect(try text(rollup) == rollup + "&$expand=Seller")
    }

    @Test func whatFollowsApplyIsAboutItsResult() throws {
        let query = try parser.query(
            "Sales?$apply=groupby((Customer/Country),aggregate(Amount with sum as Total))"
                + "&$filter=Total gt 5 and Customer/Country ne 'DE'&$orderby=Customer/Country&$select=Customer")
        #expect(query.options.apply?.type?.properties.map(\.name) == ["Customer/Country", "Total"])
        #expect(query.options.select == [.property([EdmProperty(name: "Customer/Country", type: .string)])])
        #expect(try parser.query(query.url) == query)
        #expect(throws: QueryError.self) {
            try parser.query("Sales?$apply=aggregate(Amount with sum as T)&$filter=Year gt 1")
        }
        let joined = try parser.query(
            "Customers?$apply=join(Sales as Sale)/groupby((Country),aggregate(Sale/Amount with sum as T))")
        #expect(try parser.query(joined.url) == joined)
    }

    @Test func rowsOfCrossjoinsHaveAMemberForEachSet() throws {
        let url =
            "$crossjoin(Sales,Customers)?$filter=Sales/Amount gt 5 and Sales/ID eq length(Customers/ID)&$expand=Sales($select=ID)"
        #expect(try text(url) == url)
    }
}

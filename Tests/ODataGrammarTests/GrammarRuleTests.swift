import Testing

@testable import ODataGrammar
@testable import ODataQuery

/// Rules of the grammar on their own, with names of a library.
@Suite struct GrammarRuleTests {
    private static let names = NameConstraints([
        "entitySetName": ["Books", "Authors", "Loans"], "singletonEntity": ["Me", "Library"],
        "entityTypeName": ["Book", "Novel", "Author"], "complexTypeName": ["Address", "PostBox"],
        "enumerationTypeName": ["Genre"], "enumerationMember": ["Crime", "Poetry"], "typeDefinitionName": [],
        "namespacePart": ["Lib", "Core", "Stats"], "termName": ["Unit", "Note"],
        "primitiveKeyProperty": ["ISBN", "ID"],
        "primitiveNonKeyProperty": ["Title", "Pages", "Due", "Street", "City", "Score"],
        "primitiveColProperty": ["Tags"], "complexProperty": ["Home"], "complexColProperty": ["Places"],
        "streamProperty": ["Cover"], "entityNavigationProperty": ["Writer", "Shelf"],
        "entityColNavigationProperty": ["Copies", "Works"], "action": ["Lend"], "actionImport": ["Reindex"],
        "entityFunction": ["Best"], "entityColFunction": ["Similar"], "complexFunction": ["Place"],
        "complexColFunction": ["Route"],
        "primitiveFunction": ["Weight"], "primitiveColFunction": ["Words"], "entityFunctionImport": ["Newest"],
        "entityColFunctionImport": ["ByTag"], "complexFunctionImport": ["Seat"], "complexColFunctionImport": ["Seats"],
        "primitiveFunctionImport": ["Total"], "primitiveColFunctionImport": ["Codes"],
        "parameterName": ["tag", "count"], "keyPropertyAlias": [], "keyPathLiteral": ["7", "a b"],
        "customName": ["debug"], "customAggregate": ["Visits"],
        "expressionAlias": ["Sum", "Mean", "Top"], "lambdaVariableExpr": ["c", "w"],
        "primitiveAnnotationInQuery": ["@Lib.Unit"], "primitiveColAnnotationInQuery": [],
        "complexAnnotationInQuery": [], "entityAnnotationInQuery": ["@Lib.Note"],
        "entityAnnotationInFragment": [], "complexAnnotationInFragment": [],
    ])

    static let accepted: [(rule: String, inputs: [String])] = [
        (
            "dateTimeOffsetValueInUrl",
            ["2012-09-03T13:52Z", "2012-09-03T23%3A59%2B01%3A00", "2012-09-03T13:52:01.5-02:00"]
        ),
        ("boolean", ["true", "FALSE"]), ("booleanValue", ["true", "false"]),
        (
            "odataUri",
            ["http://h/", "https://h:8080/a/b/Books(1)?$top=1", "HTTP://[::1]/svc/Me", "http://10.0.0.1/s/$metadata"]
        ),
        (
            "odataRelativeUri",
            [
                "Books", "Books?", "Books(1)", "Books('O''Neil')", "Books(ISBN=1,ID='x')", "Books/7/Writer",
                "Books/a%20b", "Books(%2B1)",
                "Books(1)/Home/City/$value", "Books(1)/Cover", "Books(1)/$value", "Books/$count",
                "Books/Lib.Novel/$count",
                "Books/Lib.Novel(1)/Lib.Lend", "Books(1)/Lend", "Books/Similar(tag='x')/$filter(Pages gt 5)/$each",
                "Books/$filter(Home/City eq 'x/y')/$count", "Books/$each/Lend", "Books(1)/Tags/0", "Books(1)/Places/-1",
                "Books/$filter(Pages gt 5)(1)/Tags",
                "Books(1)/Places/Lib.PostBox/$count", "ByTag(tag=@t)(1)?@t='x'", "ByTag?@tag='x'", "Total()", "Reindex",
                "Newest()/Writer/Works/$ref?$id=Books(2)", "$crossjoin(Books,Authors)", "$all/Lib.Author",
                "$batch?debug",
                "$entity?$id=Books(1)", "$entity/Lib.Novel?$id=Books(1)&$select=Title", "$metadata?$format=xml",
                "$metadata#Books(Title,Writer(ID))/$entity", "Me/Home/Street", "Library/Copies/7/Lib.Novel",
                "Books/$query",
                "Books?$filter=Pages gt 5&$orderby=Title desc&$top=2&$skip=1&$count=true&$search=a&debug=1",
            ]
        ),
        (
            "filter",
            [
                "$filter=Title eq 'x' or not (Pages lt 5)", "filter=Copies/any(c:c/Pages gt Pages)",
                "$filter=Copies/any()",
                "$filter=Writer/Works/all(w:w/Home/City eq 'x')", "$filter=Tags/any(c:c eq 'a')",
                "$filter=Title in ('a','b')",
                "$filter=Title in ()", "$filter=Title in Tags", "$filter=Title in ['a',Home/City]",
                "$filter=case(Pages gt 5:true,true:false)", "$filter=isof(Lib.Novel)",
                "$filter=cast(Pages,Edm.String) eq '1'",
                "$filter=Score has Lib.Genre'Crime,Poetry'", "$filter=Copies/$count($filter=Pages gt 1;$search=a) gt 2",
                "$filter=Lib.Novel/Pages gt 5", "$filter=Copies(1)/Title eq 'x'", "$filter=$it/Title eq $root/Me/Title",
                "$filter=Title/@Lib.Unit eq 'a'", "$filter=@Lib.Note%23q eq 1",
                "$filter=Lib.Weight(count=1 add 2) gt 1",
                "$filter=Writer/Best()/Title eq 'x'", "$filter=Places/Lib.PostBox/any(c:c/City eq 'x')",
                "$filter=@p/City eq 'a'",
                "$filter=hassubset([1,2],[Pages])", "$filter=-(Pages) lt -5",
                "$filter=(Pages add 1) mul 2 divby 3 eq 1.5",
                "$filter=Copies/$filter($this/Pages gt 1)/any()", "$filter={\"a\":[1,\"b\"]} eq @p",
                "$filter=now( ) gt Due",
            ]
        ),
        (
            "expand",
            [
                "$expand=Writer,Copies($top=1;$expand=Shelf/$ref)", "$expand=Home/Shelf",
                "$expand=Lib.Novel/Copies/$count",
                "$expand=*,*/$ref,*($levels=3)", "$expand=$value,Cover", "$expand=@Lib.Note",
                "$expand=Works($levels=max)", "$expand=Works($levels=MAX)",
                "$expand=Copies($filter=Pages gt @p;@p=5)", "$expand=Works/Lib.Novel($select=Title)",
            ]
        ),
        (
            "select",
            [
                "$select=*", "$select=Title,Home/City,Tags($top=2)", "$select=Lib.*,Lend,Lib.Similar(tag,count)",
                "$select=Lib.Novel/Pages", "$select=Home/Lib.PostBox/Street", "$select=@Lib.Unit", "$select=Writer",
            ]
        ),
        ("orderby", ["$orderby=Title", "$orderby=length(Title) desc,Pages asc", "ORDERBY=Copies/$count"]),
        ("search", ["$search=a b", "$search=NOT \"a b\" AND (c OR d)", "$search=AND", "$search='un\"fin'"]),
        ("compute", ["$compute=Pages add 1 as Sum,Title AS Top"]),
        (
            "apply",
            [
                "$apply=identity", "$apply=filter(Pages gt 5)/aggregate(Pages with sum as Sum,$count as Top)",
                "$apply=groupby((Writer/Title,rollup(Home/City,Title)),aggregate(Visits))",
                "$apply=aggregate(Copies/Pages with average as Mean,Copies/$count as Top)",
                "$apply=aggregate(Pages with sum from Shelf,Title with average as Mean)",
                "$apply=concat(topcount(2,Pages),bottomsum(5,Pages))/compute(Pages mul 2 as Sum)",
                "$apply=join(Copies as Top,filter(true))/addnested(Works,identity as Sum)/nest(top(1) as Mean)",
                "$apply=ancestors($root/Books,Tree,ID,search(a),2,keep start)/traverse($root/Books,Tree,ID,preorder,Title desc)",
                "$apply=groupby((rolluprecursive($root/Books,Tree,Writer/ID)))/Lib.Similar(tag='a')",
                "$apply=compute(Pages div $these/aggregate(Pages with max) as Mean)",
            ]
        ),
        (
            "queryOptions",
            ["@p=1&@q=[1,{\"a\":null}]&tag='x'&debug", "$skiptoken=a@b:c?d&$deltatoken=x", "$index=-1&index=2"]
        ),
        (
            "context",
            [
                "#Books", "#Books/$entity", "#Books(Title,Writer+(ID),Lib.Lend,*)/$delta",
                "#Books('x')/Copies/Lib.Novel",
                "#Me/Copies", "#Edm.String", "#Collection(Lib.Address)", "#Collection($ref)", "#$ref",
                "#Books(1)/Home(City)",
                "#Books/$deletedLink", "#Lib.Address(City)",
            ]
        ),
        (
            "primitiveLiteral",
            [
                "null", "TRUE", "-1.5e3", "INF", "'a''b'", "01234567-89ab-cdef-0123-456789ABCDEF", "-0001-12-31",
                "2024-01-02T03:04:05.123456789012Z", "23:59", "23:59:60", "2016-12-31T23:59:60.5Z",
                "duration'-P1DT2H3M4.5S'", "binary'AQI'",
                "Lib.Genre'Crime'",
                "geometry'SRID=0;GeometryCollection(Point(1 2),MultiPoint())'", "2024-01-02T03:04%2B02:00",
            ]
        ),
        ("enumValue", ["Crime", "Crime,Poetry,-3"]), ("binaryValue", ["", "AQ", "AQ==", "AQI="]),
        ("durationValue", ["P1D", "-PT1.5S"]), ("int32Literal", ["%2B5", "-2147483648"]),
        ("qualifiedTypeName", ["Edm.GeographyPoint", "Collection(Lib.Book)"]), ("odataIdentifier", ["_a1", "Ünit"]),
        (
            "header",
            ["OData-Version: 4.01", "asyncresult:200", "Prefer: return=minimal, wait=5", "Isolation: snapshot"]
        ),
        (
            "preference",
            ["include-annotations=\"*,-Core.*,Lib.Unit#q\"", "odata.maxpagesize = 5", "continue-on-error=FALSE"]
        ),
        ("keyPredicate", ["(1)", "(@a)", "(ISBN='x',ID=@b)"]), ("stringInUrl", ["\"a\\u00e4\\n\"", "%22x%22"]),
        ("aggregateFunctionExpr", ["Pages with sum", "Visits", "$count"]), ("anyExpr", ["any()", "any( c : c eq 1 )"]),
        ("IPv6address", ["::", "1::8", "2001:db8::10.0.0.1"]), ("host", ["a.b", "[v1.x]"]),
    ]

    static let rejected: [(rule: String, inputs: [(text: String, position: Int)])] = [
        ("odataUri", [("ftp://h/Books", 0), ("http://h", 8), ("http://[::g]/Books", 7)]),
        (
            "odataRelativeUri",
            [
                ("Nothing", 0), ("Books.(1)", 5), ("Books(1)(2)", 8), ("Books(null)", 5), ("Books(1)/$count", 9),
                ("Books/$count/x", 13), ("Books/$value", 6), ("Books(1)/Home/$value", 14), ("Books(1)/Title/City", 15),
                ("Books(1)/Cover/$value", 15), ("Books/Lib.Address", 6), ("Me(1)", 0), ("Reindex/$count", 8),
                ("$entity", 7), ("$batch?$top=1", 7), ("$all/Lib.Nothing", 5), ("$crossjoin(Books,Nothing)", 17),
                ("ByTag(nothing=1)", 5), ("Books?nothing=1", 6), ("Books?$nothing=1", 6), ("Books#x", 5),
                ("Books?$top", 10),
                ("Books/$filter(Pages)x", 20), ("Books(1)/Tags/x", 14), ("Books/", 6), ("Books(1)/", 9),
                ("Books(+1)", 6), ("Books?$filter=Pages%2Beq%2B9", 19), ("Books?$levels=1", 6),
                ("Books?$top=1&&$skip=1", 13), ("Books?&$top=1", 6), ("Books?$top=1&", 13),
            ]
        ),
        (
            "filter",
            [
                ("$filter=", 8), ("$filter= true", 8), ("$filter =true", 0), ("$filter=Nothing eq 1", 8),
                ("$filter=Title/City eq 1", 14),
                ("$filter=Copies/Pages gt 1", 15), ("$filter=any()", 8), ("$filter=Copies/all()", 19),
                ("$filter=length(Title,1)", 8),
                ("$filter=Title in (Title,City)", 18), ("$filter=Score has 5", 18),
                ("$filter=Title eq Lib.Genre'Fun'", 17),
                ("$filter=(Pages gt 1", 19), ("$filter=Pages gt 1)", 18), ("$filter=$count gt 1", 8),
                ("$filter=Title  eq", 17),
                ("$filter=true&$top=1", 12), ("$filter=Lib.Nothing() eq 1", 8), ("$filter=not(true)", 8),
                ("$filter=Copies/any(x:true)", 19),
            ]
        ),
        (
            "expand",
            [
                ("$expand=Title", 8), ("$expand=Copies()", 15), ("$expand=Copies/$ref($select=Title)", 20),
                ("$expand=Copies($levels=0)", 23),
                ("$expand=*/$count", 10), ("$expand=Copies/$count($top=1)", 22), ("$expand=Cover($top=1)", 8),
                ("$expand=Copies, Works", 15),
            ]
        ),
        (
            "select",
            [
                ("$select=Nothing", 8), ("$select=Title($top=1)", 8), ("$select=Title/City", 8),
                ("$select=Writer/Title", 8), ("$select=Tags($compute=1 as Sum)", 13),
                ("$select=Lib.Similar(tag, count)", 24), ("$select=Title, Pages", 14),
            ]
        ),
        ("orderby", [("$orderby=Title, Pages", 15)]), ("compute", [("$compute=1 as Sum, 2 as Top", 18)]),
        ("search", [("$search=\"a", 8), ("$search=(a", 10), ("$search=", 8)]),
        (
            "apply",
            [
                ("$apply=aggregate(Pages with sum)", 31), ("$apply=aggregate(Pages)", 17),
                ("$apply=groupby((Copies/Pages))", 16),
                ("$apply=concat(identity)", 22), ("$apply=aggregate(Pages with SUM as Sum)", 28),
                ("$apply=nothing(1)", 7),
                ("$apply=ancestors($root/Books,Tree,ID,aggregate($count as Top))", 37), ("$apply=topcount(1)", 17),
                ("$apply=aggregate(Pages with sum as Nothing)", 35), ("$apply=join(Writer as Top)", 12),
            ]
        ),
        ("context", [("Books", 0), ("#Nothing", 1), ("#Books(Nothing)", 7), ("#Books/$what", 7)]),
        ("primitiveLiteral", [("2024-02-30", 0), ("5.", 1), ("'a", 0), ("X'00'", 0), ("binary'A'", 6), ("Title", 0)]),
        ("primitiveLiteral", [("binary'A+A='", 6), ("binary'AB=='", 6), ("binary'AAB='", 6), ("binary'AAA=='", 6)]),
        ("timeOfDayValue", [("24:00", 0), ("11%3A22", 2)]), ("enumValue", [("Fun", 0), ("Crime,", 6)]),
        ("stringLiteral", [("'a'b'", 3), ("'a b'", 2)]), ("int16Literal", [("123456", 5), ("+5", 0)]),
        ("odataIdentifier", [("1a", 0), ("a.b", 1)]), ("boolean", [("1", 0)]),
        ("booleanValue", [("1", 0), ("TRUE", 0), ("False", 0), ("trues", 4)]),
        ("dateTimeOffsetValueInUrl", [("2012-09-03T13:52+02:00", 16), ("2012-09-03", 10), ("2012-09-03T13:52", 16)]),
        ("header", [("OData-Version: 3.0", 15), ("Prefer: nonsense", 8), ("Content-ID: a b", 13)]),
        ("preference", [("return", 6), ("maxpagesize=0", 12), ("return=Minimal", 7)]),
    ]

    /// Rules of parts that have no sense of their own.
    static let parts: [(rule: String, accepted: String, rejected: String)] = [
        ("collectionNavigation", "/Lib.Novel(1)/Title", "/Title"), ("collectionNavPath", "(1)/Writer", "/Lib.Novel"),
        ("keyValuePair", "ISBN=1", "Title=1"), ("keyPathSegments", "/7/7", "/8"), ("keyPathLiteral", "7", "7/8"),
        ("singleNavigation", "/Lib.Novel/Title", "/7"), ("singleNavPath", "/Writer/Works(1)", "/Lib.Novel"),
        ("propertyPath", "Copies/$count", "Lend"), ("collectionPath", "/$count", "/$ref"),
        ("primitivePath", "/$value", "/$count"), ("complexColPath", "/Lib.PostBox/$count", "/City"),
        ("complexPath", "/Lib.PostBox/Street", "/$value"), ("complexNavPath", "/City", "/Lib.PostBox"),
        ("filterInPath", "/$filter(Pages gt 5)", "/$each"), ("each", "/$each", "/$count"),
        ("count", "/$count", "$count=true"), ("ref", "/$ref", "/$value"),
        ("value", "/$value", "/$ref"), ("querySegment", "/$query", "/$each"), ("ordinalIndex", "/-1", "/x"),
        ("boundOperation", "/Lib.Similar(tag='x')/$count", "/Title"), ("actionImportCall", "Reindex", "Lend"),
        ("boundActionCall", "Lib.Lend", "Reindex"), ("boundEntityFunctionCall", "Lib.Best()", "Lib.Best"),
        ("boundEntityColFunctionCall", "Similar(tag='x')", "Similar(nothing=1)"),
        ("boundComplexFunctionCall", "Place()", "Route()"), ("boundComplexColFunctionCall", "Lib.Route()", "Place()"),
        ("boundPrimitiveFunctionCall", "Weight(count=@c)", "Words()"),
        ("boundPrimitiveColFunctionCall", "Words()", "Weight()"), ("boundFunctionCallNoParens", "Lib.Best", "Lend"),
        ("entityFunctionImportCall", "Newest()", "ByTag()"),
        ("entityColFunctionImportCall", "ByTag(tag=@t)", "ByTag(1)"), ("complexFunctionImportCall", "Seat()", "Seat"),
        ("complexColFunctionImportCall", "Seats()", "Lib.Seats()"),
        ("primitiveFunctionImportCall", "Total()", "Total(nothing=1)"),
        ("primitiveColFunctionImportCall", "Codes()", "Total()"), ("functionImportCallNoParens", "Newest", "Best"),
        ("searchOrExpr", " OR a", " AND a"), ("searchAndExpr", " a OR b", " OR a"),
        ("allOperationsInSchema", "Lib.*", "Title"), ("parameterNames", "tag,count", "tag,nothing"),
        ("customName", "debug", "@debug"), ("customValue", "a=b%20c", "a&b"),
        ("entitySet", "Books(1)/Copies/Lib.Novel", "Lib.Book"), ("containmentNavigation", "(1)/Copies", "/Copies"),
        ("navigation", "/Home/Writer", "(1)/Copies"), ("contextFragment", "Books(Title)/$entity", "#Books"),
        ("contextKeyPredicate", "('x')", "(Title=1)"), ("contextKeyValuePair", "ID=2", "Title=2"),
        ("contextKeyValue", "'x'", "Title"), ("selectList", "(Title,Writer+(ID))", "Title"),
        ("selectListItem", "Lib.*", "Nothing"), ("selectListProperty", "Writer+(ID)", "*"),
        ("contextPropertyPath", "Home/City", "Writer+"), ("collectionNavigationExpr", "(1)/Title", "/Title"),
        ("collectionNavNoCastExpr", "/$count", "/Lib.Novel"), ("singleNavigationExpr", "/Title", "Title"),
        ("filterExpr", "/$filter(Pages gt 1)", "/$count"), ("collectionPathExpr", "/any(c:c/Pages gt 1)", "/Title"),
        ("complexColPathExpr", "/Lib.PostBox/$count", "/City"), ("complexPathExpr", "/City", "/$count"),
        ("primitivePathExpr", "/@Lib.Unit", "/Title"), ("andExpr", " and Pages gt 1", "and Pages gt 1"),
        ("orExpr", " or true", " or"), ("eqExpr", " eq 5", " ne 5"), ("neExpr", " NE Title", " ne"),
        ("ltExpr", " lt Pages add 1", " lt Nothing"), ("leExpr", " le 5", " lt 5"), ("gtExpr", " gt 5", " gt5"),
        ("geExpr", " ge 5", " gt 5"), ("inExpr", " in ('a','b')", " in (Title,City)"),
        ("hasExpr", " has Lib.Genre'Crime'", " has 5"), ("addExpr", " add 1", " add1"), ("subExpr", " sub 1", " add 1"),
        ("mulExpr", " mul 2", " mul"), ("divExpr", " div 2", " divby 2"), ("divbyExpr", " divby 2", " div 2"),
        ("modExpr", " mod 2", " mod "), ("charInJSON", "\\n", "ab"), ("abstractSpatialTypeName", "Geography", "Point"),
        ("concreteSpatialTypeName", "Point", "Geometry"), ("year", "-0001", "24"), ("month", "12", "13"),
        ("day", "31", "32"), ("hour", "23", "24"), ("minute", "59", "60"), ("second", "60", "61"),
        ("zeroToFiftyNine", "00", "60"), ("fractionalSeconds", "123456789012", "1234567890123"),
        ("sridLiteral", "SRID=4326;", "SRID=4326"), ("positionLiteral", "142.1 64.1", "142.1"),
        ("pointData", "(1 2)", "1 2"), ("lineStringData", "(1 2,3 4)", "(1 2)"),
        ("polygonData", "((1 2,3 4,1 2))", "(1 2)"), ("ringLiteral", "(1 2,3 4,1 2)", "()"),
        ("reg-name", "a.b%20c", "a/b"), ("pchar", "%2F", "ab"), ("segment", "a:b@c", "a/b"), ("segment-nz", "a", ""),
        ("groupbyElement", "Home/City", "Title(1)"), ("rollupSpec", "rollup(Home/City,Title)", "Title"),
    ]

    @Test(arguments: parts.indices)
    func partsAreReadAndPrinted(index: Int) throws {
        let (rule, accepted, rejected) = Self.parts[index]
        let reader = try #require(GrammarReader(rule: rule, names: Self.names, isStrict: true))
        let node = try reader.node(accepted)
        let text = reader.canonical(node)
        #expect(try reader.node(text) == node, "\(rule): \(accepted) → \(text)")
        #expect(throws: QueryError.self, "\(rule): \(rejected)") { try reader.node(rejected) }
    }

    @Test(arguments: [
        ("eqExpr", " eq 5", #"{"accepted":true,"canonical":"%20eq%205","tree":{"eq":[{"literal":"5"}]}}"#),
        ("singleNavigation", "/Title", #"{"accepted":true,"canonical":"/Title","tree":{"path":["Title"]}}"#),
        ("ordinalIndex", "/x", #"{"accepted":false,"position":0,"found":"'/'","expected":"This is another segment."}"#),
    ])
    func partsNeedNoNames(rule: String, line: String, response: String) throws {
        #expect(try #require(GrammarReader(rule: rule)).result(line: line) == response)
    }

    @Test(arguments: accepted.indices)
    func acceptedTextIsReadAndPrinted(index: Int) throws {
        let (rule, inputs) = Self.accepted[index]
        let reader = try #require(GrammarReader(rule: rule, names: Self.names, isStrict: true))
        for input in inputs {
            let node = try reader.node(input)
            let text = reader.canonical(node)
            #expect(try reader.node(text) == node, "\(rule): \(input) → \(text)")
        }
    }

    @Test(arguments: rejected.indices)
    func rejectedTextIsToldWithItsPlace(index: Int) throws {
        let (rule, inputs) = Self.rejected[index]
        let reader = try #require(GrammarReader(rule: rule, names: Self.names, isStrict: true))
        for input in inputs {
            let error = #expect(throws: QueryError.self, "\(rule): \(input.text)") { try reader.node(input.text) }
            #expect(error?.position == input.position, "\(rule): \(input.text) \(error as Any)")
        }
    }

    @Test func unknownRulesAreNone() {
        #expect(GrammarReader(rule: "nothing") == nil)
        #expect(GrammarReader(rule: "COMMONEXPR") != nil)
    }

    @Test(arguments: [
        (
            "Products(1)",
            #"{"accepted":true,"canonical":"Products(1)","tree":{"path":[{"name":"Products","parentheses":[{"literal":"1"}]}]}}"#
        ),
        (
            #""Products?$filter=a eq 'x\ny'""#,
            #"{"accepted":true,"canonical":"Products?$filter=a%20eq%20'x%0Ay'","tree":{"path":["Products"],"options":{"$filter":{"eq":[{"path":["a"]},{"literal":"'x\ny'"}]}}}}"#
        ),
        (
            "Products?$filter=ä eq 'ö",
            #"{"accepted":false,"position":22,"found":"'''","expected":"a closing quote (inside strings: '' for a quote, %26 for &, %2F for / in a key)"}"#
        ),
    ])
    func resultsOfLinesAreJSON(line: String, response: String) throws {
        #expect(try #require(GrammarReader()).result(line: line) == response)
    }
}

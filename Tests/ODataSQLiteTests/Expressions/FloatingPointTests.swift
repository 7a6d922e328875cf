import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

/// Infinities and what is not a number, as IEEE 754 has them. [OData-URL, section 5.1.1.2]
@Suite struct FloatingPointTests {
    private static let sql = """
        CREATE TABLE n (id INTEGER PRIMARY KEY, x REAL, y REAL, i INTEGER, d DECIMAL(10,2));
        INSERT INTO n VALUES (1, 3.0, 0.0, 0, 0), (2, 9e999, -9e999, 1, 1), (3, NULL, NULL, NULL, NULL);
        """

    /// The values of an expression in the three rows.
    static let valueCases: [(String, String)] = [
        ("x div y", "INF NaN null"), ("x divby y", "INF NaN null"), ("-x div y", "-INF NaN null"),
        ("(x sub x) div y", "NaN NaN null"), ("x mod y", "NaN NaN null"), ("x sub x", "0 NaN null"),
        ("x add y", "3 NaN null"), ("x mul 0", "0 NaN null"), ("x mul -1", "-3 -INF null"), ("-x", "-3 -INF null"),
        ("x div 0", "INF INF null"), ("1 div y", "INF -0.0 null"), ("round(x div y)", "INF NaN null"),
        ("floor(-x div y)", "-INF NaN null"), ("cast(x sub x,Edm.String)", "0 NaN null"),
        ("cast(x sub x,Edm.Single)", "0 NaN null"), ("cast(x sub x,Edm.Decimal)", "0 null null"),
        ("cast('NaN',Edm.Double)", "NaN NaN NaN"), ("case(id ge 1:NaN,true:x)", "NaN NaN NaN"),
        ("-(x sub x)", "-0.0 NaN null"), ("cast('1e400',Edm.Double)", "null null null"),
        ("cast(1e39,Edm.Single)", "null null null"), ("cast(x,Edm.Single)", "3 INF null"),
        ("cast('-1e39',Edm.Single)", "null null null"),
        ("[x sub x,x div y]", "[0,INF] [NaN,NaN] [null,null]"),
    ]

    @Test("Operators on doubles", arguments: valueCases)
    func values(_ expression: String, _ values: String) async throws {
        let store = try SampleFile(Self.sql).store()
        for url in ["n?$compute=\(expression) as V", "n?$apply=compute(\(expression) as V)"] {
            let found = try await store.entities(url).map {
                ShopDatabase.text(EdmComplexValue([.init(name: "V", value: $0["V"] ?? .null)])).dropFirst(2)
            }
            #expect(found.joined(separator: " ") == values, "\(url)")
        }
    }

    static let conditionCases: [(String, String)] = [
        ("(x sub x) eq (x sub x)", "1 3"), ("(x sub x) ne (x sub x)", "2"), ("not ((x sub x) eq (x sub x))", "2"),
        ("(x sub x) gt 1", ""), ("(x sub x) lt 1", "1"), ("(x sub x) le 0", "1"), ("(x sub x) ge -5", "1"),
        ("not ((x sub x) gt 1)", "1 2 3"), ("1 lt (x sub x)", ""), ("-5 le (x sub x)", "1"),
        ("(x div y) gt 1e300", "1"), ("(x div y) eq INF", "1"), ("(x sub x) eq NaN", ""), ("(x sub x) ne NaN", "1 2 3"),
        ("(x sub x) in (0,NaN)", "1"), ("(x sub x) eq null", "3"), ("(x sub x) ne null", "1 2"), ("x eq INF", "2"),
        ("y lt 0", "2"), ("x gt 1", "1 2"), ("x in (INF,3)", "1 2"), ("y in (-INF)", "2"), ("[x sub x] eq [0]", "1"),
    ]

    @Test("Comparisons are consistent with the values", arguments: conditionCases)
    func conditions(_ filter: String, _ keys: String) async throws {
        let store = try SampleFile(Self.sql).store()
        let found = try await store.entities("n?$filter=\(filter)").map { $0["id"]?.lexical ?? "" }
        #expect(found.joined(separator: " ") == keys)
        let applied = try await store.entities("n?$apply=compute((\(filter)) as V)/filter(V)").map {
            $0["id"]?.lexical ?? ""
        }
        #expect(applied.joined(separator: " ") == keys)
    }

    static let errorCases = [
        "i div 0", "i divby 0", "i mod 0", "1 div i", "1 divby i", "1 mod i", "d div 0", "1 div d", "d divby 0.0",
        "d mod 0",
    ]

    @Test("Integers and decimals are not divided by zero, in values and in conditions", arguments: errorCases)
    func errors(_ expression: String) async throws {
        let store = try SampleFile(Self.sql).store()
        for url in ["n?$compute=\(expression) as V", "n?$filter=(\(expression)) gt 5", "n?$orderby=\(expression)"] {
            let error = await #expect(throws: ODataError.self) { _ = try await store.entities(url) }
            #expect(error?.code == .badRequest)
            #expect(error?.message.contains("division by zero") == true)
        }
    }

    static let aggregateCases: [(String, String)] = [
        ("aggregate(x with sum as S,x with average as A,x with max as M)", "S=INF A=INF M=INF"),
        ("aggregate(y with sum as S,y with min as M)", "S=-INF M=-INF"),
        ("concat(compute(x as V),compute(y as V))/aggregate(V with sum as S)", "S=NaN"),
        ("compute(x sub x as V)/aggregate(V with sum as S,V with countdistinct as N)", "S=NaN N=2"),
        ("filter(id eq 3)/aggregate(x with sum as S,x with average as A)", "S=null A=null"),
        ("compute(x sub x as V)/groupby((V))/orderby(V)", "V=null; V=0; V=NaN"),
        ("compute(x sub x as V)/groupby((V))/orderby(V desc)", "V=NaN; V=0; V=null"),
    ]

    @Test("Aggregates and groups", arguments: aggregateCases)
    func aggregates(_ apply: String, _ rows: String) async throws {
        let store = try SampleFile(Self.sql).store()
        let found = try await store.entities("n?$apply=\(apply)").map { ShopDatabase.text($0.properties) }
        #expect(found.joined(separator: "; ") == rows)
    }

    @Test("A column of another's file takes infinities, and refuses by name what is not a number")
    func published() async throws {
        let store = try SampleFile(Self.sql).store()
        let error = await #expect(throws: ODataError.self) { _ = try await store.update("n(1)", ["x": .double(.nan)]) }
        #expect(error?.code == .badRequest)
        #expect(error?.message.contains("x") == true && error?.message.contains("NaN") == true)
        _ = try await store.update("n(1)", ["x": .double(-.infinity)])
        #expect(try await store.entity("n(1)")?["x"] == .double(-.infinity))
    }

    private static func model() throws -> EdmModel {
        let number = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName("M.Number"), key: ["ID"],
            properties: [
                EdmProperty(name: "ID", type: .int32, isNullable: false), EdmProperty(name: "X", type: .double),
                EdmProperty(name: "S", type: .primitive(.single)),
            ])
        return try EdmModel(schemas: [
            EdmSchema(
                namespace: "M", types: [number], container: "C",
                entitySets: [EdmEntitySetDeclaration(name: "Numbers", type: EdmQualifiedName("M.Number"))])
        ])
    }

    @Test("A declared store keeps what is not a number, and infinities")
    func declared() async throws {
        let model = try Self.model()
        let store = try SQLiteStore(model: model)
        for (id, value) in [(1, Double.nan), (2, 5), (3, .infinity)] {
            _ = try await store.create("Numbers", ["ID": .integer(Int64(id)), "X": .double(value)])
        }
        let cases = [
            ("Numbers?$orderby=ID", "NaN; 5; INF"), ("Numbers?$filter=X gt 5", "INF"),
            ("Numbers?$filter=X eq null", ""),
            ("Numbers?$filter=X eq INF", "INF"), ("Numbers(1)", "NaN"),
        ]
        for (url, expected) in cases {
            let values = try await store.entities(url).map { $0["X"]?.lexical ?? "" }
            #expect(values.joined(separator: "; ") == expected, "\(url)")
        }
    }
}

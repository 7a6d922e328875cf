import ODataModel
import Testing

@testable import ODataSQLite

@Suite("Tables become a model")
struct SchemaTests {
    @Test(
        "Names become identifiers and stay recognisable",
        arguments: [
            ("Order Details", "Order_Details"), ("2024", "_2024"), ("a-b--c", "a_b_c"), ("Größe", "Größe"), ("%", "_"),
            (" x ", "x"),
        ])
    func identifiers(name: String, expected: String) {
        #expect(IdentifierNames.identifier(name) == expected)
    }

    @Test("Names that clash get a number")
    func clashes() async throws {
        let file = try SampleFile(
            #"CREATE TABLE "a b"(id INTEGER PRIMARY KEY, "x y", "x-y"); CREATE TABLE "a-b"(id INTEGER PRIMARY KEY); CREATE TABLE Container(id INTEGER PRIMARY KEY);"#
        )
        let model = try await file.store().model()
        #expect(model.entitySets.map(\.name) == ["a_b", "a_b_2", "Container_2"])
        #expect(model.entitySet(named: "a_b")?.type.properties.map(\.name) == ["id", "x_y", "x_y_2"])
        #expect(model.namespace == "sample")
    }

    @Test(
        "Declared types become EDM types",
        arguments: [
            ("INTEGER", "Int64"), ("INT", "Int64"), ("BIGINT UNSIGNED", "Int64"), ("SMALLINT", "Int16"),
            ("TINYINT", "Byte"), ("VARCHAR(40)", "String"), ("NVARCHAR", "String"), ("TEXT", "String"),
            ("NUMERIC(10,2)", "Decimal"), ("DECIMAL", "Decimal"), ("MONEY", "Decimal"), ("REAL", "Double"),
            ("DOUBLE PRECISION", "Double"), ("BOOLEAN", "Boolean"), ("BIT", "Boolean"), ("DATE", "Date"),
            ("DATETIME", "DateTimeOffset"), ("TIMESTAMP", "DateTimeOffset"), ("TIME", "TimeOfDay"),
            ("UNIQUEIDENTIFIER", "Guid"), ("UUID", "Guid"), ("BLOB", "Stream"), ("FOO", "Decimal"), ("", "String"),
        ])
    func types(declared: String, expected: String) async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, c \(declared));")
        let property = try #require(try await file.store().model().entitySet(named: "t")?.type.property(named: "c"))
        #expect(property.type == .primitive(try #require(EdmPrimitiveType(rawValue: expected))))
    }

    @Test("Facets come from the declaration")
    func facets() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a VARCHAR(40) NOT NULL DEFAULT 'it''s', b NUMERIC(10,2) DEFAULT (0),
              c TEXT DEFAULT CURRENT_TIMESTAMP, d INTEGER AS (id * 2));
            """)
        let type = try #require(try await file.store().model().entitySet(named: "t")?.type)
        let a = try #require(type.property(named: "a"))
        #expect(a.maxLength == 40 && !a.isNullable && a.defaultValue == "it's")
        let b = try #require(type.property(named: "b"))
        #expect(b.precision == 10 && b.scale == .fixed(2) && b.isNullable && b.defaultValue == "0")
        #expect(type.property(named: "id")?.isTagged(EdmAnnotation.computedDefaultValue) == true)
        #expect(type.property(named: "c")?.isTagged(EdmAnnotation.computedDefaultValue) == true)
        #expect(type.property(named: "d")?.isTagged(EdmAnnotation.computed) == true)
    }

    @Test(
        "Numbers in a declaration that say nothing are not facets",
        arguments: [
            "NUMBER(10,-2)", "NUMBER(-5,2)", "NUMBER(-5,-2)", "NUMBER(0)", "NUMBER(99999999999999999999)",
            "VARCHAR(-1)", "VARCHAR(0)", "VARCHAR(99999999999999999999)", "VARBINARY(-1)",
            "INTEGER(-1)",
        ])
    func impossibleFacets(declared: String) async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, c \(declared));")
        let property = try #require(try await file.store().model().entitySet(named: "t")?.type.property(named: "c"))
        #expect(property.maxLength == nil && property.precision == nil)
        #expect(property.scale == (property.type == .decimal ? .variable : nil))
    }

    @Test(
        "Instants are stored in a form that is found out",
        arguments: [
            ("'2024-01-02 03:04:05'", "text(separator: \" \", fractionDigits: 0, zone: false)"),
            ("'2024-01-02T03:04:05.678Z'", "text(separator: \"T\", fractionDigits: 3, zone: true)"),
            ("'2024-01-02'", "dateText"), ("1704164645", "unixSeconds"), ("1704164645678", "unixMilliseconds"),
            ("2460311.5", "julianDay"), ("NULL", "text(separator: \" \", fractionDigits: 0, zone: false)"),
        ])
    func instants(stored: String, expected: String) throws {
        let file = try SampleFile(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, c DATETIME); INSERT INTO t(c) VALUES (\(stored));")
        let store = try file.store()
        guard case .instant(let format)? = store.schema.tables["t"]?.column(ofProperty: "c")?.codec else {
            Issue.record("no instant")
            return
        }
        #expect("\(format)".replacing("ODataSQL.InstantFormat.", with: "") == expected)
    }

    @Test(
        "A column with values that do not fit is a string, with a notice",
        arguments: [
            ("INTEGER", "'many'"), ("DATE", "'yesterday'"), ("DATE", "'2024-02-30'"), ("DATETIME", "'soon'"),
            ("BOOLEAN", "2"), ("NUMERIC(10,2)", "'n/a'"), ("UUID", "'x'"), ("TIME", "'25:00'"),
            ("DATETIME", "'2024-01-02 03:04:05+02:00'"),
        ])
    func misfits(declared: String, value: String) async throws {
        let file = try SampleFile(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, c \(declared)); INSERT INTO t(c) VALUES (NULL), (\(value));")
        let store = try file.store()
        #expect(try await store.model().entitySet(named: "t")?.type.property(named: "c")?.type == .string)
        #expect(store.notices.count == 1)
        #expect(store.notices.first?.contains("t.c is declared \(declared)") == true)
    }

    @Test("Integers beyond a small type widen it, longer texts lift the limit")
    func widening() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a SMALLINT, b VARCHAR(3), c NUMERIC(5,1));
            INSERT INTO t(a, b, c) VALUES (40000, 'long', 1.25);
            """)
        let store = try file.store()
        let type = try #require(try await store.model().entitySet(named: "t")?.type)
        #expect(type.property(named: "a")?.type == .int64)
        #expect(type.property(named: "b")?.maxLength == nil)
        #expect(type.property(named: "c")?.scale == .variable)
        #expect(store.notices.isEmpty)
    }
}

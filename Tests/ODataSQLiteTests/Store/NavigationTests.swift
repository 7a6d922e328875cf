import Foundation
import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Foreign keys become navigation properties")
struct NavigationTests {
    private func navigation(_ sql: String, _ set: String) async throws -> [String] {
        let type = try #require(try await SampleFile(sql).store().model().entitySet(named: set)?.type)
        return type.navigationProperties.map { navigation in
            let constraints = navigation.constraints.map { "\($0.property)=\($0.referencedProperty)" }
            return "\(navigation.name):\(navigation.isCollection ? "*" : "")\(navigation.target.name)"
                + (constraints.isEmpty ? "" : "[\(constraints.joined(separator: ","))]")
                + "/\(navigation.partner ?? "")"
        }
    }

    private static let shop = """
        CREATE TABLE Category(CategoryID INTEGER PRIMARY KEY);
        CREATE TABLE Employees(id INTEGER PRIMARY KEY, ReportsTo INTEGER REFERENCES Employees);
        CREATE TABLE Product(ProductID INTEGER PRIMARY KEY, CategoryID INTEGER REFERENCES Category,
          bill_id INTEGER REFERENCES Employees(id), ship_id INTEGER NOT NULL REFERENCES Employees(id));
        """

    @Test(
        "To-one is named after its column, the reverse after its set",
        arguments: [
            ("Category", ["Product:*Product/Category"]),
            (
                "Product",
                [
                    "Category:Category[CategoryID=CategoryID]/Product", "bill:Employees[bill_id=id]/Product_bill_id",
                    "ship:Employees[ship_id=id]/Product_ship_id",
                ]
            ),
            (
                "Employees",
                [
                    "ReportsTo_Employees:Employees[ReportsTo=id]/Employees_ReportsTo",
                    "Employees_ReportsTo:*Employees/ReportsTo_Employees", "Product_bill_id:*Product/bill",
                    "Product_ship_id:*Product/ship",
                ]
            ),
        ])
    func names(set: String, expected: [String]) async throws {
        #expect(try await navigation(Self.shop, set) == expected)
    }

    @Test("A relation that a column's name is taken from is told by column and target")
    func clash() async throws {
        let sql = """
            CREATE TABLE A(id INTEGER PRIMARY KEY, B TEXT);
            CREATE TABLE B(id INTEGER PRIMARY KEY, A TEXT, AID INTEGER REFERENCES A);
            """
        #expect(try await navigation(sql, "B") == ["AID_A:A[AID=id]/B_AID"])
        #expect(try await navigation(sql, "A") == ["B_AID:*B/AID_A"])
    }

    @Test("A foreign key to the own table makes a hierarchy")
    func hierarchy() async throws {
        let file = try SampleFile(
            Self.shop + "INSERT INTO Employees VALUES (1, NULL), (2, 1), (3, 2), (4, 1);"
                + "CREATE TABLE Parts(id INTEGER PRIMARY KEY, code TEXT UNIQUE, whole TEXT REFERENCES Parts(code),"
                + " next INTEGER NOT NULL REFERENCES Parts);")
        let store = try file.store()
        let model = try await store.model()
        let terms = { (set: String) in model.entitySet(named: set)?.type.annotations.map(\.term) }
        #expect(terms("Employees") == ["Org.OData.Aggregation.V1.RecursiveHierarchy#ReportsTo_Employees"])
        #expect(terms("Parts") == [] && terms("Product") == [])
        let hierarchy = "$root/Employees,ReportsTo_Employees,id"
        let below = try await store.entities("Employees?$apply=descendants(\(hierarchy),filter(id eq 2),keep start)")
        #expect(below.map(\.id) == ["Employees(2)", "Employees(3)"])
        let order = try await store.entities("Employees?$apply=traverse(\(hierarchy),postorder)")
        #expect(order.map(\.id) == ["Employees(3)", "Employees(2)", "Employees(4)", "Employees(1)"])
    }

    @Test("Composite foreign keys keep their pairs")
    func composite() async throws {
        let sql = """
            CREATE TABLE A(x INTEGER, y TEXT, PRIMARY KEY (x, y)) WITHOUT ROWID;
            CREATE TABLE B(id INTEGER PRIMARY KEY, ax INTEGER, ay TEXT, FOREIGN KEY (ax, ay) REFERENCES A(x, y));
            """
        #expect(try await navigation(sql, "B") == ["ax_ay_A:A[ax=x,ay=y]/B"])
    }

    @Test("Views and tables without a key need one by configuration and are read-only")
    func keyless() async throws {
        let file = try SampleFile(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, n TEXT); INSERT INTO t VALUES (1, 'a');
            CREATE TABLE log(at TEXT, what TEXT); INSERT INTO log VALUES ('x', 'y');
            CREATE VIEW v AS SELECT id, upper(n) AS big FROM t;
            """)
        let without = try file.store()
        #expect(try await without.model().entitySets.map(\.name) == ["t"])
        #expect(without.notices.count == 2)
        let store = try file.store { $0.keys = ["v": ["id"], "log": ["at"]] }
        #expect(try await store.model().entitySets.map(\.name) == ["t", "log", "v"])
        let set = try #require(try await store.model().entitySet(named: "v"))
        #expect(set.annotation(EdmAnnotation.insertable) == .record(["Insertable": .bool(false)]))
        #expect(try await store.entity("v(1)")?["big"] == .string("A"))
        #expect(await code { _ = try await store.update("v(1)", ["big": .string("B")]) } == .methodNotAllowed)
        #expect(await code { _ = try await store.create("log", ["at": .string("B")]) } == .methodNotAllowed)
    }

    @Test("What is not a database, or not there, cannot be opened")
    func unusable() async throws {
        let file = try SampleFile()
        #expect(await code { _ = try SQLiteStore(path: file.path) } == .unusableStore)
        #expect(await code { _ = try SQLiteStore(path: file.folder.path) } == .unusableStore)
        try "no database, but long enough to be read as one".write(toFile: file.path, atomically: true, encoding: .utf8)
        #expect(await code { _ = try SQLiteStore(path: file.path) } == .unusableStore)
    }

    @Test("A read-only store writes nothing to the file")
    func readOnly() async throws {
        let file = try SampleFile("CREATE TABLE t(id INTEGER PRIMARY KEY, b BLOB); INSERT INTO t VALUES (1, x'00');")
        let before = try file.bytes
        let store = try file.store {
            $0.isReadOnly = true
            $0.tracksChanges = true
        }
        #expect(try await store.entities("t").count == 1)
        #expect(try await store.bytes("t(1)/b") == [0])
        #expect(await code { _ = try await store.create("t", [:]) } == .methodNotAllowed)
        try store.close()
        #expect(try file.bytes == before)
        #expect(try file.value("PRAGMA journal_mode") == "delete")
    }
}

import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

@testable import ODataSQLite

/// Organisations in a tree and in a net, and sales that belong to some of them.
///
/// The tree: `S` with `U` (`UE`, `UW`) and `E` (`EC`), and `O` alone; `X` and `Y` are above each other, which a
/// hierarchy must not be. The net: `EC` has the parents `E` and `U`, `UE` has `U`.
struct OrganisationDatabase: Sendable {
    private let database: ModelDatabase

    init() throws {
        database = try ModelDatabase(OrganisationModel.model, mapping: OrganisationMapping(), script: Self.script)
    }

    var pool: DatabasePool { database.pool }
    var parser: QueryParser { database.parser }

    /// The keys of the entities; the values of what has no key.
    func keys(_ url: String, pageSize: Int? = nil) async throws -> String {
        let query = try parser.query(url)
        var keys: [String] = []
        var next: String?
        repeat {
            guard let page = try await database.page(query, continuation: next, pageSize: pageSize) else { return "?" }
            keys += page.entities.map(Self.text)
            next = page.next
        } while next != nil && keys.count < 100
        return keys.joined(separator: " ")
    }

    private static func text(_ entity: EdmEntity) -> String {
        let key = ModelDatabase.key(entity)
        let members = entity.expanded.values.flatMap { expanded in
            switch expanded {
            case .one(let other): other.map { [text($0)] } ?? []
            case .many(let members, _): members.map { text($0) }
            }
        }
        return (key.isEmpty ? ShopDatabase.text(entity.properties) : key)
            + (members.isEmpty ? "" : "[" + members.joined(separator: " ") + "]")
    }

    private static let script = """
        CREATE TABLE "orgs" ("ID" TEXT PRIMARY KEY, "Name" TEXT, "super" TEXT, "Mark" BLOB);
        INSERT INTO "orgs" VALUES ('EC', 'EMEA Central', 'E', x'000102030405060708090a0b0c0d0e0f'),
            ('E', 'EMEA', 'S', x'100102030405060708090a0b0c0d0e0f'),
            ('O', 'Other', NULL, x'200102030405060708090a0b0c0d0e0f'),
            ('S', 'Corporate Sales', NULL, x'300102030405060708090a0b0c0d0e0f'),
            ('U', 'US', 'S', x'400102030405060708090a0b0c0d0e0f'), ('UE', 'US East', 'U', NULL),
            ('UW', 'US West', 'U', x'600102030405060708090a0b0c0d0e0f'), ('X', 'X', 'Y', NULL), ('Y', 'Y', 'X', NULL);
        CREATE TABLE "parents" ("child" INTEGER, "parent" INTEGER);
        INSERT INTO "parents" SELECT c.rowid, p.rowid FROM "orgs" c, "orgs" p
            WHERE (c.ID, p.ID) IN (VALUES ('EC', 'E'), ('EC', 'U'), ('UE', 'U'), ('E', 'S'), ('U', 'S'));
        CREATE TABLE "sales" ("ID" INTEGER PRIMARY KEY, "Amount" INTEGER, "org" TEXT, "Place" TEXT);
        INSERT INTO "sales" VALUES (1, 2, 'UE', 'a'), (2, 4, 'UW', 'a'), (3, 8, 'EC', 'b'), (4, 1, 'U', 'b'),
            (5, 16, NULL, 'a'), (6, 32, 'E', 'a');
        CREATE TABLE "shares" ("sale" INTEGER, "org" INTEGER);
        INSERT INTO "shares" SELECT s.ID, o.rowid FROM "sales" s, "orgs" o
            WHERE (s.ID, o.ID) IN (VALUES (1, 'UE'), (1, 'EC'), (2, 'UW'), (3, 'S'));
        """
}

enum OrganisationModel {
    static let model: EdmModel? = try? EdmModel(schemas: [schema])

    private static let schema = EdmSchema(
        namespace: "Sales", types: [organisation, sale], container: "Container",
        entitySets: [
            EdmEntitySetDeclaration(
                name: "Orgs", type: EdmQualifiedName("Sales.Org"),
                bindings: ["Superordinate": "Orgs", "Parents": "Orgs"]),
            EdmEntitySetDeclaration(
                name: "Sales", type: EdmQualifiedName("Sales.Sale"), bindings: ["Org": "Orgs", "Shares": "Orgs"]),
        ])

    private static func to(_ target: String, _ name: String, many: Bool = false) -> EdmNavigationProperty {
        EdmNavigationProperty(name: name, target: EdmQualifiedName("Sales.\(target)"), isCollection: many)
    }

    private static func hierarchy(_ name: String, _ node: String?, _ parent: String) -> EdmAnnotation {
        var record: EdmAnnotation.Record = ["ParentNavigationProperty": .path(.navigationProperty, parent)]
        record["NodeProperty"] = node.map { .path(.property, $0) }
        return EdmAnnotation(term: "Org.OData.Aggregation.V1.RecursiveHierarchy#\(name)", value: .record(record))
    }

    private static let organisation = EdmStructuredTypeDeclaration(
        name: EdmQualifiedName("Sales.Org"), key: ["ID"],
        properties: [
            EdmProperty(name: "ID", type: .string, isNullable: false), EdmProperty(name: "Name", type: .string),
            EdmProperty(name: "Mark", type: .primitive(.guid)),
        ],
        navigationProperties: [to("Org", "Superordinate"), to("Org", "Parents", many: true)],
        annotations: [
            hierarchy("Tree", "ID", "Superordinate"), hierarchy("Net", "ID", "Parents"),
            hierarchy("Marks", "Mark", "Superordinate"), hierarchy("Nameless", nil, "Superordinate"),
            hierarchy("Lost", "Nothing", "Superordinate"), hierarchy("Flat", "ID", "Name"),
            EdmAnnotation(term: "Org.OData.Aggregation.V1.RecursiveHierarchy#Text", value: .string("ID")),
        ])
    private static let sale = EdmStructuredTypeDeclaration(
        name: EdmQualifiedName("Sales.Sale"), key: ["ID"],
        properties: [
            EdmProperty(name: "ID", type: .int32, isNullable: false), EdmProperty(name: "Amount", type: .int32),
            EdmProperty(name: "OrgID", type: .string), EdmProperty(name: "Place", type: .string),
        ],
        navigationProperties: [to("Org", "Org"), to("Org", "Shares", many: true)])
}

/// Where the organisations lie in the test database.
struct OrganisationMapping: SQLMapping {
    func rows(of set: EdmEntitySet) throws -> RowSource {
        guard set.name == "Orgs" else {
            return RowSource(
                table: "sales", rowID: "ID",
                columns: [
                    "ID": ColumnMapping(column: "ID", codec: .integer),
                    "Amount": ColumnMapping(column: "Amount", codec: .integer),
                    "OrgID": ColumnMapping(column: "org", codec: .text),
                    "Place": ColumnMapping(column: "Place", codec: .text),
                ],
                navigation: [
                    "Org": .columns([.init(source: "org", target: "ID")], target: "Orgs"),
                    "Shares": .linkTable(
                        table: "shares", source: "sale", target: "org", targetSet: "Orgs", condition: nil),
                ])
        }
        return RowSource(
            table: "orgs", rowID: "rowid",
            columns: [
                "ID": ColumnMapping(column: "ID", codec: .text), "Name": ColumnMapping(column: "Name", codec: .text),
                "Mark": ColumnMapping(column: "Mark", codec: .guidBlob),
            ],
            navigation: [
                "Superordinate": .columns([.init(source: "super", target: "ID")], target: "Orgs"),
                "Parents": .linkTable(
                    table: "parents", source: "child", target: "parent", targetSet: "Orgs", condition: nil),
            ])
    }
}

import ODataModel
import ODataQuery
import ODataSQL
import ODataStores
import Testing

@testable import ODataSQLite

/// What is read from the language but refused: the list in the support matrix. Hierarchies, `$it` and functions of the
/// model have theirs beside what works.
@Suite struct RefusalTests {
    static let shop: [(String, String)] = [
        ("Items?$apply=aggregate(Quantity with Custom.median as M)", "Custom.median"),
        ("Items?$apply=expand(Order)", "expand"),
        (
            "Customers?$filter=Orders/aggregate(Items/ProductID with countdistinct from OrderID,Items/Quantity with max)"
                + " gt 1",
            "inside and outside a collection"
        ),
        ("Orders?$apply=groupby((Customer))/nest(identity as N)", "groups by the navigation property Customer"),
        ("Orders?$apply=addnested(Items,groupby((Order)) as N)", "groups by the navigation property Order"),
        ("Customers?$apply=join(Orders as J,groupby((Customer)))", "groups by the navigation property Customer"),
        ("Products?$search='ch'", "$search"),
        ("$all?$apply=aggregate($count as N)", "$apply on $all"),
        ("Things(1)/Words?$search=a", "$search"),
        ("Orders?$compute={\"C\":Customer} as O", "an entity as a member of an object"),
    ]

    @Test("What SQL cannot mean, and what is not there yet, is refused by name", arguments: shop)
    func refused(_ url: String, _ name: String) async throws {
        let shop = try ShopDatabase()
        let error = await #expect(throws: (any Error).self) { _ = try await shop.result(url) }
        Self.check(error, name)
    }

    @Test("An order of all entities of more sets than one statement of SQLite reads")
    func manySets() async throws {
        let shop = try ShopDatabase()
        let query = try shop.parser.query("Tags?$orderby=Code")
        func turns(_ count: Int) throws -> SQLStatement {
            let queries = Array(repeating: query, count: count)
            return try shop.executor.translator.turns(of: queries, by: query.options.orderBy, limit: 2000)
        }
        let most = try turns(500)
        #expect(try await shop.pool.read { try most.rows(in: $0).count } == 1500)
        let error = #expect(throws: (any Error).self) { _ = try turns(501) }
        Self.check(error, "$orderby on $all of more than 500 sets")
    }

    static let zooCases: [(String, String)] = [
        ("Animals?$filter=Born/@Zoo.Label eq 'x'", "an annotation that is an expression"),
        ("Animals?$filter=$root/Animals(1)/Weight/@Zoo.Label/any(l:l eq 'x')", "any"),
        ("Animals?$apply=aggregate(Home with max as M)", "max of such values"),
        ("Animals?$apply=aggregate(Homes with min as M)", "min of such values"),
        ("Animals?$apply=Zoo.Best()", "Zoo.Best"),
    ]

    @Test("Values and functions", arguments: zooCases)
    func values(_ url: String, _ name: String) async throws {
        let zoo = try MenagerieDatabase()
        let error = await #expect(throws: (any Error).self) { _ = try await zoo.keys(url) }
        Self.check(error, name)
    }

    static let bareCases: [(String, String)] = [
        ("Parts?$expand=Owner", "navigation property Parts/Owner"),
        ("Parts?$filter=Owner/ID eq 1", "navigation property Parts/Owner"),
        ("Parts?$filter=Details/Owner/ID eq 1", "navigation property Parts/Details/Owner"),
        ("Parts?$expand=Details/Owner", "navigation property Parts/Details/Owner"),
        ("Parts?$expand=Details/Photo", "a stream of a complex value"),
        ("Parts(1)/Details?$expand=Owner", "$expand"), ("Parts(1)/More?$expand=Owner", "$expand"),
        ("Parts?$filter=Name eq 'x'", "the property Name"), ("Others(1)", "The key property ID"),
    ]

    @Test("Relations, keys and streams that there are no columns for", arguments: bareCases)
    func bare(_ url: String, _ name: String) async throws {
        let database = try ModelDatabase(BareModel.model, mapping: BareMapping(), script: BareModel.script)
        let error = await #expect(throws: (any Error).self) { _ = try await database.entities(url) }
        Self.check(error, name)
    }

    private static func check(_ error: (any Error)?, _ name: String) {
        let found = (error as? QueryError).map { ODataError(reading: $0) } ?? error as? ODataError
        #expect(found?.code == .notImplemented, "\(found?.message ?? "")")
        #expect(found?.message.contains(name) == true, "\(found?.message ?? "")")
    }
}

/// Entities with relations, complex values and streams.
private enum BareModel {
    static let model: EdmModel? = try? EdmModel(schemas: [
        EdmSchema(
            namespace: "Bare", types: [detail, part], container: "Container",
            entitySets: ["Parts", "Others"].map {
                EdmEntitySetDeclaration(
                    name: $0, type: EdmQualifiedName("Bare.Part"),
                    bindings: ["Owner": "Parts", "Details/Owner": "Parts"])
            })
    ])

    static let script = """
        CREATE TABLE "parts" ("ID" INTEGER PRIMARY KEY, "Details" TEXT, "More" TEXT);
        INSERT INTO "parts" VALUES (1, '{}', '[{}]');
        """

    private static let owner = EdmNavigationProperty(
        name: "Owner", target: EdmQualifiedName("Bare.Part"), isCollection: false)
    private static let detail = EdmStructuredTypeDeclaration(
        kind: .complex, name: EdmQualifiedName("Bare.Detail"),
        properties: [EdmProperty(name: "Photo", type: .primitive(.stream))], navigationProperties: [owner])
    private static let part = EdmStructuredTypeDeclaration(
        name: EdmQualifiedName("Bare.Part"), key: ["ID"],
        properties: [
            EdmProperty(name: "ID", type: .int32, isNullable: false), EdmProperty(name: "Name", type: .string),
            EdmProperty(name: "Details", type: .complex(detail.name)),
            EdmProperty(name: "More", type: .collection(.complex(detail.name))),
        ],
        navigationProperties: [owner])
}

/// A table without columns for most of it.
private struct BareMapping: SQLMapping {
    func rows(of set: EdmEntitySet) throws -> RowSource {
        var columns = [
            "Details": ColumnMapping(column: "Details", codec: .json),
            "More": ColumnMapping(column: "More", codec: .json),
        ]
        if set.name == "Parts" { columns["ID"] = ColumnMapping(column: "ID", codec: .integer) }
        return RowSource(table: "parts", rowID: "ID", columns: columns)
    }
}

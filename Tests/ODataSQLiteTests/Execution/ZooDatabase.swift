import ODataModel
import ODataQuery
import ODataSQL
import ODataStores
import Testing

@testable import ODataSQLite

/// A database with derived types, complex values, an open type, contained entities and a singleton.
struct ZooDatabase: Sendable {
    private let database: ModelDatabase

    init() throws {
        database = try ModelDatabase(
            ZooModel.model, mapping: ZooMapping(model: try #require(ZooModel.model)), script: Self.script)
    }

    func result(_ url: String, pageSize: Int? = nil) async throws -> ReadResult {
        try await database.result(try database.parser.query(url), pageSize: pageSize)
    }

    func entities(_ url: String) async throws -> [EdmEntity] { try await database.entities(url) }

    /// `Bird ID=2 Name=Tux Wings=2; …`
    func rows(_ url: String) async throws -> String {
        try await entities(url).map { "\($0.type.name.name) " + ShopDatabase.text($0.properties) }
            .joined(separator: "; ")
    }

    private static let script = """
        CREATE TABLE "animals" ("id" INTEGER PRIMARY KEY, "name" TEXT, "kind" TEXT NOT NULL, "home" TEXT, "tags" TEXT,
            "wings" INTEGER, "owner" INTEGER, "country" TEXT, "more" TEXT);
        INSERT INTO "animals" VALUES
            (1, 'Rex', 'Zoo.Dog', '{"City":"Bern","Place":{"Lat":1.50,"Lon":2}}', '["big","old"]', NULL, 1, 'CH', '{"Colour":"red"}'),
            (2, 'Tux', 'Zoo.Bird', '{"City":"Rome","Place":null}', '[]', 2, NULL, NULL, '{"Size":3}'),
            (3, 'Ex', 'Zoo.Animal', NULL, NULL, NULL, NULL, NULL, NULL),
            (4, 'Rio', 'Zoo.Parrot', '{"City":"Rio","Place":{"Lat":0,"Lon":0}}', '["new"]', 2, NULL, 'BR', NULL);
        CREATE TABLE "keepers" ("id" INTEGER PRIMARY KEY, "name" TEXT);
        INSERT INTO "keepers" VALUES (1, 'Ann'), (2, 'Bob');
        CREATE TABLE "toys" ("animal" INTEGER, "no" INTEGER, "name" TEXT, PRIMARY KEY ("animal", "no"));
        INSERT INTO "toys" VALUES (1, 1, 'Ball'), (1, 2, 'Bone'), (4, 1, 'Bell');
        CREATE TABLE "countries" ("code" TEXT PRIMARY KEY, "name" TEXT);
        INSERT INTO "countries" VALUES ('CH', 'Switzerland'), ('BR', 'Brazil');
        """
}

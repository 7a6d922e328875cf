import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

@testable import ODataSQLite

/// A zoo in a file of its own. Animal 3 has no value but its key.
struct MenagerieDatabase: Sendable {
    private let database: ModelDatabase

    init(isIndexed: Bool = false) throws {
        database = try ModelDatabase(
            MenagerieModel.model, mapping: MenagerieMapping(isIndexed: isIndexed),
            script: Self.script + (isIndexed ? Self.index : ""))
    }

    var pool: DatabasePool { database.pool }
    var executor: QueryExecutor { database.executor }
    var parser: QueryParser { database.parser }

    /// The keys of the animals for which a condition holds: `1 2`.
    func animals(_ filter: String) async throws -> String {
        try await keys("Animals?$filter=" + Self.encoded(filter))
    }

    func keys(_ url: String) async throws -> String { try await keys(of: try parser.query(url)) }

    private func keys(of query: BoundQuery) async throws -> String {
        (try await database.page(query)?.entities ?? []).map(ModelDatabase.key).joined(separator: " ")
    }

    /// The properties of each entity: `S=10 N=5; …`
    func rows(_ url: String) async throws -> String {
        try await database.entities(Self.encoded(url)).map { ShopDatabase.text($0.properties) }.joined(separator: "; ")
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed.subtracting(["+", "&", "#"])) ?? text
    }
}

extension CharacterSet {
    fileprivate func subtracting(_ characters: [Unicode.Scalar]) -> CharacterSet {
        subtracting(CharacterSet(characters))
    }
}

extension MenagerieDatabase {
    private static let script = """
        CREATE TABLE "animals" ("ID" INTEGER PRIMARY KEY, "type" TEXT DEFAULT 'Zoo.Animal', "Name" TEXT, "Legs" INTEGER,
            "Big" INTEGER, "Weight" REAL, "Height" REAL, "Price" TEXT COLLATE ODATA_DECIMAL, "Tame" INTEGER, "Chip" BLOB,
            "Photo" BLOB, "Born" TEXT, "Seen" TEXT COLLATE ODATA_INSTANT, "Feeding" TEXT, "Sleep" TEXT, "Colors" INTEGER,
            "Mood" TEXT, "Home" TEXT, "Size_Width" TEXT, "Size_Unit" TEXT, "Homes" TEXT, "Tags" TEXT, "Scores" TEXT,
            "Prices" TEXT, "Days" TEXT, "Moods" TEXT, "Place" TEXT, "Route" TEXT, "Area" TEXT, "Spot" TEXT, "Field" TEXT,
            "Trick" TEXT, "Wings" INTEGER, "Friend" INTEGER, "Cage" TEXT, "dynamic" TEXT);
        INSERT INTO "animals" VALUES (1, 'Zoo.Dog', 'Ärger', 4, 9223372036854775807, 1.1, 0.1, '12.50', 1,
            x'0123456789abcdef0123456789abcdef', x'00ff', '2020-02-29', '2024-01-01T23:30:00.123 +02:00', '07:59:59.5',
            'PT8H0.5S', 5, 'Calm', '{"City":"Bonn","Lines":["a","b"],"Since":"2020-01-01T00:00:00+01:00",
            "Fee":12345678901234567890.125,"Number":9007199254740993,"Seal":"AP8"}', '1.50', 'm',
            '[{"City":"Bonn"},{"@odata.type":"#Zoo.ForeignAddress","City":"Lyon","Country":"France"}]', '["red","new"]',
            '[4,1,3]', '[12345678901234567890.125,1.50]', '["2020-01-01","2021-01-01"]', '["Calm","Wild"]',
            '{"type":"Point","coordinates":[7.1,50.7]}',
            '{"type":"LineString","coordinates":[[0,0],[1,0],[1,1]]}',
            '{"type":"Polygon","coordinates":[[[7,50],[8,50],[8,51],[7,51],[7,50]]]}',
            '{"type":"Point","coordinates":[3,4]}', 'POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0),(4 4, 6 4, 6 6, 4 6, 4 4))',
            'roll over', NULL, 2, 'A1', '{"Note":"shy","Rank":7,"Exact":0.1,"Since":"2020-01-01","Fine":true,"Deep":{"x":1}}');
        INSERT INTO "animals" VALUES (2, 'Zoo.Puppy', 'ärger', 3, -5, 2.5, -2.5, '-0.5', 0,
            x'11111111111111111111111111111111', x'', '1999-12-31', '2023-12-31T23:30:00', '00:00:00', '-PT1H', 2, 'Wild',
            '{"@odata.type":"#Zoo.ForeignAddress","City":"Lyon","Lines":[],"Country":"France","Fee":1.50}', NULL, 'm',
            '[]', '[]', '[1,1]', '[]', '[]', '[]', '{"type":"Point","coordinates":[8.5,50.7]}', NULL, NULL,
            '{"type":"Point","coordinates":[5,5]}', NULL, 'sit', NULL, 1, 'A1', '{"Note":5,"Exact":12345678901234567890.5}');
        INSERT INTO "animals" ("ID") VALUES (3);
        INSERT INTO "animals" ("ID", "type", "Name", "Wings", "Legs", "Friend", "Cage", "Home", "Mood", "Colors", "dynamic")
            VALUES (4, 'Zoo.Bird', 'Tweety Bird', 2, 2, 4, 'B2', '{"City":"Bonn","Lines":["a","b"],
            "Number":9007199254740993,"Fee":12345678901234567890.1250,"Seal":"AP8","Since":"2020-01-01T00:00:00+01:00"}',
            'Asleep', 0, '{}');
        CREATE TABLE "friends" ("a" INTEGER, "b" INTEGER);
        INSERT INTO "friends" VALUES (1, 2), (1, 4), (2, 1), (4, 4);
        CREATE TABLE "cages" ("Code" TEXT PRIMARY KEY, "Room" INTEGER);
        INSERT INTO "cages" VALUES ('A1', 1), ('B2', 2), ('C3', NULL);
        """

    private static let index = """
        CREATE VIRTUAL TABLE "animal_search" USING fts5("Name", "Tags", content='', tokenize='unicode61 remove_diacritics 2');
        INSERT INTO "animal_search" (rowid, "Name", "Tags") SELECT "ID", "Name", "Tags" FROM "animals";
        """
}

extension MenagerieDatabase {
    /// The keys of the animals for which a condition holds that no URL says.
    func animals(_ filter: QueryExpression) async throws -> String {
        var query = try parser.query("Animals")
        query.options.filter = filter
        return try await keys(of: query)
    }
}

extension MenagerieDatabase {
    /// The keys of entities with those of what the first expanded property of each holds: `1:2,4 2:`.
    func members(_ url: String) async throws -> String {
        try await database.entities(url).map { entity in
            guard case .many(let members, _) = entity.expanded.first?.value else { return ModelDatabase.key(entity) }
            return ModelDatabase.key(entity) + ":" + members.map(ModelDatabase.key).joined(separator: ",")
        }.joined(separator: " ")
    }
}

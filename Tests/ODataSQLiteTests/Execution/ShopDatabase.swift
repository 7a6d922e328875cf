import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores
import Synchronization

@testable import ODataSQLite

/// A shop in a file of its own.
struct ShopDatabase: Sendable {
    private let database: ModelDatabase

    init() throws {
        database = try ModelDatabase(ShopModel.model, mapping: ShopMapping(), script: Self.script)
    }

    var pool: DatabasePool { database.pool }
    var executor: QueryExecutor { database.executor }
    var parser: QueryParser { database.parser }

    func queue() throws -> DatabaseQueue { try database.queue() }

    // MARK: Asking

    func sql(_ url: String) throws -> SQLFragment {
        let query = try parser.query(url)
        return try executor.translator.rows(of: query, shape: try executor.shape(of: query)).sql
    }

    /// What follows `WHERE` and comes before `ORDER BY`.
    func condition(_ url: String) throws -> String {
        let text = try sql(url).text
        guard let start = text.range(of: " WHERE ")?.upperBound else { return "" }
        return String(text[start..<(text.range(of: " ORDER BY ")?.lowerBound ?? text.endIndex)])
    }

    func entities(_ url: String, pageSize: Int? = nil) async throws -> [EdmEntity] {
        try await blocks(url, pageSize: pageSize).flatMap { $0.entities }
    }

    /// The ids of the entities: `Orders(1)`.
    func ids(_ url: String) async throws -> [String] {
        try await entities(url).map { $0.id ?? "-" }
    }

    /// The keys in parentheses, for short: `1 2 5`.
    func keys(_ url: String) async throws -> String {
        try await entities(url).map(ModelDatabase.key).joined(separator: " ")
    }

    func blocks(
        _ url: String, pageSize: Int? = nil, continuation: String? = nil, in database: (any DatabaseReader)? = nil
    ) async throws -> [(block: RowBlock, entities: [EdmEntity])] {
        let request = ReadRequest(try parser.query(url), continuation: continuation)
        let result = try await executor.read(request, in: database ?? pool, pageSize: pageSize)
        guard case .entities(let reader) = result.body else { return [] }
        let assembler = EntityAssembler(shape: reader.shape)
        var blocks: [(block: RowBlock, entities: [EdmEntity])] = []
        while let block = try await reader.next() { blocks.append((block, assembler.entities(in: block))) }
        return blocks
    }

    func result(_ url: String) async throws -> ReadResult { try await database.result(try parser.query(url)) }

    /// How many statements read what `url` says.
    func statements(_ url: String) async throws -> Int {
        let query = try parser.query(url)
        return try await pool.read { db in
            let count = Mutex(0)
            db.trace { _ in count.withLock { $0 += 1 } }
            defer { db.trace() }
            _ = try executor.block(for: query, in: db)
            return count.withLock { $0 }
        }
    }
}

extension ShopDatabase {
    private static let script = """
        CREATE TABLE "Customers" ("ID" TEXT PRIMARY KEY, "Name" TEXT, "City" TEXT, "version" INTEGER DEFAULT 1);
        INSERT INTO "Customers" VALUES ('ALFKI', 'Alfreds', 'Berlin', 3), ('BON''A', 'Bon à parte', NULL, 1),
            ('CHOPS', '100%_Chop', 'Bern', 1);
        CREATE TABLE "Orders" ("OrderID" INTEGER PRIMARY KEY, "CustomerID" TEXT, "Placed" TEXT, "Freight" NUMERIC,
            "deleted" INTEGER DEFAULT 0);
        INSERT INTO "Orders" VALUES (1, 'ALFKI', '2024-01-02 03:04:05', 12.5, 0), (2, 'ALFKI', '2024-02-01', 3, 0),
            (3, 'CHOPS', '2024-02-03 00:00:00', NULL, 0), (4, 'CHOPS', '2024-03-01 00:00:00', 1, 1),
            (5, NULL, NULL, 0.1, 0);
        CREATE TABLE "Order Items" ("OrderID" INTEGER, "ProductID" INTEGER, "Quantity" INTEGER, "Discount" REAL,
            PRIMARY KEY ("OrderID", "ProductID"));
        INSERT INTO "Order Items" VALUES (1, 1, 10, 0), (1, 2, 3, 0.25), (2, 1, 7, 0.5), (3, 3, -7, 0);
        CREATE TABLE "Products" ("ProductID" INTEGER PRIMARY KEY, "Name" TEXT, "Price" TEXT COLLATE ODATA_DECIMAL,
            "Discontinued" INTEGER);
        INSERT INTO "Products" VALUES (1, 'Chai', '18', 0), (2, 'Chang', '9.5', 0), (3, 'Çay', '100.05', 1),
            (4, 'chai', NULL, NULL);
        CREATE TABLE "Tags" ("Code" TEXT PRIMARY KEY);
        INSERT INTO "Tags" VALUES ('cold'), ('hot'), ('new');
        CREATE TABLE "product_tags" ("product" INTEGER, "tag" INTEGER);
        INSERT INTO "product_tags" VALUES (1, 2), (1, 3), (3, 2);
        CREATE TABLE "gifts" ("from" INTEGER, "to" INTEGER, "live" INTEGER);
        INSERT INTO "gifts" VALUES (1, 3, 0), (1, 2, 1), (3, 4, 1);
        CREATE TABLE "Employees" ("EmployeeID" INTEGER PRIMARY KEY, "Name" TEXT, "ReportsTo" INTEGER);
        INSERT INTO "Employees" VALUES (1, 'Ann', NULL), (2, 'Bob', 1), (3, 'Cid', 1), (4, 'Dot', 2);
        CREATE TABLE "Things" ("ID" INTEGER PRIMARY KEY, "Flag" INTEGER, "Number" INTEGER, "Real", "Text", "Bytes",
            "Amount", "Exact" TEXT COLLATE ODATA_DECIMAL, "Guid" TEXT, "Guid16", "Day", "Stamp", "Epoch", "Millis",
            "Julian", "Midnight", "Moment", "Clock", "Span", "Words");
        INSERT INTO "Things" VALUES (1, 1, -5, 1.5, 'Ünï', x'0001ff', 12.25, '12345678901234567890.125',
            '01234567-89AB-CDEF-0123-456789abcdef', x'0123456789abcdef0123456789abcdef', '2024-02-29',
            '2024-01-02 03:04:05', 1704164645, 1704164645250, 2460311.5, '2024-01-02', '2024-01-02T03:04:05.5 +02:00',
            '07:59:59.5', 'PT1H30M', '["a","b"]');
        INSERT INTO "Things" VALUES (2, 0, 7, -0.5, '', x'', -3, '-0.5', '11111111-1111-1111-1111-111111111111',
            x'11111111111111111111111111111111', '2023-12-31', '2023-12-31 23:59:59', -1, -1, 2440587.5, '1970-01-01',
            '2023-12-31T23:59:59', '00:00:00', '-PT0.5S', '[]');
        INSERT INTO "Things" ("ID") VALUES (3);
        INSERT INTO "Things" VALUES (4, 'x', 'x', 'x', x'ff', 5, 'x', 'x', 'x', x'01', 'x', 'x', 'x', 'x', 'x', 'x', 'x',
            'x', 'x', 3);
        """
}

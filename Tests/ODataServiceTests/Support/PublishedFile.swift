import Foundation
import GRDB
import HTTPTypes
import ODataSQLite
import ODataService
import ODataStores

/// A small SQLite file in a folder of its own, published; the folder goes with it.
final class PublishedFile {
    let folder: URL
    private let path: String
    private let published: SQLiteStore.Configuration
    private let configuration: ODataService.Configuration
    private(set) var store: SQLiteStore
    private(set) var service: ODataService

    init(
        isReadOnly: Bool = false, pageSize: Int? = nil, limits: ServiceLimits = ServiceLimits(),
        hasMediaFolder: Bool = false, also script: String = "",
        configure: (inout ODataService.Configuration) -> Void = { _ in },
        configureStore: (inout SQLiteStore.Configuration) -> Void = { _ in }
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("service-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("shop.db").path
        let database = try DatabaseQueue(path: path)
        try database.write { try $0.execute(sql: Self.script + script) }
        try database.close()
        var published = SQLiteStore.Configuration()
        published.media = [MediaColumn(set: "Photos", column: "Content", contentType: "image/png")]
        published.tracksChanges = true
        published.pageSize = pageSize
        published.mediaFolder = hasMediaFolder ? folder.appendingPathComponent("media").path : nil
        configureStore(&published)
        self.published = published
        var configuration = ODataService.Configuration()
        configuration.isReadOnly = isReadOnly
        configuration.limits = limits
        configure(&configuration)
        self.configuration = configuration
        (store, service) = try Self.start(path, published, configuration)
    }

    private static func start(
        _ path: String, _ published: SQLiteStore.Configuration, _ configuration: ODataService.Configuration
    ) throws -> (SQLiteStore, ODataService) {
        let store = try SQLiteStore(path: path, configuration: published)
        let service = ODataService(
            store: OperationStore(store, operations: ShopOperations.all), configuration: configuration)
        return (store, service)
    }

    /// Ends the service, and publishes the file again.
    func restart() throws {
        try store.close()
        (store, service) = try Self.start(path, published, configuration)
    }

    /// As another program that knows nothing of the store.
    func execute(_ sql: String) throws {
        try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    var text: RequestText { RequestText(service: service) }

    /// Sends `text`; shows the response with what differs from run to run replaced by `…`.
    func responseText(_ request: String, showing names: [String] = [], user: String? = nil) async throws -> String {
        var text = text
        text.context.user = user
        return try await text.responseText(request, showing: names)
            .replacing(#/"([A-Za-z]*)@odata\.(etag|mediaEtag)":"(?:[^"\\]|\\.)*"/#) {
                "\"\($0.1)@odata.\($0.2)\":\"…\""
            }
            .replacing(#/\$(skiptoken|deltatoken)=[^"&]*/#) { "$\($0.1)=…" }
            .replacing(#/ETag: (W/)?".*"/#, with: "ETag: …")
    }

    private static let script = """
        CREATE TABLE Categories (ID INTEGER PRIMARY KEY, Name TEXT NOT NULL UNIQUE, Picture BLOB);
        CREATE TABLE Products (
            ID INTEGER PRIMARY KEY, Name TEXT NOT NULL, Price NUMERIC(10,2), Stock INTEGER CHECK (Stock >= 0),
            CategoryID INTEGER REFERENCES Categories (ID));
        CREATE TABLE "Order Details" (
            OrderID INTEGER NOT NULL, ProductID INTEGER NOT NULL REFERENCES Products (ID), Quantity INTEGER,
            PRIMARY KEY (OrderID, ProductID));
        CREATE TABLE Photos (ID INTEGER PRIMARY KEY, Title TEXT, Content BLOB);
        INSERT INTO Categories VALUES (1, 'Drinks', x'010203'), (2, 'Food', NULL);
        INSERT INTO Products VALUES
            (1, 'Tea', 4.5, 10, 1), (2, 'Coffee', 7.25, NULL, 1), (3, 'Bread', NULL, 3, 2), (4, 'Air', 0, 0, NULL);
        INSERT INTO "Order Details" VALUES (10, 1, 2), (10, 3, 1), (11, 1, 5);
        INSERT INTO Photos VALUES (1, 'One', CAST('0123456789' AS BLOB)), (2, 'Two', NULL);
        """
}

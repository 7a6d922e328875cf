import Foundation
import GRDB
import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataStores

/// A folder for one test, removed with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/offline-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A service over an SQLite file: customers, orders, items and photos.
struct SampleService {
    static let orders = 25

    let folder: TemporaryFolder
    let file: String
    let store: SQLiteStore

    /// - Parameter more: Statements that follow the sample's own.
    init(tracksChanges: Bool = true, more: [String] = []) throws {
        folder = try TemporaryFolder()
        file = folder.path + "/service.db"
        let queue = try DatabaseQueue(path: file)
        try queue.write { db in
            for statement in Self.schema { try db.execute(sql: statement) }
            try Self.fill(db)
            for statement in more { try db.execute(sql: statement) }
        }
        try queue.close()
        store = try Self.publish(file, in: folder, tracksChanges: tracksChanges)
    }

    /// The service as it was when its folder was copied to `path`.
    init(copiedTo path: String) throws {
        folder = try TemporaryFolder()
        file = path + "/service.db"
        store = try Self.publish(file, in: folder, tracksChanges: true)
    }

    /// The store keeps the folder.
    private static func publish(_ file: String, in folder: TemporaryFolder, tracksChanges: Bool) throws -> SQLiteStore {
        var configuration = SQLiteStore.Configuration()
        configuration.onNotice = { _ in withExtendedLifetime(folder) {} }
        configuration.media = [MediaColumn(set: "Photos", column: "Image", contentType: "image/png")]
        configuration.tracksChanges = tracksChanges
        return try SQLiteStore(path: file, configuration: configuration)
    }

    private static let schema = [
        "CREATE TABLE Customers (CustomerID TEXT PRIMARY KEY NOT NULL, Name TEXT NOT NULL)",
        """
        CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY, CustomerID TEXT REFERENCES Customers(CustomerID),
        Amount NUMERIC(10,2), OrderDate DATETIME, Note TEXT CHECK (Note <> 'refused'))
        """,
        """
        CREATE TABLE Items (OrderID INTEGER NOT NULL REFERENCES Orders(OrderID), LineNo INTEGER NOT NULL,
        Product TEXT, Quantity INTEGER, PRIMARY KEY (OrderID, LineNo))
        """,
        "CREATE TABLE Photos (PhotoID INTEGER PRIMARY KEY, Title TEXT, OrderID INTEGER REFERENCES Orders(OrderID), Image BLOB)",
    ]

    private static func fill(_ db: Database) throws {
        for (id, name) in [("A", "Alpha"), ("B", "Beta"), ("C", "Gamma")] {
            try db.execute(sql: "INSERT INTO Customers VALUES (?, ?)", arguments: [id, name])
        }
        for order in 1...orders {
            try db.execute(
                sql: "INSERT INTO Orders VALUES (?, ?, ?, ?, ?)",
                arguments: [order, ["A", "B", "C"][order % 3], 10 * order, "2024-01-02 03:04:05", "note \(order)"])
            for line in 1...2 {
                try db.execute(
                    sql: "INSERT INTO Items VALUES (?, ?, ?, ?)", arguments: [order, line, "product \(line)", line])
            }
        }
        for photo in 1...4 {
            try db.execute(
                sql: "INSERT INTO Photos VALUES (?, ?, ?, ?)",
                arguments: [photo, "photo \(photo)", photo, Data(repeating: UInt8(photo), count: 10_000 * photo)])
        }
    }

    /// Another client's change.
    func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    func fetch(_ sql: String) throws -> [String] {
        let queue = try DatabaseQueue(path: file)
        defer { try? queue.close() }
        return try queue.read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.map { "\($0.1.description.replacing("\"", with: ""))" }.joined(separator: "|")
            }
        }
    }
}

/// An offline store over the sample service.
struct Device {
    let service: SampleService
    let folder: TemporaryFolder
    let remote: any ODataStore
    let store: OfflineStore

    init(
        _ queries: [DefiningQuery], service: SampleService? = nil, tracksChanges: Bool = true,
        pageSize: Int = 1000, combines: Bool = true, wrap: (any ODataStore) -> any ODataStore = { $0 },
        configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws {
        self.service = try service ?? SampleService(tracksChanges: tracksChanges)
        folder = try TemporaryFolder()
        remote = wrap(self.service.store)
        var configuration = Self.configuration(pageSize: pageSize, combines: combines)
        configure(&configuration)
        configuration.keep(folder)
        store = try OfflineStore(folder: folder.path + "/store", remote: remote, configuration: configuration)
        try await store.open()
        for query in queries { try store.addQuery(query) }
    }

    static func configuration(pageSize: Int = 1000, combines: Bool = true) -> OfflineStore.Configuration {
        var configuration = OfflineStore.Configuration()
        configuration.downloadPageSize = pageSize
        configuration.combinesRequests = combines
        configuration.pause = { _ in }
        return configuration
    }

    func entities(_ url: String) async throws -> [EdmEntity] { try await store.entities(try await store.query(url)) }

    func values(_ url: String, _ property: String) async throws -> [EdmValue] {
        try await entities(url).map { $0[property] ?? .null }
    }

    func count(_ url: String) async throws -> Int { try await entities(url).count }

    @discardableResult
    func create(_ set: String, _ json: String) async throws -> ChangeResult {
        let path = try store.path(set)
        return try await store.change(ChangeRequest(path, .create(try await store.payload(json, for: path))))
    }

    @discardableResult
    func update(_ entity: String, _ json: String) async throws -> ChangeResult {
        let path = try store.path(entity)
        return try await store.change(ChangeRequest(path, .update(try await store.payload(json, for: path))))
    }

    func delete(_ entity: String) async throws {
        _ = try await store.change(ChangeRequest(try store.path(entity), .delete))
    }

    func bytes(_ path: String) async throws -> [UInt8] {
        try await store.readStream(StreamRequest(try store.path(path))).content.collect(upTo: 1 << 24)
    }
}

extension OfflineStore.Configuration {
    /// Lets the folder go no earlier than the store.
    mutating func keep(_ folder: TemporaryFolder) {
        let pause = pause
        self.pause = { duration in
            defer { withExtendedLifetime(folder) {} }
            try await pause(duration)
        }
    }
}

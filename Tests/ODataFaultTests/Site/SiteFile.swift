import Foundation
import GRDB
import OData
import ODataTesting

/// The service's file: a small field service, some of whose photos are large enough to be cut.
struct SiteFile: Sendable {
    static let orders = 30
    static let photos = 7
    /// The first photos, which are files of the media folder; the last is a row of its index.
    static let largePhotos = 6
    let path: String

    /// The same bytes for every test.
    private static let bytes = Result<Data, any Error> {
        let folder = try TemporaryFolder()
        let path = folder.path + "/sample.db"
        var size = FieldServiceSample.Size()
        (size.partners, size.products, size.orders, size.equipment) = (10, 20, orders, 10)
        (size.workOrders, size.inspections, size.photos) = (20, 20, photos)
        try FieldServiceSample.create(at: path, size: size)
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            for photo in 0..<largePhotos {
                try db.execute(
                    sql: "UPDATE Photos SET Content = ? WHERE PhotoID = ?",
                    arguments: [Data(Self.picture(seed: UInt64(photo), length: 200_000 + photo)), 9000 + photo])
            }
        }
        try queue.close()
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    init(in folder: TemporaryFolder) throws {
        path = folder.path + "/service.db"
        try Self.bytes.get().write(to: URL(fileURLWithPath: path))
    }

    /// Bytes that look like nothing else.
    static func picture(seed: UInt64, length: Int) -> [UInt8] {
        var random = SplitMix(seed: seed &+ 77)
        return (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// Publishes the file with pages of a few entities, so that there are many.
    func publish() throws -> SQLiteStore {
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: "Photos", column: "Content")]
        configuration.tracksChanges = true
        configuration.pageSize = 7
        return try SQLiteStore(path: path, configuration: configuration)
    }

    /// Another program's change.
    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: path, configuration: Self.patient)
        try queue.write { try $0.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }

    func count(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        let queue = try DatabaseQueue(path: path, configuration: Self.patient)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: sql, arguments: arguments) ?? 0 }
    }

    private static var patient: GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(10)
        return configuration
    }
}

/// A folder for one test, removed with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/faults-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

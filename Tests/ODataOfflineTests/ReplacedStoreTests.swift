import Foundation
import ODataOffline
import ODataStores
import Testing

@Suite("The database of an offline store that is replaced or removed while it is open")
struct ReplacedStoreTests {
    @Test("Nothing more is read or written, and the new file stays as it is", arguments: [false, true])
    func replaced(isRemoved: Bool) async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        let path = device.folder.path + "/store"
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".sqlite") }
        let database = path + "/" + (try #require(names.first))
        // A backup, as it was before a change.
        let backup = path + "/backup"
        try await device.store.export(to: backup)
        let copy = try #require(
            try FileManager.default.contentsOfDirectory(atPath: backup).first { $0.hasSuffix(".sqlite") })
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try FileManager.default.removeItem(atPath: database)
        if !isRemoved { try FileManager.default.moveItem(atPath: "\(backup)/\(copy)", toPath: database) }
        let content = FileManager.default.contents(atPath: database)
        await #expect(throws: ODataError.self) { try await device.update("Orders(3)", #"{"Note":"lost"}"#) }
        await #expect(throws: ODataError.self) { _ = try await device.count("Orders") }
        try device.store.close()
        #expect(FileManager.default.contents(atPath: database) == content)
        #expect(!FileManager.default.fileExists(atPath: database + "-wal"))
    }
}

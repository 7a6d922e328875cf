import EncryptionKeys
import Foundation
import GRDB
import ODataOffline
import ODataStores
import Testing

@Suite("The store's folder")
struct StoreFolderTests {
    private func code(_ body: () throws -> Void) -> ODataError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? ODataError)?.code }
    }

    @Test("A folder that is open is refused")
    func lock() async throws {
        let device = try await Device([])
        let path = device.folder.path + "/store"
        #expect(code { _ = try OfflineStore(folder: path, remote: nil) } == .unusableStore)
        try device.store.close()
        #expect(code { try OfflineStore(folder: path, remote: nil).close() } == nil)
    }

    @Test("Unless it is certain which database is the store's, none is removed")
    func currentDatabase() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        let path = device.folder.path + "/store"
        try await device.store.rebuild()
        try device.store.close()
        let manager = FileManager.default
        let current = path + "/current"
        let name = try #require(manager.contents(atPath: current))
        let changes: [(String, () throws -> Void)] = [
            ("unreadable", { try manager.createDirectory(atPath: current, withIntermediateDirectories: false) }),
            ("damaged", { try Data("store".utf8).write(to: URL(fileURLWithPath: current)) }),
            ("of another", { try Data("store-7.sqlite".utf8).write(to: URL(fileURLWithPath: current)) }),
            ("missing", {}),
        ]
        for (what, change) in changes {
            try manager.removeItem(atPath: current)
            try change()
            #expect(code { _ = try OfflineStore(folder: path, remote: nil) } == .unusableStore, "\(what)")
            #expect(manager.fileExists(atPath: path + "/store-1.sqlite"), "\(what)")
            if what != "missing" { try manager.removeItem(atPath: current) }
            try name.write(to: URL(fileURLWithPath: current))
        }
        let store = try OfflineStore(folder: path, remote: nil)
        #expect(try await store.entities(try await store.query("Orders")).count == SampleService.orders)
        try store.close()
    }

    @Test("A store and a copy of it are their owner's alone, also one that was made for all", arguments: [false, true])
    func permissions(isEncrypted: Bool) async throws {
        let service = try SampleService()
        let folder = try TemporaryFolder()
        let key = isEncrypted ? EncryptionKey.random() : nil
        let manager = FileManager.default
        let path = folder.path + "/store"
        func files() -> [String] { (manager.subpaths(atPath: path) ?? []).map { path + "/" + $0 } + [path] }
        func open() throws -> OfflineStore { try OfflineStore(folder: path, remote: service.store, key: key) }
        func isForOthers(_ file: String) throws -> Bool {
            let mode = try manager.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
            return try #require(mode).intValue & 0o077 != 0
        }
        try manager.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let made = try open()
        try await made.open()
        try made.addQuery(.init(name: "orders", query: "Orders"))
        try await made.download()
        try await made.rebuild()
        let names = Set(files().map { String($0.dropFirst(path.count)) })
        #expect(names.isSuperset(of: ["/store-1.sqlite", "/store-1.sqlite-wal", "/store-1.sqlite-shm", "/lock"]))
        #expect(names.isSuperset(of: ["/current", "/media/index.sqlite", "/media/index.sqlite-wal"]))
        #expect(try files().filter(isForOthers) == [])
        try await made.export(to: path + "/copy", protection: .none)
        #expect(try files().filter(isForOthers) == [])
        try manager.removeItem(atPath: path + "/copy")
        try made.close()
        for file in files() {
            let mode = try manager.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
            try manager.setAttributes(
                [.posixPermissions: try #require(mode).intValue | 0o044], ofItemAtPath: file)
        }
        let again = try open()
        try again.addQuery(.init(name: "customers", query: "Customers"))
        let open = files().filter { !$0.dropFirst(path.count).dropFirst("/media".count).hasPrefix("/") }
        #expect(try open.filter(isForOthers) == [])
        #expect(try !isForOthers(path + "/media/index.sqlite"))
        try again.close()
    }

    @Test("After closing, the database is one file")
    func oneFile() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        #expect(try await device.count("Orders") == SampleService.orders)
        let path = device.folder.path + "/store"
        try device.store.close()
        let copy = device.folder.path + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: OfflineStore.databasePath(in: path), toPath: copy + "/store.sqlite")
        let store = try OfflineStore(folder: copy, remote: nil)
        #expect(try await store.entities(try await store.query("Orders?$filter=Note eq 'mine'")).count == 1)
        #expect(try await store.queueEntries().count == 1)
        try store.close()
    }

    @Test("A folder or file that is something else is refused and left alone")
    func somethingElse() throws {
        let folder = try TemporaryFolder()
        let text = folder.path + "/letter.txt"
        try Data("Dear".utf8).write(to: URL(fileURLWithPath: text))
        #expect(code { _ = try OfflineStore(folder: folder.path, remote: nil) } == .unusableStore)
        #expect(code { _ = try OfflineStore(folder: text, remote: nil) } == .unusableStore)
        try FileManager.default.moveItem(atPath: text, toPath: folder.path + "/store.sqlite")
        #expect(code { _ = try OfflineStore(folder: folder.path, remote: nil) } == .unusableStore)
        #expect(FileManager.default.contents(atPath: folder.path + "/store.sqlite") == Data("Dear".utf8))
    }

    @Test("A folder that cannot be made or used is told as an error of storage")
    func unusableFolder() throws {
        let folder = try TemporaryFolder()
        let manager = FileManager.default
        let file = folder.path + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(code { _ = try OfflineStore(folder: file + "/store", remote: nil) } == .storage)
        let locked = folder.path + "/locked"
        try manager.createDirectory(atPath: locked + "/lock", withIntermediateDirectories: true)
        #expect(code { _ = try OfflineStore(folder: locked, remote: nil) } == .storage)
        let store = folder.path + "/store"
        try OfflineStore(folder: store, remote: nil).close()
        try manager.removeItem(atPath: store + "/media")
        try manager.copyItem(atPath: file, toPath: store + "/media")
        #expect(code { _ = try OfflineStore(folder: store, remote: nil) } == .storage)
        // Root may write everywhere.
        guard geteuid() != 0 else { return }
        let closed = folder.path + "/closed"
        try manager.createDirectory(
            atPath: closed, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        #expect(code { _ = try OfflineStore(folder: closed, remote: nil) } == .storage)
    }

    @Test("A database that is gone, or cut below its first page, is not taken for a new one", arguments: [true, false])
    func cutDatabase(isEncrypted: Bool) throws {
        let folder = try TemporaryFolder()
        let key = isEncrypted ? EncryptionKey.random() : nil
        let open: (Bool) throws -> Void = { isReadOnly in
            try OfflineStore(folder: folder.path, remote: nil, key: key, isReadOnly: isReadOnly).close()
        }
        try open(false)
        let manager = FileManager.default
        let file = folder.path + "/store.sqlite"
        let bytes = try #require(manager.contents(atPath: file))
        let log = Data(repeating: 7, count: 5_000)
        for isThere in [true, false] {
            try manager.removeItem(atPath: file)
            if isThere { try Data().write(to: URL(fileURLWithPath: file)) }
            // What it holds may be all that is left.
            try log.write(to: URL(fileURLWithPath: file + "-wal"))
            for isReadOnly in [false, true] { #expect(code { try open(isReadOnly) } == .unusableStore) }
            #expect(code { _ = try OfflineStore.rescueQueue(folder: folder.path, key: key) } == .unusableStore)
            #expect(manager.contents(atPath: file + "-wal") == log)
            try manager.removeItem(atPath: file + "-wal")
            try bytes.write(to: URL(fileURLWithPath: file))
            #expect(code { try open(false) } == nil)
        }
        // The header of an encrypted one, and nothing else.
        try bytes.prefix(128).write(to: URL(fileURLWithPath: file))
        try log.write(to: URL(fileURLWithPath: file + "-wal"))
        #expect(code { try open(false) } == .unusableStore)
        #expect(!isEncrypted || manager.contents(atPath: file + "-wal") == log)
    }

    @Test(
        "A newer version and another program's database are refused",
        arguments: [("user_version = 99", "newer release"), ("application_id = 7", "not an offline store's")],
        [false, true])
    func version(change: (String, String), isReadOnly: Bool) async throws {
        let device = try await Device([])
        let path = device.folder.path + "/store"
        try device.store.close()
        let queue = try DatabaseQueue(path: path + "/store.sqlite")
        try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA \(change.0)") }
        try queue.close()
        #expect {
            try OfflineStore(folder: path, remote: nil, isReadOnly: isReadOnly).close()
        } throws: { error in
            let error = error as? ODataError
            return error?.code == .unusableStore && error?.message.contains(change.1) == true
        }
    }

    @Test("A store that was never opened with its service says so; queries can be added before")
    func neverOpened() async throws {
        let folder = try TemporaryFolder()
        let service = try SampleService()
        let store = try OfflineStore(folder: folder.path + "/a", remote: service.store)
        try store.addQuery(.init(name: "orders", query: "Orders"))
        await #expect(throws: ODataError.self) { try await store.query("Orders") }
        try await store.open()
        try await store.download()
        #expect(try await store.status.entities == ["Orders": SampleService.orders])
        try store.clear()
        #expect(try await store.queries.isEmpty)
        #expect(try await store.status.entities.isEmpty)
        try store.close()
    }
}

import ByteStreams
import Foundation
import GRDB
import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataStores
import Synchronization
import Testing

@Suite("Readers, damage, copies for support")
struct SupportTests {
    private func device(smallStreams: Int = 0) async throws -> Device {
        let device = try await Device(
            [
                .init(name: "orders", query: "Orders"), .init(name: "photos", query: "Photos", retrievesStreams: true),
                .init(name: "customers", query: "Customers"),
            ], configure: { $0.smallStreams = smallStreams })
        try await device.store.download()
        return device
    }

    @Test("A second writer is told who has the store; readers may open it")
    func readers() async throws {
        let device = try await device()
        let path = device.folder.path + "/store"
        do {
            _ = try OfflineStore(folder: path, remote: nil)
            Issue.record("A second writer has opened the store.")
        } catch let error as ODataError { #expect(error.message.contains("in this process")) }
        let reader = try OfflineStore(folder: path, remote: device.remote, isReadOnly: true)
        try await reader.open()
        let query = try await reader.query("Orders?$filter=Note eq 'mine'")
        #expect(try await reader.entities(query).isEmpty)
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        #expect(try await reader.entities(query).count == 1)
        #expect(try await reader.queueEntries().count == 1)
        let target = try reader.path("Orders(2)")
        for refused: () async throws -> Void in [
            { try await reader.download() }, { try await reader.upload() }, { try reader.removeQuery("orders") },
            { try await reader.rebuild() }, { _ = try await reader.change(ChangeRequest(target, .delete)) },
            { try reader.addQuery(.init(name: "new", query: "Customers")) }, { try reader.clear() },
        ] {
            do {
                try await refused()
                Issue.record("A reader has written.")
            } catch let error as ODataError {
                #expect(error.code == .methodNotAllowed)
                #expect(error.message.contains("reading only"))
            }
        }
        try reader.close()
        #expect(throws: ODataError.self) {
            try OfflineStore(folder: device.folder.path + "/none", remote: nil, isReadOnly: true)
        }
        #expect(!FileManager.default.fileExists(atPath: device.folder.path + "/none"))
    }

    @Test("A reader leaves the folder as it is, also where it holds nothing but the database")
    func readerWritesNothing() async throws {
        let device = try await device()
        let path = device.folder.path + "/store"
        try device.store.close()
        for name in ["", "media"] {
            if !name.isEmpty { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
            let before = try Self.files(in: path)
            let reader = try OfflineStore(folder: path, remote: nil, isReadOnly: true)
            try await reader.open()
            #expect(try await reader.entities(try await reader.query("Orders(2)")).count == 1)
            #expect(try await reader.streamEntries().count == 4)
            let photo = StreamRequest(try reader.path("Photos(2)/$value"))
            if name.isEmpty {
                #expect(try await reader.readStream(photo).content.collect(upTo: 1 << 20).count == 20_000)
            } else {
                await #expect(throws: ODataError.self) { try await reader.readStream(photo) }
            }
            let made = await #expect(throws: ODataError.self) {
                try await reader.createMedia(
                    MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try reader.path("Photos"))
            }
            #expect(made?.code == .methodNotAllowed)
            try reader.close()
            #expect(try Self.files(in: path) == before)
        }
    }

    /// All files but SQLite's own beside a database, by name.
    private static func files(in folder: String) throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data()) })
    }

    @Test("A copy has nothing of what is omitted")
    func export() async throws {
        let device = try await device()
        try await device.update("Orders(2)", #"{"Note":"secret words"}"#)
        try await device.update("Orders(3)", #"{"Note":"refused"}"#)
        _ = try await device.store.upload()
        try await device.update("Orders(4)", #"{"Note":"secret words"}"#)
        try await device.store.writingAttachments { db in
            try db.execute(
                sql: #"INSERT INTO "$attachment" ("entity", "body") VALUES ('Orders(2)', '{"name":"attached words"}')"#)
        }
        let path = device.folder.path + "/copy"
        for wrong in ["Orders/OrderID", "Orders/None", "Orders"] {
            await #expect(throws: ODataError.self) { try await device.store.export(to: path, omitting: [wrong]) }
        }
        try await device.store.export(to: path, omitting: ["Orders/Note", "Customers/Name"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["store.sqlite"])
        let bytes = try #require(FileManager.default.contents(atPath: path + "/store.sqlite"))
        for word in ["secret words", "note 7", "Alpha", "attached words"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
        }
        let copy = try OfflineStore(folder: path, remote: nil)
        #expect(try await copy.entities(try await copy.query("Orders?$filter=Note eq null")).count == 25)
        let names = try await copy.entities(try await copy.query("Customers('A')")).map { $0["Name"] }
        #expect(names == [.string("xxxxx")])
        #expect(try await copy.queueEntries().last?.body == #"{"Note":null}"#)
        let bodies = try await copy.entities(try await copy.query("RequestQueue?$filter=contains(Body,'null')"))
        #expect(bodies.count == 2, "bodies are text")
        #expect(try await copy.check().isSound, "the streams, which a copy has not, are not said to be there")
        #expect(try await copy.status.streams == 0)
        #expect(try await device.count("Orders?$filter=Note eq 'secret words'") == 2)
    }

    @Test("A copy is only read: what waits in it is sent by the device that made it", arguments: [false, true])
    func copyIsRead(isReader: Bool) async throws {
        let device = try await device()
        try await device.update("Orders(2)", #"{"Note":"refused"}"#)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        _ = try await device.store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try device.store.path("Photos"))
        let (path, second) = (device.folder.path + "/copy", device.folder.path + "/second")
        // Also while somebody else has the store open.
        let reader = try OfflineStore(folder: device.folder.path + "/store", remote: nil, isReadOnly: true)
        try await (isReader ? reader : device.store).export(to: path)
        try reader.close()
        for isReadOnly in [true, false] {
            let copy = try OfflineStore(folder: path, remote: device.remote, isReadOnly: isReadOnly)
            try await copy.open()
            let target = try copy.path("Orders(3)")
            for refused: () async throws -> Void in [
                { try await copy.upload() }, { try await copy.download() }, { try await copy.rebuild() },
                { _ = try await copy.change(ChangeRequest(target, .delete)) }, { try await copy.undo(.everything) },
                { try copy.addQuery(.init(name: "new", query: "Items")) }, { try copy.clear() },
            ] {
                do {
                    try await refused()
                    Issue.record("A copy was changed or sent.")
                } catch let error as ODataError {
                    #expect(error.code == .methodNotAllowed)
                    #expect(error.message.contains("copy for support"))
                }
            }
            #expect(try await copy.queueEntries().map(\.state) == [.waiting, .waiting, .waiting])
            #expect(try await copy.errorEntries().isEmpty, "that a copy has no streams is not an error")
            #expect(try await copy.entities(try await copy.query("Orders?$filter=Note eq 'mine'")).count == 1)
            #expect(try await copy.status.waitingRequests == 3)
            #expect(try await copy.check().isSound)
            #expect(try await copy.undoPlan(.entity(target)).requests.count == 1)
            if !isReadOnly { try await copy.export(to: second) }
            try copy.close()
        }
        let copied = try OfflineStore(folder: second, remote: device.remote)
        await #expect(throws: ODataError.self) { try await copied.upload() }
        try copied.close()
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 3") == ["note 3"])
        #expect(try await device.store.upload().succeeded.count == 2)
    }

    @Test("Damaged streams are noticed, fetched again, or archived if they were not sent")
    func damagedStreams() async throws {
        let device = try await device()
        let path = device.folder.path + "/store"
        _ = try await device.store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try device.store.path("Photos"))
        #expect(try await device.store.check().isSound)
        try device.store.close()
        for case let file as String in try #require(FileManager.default.enumerator(atPath: path + "/media")) {
            let url = URL(fileURLWithPath: "\(path)/media/\(file)")
            if file.count > 60 { try Data("x".utf8).write(to: url) }
        }
        let reader = try OfflineStore(folder: path, remote: nil, isReadOnly: true)
        #expect(try await reader.check().damagedStreams.count == 5)
        #expect(try await reader.check().lostStreams.count == 1, "what was not sent")
        try reader.close()
        let store = try OfflineStore(folder: path, remote: device.remote)
        #expect(try await store.errorEntries().map(\.code) == ["mediaNotInStore"])
        #expect(try await store.queueEntries().map(\.state) == [.failed])
        #expect(try await store.status.streams == 0)
        #expect(try await store.entities(try await store.query("Photos?$filter=OfflineStore.mediaIsOffline()")).isEmpty)
        #expect(try await store.download().streams == 4)
        #expect(try await store.check().damagedStreams.isEmpty)
        #expect(try await store.check().lostStreams.count == 1, "no download brings it back")
        #expect(try await store.status.lostStreams == 1)
        let content = try await store.readStream(StreamRequest(try store.path("Photos(3)/$value"))).content
        #expect(try await content.collect(upTo: 1 << 24).count == 30_000)
    }

    @Test("Attachments without edits have lost nothing, also where the store has no streams")
    func listedAttachments() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        try await device.store.writingAttachments { db in
            for number in 1...3 {
                try db.execute(
                    sql: """
                        INSERT INTO "$attachment" ("entity", "remote", "body") VALUES ('Orders(2)', ?, '{}')
                        """, arguments: ["Photos(\(number))"])
            }
        }
        #expect(try await device.store.status.lostStreams == 0)
        try await device.store.writingAttachments { db in
            try db.execute(
                sql: #"UPDATE "$attachment" SET "digest" = ? WHERE "remote" = 'Photos(2)'"#,
                arguments: [String(repeating: "0", count: 64)])
        }
        #expect(try await device.store.status.lostStreams == 1, "content that was to be posted")
    }

    @Test(
        "What is not sent is there again with its folder, which was away when the store was opened", arguments: [0, 9])
    func folderAway(smallStreams: Int) async throws {
        let device = try await device(smallStreams: smallStreams)
        let (path, away) = (device.folder.path + "/store", device.folder.path + "/away")
        _ = try await device.store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try device.store.path("Photos"))
        try device.store.close()
        try FileManager.default.moveItem(atPath: path + "/media", toPath: away)
        let without = try OfflineStore(folder: path, remote: device.remote)
        #expect(try await without.errorEntries().map(\.code) == ["mediaNotInStore"])
        #expect(try await without.check().lostStreams.count == 1)
        try without.close()
        try FileManager.default.removeItem(atPath: path + "/media")
        try FileManager.default.moveItem(atPath: away, toPath: path + "/media")
        for _ in 1...2 {
            let again = try OfflineStore(folder: path, remote: device.remote)
            #expect(try await again.status.streams == 1)
            #expect(try await again.check().isSound)
            try again.close()
        }
        let store = try OfflineStore(folder: path, remote: device.remote)
        let entry = try #require(try await store.errorEntries().first)
        try await store.retry(errorID: entry.id)
        #expect(try await store.upload().isComplete)
        #expect(try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 5") == ["010203"])
        #expect(try await store.status.lostStreams == 0)
        #expect(try await store.download().streams == 4)
        #expect(try await store.status.streams == 5)
        #expect(try await store.check().isSound)
        try store.close()
    }

    @Test("A changed byte in a stream is noticed when it is read or sent, and not passed on")
    func changedBytes() async throws {
        let device = try await device()
        let store = device.store
        let path = device.folder.path + "/store/media"
        _ = try await store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try store.path("Photos"))
        try flipBytes(in: path)
        #expect(try await store.check(readsStreams: false).isSound)
        #expect(try await store.check().damagedStreams.count == 5)
        await #expect { try await device.bytes("Photos(3)/$value") } throws: { error in
            (error as? ODataError)?.code == .mediaNotInStore
        }
        #expect(try await store.download().streams == 1)
        #expect(try await device.bytes("Photos(3)/$value") == Array(repeating: 3, count: 30_000))
        let report = try await store.upload()
        #expect(report.failed.map(\.code) == ["mediaNotInStore"])
        #expect(try await store.queueEntries().map(\.state) == [.failed])
        #expect(try device.service.fetch("SELECT count(*) FROM Photos") == ["4"])
    }

    @Test("What a check has read and found damaged comes with the next download; what was not sent is only told")
    func damageFound() async throws {
        let device = try await device()
        let store = device.store
        let path = device.folder.path + "/store/media"
        _ = try await store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try store.path("Photos"))
        try flipBytes(in: path)
        let check = try await store.check()
        #expect(check.damagedStreams.count == 5 && check.lostStreams.count == 1)
        #expect(try await store.download().streams == 0, "a check alone changes nothing")
        let reader = try OfflineStore(folder: device.folder.path + "/store", remote: nil, isReadOnly: true)
        try await reader.open()
        let refusal = await #expect(throws: ODataError.self) { try await reader.noteDamage(check) }
        #expect(refusal?.code == .methodNotAllowed)
        try reader.close()
        try await store.noteDamage(check)
        #expect(try await store.queueEntries().map(\.state) == [.waiting])
        #expect(try await store.download().streams == 4)
        #expect(try await store.check().damagedStreams == check.lostStreams)
        #expect(try await device.bytes("Photos(3)/$value") == Array(repeating: 3, count: 30_000))
    }

    /// Changes the second byte of each stream that is a file.
    private func flipBytes(in folder: String) throws {
        for case let file as String in try #require(FileManager.default.enumerator(atPath: folder)) {
            let url = URL(fileURLWithPath: "\(folder)/\(file)")
            guard file.count > 60 else { continue }
            var bytes = try Data(contentsOf: url)
            bytes[1] ^= 0x10
            try bytes.write(to: url)
        }
    }

    @Test("A damaged database says so, and its queue can be read")
    func damagedDatabase() async throws {
        let device = try await device()
        let path = device.folder.path + "/store"
        for order in 1...20 { try await device.update("Orders(\(order))", #"{"Note":"mine"}"#) }
        try device.store.close()
        let file = path + "/store.sqlite"
        let queue = try DatabaseQueue(path: file)
        let (page, leaf) = try await queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            return (
                try Int.fetchOne(db, sql: #"SELECT "rootpage" FROM sqlite_master WHERE "name" = 'Customers'"#),
                try Int.fetchOne(
                    db, sql: "SELECT max(pageno) FROM dbstat WHERE name = '$queue' AND pagetype = 'leaf'")
            )
        }
        try queue.close()
        var bytes = try #require(FileManager.default.contents(atPath: file))
        let start = (try #require(page) - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xFF, count: 4096))
        try bytes.write(to: URL(fileURLWithPath: file))
        let store = try OfflineStore(folder: path, remote: nil)
        #expect(try await store.check().database.isEmpty == false)
        #expect(try await store.entities(try await store.query("Orders")).count == 25)
        do {
            _ = try await store.entities(try await store.query("Customers"))
            Issue.record("A damaged table was read.")
        } catch let error as ODataError { #expect(error.code == .unusableStore) }
        try store.close()
        #expect(try OfflineStore.rescueQueue(folder: path).count == 20)
        // A sector of the queue itself: values and rows of nothing, which SQLite does not complain about.
        let sector = (try #require(leaf) - 1) * 4096 + 3072
        var holed = bytes
        holed.replaceSubrange(sector..<sector + 512, with: Data(count: 512))
        try holed.write(to: URL(fileURLWithPath: file))
        let rest = try OfflineStore.rescueQueue(folder: path)
        #expect((10..<20).contains(rest.count { $0.method == "PATCH" && $0.body != nil }), "\(rest)")
        try Data(bytes.prefix(50)).write(to: URL(fileURLWithPath: file))
        do {
            _ = try OfflineStore(folder: path, remote: nil)
            Issue.record("A cut file was opened.")
        } catch let error as ODataError {
            #expect(error.code == .unusableStore)
            #expect(error.message.contains("rescueQueue"))
        }
        #expect(throws: ODataError.self) { try OfflineStore.rescueQueue(folder: path) }
    }

    @Test(
        "A device clock that jumps or is wrong all the time does no harm",
        arguments: [(-4_000_000_000.0, 8_000_000_000.0), (4_000_000_000, -8_000_000_000), (-1_000_000_000, 0)])
    func jumpingClock(before: Double, after: Double) async throws {
        let service = try SampleService()
        let folder = try TemporaryFolder()
        let clock = Clock()
        var configuration = Device.configuration()
        configuration.now = { clock.date }
        let store = try OfflineStore(folder: folder.path, remote: service.store, configuration: configuration)
        try await store.open()
        try store.addQuery(.init(name: "orders", query: "Orders"))
        try await store.download()
        clock.add(before)
        let path = try store.path("Orders(1)")
        _ = try await store.change(
            ChangeRequest(path, .update(try await store.payload(#"{"Note":"mine"}"#, for: path))))
        let orders = try store.path("Orders")
        let json = #"{"Note":"made"}"#
        _ = try await store.change(ChangeRequest(orders, .create(try await store.payload(json, for: orders))))
        clock.add(after)
        // What was first sent too long ago for the service is sent without its id.
        #expect(try await store.upload().isComplete)
        try service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 2")
        #expect(try await store.download().queries.map(\.isDelta) == [true])
        #expect(try service.fetch("SELECT Note FROM Orders WHERE OrderID = 1") == ["mine"])
        #expect(try service.fetch("SELECT OrderID FROM Orders WHERE Note = 'made'") == ["26"])
        #expect(try await store.entities(try await store.query("Orders?$filter=Note eq 'theirs'")).count == 1)
    }
}

/// A clock that is set by hand.
final class Clock: Sendable {
    private let seconds = Mutex(1_700_000_000.0)
    var date: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
    func add(_ more: Double) { seconds.withLock { $0 += more } }
}

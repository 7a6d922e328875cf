import ByteStreams
import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("A published file that is replaced, overwritten or removed")
struct ReplacedFileTests {
    /// What happens to the file, and whether there is another one at its path then.
    enum Event: String, CaseIterable {
        case renamed, renamedWithLog, copied, copiedWithLog, deleted, deletedAndCopied, truncated, cut, movedFolder

        var hasOther: Bool { ![.deleted, .truncated, .cut, .movedFolder].contains(self) }

        func happen(to file: SampleFile, other: SampleFile) throws {
            let files = FileManager.default
            switch self {
            case .renamed, .renamedWithLog: #expect(rename(other.path, file.path) == 0)
            case .copied, .copiedWithLog: try Self.overwrite(file, with: other.bytes)
            case .deleted: try files.removeItem(atPath: file.path)
            case .deletedAndCopied:
                try files.removeItem(atPath: file.path)
                try files.copyItem(atPath: other.path, toPath: file.path)
            case .truncated: try Self.overwrite(file, with: Data())
            case .cut: try Self.overwrite(file, with: file.bytes.prefix(5000))
            case .movedFolder: try files.moveItem(atPath: file.folder.path, toPath: file.folder.path + "-moved")
            }
        }

        /// As `cp` does: the file stays the same one, with other content. By a program of its own, since this process
        /// would lose SQLite's locks when it closes the file.
        private static func overwrite(_ file: SampleFile, with content: Data) throws {
            let source = file.folder.appendingPathComponent("source")
            try content.write(to: source)
            defer { try? FileManager.default.removeItem(at: source) }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/cp")
            process.arguments = [source.path, file.path]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    private func files(_ event: Event) throws -> (file: SampleFile, other: SampleFile) {
        let other = try SampleFile(
            """
            \([.renamedWithLog, .copiedWithLog].contains(event) ? "PRAGMA user_version = 7;" : "")
            CREATE TABLE b(id INTEGER PRIMARY KEY, t TEXT);
            CREATE TABLE filler(id INTEGER PRIMARY KEY, t TEXT);
            INSERT INTO b VALUES (1, 'other');
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 500)
            INSERT INTO filler SELECT i, 'filler ' || i FROM c;
            """)
        if [.renamedWithLog, .copiedWithLog].contains(event) { try other.useLog() }
        return (try SampleFile("CREATE TABLE a(id INTEGER PRIMARY KEY, t TEXT); INSERT INTO a VALUES (1, 'x');"), other)
    }

    @Test(
        "Nothing is accepted for it, nothing is written into the new file, and that is opened",
        arguments: Event.allCases)
    func events(event: Event) async throws {
        let (file, other) = try files(event)
        defer { try? FileManager.default.removeItem(atPath: file.folder.path + "-moved") }
        let told = NoticeList()
        let store = try file.store { $0.onNotice = { told.append($0) } }
        _ = try await store.create("a", ["t": .string("before")])
        try event.happen(to: file, other: other)
        #expect(await code { _ = try await store.create("a", ["t": .string("after")]) } == .busy)
        #expect(await code { _ = try await store.update("a(1)", ["t": .string("after")]) } == .busy || event.hasOther)
        guard event.hasOther else {
            for _ in 0..<3 {
                #expect(await code { _ = try await store.entities("a") } == .busy)
                #expect(await code { _ = try await store.model() } == .busy)
            }
            try store.close()
            #expect(FileManager.default.fileExists(atPath: file.path) == [.truncated, .cut].contains(event))
            if event == .truncated { #expect(try file.bytes.isEmpty) }
            return
        }
        let model = try await Self.model(of: store, with: "b")
        #expect(model.entitySet(named: "a") == nil)
        #expect(try await store.entities("b").map { $0["t"] } == [.string("other")])
        #expect(told.texts.contains { $0.hasSuffix("the new one is served.") })
        _ = try await store.create("b", ["t": .string("new")])
        try store.close()
        #expect(try file.values("SELECT t FROM b ORDER BY id") == ["other", "new"])
        #expect(try file.value("SELECT count(*) FROM filler") == "500")
        #expect(try file.value("PRAGMA integrity_check") == "ok")
    }

    @Test("A service that ends without another request leaves the new file alone", arguments: Event.allCases)
    func closing(event: Event) async throws {
        let (file, other) = try files(event)
        defer { try? FileManager.default.removeItem(atPath: file.folder.path + "-moved") }
        let store = try file.store()
        _ = try await store.create("a", ["t": .string("before")])
        let wanted = try other.bytes
        try event.happen(to: file, other: other)
        try store.close()
        guard event.hasOther else { return }
        #expect(try file.bytes == wanted)
        #expect(try file.value("PRAGMA integrity_check") == "ok")
        #expect(try file.values("SELECT t FROM b") == ["other"])
    }

    @Test("A folder that is moved away and comes back is served as before, with all that was written")
    func movedBack() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let moved = file.folder.path + "-moved"
        _ = try await store.create("Order", ["Customer": .string("Bo")])
        try FileManager.default.moveItem(atPath: file.folder.path, toPath: moved)
        #expect(await code { _ = try await store.entities("Order") } == .busy)
        try FileManager.default.moveItem(atPath: moved, toPath: file.folder.path)
        #expect(try await store.entities("Order").count == 2)
        _ = try await store.create("Order", ["Customer": .string("Cy")])
        try store.close()
        #expect(try file.value("SELECT count(*) FROM \"Order\"") == "3")
    }

    @Test("Another program may write and take the log into the file: that is the same file")
    func otherProgram() async throws {
        let file = try Shop.file()
        let store = try file.store()
        for number in 1...5 {
            try file.execute("INSERT INTO \"Order\"(Customer) VALUES ('\(number)')")
            try DatabaseQueue(path: file.path).inDatabase { _ = try $0.checkpoint(.truncate) }
            #expect(try await store.entities("Order").count == 2 * number)
            _ = try await store.create("Order", ["Customer": .string("own")])
        }
        try store.close()
        #expect(try file.value("SELECT count(*) FROM \"Order\"") == "11")
    }

    @Test("A read that has begun ends with an error when the file is overwritten, and gives no other rows")
    func longRead() async throws {
        let (file, other) = try files(.copied)
        try file.execute(
            """
            WITH RECURSIVE c(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM c WHERE i < 9000)
            INSERT INTO a SELECT i, 'name ' || i FROM c
            """)
        let store = try file.store()
        do {
            guard case .entities(let rows) = try await store.read(ReadRequest(try store.parser.query("a"))).body else {
                Issue.record("no rows")
                return
            }
            _ = try await rows.next()
            try Event.copied.happen(to: file, other: other)
            #expect(await code { while try await rows.next() != nil {} } == .busy)
        }
        try store.close()
    }

    @Test("After a change the file alone has it: its log is empty")
    func emptyLog() async throws {
        let file = try Shop.file()
        let store = try file.store()
        _ = try await store.create("Order", ["Customer": .string("Bo")])
        let copy = try SampleFile()
        try file.bytes.write(to: URL(fileURLWithPath: copy.path))
        #expect(try copy.value("SELECT count(*) FROM \"Order\"") == "2")
        try store.close()
    }

    @Test(
        "A file has the kind of journal that it had when the service ends",
        arguments: ["delete", "wal"])
    func journal(mode: String) async throws {
        let file = try Shop.file()
        if mode == "wal" { try file.useLog() }
        let store = try file.store()
        _ = try await store.create("Order", ["Customer": .string("Bo")])
        #expect(try file.value("PRAGMA journal_mode") == "wal")
        try store.close()
        #expect(try file.value("PRAGMA journal_mode") == mode)
    }

    @Test("Where the log cannot go because another program has the file open, a notice says so")
    func journalStays() async throws {
        let file = try Shop.file()
        let told = NoticeList()
        let store = try file.store { $0.onNotice = { told.append($0) } }
        let other = try DatabaseQueue(path: file.path)
        _ = try other.read { try Row.fetchAll($0, sql: "SELECT * FROM \"Order\"") }
        try store.close()
        #expect(told.texts.count == 1 && told.texts.first?.contains("keeps its write-ahead log") == true)
    }

    @Test(
        "A file behind a symbolic link is served; a link to another file is followed, and the old file keeps what was written",
        arguments: [false, true])
    func link(isRelative: Bool) async throws {
        let (file, other) = try files(.renamed)
        let link = file.folder.path + "/current.db"
        let to = { (target: SampleFile, place: String) in
            try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: target.path)
        }
        if isRelative {
            #expect(symlink(URL(fileURLWithPath: file.path).lastPathComponent, link) == 0)
        } else {
            try to(file, link)
        }
        let store = try SQLiteStore(path: link)
        _ = try await store.create("a", ["t": .string("before")])
        try to(other, link + "-new")
        #expect(rename(link + "-new", link) == 0)
        #expect(await code { _ = try await store.create("a", ["t": .string("after")]) } == .busy)
        _ = try await Self.model(of: store, with: "b")
        _ = try await store.create("b", ["t": .string("new")])
        try store.close()
        for (file, texts) in [(file, ["x", "before"]), (other, ["other", "new"])] {
            #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
            #expect(try file.value("PRAGMA journal_mode") == "delete")
            #expect(try file.values("SELECT t FROM \(file === other ? "b" : "a") ORDER BY id") == texts)
        }
    }

    @Test("A file that cannot be served is left with the kind of journal that it had", arguments: ["delete", "wal"])
    func failedStart(mode: String) throws {
        let file = try Shop.file()
        if mode == "wal" { try file.useLog() }
        #expect(throws: ODataError.self) {
            _ = try file.store { $0.media = [MediaColumn(set: "Order", column: "None")] }
        }
        #expect(try file.value("PRAGMA journal_mode") == mode)
        #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    }

    @Test("A media folder that is moved away or replaced gets no stream, and gives none", arguments: [false, true])
    func mediaFolder(isReplaced: Bool) async throws {
        let file = try Shop.file()
        let folder = file.folder.path + "/media"
        let store = try file.store { $0.mediaFolder = folder }
        let content = Array(repeating: UInt8(7), count: 100)
        let set = { (bytes: [UInt8]) in
            _ = try await store.change(
                "Photo(1)/Image", .replaceStream(MediaContent(ByteContent(bytes), contentType: "image/png")))
        }
        try await set(content)
        try FileManager.default.moveItem(atPath: folder, toPath: folder + "-moved")
        if isReplaced { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
        #expect(await code { try await set([1, 2, 3]) } == .busy)
        #expect(await code { _ = try await store.bytes("Photo(1)/Image") } == .busy)
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names == (isReplaced ? [] : nil))
        try store.close()
        if isReplaced { try FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.moveItem(atPath: folder + "-moved", toPath: folder)
        let again = try file.store { $0.mediaFolder = folder }
        #expect(try await again.bytes("Photo(1)/Image") == content)
        try again.close()
    }

    @Test("An emptied media folder gets no stream, and tells that those of before are gone")
    func emptiedMediaFolder() async throws {
        let file = try Shop.file()
        let folder = file.folder.path + "/media"
        let set = { (store: SQLiteStore, bytes: [UInt8]) in
            _ = try await store.change(
                "Photo(1)/Image", .replaceStream(MediaContent(ByteContent(bytes), contentType: "image/png")))
        }
        let store = try file.store { $0.mediaFolder = folder }
        try await set(store, Array(repeating: 7, count: 100))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        #expect(await code { try await set(store, [1, 2, 3]) } == .busy)
        #expect(await code { _ = try await store.bytes("Photo(1)/Image") } == .busy)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        try store.close()
        let again = try file.store { $0.mediaFolder = folder }
        await #expect { _ = try await again.bytes("Photo(1)/Image") } throws: {
            "\($0)".contains("not in the media folder")
        }
        try await set(again, [1, 2, 3])
        #expect(try await again.bytes("Photo(1)/Image") == [1, 2, 3])
        try again.close()
    }

    /// The model once the file is open again, which happens by itself.
    private static func model(of store: SQLiteStore, with set: String) async throws -> EdmModel {
        let end = ContinuousClock.now + .seconds(60)
        while .now < end {
            if let model = try? await store.model(), model.entitySet(named: set) != nil { return model }
            await Task.yield()
        }
        return try await store.model()
    }
}

extension SampleFile {
    /// Has SQLite keep a write-ahead log for the file.
    func useLog() throws {
        try DatabaseQueue(path: path).writeWithoutTransaction {
            _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL")
        }
    }
}

import ByteStreams
import Foundation
import MediaFiles
import ODataStores
import TestSupport
import Testing

@testable import ODataSQLite

@Suite("Streams in a media folder")
struct StreamFileTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3, 4]

    private let file: SampleFile
    private let folder: String

    init() throws {
        file = try Shop.file()
        folder = file.folder.path + "/media"
    }

    private func store(
        _ file: SampleFile? = nil, _ configure: (inout SQLiteStore.Configuration) -> Void = { _ in }
    ) throws -> SQLiteStore {
        try (file ?? self.file).store {
            $0.mediaFolder = folder
            $0.media = file == nil ? [MediaColumn(set: "Photo", column: "Image")] : []
            configure(&$0)
        }
    }

    private func put(_ bytes: [UInt8], at path: String, in store: SQLiteStore) async throws {
        let content = MediaContent(ByteContent(bytes), contentType: "application/octet-stream")
        _ = try await store.change(path, .replaceStream(content))
    }

    /// The digests of the streams in the folder.
    private var digests: Set<String> { get throws { try MediaFolder(path: folder).check(known: []).strays } }

    private var incoming: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder + "/incoming") }
    }

    private func digest(_ bytes: [UInt8]) async throws -> String {
        try await StoredMedia(reading: ByteContent(bytes)).digest
    }

    @Test("A stream becomes a file when it is replaced; until then it is read from the table")
    func replace() async throws {
        let store = try store()
        #expect(try await store.bytes("Photo(1)/$value") == Self.png)
        #expect(try await store.stream("Photo(1)/$value").digest == nil)
        let before = try await store.stream("Photo(1)/$value").etag
        let bytes = Self.png + [UInt8](repeating: 7, count: 700_000)
        try await put(bytes, at: "Photo(1)/$value", in: store)
        #expect(try file.value("SELECT length(Image) FROM Photo") == "128")
        let result = try await store.stream("Photo(1)/$value")
        let media = try await StoredMedia(reading: ByteContent(bytes))
        #expect(result.totalLength == 700_012 && result.digest == media.digest && result.etag != before)
        #expect(try digests == [media.digest] && incoming.isEmpty)
        // Told from the first bytes of the file.
        #expect(try await store.entity("Photo(1)")?.media?.contentType == "image/png")
        #expect(try await result.content.collect(upTo: 1_000_000) == bytes)
        #expect(
            try await store.bytes("Photo(1)/$value") {
                $0.offset = 10
                $0.count = 3
            } == [3, 4, 7])
        #expect(try await store.bytes("Photo(1)/$value") { $0.suffixLength = 2 } == [7, 7])
        let error = await #expect(throws: ODataError.self) {
            try await store.stream("Photo(1)/$value") { $0.offset = 700_012 }
        }
        #expect(error?.code == .rangeNotSatisfiable && error?.facts.streamLength == 700_012)
        try await put([], at: "Photo(1)/$value", in: store)
        #expect(try await store.bytes("Photo(1)/$value").isEmpty)
    }

    @Test("The same bytes are one file, which goes with the last row that has them")
    func sharing() async throws {
        let store = try store()
        let label = "Label(01234567-89ab-cdef-0123-456789abcdef)/Scan"
        for path in ["Photo(1)/$value", "Category(1)/Picture", "Category(2)/Picture", label] {
            try await put(Self.png, at: path, in: store)
        }
        #expect(try await store.bytes(label) == Self.png)
        #expect(try digests.count == 1)
        _ = try await store.change("Photo(1)/$value", .deleteStream)
        _ = try await store.change("Category(1)/Picture", .deleteStream)
        try await put([1], at: label, in: store)
        #expect(try digests.count == 2)
        #expect(try await store.bytes("Category(2)/Picture") == Self.png)
        _ = try await store.change("Category(2)/Picture", .deleteStream)
        #expect(try digests.count == 1)
        try await put([2], at: label, in: store)
        let last = try await digest([2])
        #expect(try digests == [last])
    }

    @Test("A stream that its own change set replaces leaves no file, whatever others remove while it waits")
    func replacedAtOnce() async throws {
        let store = try store()
        let path = try store.path("Category(1)/Picture")
        let contents: [[UInt8]] = [[1], [2]]
        let requests = contents.map { bytes in
            ChangeRequest(path, .replaceStream(MediaContent(ByteContent(bytes), contentType: "a/b")))
        }
        _ = try await store.changeSet(requests)
        let last = try await digest([2])
        #expect(try digests == [last])
        let files = try #require(store.streamFiles)
        let waiting = try await files.receive(ByteContent([2]), upTo: 10)
        _ = try await store.change("Category(1)/Picture", .deleteStream)
        #expect(try digests == [last])
        files.release([waiting], haveRows: true)
        await store.removeReleasedFiles()
        #expect(try digests.isEmpty)
    }

    @Test("Files go with rows that SQLite deletes along with others")
    func cascade() async throws {
        let albums = try SampleFile(
            """
            CREATE TABLE Album(ID INTEGER PRIMARY KEY);
            CREATE TABLE Shot(ID INTEGER PRIMARY KEY, AlbumID INTEGER REFERENCES Album ON DELETE CASCADE, Image BLOB);
            INSERT INTO Album VALUES (1);
            INSERT INTO Shot VALUES (1, 1, NULL), (2, 1, NULL);
            """)
        let store = try store(albums)
        try await put([1], at: "Shot(1)/Image", in: store)
        try await put([2], at: "Shot(2)/Image", in: store)
        #expect(try digests.count == 2)
        _ = try await store.change("Album(1)", .delete)
        #expect(try digests.isEmpty)
    }

    @Test("A change that is refused leaves no file")
    func refused() async throws {
        let store = try store { $0.streamLimit = 20 }
        func requests(_ second: [UInt8], at path: String) throws -> [ChangeRequest] {
            let streams: [(String, [UInt8])] = [("Category(1)/Picture", [1]), (path, second)]
            return try streams.map { path, bytes in
                ChangeRequest(
                    try store.path(path), .replaceStream(MediaContent(ByteContent(bytes), contentType: "a/b")))
            }
        }
        #expect(await code { _ = try await store.changeSet(requests([2], at: "Photo(9)/$value")) } == .notFound)
        let long = [UInt8](repeating: 1, count: 21)
        #expect(await code { _ = try await store.changeSet(requests(long, at: "Photo(1)/$value")) } == .tooLarge)
        let cut = ByteContent(try DataSource([1, 2]).open(at: 0), length: 3)
        #expect(
            await code {
                _ = try await store.change("Photo(1)/$value", .replaceStream(MediaContent(cut, contentType: "a/b")))
            } == .badRequest)
        #expect(try digests.isEmpty && incoming.isEmpty)
        #expect(try await store.bytes("Photo(1)/$value") == Self.png)
    }

    @Test("What a crash leaves goes at the next start, which tells what is missing")
    func restart() async throws {
        let store = try store()
        try await put([1], at: "Category(1)/Picture", in: store)
        try await put([2], at: "Category(2)/Picture", in: store)
        try store.close()
        let media = try MediaFolder(path: folder)
        // Between the file and the row, and before the file had its name.
        _ = try await media.write(ByteContent([3]))
        try Data([4]).write(to: URL(fileURLWithPath: folder + "/incoming/1-1"))
        let (kept, lost) = (try await digest([1]), try await digest([2]))
        try media.remove(digest: lost)
        let told = NoticeList()
        let again = try self.store { $0.onNotice = { told.append($0) } }
        #expect(try digests == [kept] && incoming.isEmpty)
        #expect(told.texts == ["The stream \(lost) is no longer in the media folder."])
        #expect(try await again.bytes("Category(1)/Picture") == [1])
        #expect(await code { _ = try await again.stream("Category(2)/Picture") } == .internalError)
        try await put([5], at: "Category(2)/Picture", in: again)
        #expect(try await again.bytes("Category(2)/Picture") == [5])
    }

    @Test("A column that is published as something else keeps its files")
    func otherConfiguration() async throws {
        let notes = try SampleFile(
            "CREATE TABLE Note(ID INTEGER PRIMARY KEY, Body BLOB); INSERT INTO Note VALUES (1, NULL)")
        let first = try store(notes) { $0.media = [MediaColumn(set: "Note", column: "Body")] }
        try await put([1], at: "Note(1)/$value", in: first)
        try first.close()
        _ = try store(notes)
        #expect(try digests.count == 1)
    }

    @Test("The folder belongs to one file, and to one store at a time that writes")
    func owner() async throws {
        let first = try store()
        try await put(Self.png, at: "Category(2)/Picture", in: first)
        #expect(await code { _ = try store() } == .unusableStore)
        let reader = try store { $0.isReadOnly = true }
        #expect(try await reader.bytes("Category(2)/Picture") == Self.png)
        try first.close()
        let other = try SampleFile("CREATE TABLE T(ID INTEGER PRIMARY KEY, Content BLOB)")
        #expect(await code { _ = try store(other) } == .unusableStore)
        let offline = try MediaFolder(path: file.folder.path + "/offline")
        _ = try await offline.write(ByteContent([1]))
        #expect(await code { _ = try store(other) { $0.mediaFolder = offline.path } } == .unusableStore)
        #expect(try offline.check(known: []).strays.count == 1)
    }

    @Test("Without its folder a file takes streams into its tables, and cannot give those in the folder")
    func withoutFolder() async throws {
        let first = try store()
        try await put(Self.png, at: "Category(2)/Picture", in: first)
        try await put([1], at: "Category(1)/Picture", in: first)
        try first.close()
        let bare = try store { $0.mediaFolder = nil }
        #expect(await code { _ = try await bare.stream("Category(2)/Picture") } == .internalError)
        // Content that looks like a reference, but for what nobody knows.
        let forged = [0] + Array("odata-stream-1".utf8) + [UInt8](repeating: 0, count: 65)
        try await put(forged, at: "Category(2)/Picture", in: bare)
        try bare.close()
        let again = try store()
        #expect(try await again.bytes("Category(2)/Picture") == forged)
        #expect(try await again.bytes("Category(1)/Picture") == [1])
        #expect(try digests.count == 1)
    }

    @Test("A stream that is being read stays what it was while it is replaced and deleted")
    func readers() async throws {
        let store = try store()
        let old = [UInt8](repeating: 1, count: 1_000_000)
        try await put(old, at: "Category(1)/Picture", in: store)
        let iterator = try await store.stream("Category(1)/Picture").content.chunks().makeAsyncIterator()
        var read = try await iterator.next() ?? []
        try await put([2], at: "Category(1)/Picture", in: store)
        _ = try await store.change("Category(1)/Picture", .deleteStream)
        #expect(try digests.isEmpty)
        while let chunk = try await iterator.next() { read += chunk }
        #expect(read == old)
    }

    @Test("A damaged file is not given to its end")
    func damage() async throws {
        let store = try store()
        try await put(Self.png, at: "Category(1)/Picture", in: store)
        let digest = try #require(try digests.first)
        let path = "\(folder)/\(digest.prefix(2))/\(digest)"
        try Data([UInt8](repeating: 0, count: Self.png.count)).write(to: URL(fileURLWithPath: path))
        let content = try await store.stream("Category(1)/Picture").content
        await #expect(throws: ByteStreamError.self) { try await content.collect(upTo: 100) }
        try Data([1]).write(to: URL(fileURLWithPath: path))
        #expect(await code { _ = try await store.stream("Category(1)/Picture") } == .internalError)
        try await put(Self.png, at: "Category(1)/Picture", in: store)
        #expect(try await store.bytes("Category(1)/Picture") == Self.png)
    }

    @Test(
        "A stream may be longer than SQLite's rows",
        .enabled(if: LongTests.areWanted))
    func long() async throws {
        let store = try store()
        let source = CountingSource(count: 1_500_000_001)
        let content = MediaContent(ByteContent(source), contentType: "a/b")
        _ = try await store.change("Category(1)/Picture", .replaceStream(content))
        let result = try await store.stream("Category(1)/Picture")
        #expect(result.totalLength == source.length)
        #expect(result.digest == (try await StoredMedia(reading: ByteContent(source))).digest)
        var length: Int64 = 0
        // Reading to the end compares the digest.
        for try await chunk in try result.content.chunks() { length += Int64(chunk.count) }
        #expect(length == source.length)
        #expect(try await store.bytes("Category(1)/Picture") { $0.offset = 1_500_000_000 }.count == 1)
    }
}

/// Bytes that are made while they are read.
private struct CountingSource: ByteSource {
    let count: Int64
    var length: Int64? { count }

    func open(at offset: Int64) throws -> ByteChunks {
        let position = Position(offset: offset, end: count)
        return ByteChunks { await position.next() }
    }

    private actor Position {
        private var offset: Int64
        private let end: Int64

        init(offset: Int64, end: Int64) {
            (self.offset, self.end) = (offset, end)
        }

        func next() -> [UInt8]? {
            guard offset < end else { return nil }
            let count = min(1 << 20, end - offset)
            defer { offset += count }
            return [UInt8](repeating: UInt8(truncatingIfNeeded: offset >> 20), count: Int(count))
        }
    }
}

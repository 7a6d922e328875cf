import ByteStreams
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Streams")
struct StreamTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3, 4]

    private func store(_ file: SampleFile, limit: Int64 = 1_000_000_000) throws -> SQLiteStore {
        try file.store {
            $0.media = [MediaColumn(set: "Photo", column: "Image")]
            $0.streamLimit = limit
        }
    }

    @Test("A media column makes media entities, another BLOB a stream property")
    func model() async throws {
        let store = try store(try Shop.file())
        let model = try await store.model()
        #expect(model.entitySet(named: "Photo")?.type.hasStream == true)
        #expect(model.entitySet(named: "Category")?.type.property(named: "Picture")?.isStream == true)
        let photo = try #require(try await store.entity("Photo(1)"))
        #expect(photo.media?.contentType == "image/png")
        let category = try #require(try await store.entity("Category(1)"))
        #expect(category.streams["Picture"]?.contentType == "image/jpeg")
        #expect(await code { _ = try file(media: "Nothing") } == .badRequest)
    }

    private func file(media: String) throws -> SQLiteStore {
        try Shop.file().store { $0.media = [MediaColumn(set: media, column: "x")] }
    }

    @Test(
        "Streams are read whole and in ranges",
        arguments: [
            (0, nil, nil, 0...11), (4, 2, nil, 4...5), (10, 100, nil, 10...11), (0, nil, 3, 9...11),
            (0, nil, 100, 0...11),
        ] as [(Int64, Int64?, Int64?, ClosedRange<Int>)])
    func ranges(offset: Int64, count: Int64?, suffix: Int64?, expected: ClosedRange<Int>) async throws {
        let store = try store(try Shop.file())
        let result = try await store.stream("Photo(1)/$value") {
            $0.offset = offset
            $0.count = count
            $0.suffixLength = suffix
        }
        #expect(result.totalLength == 12 && result.contentType == "image/png")
        #expect(result.offset == Int64(expected.lowerBound) && result.content.length == Int64(expected.count))
        #expect(try await result.content.collect(upTo: 100) == Array(Self.png[expected]))
    }

    @Test("Conditions of stream reads")
    func conditions() async throws {
        let store = try store(try Shop.file())
        let etag = try #require(try await store.stream("Photo(1)").etag)
        #expect(try await store.stream("Photo(1)") { $0.ifNoneMatch = etag }.isNotModified)
        #expect(
            try await store.bytes("Photo(1)") {
                $0.ifRange = etag
                $0.offset = 11
            } == [4])
        #expect(
            try await store.bytes("Photo(1)") {
                $0.ifRange = "\"x\""
                $0.offset = 11
            } == Self.png)
        #expect(await code { _ = try await store.stream("Photo(1)") { $0.ifMatch = "\"x\"" } } == .preconditionFailed)
        #expect(await code { _ = try await store.stream("Photo(1)") { $0.offset = 12 } } == .rangeNotSatisfiable)
        #expect(await code { _ = try await store.stream("Photo(9)") } == .notFound)
        #expect(try await store.stream("Category(2)/Picture").isNull)
        #expect(await code { _ = try await store.stream("Product(1)") } == .notFound)
    }

    @Test("A stream makes a media entity; what must have a value gets an empty one")
    func create() async throws {
        let file = try Shop.file()
        let store = try store(file)
        let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let result = try await store.change(
            "Photo", .createMedia(MediaContent(ByteContent(bytes), contentType: "image/x"), slug: "a"))
        #expect(result.entityID == "Photo(2)")
        #expect(try await store.bytes("Photo(2)/$value") == bytes)
        #expect(
            try file.value("SELECT Title, Taken, length(Image) FROM Photo WHERE PhotoID = 2") == "|1970-01-01|700001")
        let nested = try await store.change(
            "Product(3)/Photo", .createMedia(MediaContent(ByteContent(Self.png), contentType: "image/png"), slug: nil))
        #expect(nested.entity?["ProductID"] == .integer(3))
    }

    @Test("An update of a media entity that is not there makes none", arguments: [true, false])
    func upsert(replaces: Bool) async throws {
        let file = try Shop.file()
        let store = try store(file)
        let payload = EntityPayload(["Title": .string("x")])
        for path in ["Photo(77)", "Product(3)/Photo(77)"] {
            let change = {
                _ = try await store.change(path, replaces ? .replace(payload) : .update(payload)) {
                    $0.allowsCreate = true
                }
            }
            #expect(await code { try await change() } == .notFound)
        }
        #expect(try file.value("SELECT count(*) FROM Photo") == "1")
    }

    @Test("Replacing changes both ETags even at the same length; conditions hold")
    func replace() async throws {
        let store = try store(try Shop.file())
        let before = try #require(try await store.entity("Photo(1)"))
        let content = MediaContent(ByteContent(Array(Self.png.dropLast()) + [9]), contentType: "image/png")
        let result = try await store.change("Photo(1)/$value", .replaceStream(content)) {
            $0.ifMatch = before.media?.etag
        }
        let after = try #require(try await store.entity("Photo(1)"))
        #expect(result.etag == after.media?.etag && after.media?.etag != before.media?.etag)
        #expect(after.etag != before.etag)
        #expect(
            await code {
                _ = try await store.change("Photo(1)/$value", .replaceStream(content)) {
                    $0.ifMatch = before.media?.etag
                }
            } == .preconditionFailed)
        _ = try await store.change("Category(2)/Picture", .replaceStream(content))
        #expect(try await store.bytes("Category(2)/Picture").last == 9)
        _ = try await store.change("Category(2)/Picture", .deleteStream)
        #expect(try await store.stream("Category(2)/Picture").isNull)
        _ = try await store.change("Photo(1)/$value", .deleteStream)
        #expect(try await store.entities("Photo").isEmpty)
    }

    @Test("Tables without a rowid have streams too")
    func withoutRowID() async throws {
        let store = try store(try Shop.file())
        let path = "Label(01234567-89ab-cdef-0123-456789abcdef)/Scan"
        #expect(try await store.bytes(path) == [1, 2])
        _ = try await store.change(path, .replaceStream(MediaContent(ByteContent([3, 4, 5]), contentType: "a/b")))
        #expect(try await store.bytes(path) { $0.offset = 1 } == [4, 5])
    }

    @Test("Too long a stream is refused, before it arrives where its length is declared")
    func tooLarge() async throws {
        let file = try Shop.file()
        let store = try store(file, limit: 10)
        func put(_ content: ByteContent) async throws {
            _ = try await store.change("Photo(1)/$value", .replaceStream(MediaContent(content, contentType: "a/b")))
        }
        let unread = ByteContent(ByteChunks { throw ByteStreamError(.unreadable, "read") }, length: 11)
        #expect(await code { try await put(unread) } == .tooLarge)
        let once = try DataSource(Self.png).open(at: 0)
        #expect(await code { try await put(ByteContent(once, length: nil)) } == .tooLarge)
        #expect(try file.value("SELECT length(Image) FROM Photo") == "12")
    }

    @Test("A stream that breaks off or has another length leaves everything as it was")
    func broken() async throws {
        let file = try Shop.file()
        let store = try store(file)
        let short = ByteContent(try DataSource([1, 2]).open(at: 0), length: 3)
        #expect(
            await code {
                _ = try await store.change("Photo(1)/$value", .replaceStream(MediaContent(short, contentType: "a/b")))
            } == .badRequest)
        let cut = ByteContent(ByteChunks { throw ByteStreamError(.changed, "The connection was cut.") }, length: 3)
        #expect(
            await code {
                _ = try await store.change("Photo", .createMedia(MediaContent(cut, contentType: "a/b"), slug: nil))
            } == .badRequest)
        #expect(try await store.bytes("Photo(1)/$value") == Self.png)
        #expect(try await store.entities("Photo").count == 1)
    }

    @Test("A stream that is being read stays what it was while it is replaced")
    func snapshot() async throws {
        let store = try store(try Shop.file())
        let old = [UInt8](repeating: 1, count: 1_000_000)
        let new = [UInt8](repeating: 2, count: 1_000_000)
        func put(_ bytes: [UInt8]) async throws {
            _ = try await store.change(
                "Photo(1)/$value", .replaceStream(MediaContent(ByteContent(bytes), contentType: "a/b")))
        }
        try await put(old)
        let iterator = try await store.stream("Photo(1)/$value").content.chunks().makeAsyncIterator()
        var read = try await iterator.next() ?? []
        try await put(new)
        while let chunk = try await iterator.next() { read += chunk }
        #expect(read == old)
        #expect(try await store.bytes("Photo(1)/$value") == new)
    }

    @Test("Raw values of properties")
    func rawValues() async throws {
        let store = try store(try Shop.file())
        let result = try await store.stream("Product(1)/Made/$value")
        #expect(result.contentType == "text/plain;charset=utf-8")
        #expect(try await result.content.collect(upTo: 100) == Array("2024-01-02T03:04:05Z".utf8))
        #expect(try await store.stream("Product(2)/Made/$value").isNull)
        #expect(try await store.bytes("Product(1)/Category/Name/$value") == Array("Drinks".utf8))
    }

    @Test(
        "Media types are told from the first bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), (Array("GIF89a..".utf8), "image/gif"),
            (Array("RIFF....WEBPVP8 ".utf8), "image/webp"), (Array("%PDF-1.7".utf8), "application/pdf"),
            (Array("hello".utf8), "application/octet-stream"), ([], "application/octet-stream"),
        ] as [([UInt8], String)])
    func sniffing(bytes: [UInt8], expected: String) {
        #expect(MediaTypeSniffer.mediaType(of: bytes) == expected)
    }
}

import ByteStreams
import MediaFiles
import MediaIndexes
import Testing

@Suite("What is made out of streams, in an index")
struct DerivedMediaIndexTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private static let small = DerivedMedia(bytes: [1, 2], contentType: "image/png")

    private var derivedFiles: [String] { temporary.contents.keys.filter { $0.hasPrefix("derived/") }.sorted() }

    private func open(_ store: String, rowLimit: Int) throws -> FolderIndex {
        try FolderIndex(path: temporary.media, store: store, isShared: true, rowLimit: rowLimit)
    }

    @Test("It stays as long as any store has the stream, be it a file or a row", arguments: [0, 1_000])
    func goes(rowLimit: Int) async throws {
        let (a, b) = (try open("a", rowLimit: rowLimit), try open("b", rowLimit: rowLimit))
        let stream = try await a.write(ByteContent([1, 2, 3]), isPinned: false)
        #expect(try await b.write(ByteContent([1, 2, 3]), isPinned: false) == stream)
        let other = try await b.write(ByteContent([4]), isPinned: false)
        for digest in [stream.digest, other.digest] { try a.keep(Self.small, of: digest, size: 64) }
        try a.release([stream.digest])
        #expect(await b.folder.derived(of: stream.digest, size: 64) == Self.small)
        try b.release([stream.digest])
        #expect(derivedFiles == ["derived/\(other.digest)/64"])
        // Of a stream that has gone while it was made.
        try a.keep(Self.small, of: stream.digest, size: 64)
        #expect(derivedFiles == ["derived/\(other.digest)/64"])
        try b.evict(downTo: 0)
        #expect(derivedFiles.isEmpty)
    }

    @Test("What a process left of streams that are gone goes when a store comes back", arguments: [0, 1_000])
    func crash(rowLimit: Int) async throws {
        let a = try open("a", rowLimit: rowLimit)
        let stream = try await a.write(ByteContent([1, 2, 3]), isPinned: false)
        let gone = StoredMedia([9])
        for digest in [stream.digest, gone.digest] { try a.folder.keep(Self.small, of: digest, size: 64) }
        #expect(derivedFiles.count == 2)
        _ = try a.reconcile([stream.digest: 3], pins: [])
        #expect(derivedFiles == ["derived/\(stream.digest)/64"])
    }
}

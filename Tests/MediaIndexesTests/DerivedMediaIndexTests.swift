import ByteStreams
import Foundation
import GRDB
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

    @Test(
        "What a process left uncounted, or of streams that are gone, goes when a store comes back",
        arguments: [0, 1_000])
    func crash(rowLimit: Int) async throws {
        let a = try open("a", rowLimit: rowLimit)
        var digests: [String] = []
        for byte in UInt8(0)..<3 { digests.append(try await a.write(ByteContent([byte]), isPinned: false).digest) }
        for digest in digests.dropLast() { try a.keep(Self.small, of: digest, size: 64) }
        // As if the process had ended before each was counted.
        for digest in [digests[2], StoredMedia([9]).digest] { try a.folder.keep(Self.small, of: digest, size: 64) }
        try a.folder.keep(Self.small, of: digests[0], size: 65)
        #expect(await a.derived(of: digests[0], size: 65) == nil)
        // Removed by somebody else.
        try FileManager.default.removeItem(atPath: "\(temporary.media)/derived/\(digests[1])")
        _ = try a.reconcile(Dictionary(uniqueKeysWithValues: digests.map { ($0, 1) }), pins: [])
        #expect(derivedFiles == ["derived/\(digests[0])/64", "derived/\(digests[0])/65"])
        #expect(try a.use == FolderUse(streams: 3, derived: Self.length))
        #expect(await a.derived(of: digests[0], size: 64) == Self.small)
    }

    /// What ``small`` takes: its bytes after a line with its type and digest.
    private static let length = Int64("image/png ".utf8.count + 64 + 1 + small.bytes.count)

    @Test("It counts for a quota, and goes before its stream, also where that must stay", arguments: [0, 1_000])
    func eviction(rowLimit: Int) async throws {
        let a = try open("a", rowLimit: rowLimit)
        let old = try await a.write(ByteContent([1, 2, 3]), isPinned: false).digest
        let unsent = try await a.write(ByteContent([4]), isPinned: true).digest
        let new = try await a.write(ByteContent([5, 6]), isPinned: false).digest
        // The last one takes the place of one of its size.
        for digest in [old, unsent, new, new] { try a.keep(Self.small, of: digest, size: 64) }
        #expect(try a.use == FolderUse(streams: 6, derived: 3 * Self.length))
        #expect(try a.derivedLengths == [old: Self.length, unsent: Self.length, new: Self.length])
        try a.evict(downTo: 6 + 3 * Self.length)
        #expect(derivedFiles.count == 3)
        try a.evict(downTo: 6 + 3 * Self.length - 1)
        #expect(try a.use == FolderUse(streams: 6, derived: 2 * Self.length))
        #expect(await a.derived(of: old, size: 64) == nil)
        // The first one was used again, so that it goes last.
        #expect(await a.derived(of: unsent, size: 64) == Self.small)
        _ = try a.source(digest: old)
        try a.evict(downTo: 4 + Self.length)
        #expect(try a.use == FolderUse(streams: 4, derived: Self.length))
        #expect(try a.evicted == [new])
        try a.evict(downTo: 4)
        #expect(try a.use == FolderUse(streams: 4))
        try a.evict(downTo: 0)
        #expect(try a.use == FolderUse(streams: 1))
        #expect(a.contains(digest: unsent) && derivedFiles.isEmpty)
        #expect(try a.evicted == [new, old])
    }

    @Test("To look at it is a use of its stream")
    func use() async throws {
        let a = try open("a", rowLimit: 0)
        let seen = try await a.write(ByteContent([1]), isPinned: false)
        let other = try await a.write(ByteContent([2]), isPinned: false)
        try a.keep(Self.small, of: seen.digest, size: 64)
        #expect(await a.derived(of: seen.digest, size: 64) == Self.small)
        try a.evict(downTo: 1 + Self.length)
        #expect(try a.evicted == [other.digest])
    }

    @Test("An index of an earlier release begins to count")
    func earlier() async throws {
        let old = try open("a", rowLimit: 1_000)
        let stream = try await old.write(ByteContent([1, 2, 3]), isPinned: false)
        try old.folder.keep(Self.small, of: stream.digest, size: 64)
        old.close()
        let queue = try DatabaseQueue(path: temporary.media + "/index.sqlite")
        try await queue.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE derived; PRAGMA user_version = 1") }
        try queue.close()
        let a = try open("a", rowLimit: 1_000)
        #expect(try a.reconcile([stream.digest: 3], pins: []) == FolderDifference())
        #expect(try a.use == FolderUse(streams: 3) && derivedFiles.isEmpty)
        try a.keep(Self.small, of: stream.digest, size: 64)
        #expect(try a.use == FolderUse(streams: 3, derived: Self.length))
        try a.release([stream.digest])
        #expect(try a.use == FolderUse())
    }
}

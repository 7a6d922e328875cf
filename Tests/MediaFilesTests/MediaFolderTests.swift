import ByteStreams
import EncryptionKeys
import Foundation
import MediaFiles
import Testing

@Suite("Media folder")
struct MediaFolderTests {
    let temporary: TemporaryFolder
    let folder: MediaFolder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try MediaFolder(path: temporary.media)
    }

    static let digests = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ]

    @Test("Bytes lie under their digest, one folder deep", arguments: digests)
    func digest(text: String, digest: String) async throws {
        let media = try await folder.write(ByteContent(Array(text.utf8)))
        #expect(media == StoredMedia(digest: digest, length: Int64(text.utf8.count)))
        #expect(temporary.files == ["\(digest.prefix(2))/\(digest)"])
        #expect(try await read(digest) == Array(text.utf8))
    }

    @Test("The same bytes are kept once")
    func once() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let first = try await folder.write(ByteContent(bytes))
        let second = try await folder.write(ByteContent(chunks(bytes, of: 1_000), length: nil))
        #expect(first == second)
        #expect(temporary.files.count == 1)
        #expect(folder.length(digest: first.digest) == 300_000)
    }

    @Test("Many writers of equal and different bytes do not disturb each other")
    func parallel() async throws {
        let folder = folder
        let digests = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await folder.write(ByteContent(Array(repeating: UInt8(number % 8), count: 10_000))).digest
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(digests.count == 8)
        #expect(temporary.files.count == 8)
        #expect(try folder.check(known: digests) == MediaFolderReport())
    }

    @Test("Changed bytes are never given as a whole, and replaced when the right ones come again")
    func changed() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let media = try await folder.write(ByteContent(bytes))
        var other = bytes
        other[0] ^= 1
        try Data(other).write(to: URL(fileURLWithPath: path(of: media.digest)))
        var count = 0
        await #expect {
            for try await chunk in try folder.source(digest: media.digest).open(at: 0) { count += chunk.count }
        } throws: { ($0 as? ByteStreamError)?.code == .changed }
        #expect(count < bytes.count)
        #expect(folder.isDamaged(media.digest))
        #expect(try await folder.damaged(among: [Self.digests[0].1, media.digest]) == [media.digest])
        _ = try await folder.write(ByteContent(bytes))
        #expect(!folder.isDamaged(media.digest))
        #expect(try await read(media.digest) == bytes)
    }

    @Test("A truncated file is replaced when its bytes come again")
    func repair() async throws {
        let media = try await folder.write(ByteContent(Array("hello".utf8)))
        try #require(truncate(path(of: media.digest), 2) == 0)
        #expect(try folder.check(lengths: [media.digest: 5]).truncated == [media.digest])
        _ = try await folder.write(ByteContent(Array("hello".utf8)))
        #expect(try folder.check(lengths: [media.digest: 5]) == MediaFolderReport())
    }

    @Test("A write that breaks off leaves nothing")
    func brokenWrite() async throws {
        let broken = ByteChunks { throw ByteStreamError(.changed, "It broke.") }
        await #expect(throws: ByteStreamError.self) { try await folder.write(ByteContent(broken, length: nil)) }
        #expect(temporary.files.isEmpty)
    }

    @Test("Content that is not as long as announced is refused", arguments: [2, 4])
    func wrongLength(announced: Int64) async throws {
        let error = await #expect(throws: MediaFileError.self) {
            try await folder.write(ByteContent(chunks([1, 2, 3], of: 1), length: announced))
        }
        #expect(error?.code == .wrongLength)
        #expect(error?.message == "The stream has 3 bytes where \(announced) were announced.")
        #expect(temporary.files.isEmpty)
    }

    @Test(
        "A stream that is not there is not found",
        arguments: ["", "../../etc/passwd", String(repeating: "a", count: 64)])
    func notFound(digest: String) throws {
        let error = #expect(throws: ByteStreamError.self) { try folder.source(digest: digest) }
        #expect(error?.code == .notFound)
        #expect(!folder.contains(digest: digest))
    }

    @Test("A removed stream can be read on by who has opened it")
    func remove() async throws {
        let media = try await folder.write(ByteContent(Array("abc".utf8)))
        let opened = try folder.source(digest: media.digest).open(at: 1)
        try folder.remove(digest: media.digest)
        try folder.remove(digest: media.digest)
        #expect(!folder.contains(digest: media.digest))
        var bytes: [UInt8] = []
        for try await chunk in opened { bytes += chunk }
        #expect(bytes == Array("bc".utf8))
    }

    @Test("What has come goes again where nobody keeps it, and as soon as it is too long")
    func receive() async throws {
        let incoming = temporary.media + "/incoming"
        do {
            let stream = try await folder.receive(ByteContent([1, 2, 3]), upTo: 3)
            #expect(stream.head == [1, 2, 3] && stream.media.length == 3)
            #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).count == 1)
            withExtendedLifetime(stream) {}
        }
        let error = await #expect(throws: ByteStreamError.self) {
            try await folder.receive(ByteContent(chunks([1, 2, 3], of: 1), length: nil), upTo: 2)
        }
        #expect(error?.code == .tooLong)
        #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty)
        #expect(try folder.check(known: []) == MediaFolderReport())
    }

    @Test("A folder is claimed by one owner, who must be its first")
    func claims() async throws {
        do {
            let claim = try folder.claim(for: "a")
            let busy = #expect(throws: MediaFileError.self) { try folder.claim(for: "a") }
            #expect(busy?.code == .busy)
            withExtendedLifetime(claim) {}
        }
        _ = try await folder.write(ByteContent([1]))
        _ = try folder.claim(for: "a")
        #expect(MediaFolder.isClaimed(folder.path, for: "a") && !MediaFolder.isClaimed(folder.path, for: "b"))
        let other = #expect(throws: MediaFileError.self) { try folder.claim(for: "b") }
        #expect(other?.code == .notPermitted)
        try FileManager.default.removeItem(atPath: folder.path + "/owner")
        let late = #expect(throws: MediaFileError.self) { try folder.claim(for: "a") }
        #expect(late?.code == .notPermitted)
    }

    @Test("The check finds what is missing, stray or truncated")
    func check() async throws {
        let kept = try await folder.write(ByteContent([1]))
        let stray = try await folder.write(ByteContent([2]))
        let short = try await folder.write(ByteContent([3, 4]))
        let missing = String(repeating: "0", count: 64)
        let report = try folder.check(lengths: [kept.digest: 1, missing: nil, short.digest: 3])
        #expect(report.missing == [missing])
        #expect(report.strays == [stray.digest])
        #expect(report.truncated == [short.digest])
    }

    @Test("Streams two folders deep, where they were once, are found, kept again, removed", arguments: [false, true])
    func twoFoldersDeep(isEncrypted: Bool) async throws {
        let key = isEncrypted ? EncryptionKey.random() : nil
        let folder = try MediaFolder(path: temporary.path + "/other", key: key)
        var digests: [String] = []
        for bytes: [UInt8] in [[1], [2], [3, 4]] { digests.append(try await folder.write(ByteContent(bytes)).digest) }
        for digest in digests {
            let name = folder.fileName(for: digest)
            let outer = "\(folder.path)/\(name.prefix(2))"
            let inner = "\(outer)/\(name.dropFirst(2).prefix(2))"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
            try FileManager.default.moveItem(atPath: "\(outer)/\(name)", toPath: "\(inner)/\(name)")
        }
        #expect(try MediaFolder.holdsFiles(at: folder.path))
        let again = try MediaFolder(path: folder.path, key: key)
        #expect(digests.map(again.length) == [1, 1, 2])
        #expect(try again.check(lengths: [digests[0]: 1, digests[1]: 1]).strays == [folder.fileName(for: digests[2])])
        #expect(try await ByteContent(again.source(digest: digests[2])).collect(upTo: 10) == [3, 4])
        try again.remove(stray: folder.fileName(for: digests[2]))
        _ = try await again.write(ByteContent([2]))
        #expect(try again.check(lengths: [digests[0]: 1, digests[1]: 1]) == MediaFolderReport())
        try again.remove(digest: digests[1])
        #expect(!again.contains(digest: digests[1]))
        try again.remove(digest: digests[0])
        #expect(try !MediaFolder.holdsFiles(at: folder.path))
    }

    @Test("Files of interrupted writes are removed, those of present ones are not")
    func abandoned() async throws {
        try Data([1]).write(to: URL(fileURLWithPath: temporary.media + "/incoming/1-1"))
        let folder = folder
        let content = ByteChunks {
            let removed = try folder.removeAbandoned()
            #expect(removed == 1)
            return nil
        }
        let media = try await folder.write(ByteContent(content, length: nil))
        #expect(media.length == 0)
        #expect(temporary.files.count == 1)
    }

    @Test("A folder that is a file is refused")
    func notAFolder() throws {
        try Data().write(to: URL(fileURLWithPath: temporary.path + "/file"))
        let error = #expect(throws: MediaFileError.self) { try MediaFolder(path: temporary.path + "/file") }
        #expect(error?.message.contains("is a file") == true)
    }

    #if os(Linux)
        @Test("A folder that may not be made is refused")
        func notPermitted() throws {
            let error = #expect(throws: MediaFileError.self) { try MediaFolder(path: "/sys/media") }
            #expect(error?.code == .notPermitted)
            #expect(error?.message.hasPrefix("Media cannot be written to /sys/media: ") == true)
        }
    #endif

    private func path(of digest: String) -> String {
        "\(temporary.media)/\(digest.prefix(2))/\(digest)"
    }

    private func read(_ digest: String) async throws -> [UInt8] {
        try await ByteContent(folder.source(digest: digest)).collect(upTo: 1 << 20)
    }
}

/// `bytes` in pieces of `size`, once.
func chunks(_ bytes: [UInt8], of size: Int) -> ByteChunks {
    let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    let source = AsyncStream { continuation in
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
    }
    let reader = PieceReader(source.makeAsyncIterator())
    return ByteChunks { await reader.next() }
}

private actor PieceReader {
    private var pieces: AsyncStream<[UInt8]>.Iterator

    init(_ pieces: AsyncStream<[UInt8]>.Iterator) { self.pieces = pieces }

    func next() async -> [UInt8]? {
        var copy = pieces
        defer { pieces = copy }
        return await copy.next(isolation: self)
    }
}

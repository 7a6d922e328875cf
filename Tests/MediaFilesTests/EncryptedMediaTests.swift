import ByteStreams
import EncryptionKeys
import Foundation
import MediaFiles
import Testing

@Suite("Encrypted media")
struct EncryptedMediaTests {
    private static let chunk = 65_536
    private static let record = chunk + 28
    private static let header = 128

    private let temporary: TemporaryFolder
    private let folder: MediaFolder
    private let key = EncryptionKey.random()

    init() throws {
        temporary = try TemporaryFolder()
        folder = try MediaFolder(path: temporary.media, key: key)
    }

    static let lengths = [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]

    @Test("Any length comes back, under a name that does not report the digest", arguments: lengths)
    func roundTrip(length: Int) async throws {
        let bytes = pattern(length)
        let media = try await folder.write(ByteContent(chunks(bytes, of: 10_007), length: nil))
        #expect(media.length == Int64(length))
        #expect(folder.length(digest: media.digest) == Int64(length))
        #expect(try await read(media.digest) == bytes)
        let file = try #require(streamFiles.first)
        #expect(!file.contains(media.digest))
        let stored = try content(of: file)
        #expect(stored.count == Self.header + length + 28 * max(1, (length + Self.chunk - 1) / Self.chunk))
        if length > 100 { #expect(stored.range(of: Data(bytes[..<32])) == nil) }
        #expect(try folder.check(lengths: [media.digest: Int64(length)]) == MediaFolderReport())
    }

    @Test(
        "A read at an offset gives what is there", arguments: [0, 1, 65_535, 65_536, 65_537, 150_000, 199_999, 200_000])
    func offsets(offset: Int64) async throws {
        let bytes = pattern(200_000)
        let media = try await folder.write(ByteContent(bytes))
        var read: [UInt8] = []
        for try await piece in try folder.source(digest: media.digest).open(at: offset) {
            #expect(!piece.isEmpty)
            read += piece
        }
        #expect(read == Array(bytes[Int(offset)...]))
        #expect(throws: ByteStreamError.self) { try folder.source(digest: media.digest).open(at: 200_001) }
    }

    @Test("An input stream gives what is stored, from any offset", arguments: [0, 65_537, 200_000])
    func inputStream(offset: Int64) async throws {
        let bytes = pattern(200_000)
        let media = try await folder.write(ByteContent(bytes))
        let source = try folder.source(digest: media.digest)
        #expect(source.digest == SourceDigest(algorithm: "sha-256", hexadecimal: media.digest))
        let stream = SourceInputStream(source)
        #expect(stream.setProperty(NSNumber(value: offset), forKey: .fileCurrentOffsetKey))
        var read: [UInt8] = []
        for try await piece in ByteChunks(stream) { read += piece }
        #expect(read == Array(bytes[Int(offset)...]))
    }

    @Test("The same bytes are kept once, and lie otherwise in another file")
    func once() async throws {
        let bytes = pattern(100_000)
        let first = try await folder.write(ByteContent(bytes))
        let stored = try content(of: try #require(streamFiles.first))
        #expect(try await folder.write(ByteContent(bytes)) == first)
        #expect(streamFiles.count == 1)
        try folder.remove(digest: first.digest)
        _ = try await folder.write(ByteContent(bytes))
        #expect(try content(of: try #require(streamFiles.first)) != stored)
    }

    @Test("A changed byte anywhere is an error when it is read")
    func changedBytes() async throws {
        let media = try await folder.write(ByteContent(pattern(140_000)))
        let file = try #require(streamFiles.first)
        let whole = try content(of: file)
        let positions = Array(0..<Self.header) + Array(stride(from: Self.header, to: whole.count, by: 3_001))
        for position in positions + [whole.count - 1] {
            var changed = whole
            changed[position] ^= 1
            try put(changed, file)
            let error = await #expect(throws: ByteStreamError.self, "byte \(position)") { try await read(media.digest) }
            #expect(error?.code == .changed, "byte \(position)")
        }
    }

    @Test("A cut, or chunks in another order or of another file, are an error")
    func movedChunks() async throws {
        let media = try await folder.write(ByteContent(pattern(Self.chunk * 4)))
        let file = try #require(streamFiles.first)
        let whole = try content(of: file)
        _ = try await folder.write(ByteContent(pattern(Self.chunk * 4 - 1)))
        let other = try content(of: try #require(streamFiles.first { $0 != file }))
        func range(_ chunk: Int) -> Range<Int> {
            Self.header + chunk * Self.record..<Self.header + (chunk + 1) * Self.record
        }
        var swapped = whole
        swapped.replaceSubrange(range(0), with: whole[range(1)])
        swapped.replaceSubrange(range(1), with: whole[range(0)])
        var foreign = whole
        foreign.replaceSubrange(range(1), with: other[range(1)])
        let cuts = [0, 1, 127, 128, 155, 156, 1_000, range(1).lowerBound, range(3).lowerBound, whole.count - 1]
        let bad = cuts.map { whole.prefix($0) } + [swapped, foreign, whole + Data([0]), whole + whole[range(1)]]
        for bytes in bad {
            try put(bytes, file)
            await #expect(throws: ByteStreamError.self, "\(bytes.count) bytes") { try await read(media.digest) }
        }
        // A cut shows already when the stream is opened, wherever it is read.
        try put(whole.prefix(range(3).lowerBound), file)
        #expect(throws: ByteStreamError.self) { try folder.source(digest: media.digest) }
        try put(whole, file)
        #expect(try await read(media.digest).count == Self.chunk * 4)
    }

    @Test("A wrong key, none, and one for a plain folder are told")
    func keys() async throws {
        let media = try await folder.write(ByteContent([1, 2, 3]))
        let plain = temporary.path + "/plain"
        _ = try await MediaFolder(path: plain).write(ByteContent([1]))
        for (path, key, code) in [
            (temporary.media, EncryptionKey.random(), .wrongKey), (temporary.media, nil, .keyNeeded),
            (plain, EncryptionKey.random(), .notEncrypted),
        ] as [(String, EncryptionKey?, EncryptionError.Code)] {
            let error = #expect(throws: EncryptionError.self) { try MediaFolder(path: path, key: key) }
            #expect(error?.code == code)
        }
        let again = try MediaFolder(path: temporary.media, key: key)
        #expect(again.contains(digest: media.digest))
        #expect(try MediaFolder(path: plain).check(known: []).strays.count == 1)
    }

    @Test("The check finds what is missing, stray or truncated; strays can be removed")
    func check() async throws {
        let kept = try await folder.write(ByteContent([1]))
        _ = try await folder.write(ByteContent([2]))
        let missing = String(repeating: "0", count: 64)
        let report = try folder.check(lengths: [kept.digest: 2, missing: nil])
        #expect(report.missing == [missing])
        #expect(report.truncated == [kept.digest])
        #expect(report.strays.count == 1)
        for name in report.strays { try folder.remove(stray: name) }
        #expect(try folder.check(known: [kept.digest]) == MediaFolderReport())
        try put(Data(count: 40), try #require(streamFiles.first))
        #expect(try folder.check(known: [kept.digest]).truncated == [kept.digest])
        _ = try await folder.write(ByteContent([1]))
        #expect(try folder.check(lengths: [kept.digest: 1]) == MediaFolderReport())
    }

    @Test("What came of a partial stream stays, encrypted, and is continued", arguments: lengths, [1, 65_536, 90_000])
    func partial(length: Int, rest: Int) async throws {
        let bytes = pattern(length + rest)
        let origin = PartialOrigin(etag: "\"secret-tag\"", contentType: "text/plain", totalLength: Int64(length + rest))
        do {
            let partial = try folder.partial(named: "Photos(1)/$value")
            try partial.restart(origin: origin)
            for piece in stride(from: 0, to: length, by: 30_000) {
                try partial.append(Array(bytes[piece..<min(piece + 30_000, length)]))
            }
        }
        for file in temporary.files { #expect(try content(of: file).range(of: Data("secret-tag".utf8)) == nil) }
        let partial = try MediaFolder(path: temporary.media, key: key).partial(named: "Photos(1)/$value")
        #expect(partial.length == Int64(length))
        #expect(partial.origin == (length > 0 ? origin : nil))
        if length == 0 { try partial.restart(origin: origin) }
        try partial.append(Array(bytes[length...]))
        let media = try partial.finish(expectedLength: Int64(length + rest))
        #expect(try await read(media.digest) == bytes)
        #expect(try await MediaFolder(path: temporary.path + "/plain").write(ByteContent(bytes)) == media)
        #expect(streamFiles.count == 1)
    }

    @Test(
        "A partial stream whose end was cut keeps what is before, whatever follows", arguments: [1, 5_000, 28_956],
        [10, 28_928])
    func cutPartial(cut: Int, rest: Int) async throws {
        let bytes = pattern(160_000)
        try begin("x", bytes)
        let file = try #require(temporary.files.first { $0.hasPrefix("partial/") && !$0.hasSuffix(".json") })
        try put(try content(of: file).dropLast(cut), file)
        let partial = try folder.partial(named: "x")
        #expect(partial.length == 131_072)
        let whole = Array(bytes.prefix(131_072 + rest))
        try partial.append(Array(whole[131_072...]))
        let media = try partial.finish(expectedLength: Int64(whole.count))
        #expect(try await read(media.digest) == whole)
    }

    @Test("A partial stream that was changed is told, and begins anew")
    func changedPartial() async throws {
        let bytes = pattern(160_000)
        try begin("x", bytes)
        let file = try #require(temporary.files.first { $0.hasPrefix("partial/") && !$0.hasSuffix(".json") })
        var changed = try content(of: file)
        changed[70_000] ^= 1
        try put(changed, file)
        let partial = try folder.partial(named: "x")
        let error = #expect(throws: EncryptionError.self) { try partial.append([1]) }
        #expect(error?.code == .damaged)
        #expect(partial.length == 0 && partial.origin == nil)
        try partial.restart(origin: PartialOrigin())
        try partial.append(bytes)
        let media = try partial.finish(expectedLength: 160_000)
        #expect(try await read(media.digest) == bytes)
    }

    @Test("Partial streams are discarded by name")
    func discard() throws {
        for name in ["a", "b", "c"] { try begin(name, [1, 2]) }
        try folder.partial(named: "a").discard()
        #expect(try folder.discardPartials(except: ["b"]) == 1)
        #expect(try folder.partial(named: "b").length == 2)
    }

    private func begin(_ name: String, _ bytes: [UInt8]) throws {
        let partial = try folder.partial(named: name)
        try partial.restart(origin: PartialOrigin(etag: "\"5\""))
        try partial.append(bytes)
    }

    private func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435) >> 5) }
    }

    /// The files of complete streams, relative to the folder.
    private var streamFiles: [String] {
        temporary.files.filter { name in name.split(separator: "/").map(\.utf8.count) == [2, 64] }
    }

    private func content(of file: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: temporary.media + "/" + file))
    }

    private func put(_ bytes: Data, _ file: String) throws {
        try bytes.write(to: URL(fileURLWithPath: temporary.media + "/" + file))
    }

    private func read(_ digest: String) async throws -> [UInt8] {
        try await ByteContent(folder.source(digest: digest)).collect(upTo: 1 << 20)
    }
}

import ByteStreams
import EncryptionKeys
import Foundation
import MediaFiles
import Testing

@Suite("What is made out of streams")
struct DerivedMediaTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private static let small = DerivedMedia(bytes: [0x0A, 0x20, 0, 255], contentType: "image/png; a=b")

    private var derivedFiles: [String] { temporary.files.filter { $0.hasPrefix("derived/") } }

    @Test(
        "It is found in its size, also after the folder was opened again, and goes with the stream",
        arguments: [true, false])
    func kept(isEncrypted: Bool) async throws {
        let key = isEncrypted ? EncryptionKey.random() : nil
        let folder = try MediaFolder(path: temporary.media, key: key)
        let stream = try await folder.write(ByteContent(Array("abc".utf8)))
        let other = try await folder.write(ByteContent([1]))
        for size in [64, 256] { try folder.keep(Self.small, of: stream.digest, size: size) }
        try folder.keep(Self.small, of: other.digest, size: 64)
        #expect(await folder.derived(of: stream.digest, size: 65) == nil)
        let again = try MediaFolder(path: temporary.media, key: key)
        try again.removeAbandoned()
        #expect(await again.derived(of: stream.digest, size: 64) == Self.small)
        #expect(derivedFiles.count == 3)
        #expect(derivedFiles.contains { $0.contains(stream.digest) } == !isEncrypted)
        for file in derivedFiles {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(temporary.media)/\(file)"))
            #expect((bytes.range(of: Data("image/png".utf8)) == nil) == isEncrypted)
        }
        #expect(try again.check(known: [stream.digest, other.digest]) == MediaFolderReport())
        try again.remove(digest: stream.digest)
        #expect(derivedFiles.count == 1)
        try again.remove(stray: again.fileName(for: other.digest))
        #expect(derivedFiles.isEmpty)
    }

    @Test("What is damaged, cut or no such file is not there")
    func damaged() async throws {
        let folder = try MediaFolder(path: temporary.media)
        let stream = try await folder.write(ByteContent([1, 2, 3]))
        try folder.keep(Self.small, of: stream.digest, size: 64)
        let file = URL(fileURLWithPath: "\(temporary.media)/\(try #require(derivedFiles.first))")
        let whole = try Data(contentsOf: file)
        for damaged in [whole.dropLast(), Data(whole.dropLast() + [1]), Data(), Data("image/png".utf8)] {
            try damaged.write(to: file)
            #expect(await folder.derived(of: stream.digest, size: 64) == nil)
        }
        try folder.keep(Self.small, of: stream.digest, size: 64)
        #expect(await folder.derived(of: stream.digest, size: 64) == Self.small)
    }

    @Test("There is a limit to what is kept")
    func tooLong() async throws {
        let folder = try MediaFolder(path: temporary.media)
        let stream = try await folder.write(ByteContent([1, 2, 3]))
        let bytes = [UInt8](repeating: 0, count: MediaFolder.derivedLimit + 1)
        #expect(throws: MediaFileError.self) {
            try folder.keep(DerivedMedia(bytes: bytes, contentType: "image/png"), of: stream.digest, size: 64)
        }
        #expect(throws: MediaFileError.self) { try folder.keep(Self.small, of: "../name", size: 64) }
        #expect(derivedFiles.isEmpty)
        let longest = DerivedMedia(bytes: Array(bytes.dropLast()), contentType: "image/png")
        try folder.keep(longest, of: stream.digest, size: 64)
        #expect(await folder.derived(of: stream.digest, size: 64)?.bytes.count == MediaFolder.derivedLimit)
    }
}

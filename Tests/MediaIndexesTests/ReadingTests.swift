import ByteStreams
import EncryptionKeys
import Foundation
import MediaFiles
import MediaIndexes
import Testing

@Suite("A media folder that is only read")
struct ReadingTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    @Test("Streams are read, nothing is written, and what others write meanwhile is seen", arguments: [false, true])
    func reading(isEncrypted: Bool) async throws {
        let key = isEncrypted ? EncryptionKey.random() : nil
        let writer = try FolderIndex(path: temporary.media, key: key, store: "a", isShared: true, rowLimit: 2)
        let row = try await writer.write(ByteContent([1, 2]), isPinned: false).digest
        let file = try await writer.write(ByteContent([1, 2, 3]), isPinned: false).digest
        let before = temporary.contents
        let reader = try FolderIndex(reading: temporary.media, key: key, store: "b", isShared: true)
        #expect(reader.id == writer.id)
        #expect(try await ByteContent(reader.source(digest: row)).collect(upTo: 10) == [1, 2])
        #expect(try await ByteContent(reader.source(digest: file)).collect(upTo: 10) == [1, 2, 3])
        #expect(try reader.bytes == 5)
        #expect(throws: MediaFileError.self) { try reader.release([file]) }
        let later = try await writer.write(ByteContent([9]), isPinned: false).digest
        #expect(reader.contains(digest: later))
        try writer.release([later])
        reader.close()
        #expect(Set(temporary.contents.keys) == Set(before.keys))
        #expect(temporary.streams.count == 1)
    }

    @Test("A folder that is not there is not made, and has no streams; one without an index shows its files")
    func absent() async throws {
        let reader = try FolderIndex(reading: temporary.media, store: "a", isShared: false)
        #expect(try reader.bytes == 0 && reader.evicted.isEmpty && reader.derivedLengths.isEmpty)
        reader.close()
        #expect(!FileManager.default.fileExists(atPath: temporary.media))
        let media = try await MediaFolder(path: temporary.media).write(ByteContent([1, 2, 3]))
        let files = try FolderIndex(reading: temporary.media, store: "a", isShared: false)
        #expect(files.length(digest: media.digest) == 3)
        #expect(!MediaFolder.hasIndex(at: temporary.media))
    }

    @Test("What cannot be a store's folder is refused as it is for writing")
    func refusals() throws {
        let known = KnownFolder(id: "other", path: temporary.media, digests: [])
        let code: (KnownFolder?, EncryptionKey?) -> MediaFileError.Code? = { known, key in
            do {
                _ = try FolderIndex(reading: temporary.media, key: key, store: "a", isShared: true, known: known)
                return nil
            } catch { return (error as? MediaFileError)?.code }
        }
        #expect(code(known, nil) == .otherFolder)
        try FolderIndex(path: temporary.media, store: "a", isShared: true).close()
        #expect(code(known, nil) == .otherFolder)
        #expect(throws: EncryptionError.self) {
            try FolderIndex(reading: temporary.media, key: .random(), store: "a", isShared: true)
        }
        try FileManager.default.removeItem(atPath: temporary.media)
        try Data([1]).write(to: URL(fileURLWithPath: temporary.media))
        #expect(code(nil, nil) == .inputOutput)
        try FileManager.default.removeItem(atPath: temporary.media)
        let claim = try MediaFolder(path: temporary.media).claim(for: "service")
        #expect(code(nil, nil) == .notPermitted)
        withExtendedLifetime(claim) {}
    }
}

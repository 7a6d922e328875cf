import Crypto
import EncryptionKeys
import Foundation
import Testing

@Suite("Keys")
struct KeyFileTests {
    private let folder: Folder
    private let file: KeyFile
    private let key = EncryptionKey.random()

    init() throws {
        folder = try Folder()
        file = KeyFile(path: folder.path + "/keys")
    }

    @Test("A key has 32 bytes", arguments: [0, 16, 31, 33])
    func length(count: Int) {
        let error = #expect(throws: EncryptionError.self) { try EncryptionKey([UInt8](repeating: 1, count: count)) }
        #expect(error?.code == .unusableKey)
        #expect(error?.message == "A key has 32 bytes, and this one has \(count).")
    }

    @Test("A key does not show")
    func description() throws {
        let key = try EncryptionKey([UInt8](repeating: 0x41, count: 32))
        var dump = ""
        Swift.dump(key, to: &dump)
        for text in ["\(key)", String(reflecting: key), dump] {
            #expect(!text.contains("65") && !text.contains("41") && !text.contains("AAA"), "\(text)")
        }
    }

    @Test("The key inside comes back with the key that wrapped it, and with no other")
    func wrongKey() throws {
        let inner = try file.create(for: key)
        #expect(try file.open(with: key) == inner)
        let error = #expect(throws: EncryptionError.self) { try file.open(with: .random()) }
        #expect(error?.code == .wrongKey)
        #expect(throws: EncryptionError.self) { try file.create(for: key) }
        #expect(try file.open(with: key) == inner)
    }

    @Test("After a change of key only the new one fits; what is inside stays")
    func rekey() throws {
        let inner = try file.create(for: key)
        let new = EncryptionKey.random()
        try file.rekey(from: key, to: new)
        #expect(try file.open(with: new) == inner)
        #expect(throws: EncryptionError.self) { try file.open(with: key) }
        #expect(throws: EncryptionError.self) { try file.rekey(from: key, to: new) }
        #expect(try file.open(with: new) == inner)
    }

    @Test("A change of key that was cut off leaves the old one, and can be done again", arguments: [0, 64, 188])
    func cutRekey(written: Int) throws {
        let inner = try file.create(for: key)
        try Data(repeating: 7, count: written).write(to: URL(fileURLWithPath: file.path + ".new"))
        #expect(try file.open(with: key) == inner)
        let new = EncryptionKey.random()
        try file.rekey(from: key, to: new)
        #expect(try file.open(with: new) == inner)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys"])
    }

    @Test("A second name that a crash has left is not written through")
    func secondName() throws {
        let inner = try file.create(for: key)
        #expect(link(file.path, file.path + ".new") == 0)
        let new = EncryptionKey.random()
        try file.rekey(from: key, to: new)
        #expect(try file.open(with: new) == inner)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys"])
    }

    @Test("A file that cannot be read is not an empty one")
    func unreadable() throws {
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
        let error = #expect(throws: EncryptionError.self) { try file.open(with: key) }
        #expect(error?.code == .inputOutput)
    }

    @Test("After a kill in the middle of changes one of the keys fits", arguments: 1...5)
    func killedRekey(changes: Int) async throws {
        let (first, second) = (try Self.key(1), try Self.key(2))
        let inner = try file.create(for: first)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = file.path as String, changes = changes as Int] in
            let file = KeyFile(path: path)
            let (changed, signal) = AsyncStream<Void>.makeStream()
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // If one fails, the process ends, and not by the signal.
                    defer { signal.finish() }
                    while (try? file.rekey(from: KeyFileTests.key(1), to: KeyFileTests.key(2))) != nil,
                        (try? file.rekey(from: KeyFileTests.key(2), to: KeyFileTests.key(1))) != nil
                    {
                        signal.yield()
                        await Task.yield()
                    }
                }
                group.addTask {
                    var seen = 0
                    for await _ in changed {
                        seen += 1
                        if seen == changes { kill(getpid(), SIGKILL) }
                    }
                }
            }
        }
        let opened = [first, second].compactMap { try? file.open(with: $0) }
        #expect(opened == [inner])
    }

    private static func key(_ byte: UInt8) throws -> EncryptionKey {
        try EncryptionKey([UInt8](repeating: byte, count: EncryptionKey.byteCount))
    }

    @Test("Every changed byte and every cut is an error")
    func damage() throws {
        _ = try file.create(for: key)
        let whole = try Data(contentsOf: URL(fileURLWithPath: file.path))
        for position in whole.indices {
            var changed = whole
            changed[position] ^= 0x10
            try changed.write(to: URL(fileURLWithPath: file.path))
            let error = #expect(throws: EncryptionError.self) { try file.open(with: key) }
            #expect(error?.code == (position < 16 ? .notEncrypted : .damaged), "byte \(position)")
            try whole.prefix(position).write(to: URL(fileURLWithPath: file.path))
            #expect(throws: EncryptionError.self) { try file.open(with: key) }
        }
    }

    @Test("A file of a newer release is told from a damaged one")
    func newerVersion() throws {
        let header = SealedHeader(.keys, key: key)
        var bytes = header.bytes
        bytes[16] = 2
        let error = #expect(throws: EncryptionError.self) {
            try SealedHeader(
                .keys, key: key, bytes: Array(bytes[..<96]) + Array(SHA256.hash(data: bytes[..<96])), path: "keys")
        }
        #expect(error?.code == .unsupportedVersion)
    }

    @Test("A record opens only for its place, with its key, and unchanged")
    func records() throws {
        let header = SealedHeader(.media, key: key)
        var sealer = Sealer(key: header.key(for: "a"))
        let record = try sealer.seal([1, 2, 3], for: Sealer.Place(4, mark: 5))
        #expect(record.count == 3 + Sealer.overhead)
        #expect(sealer.open(record, for: Sealer.Place(4, mark: 5)) == [1, 2, 3])
        #expect(sealer.open(record, for: Sealer.Place(5, mark: 5)) == nil)
        #expect(sealer.open(record, for: Sealer.Place(4, mark: 4)) == nil)
        #expect(Sealer(key: header.key(for: "b")).open(record, for: Sealer.Place(4, mark: 5)) == nil)
        for position in record.indices {
            var changed = record
            changed[position] ^= 1
            #expect(sealer.open(changed, for: Sealer.Place(4, mark: 5)) == nil)
        }
    }

    @Test("No nonce comes twice")
    func nonces() throws {
        let key = SealedHeader(.media, key: key).key(for: "a")
        var nonces: Set<[UInt8]> = []
        for _ in 0..<10 {
            var sealer = Sealer(key: key)
            for _ in 0..<1_000 { nonces.insert(Array(try sealer.seal([], for: Sealer.Place(0)).prefix(12))) }
        }
        #expect(nonces.count == 10_000)
    }
}

/// Goes with its last user.
private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "keys-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

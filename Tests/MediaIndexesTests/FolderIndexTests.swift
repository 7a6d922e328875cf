import ByteStreams
import EncryptionKeys
import Foundation
import MediaFiles
import MediaIndexes
import Testing

@Suite("Index of a media folder")
struct FolderIndexTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private func open(_ store: String, key: EncryptionKey? = nil, isShared: Bool = true) throws -> FolderIndex {
        try FolderIndex(path: temporary.media, key: key, store: store, isShared: isShared, rowLimit: 0)
    }

    private func write(_ bytes: [UInt8], by index: FolderIndex, isPinned: Bool = false) async throws -> String {
        try await index.write(ByteContent(bytes), isPinned: isPinned).digest
    }

    @Test("A stream of two stores is there once, and goes with the second")
    func references() async throws {
        let (a, b) = (try open("a"), try open("b"))
        #expect(a.id == b.id)
        let digest = try await write([1, 2, 3], by: a)
        #expect(try await write([1, 2, 3], by: b) == digest)
        let own = try await write([4], by: b)
        #expect(try a.bytes == 4)
        try a.release([digest])
        try a.release([digest, own, String(repeating: "0", count: 64)])
        #expect(temporary.streams == [digest, own])
        #expect(try await ByteContent(a.source(digest: digest)).collect(upTo: 10) == [1, 2, 3])
        try b.release([digest])
        #expect(temporary.streams == [own])
        #expect(try a.bytes == 1)
    }

    @Test(
        "An index that is replaced or removed while it is open is neither written nor read", arguments: [false, true])
    func replaced(isRemoved: Bool) async throws {
        let index = try open("a")
        let digest = try await write([1, 2, 3], by: index)
        let path = temporary.media + "/index.sqlite"
        try FileManager.default.removeItem(atPath: path)
        let other = Data("another file".utf8)
        if !isRemoved { try other.write(to: URL(fileURLWithPath: path)) }
        await #expect(throws: MediaFileError.self) { _ = try await write([4], by: index) }
        #expect(throws: MediaFileError.self) { try index.release([digest]) }
        #expect(throws: MediaFileError.self) { _ = try index.bytes }
        index.close()
        #expect(FileManager.default.contents(atPath: path) == (isRemoved ? nil : other))
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }

    @Test("A partial stream of each store has a place of its own")
    func partials() throws {
        let (a, b) = (try open("a"), try open("b"))
        for (index, byte) in [(a, UInt8(1)), (b, 2)] {
            let partial = try index.folder.partial(named: "Photos(1)")
            try partial.restart(origin: PartialOrigin(etag: "\"1\""))
            try partial.append([byte])
        }
        #expect(try a.folder.discardPartials() == 1)
        let partial = try b.folder.partial(named: "Photos(1)")
        #expect(partial.length == 1)
        let media = try b.finish(partial, length: 1, digest: nil)
        #expect(temporary.streams == [media.digest])
        try b.release([media.digest])
        #expect(temporary.streams.isEmpty)
    }

    @Test("What has come of streams counts for a quota, whichever store it comes for, and does not go for others")
    func partialBytes() async throws {
        let (a, b) = (try open("a"), try open("b"))
        let (first, second) = (try await write([1, 1], by: a), try await write([2, 2], by: a))
        for (start, count) in [(nil, 3), (100, 2)] as [(Int64?, Int)] {
            let partial = try b.folder.partial(named: "Photos(1)", part: start)
            try partial.restart(origin: PartialOrigin(etag: "\"1\""))
            try partial.append(Array(repeating: 7, count: count))
        }
        #expect(try a.use == FolderUse(streams: 4, partials: 5))
        #expect(try b.folder.partialLengths == [b.folder.partialName(for: "Photos(1)"): 5])
        #expect(try a.folder.partialLengths.isEmpty)
        try a.evict(downTo: 9)
        #expect(try a.evicted.isEmpty)
        try a.evict(downTo: 8)
        #expect(try a.evicted == [first])
        try a.evict(downTo: 0)
        #expect(try a.evicted == [first, second])
        #expect(try a.use == FolderUse(partials: 5))
        #expect(try b.folder.discardPartials() == 1)
        #expect(try a.use == FolderUse())
    }

    @Test("A store that leaves has nothing in the folder any more, and others all that they had")
    func leaving() async throws {
        let (a, b) = (try open("a"), try open("b"))
        let shared = try await write([1], by: a, isPinned: true)
        _ = try await write([1], by: b)
        _ = try await write([2], by: a)
        try a.folder.partial(named: "Photos(1)").restart(origin: PartialOrigin(etag: "\"1\""))
        #expect(try !a.leave())
        a.close()
        #expect(temporary.streams == [shared])
        let names = try FileManager.default.contentsOfDirectory(atPath: temporary.media)
        #expect(names.filter { $0.hasPrefix("partial") } == ["partial-b"])
        // Nothing keeps it there for the one that left.
        try b.evict(downTo: 0)
        #expect(temporary.streams.isEmpty)
        #expect(try b.leave())
        b.close()
    }

    @Test("What a crash has left is found when a store comes back")
    func crash() async throws {
        let (a, b) = (try open("a"), try open("b"))
        let kept = try await write([1], by: a)
        let unnamed = try await write([2], by: a)
        let shared = try await write([3], by: a)
        _ = try await write([3], by: b)
        // Named by no row of the index.
        let stray = try await a.folder.write(ByteContent([4])).digest
        let gone = try await write([5], by: a)
        let short = try await write([6, 6], by: a)
        try a.folder.remove(digest: gone)
        let path = "\(temporary.media)/\(short.prefix(2))/\(short)"
        try Data([6]).write(to: URL(fileURLWithPath: path))
        try Data([1]).write(to: URL(fileURLWithPath: temporary.media + "/incoming/1-1"))
        a.close()
        #expect(temporary.streams == [kept, unnamed, shared, stray, short])
        let again = try open("a")
        let difference = try again.reconcile([kept: 1, gone: 1, short: 2], pins: [])
        #expect(difference == FolderDifference(lost: [gone, short]))
        #expect(temporary.streams == [kept, shared])
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.media + "/incoming").isEmpty)
        #expect(try b.reconcile([shared: 1], pins: []) == FolderDifference())
        #expect(try again.bytes == 2)
    }

    /// As the store `a` does that knows the folder by this id, with these streams.
    private func reopen(_ id: String, _ digests: Set<String>) throws -> String {
        let known = KnownFolder(id: id, path: temporary.media, digests: digests)
        let index = try FolderIndex(path: temporary.media, store: "a", isShared: true, known: known, rowLimit: 0)
        defer { index.close() }
        return index.id
    }

    @Test("A folder whose index was made anew is the known one only where it has one of the known streams")
    func known() async throws {
        let first = try open("a")
        let digest = try await write([1], by: first)
        let other = String(repeating: "0", count: 64)
        first.close()
        for name in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: temporary.media + "/index.sqlite" + name)
        }
        let id = try reopen(first.id, [digest, other])
        #expect(id != first.id)
        #expect(try reopen(first.id, []) == id)
        let error = #expect(throws: MediaFileError.self) { try reopen(first.id, [other]) }
        #expect(error?.code == .otherFolder)
        #expect(try reopen(id, [other]) == id)
    }

    @Test("Streams that were there before their index are taken over by their one user, and left alone by others")
    func earlier() async throws {
        let folder = try MediaFolder(path: temporary.media)
        let known = try await folder.write(ByteContent([1])).digest
        let other = try await folder.write(ByteContent([2])).digest
        let shared = try open("a")
        #expect(try shared.reconcile([known: 1], pins: []) == FolderDifference())
        #expect(temporary.streams == [known, other])
        shared.close()
        for name in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: temporary.media + "/index.sqlite" + name)
        }
        let own = try open("a", isShared: false)
        #expect(own.id != shared.id)
        #expect(try own.reconcile([known: nil], pins: []) == FolderDifference())
        #expect(temporary.streams == [known])
        #expect(try own.bytes == 1)
    }

    @Test("What was not used for the longest time makes room, unless a store must keep it; all its stores learn of it")
    func eviction() async throws {
        let (a, b) = (try open("a"), try open("b"))
        var digests: [String] = []
        for byte in 0..<6 { digests.append(try await write([UInt8(byte), 0], by: a)) }
        _ = try await write([1, 0], by: b)
        try b.setPins([digests[2]])
        _ = try await write([2, 0], by: b, isPinned: true)
        _ = try a.source(digest: digests[0])
        try a.evict(downTo: 12)
        #expect(temporary.streams.count == 6)
        try a.evict(downTo: 6)
        // The order of use is 3, 4, 5, 1, 2, 0.
        #expect(temporary.streams == [digests[0], digests[1], digests[2]])
        #expect(try a.evicted == [digests[3], digests[4], digests[5]])
        #expect(try b.evicted.isEmpty)
        try a.evict(downTo: 0)
        #expect(temporary.streams == [digests[2]])
        #expect(try b.evicted == [digests[1]])
        let difference = try b.reconcile([digests[1]: 2, digests[2]: 2, digests[5]: 2], pins: [])
        #expect(difference == FolderDifference(lost: [digests[5]], evicted: [digests[1]]))
        try b.forgetEvicted(difference.evicted)
        _ = try await write([3, 0], by: a)
        #expect(try a.evicted == [digests[0], digests[1], digests[4], digests[5]])
        try a.evict(downTo: 0)
        #expect(temporary.streams.isEmpty)
    }

    @Test("A store with another key is refused, and an encrypted index tells nothing")
    func keys() async throws {
        let key = EncryptionKey.random()
        let index = try open("first store", key: key)
        let digest = try await write(Array(repeating: 9, count: 100), by: index)
        #expect(try open("b", key: key).contains(digest: digest))
        let others: [(EncryptionKey?, EncryptionError.Code)] = [(nil, .keyNeeded), (.random(), .wrongKey)]
        for (other, code) in others {
            let error = #expect(throws: EncryptionError.self) { try open("b", key: other) }
            #expect(error?.code == code)
        }
        index.close()
        for (name, bytes) in temporary.contents {
            #expect(!name.contains(digest))
            for word in [digest, "first store", "CREATE TABLE"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
        }
        let plain = try TemporaryFolder()
        _ = try FolderIndex(path: plain.media, store: "a", isShared: true)
        let error = #expect(throws: EncryptionError.self) {
            try FolderIndex(path: plain.media, key: key, store: "b", isShared: true)
        }
        #expect(error?.code == .notEncrypted)
        _ = try FolderIndex(path: plain.media, store: "b", isShared: true)
    }

    @Test("The folder of a service has no index, and a folder with an index becomes no service's")
    func claims() throws {
        let claim = try MediaFolder(path: temporary.media).claim(for: "service")
        let claimed = #expect(throws: MediaFileError.self) { try open("a") }
        #expect(claimed?.code == .notPermitted)
        withExtendedLifetime(claim) {}
        let other = try TemporaryFolder()
        let index = try FolderIndex(path: other.media, store: "a", isShared: true)
        let indexed = #expect(throws: MediaFileError.self) { try index.folder.claim(for: "service") }
        #expect(indexed?.code == .notPermitted)
    }

    @Test("Small streams are rows, also where they were files; a changed one is found out")
    func rows() async throws {
        let files = try open("a")
        let digest = try await write([1, 2, 3], by: files)
        let index = try FolderIndex(path: temporary.media, store: "a", isShared: true, rowLimit: 3)
        #expect(try await write([1, 2, 3], by: index) == digest)
        let small = try await write([4, 5], by: index, isPinned: true)
        let large = try await write([6, 7, 8, 9], by: index)
        #expect(temporary.streams == [digest, large])
        #expect(index.contains(digest: small) && files.contains(digest: small))
        #expect(try await ByteContent(index.source(digest: small)).collect(upTo: 10) == [4, 5])
        let lengths: [String: Int64?] = [digest: 3, small: 2, large: 4]
        #expect(try index.compare(lengths) == MediaFolderReport())
        #expect(try index.compare([small: 1]).truncated == [small])
        #expect(try await index.damaged(among: [digest, small, large]).isEmpty)
        let wrong = StoredMedia(digest: String(repeating: "0", count: 64), length: 2)
        try index.keep([(media: wrong, bytes: [4, 6])])
        #expect(try await index.damaged(among: [small, wrong.digest]) == [wrong.digest])
        let error = await #expect(throws: ByteStreamError.self) {
            try await ByteContent(index.source(digest: wrong.digest)).collect(upTo: 10)
        }
        #expect(error?.code == .changed)
        #expect(index.folder.isDamaged(wrong.digest))
        #expect(try index.reconcile(lengths, pins: [small]) == FolderDifference())
        try index.evict(downTo: 2)
        #expect(temporary.streams.isEmpty)
        #expect(index.contains(digest: small) && !index.contains(digest: digest))
        try index.release([small])
        #expect(!index.contains(digest: small))
        #expect(try index.bytes == 0)
    }

    @Test("A damaged index is told, with what helps")
    func damaged() throws {
        try open("a").close()
        try Data(repeating: 7, count: 8_192).write(to: URL(fileURLWithPath: temporary.media + "/index.sqlite"))
        let error = #expect(throws: MediaFileError.self) { try open("a") }
        #expect(error?.message.contains("Remove index.sqlite") == true)
    }

    @Test("Two processes that add and remove the same streams do not take them from each other")
    func processes() async throws {
        let index = try open("parent")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [path = temporary.media] in
                await #expect(processExitsWith: .success) { [path = path as String] in
                    let index = try FolderIndex(path: path, store: "child", isShared: true, rowLimit: 0)
                    try await FolderIndexTests.work(index)
                    index.close()
                }
            }
            group.addTask { try await Self.work(index) }
            try await group.waitForAll()
        }
        #expect(temporary.streams.isEmpty)
        #expect(try index.bytes == 0)
    }

    /// What was added is there until it is given up, whoever else does the same.
    private static func work(_ index: FolderIndex) async throws {
        for round in 0..<100 {
            let bytes = [UInt8(round % 3)]
            let digest = try await index.write(ByteContent(bytes), isPinned: false).digest
            let found = try await ByteContent(index.source(digest: digest)).collect(upTo: 10)
            guard found == bytes else { throw MediaFileError(.notFound, "The stream is gone.") }
            try index.release([digest])
        }
    }
}

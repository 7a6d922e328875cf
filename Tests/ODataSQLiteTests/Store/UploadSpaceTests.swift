import ByteStreams
import Foundation
import GRDB
import ODataStores
import Synchronization
import Testing

@testable import ODataSQLite

@Suite("Uploads in several steps to a file that two processes have")
struct UploadSpaceTests {
    private let file: SampleFile
    private let here: SQLiteStore
    private let there: SQLiteStore
    private let limits = UploadAppendLimits(length: 100, size: nil, lifetime: 1_000)

    init() throws {
        file = try Shop.file()
        (here, there) = (try file.store(), try file.store())
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: file.path + "-uploads")) ?? []
    }

    /// An upload of which four bytes have come.
    private func begun(in space: any UploadSpace) async throws -> IncomingUpload {
        let upload = IncomingUpload(token: "t", owner: nil, request: [], length: nil, expires: space.now + 1_000)
        let admission = try await space.begin(upload, limits: UploadSpaceLimits(uploadsPerOwner: 1, size: 100))
        #expect(admission == .admitted)
        return try await space.append(ByteContent(Array("0123".utf8)), to: upload, limits: limits)
    }

    /// Four bytes, and `work` behind them.
    private func content(then work: @escaping @Sendable () async throws -> Void) -> ByteContent {
        let isFirst = Mutex(true)
        return ByteContent(
            ByteChunks {
                let first = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if first { return Array("late".utf8) }
                try await work()
                return nil
            }, length: nil)
    }

    @Test("bytes that come after the end change nothing, nor those that were on their way", arguments: [false, true])
    func end(isOnItsWay: Bool) async throws {
        let (space, other) = (try #require(here.uploadSpace), try #require(there.uploadSpace))
        let upload = try await begun(in: space)
        let finish: @Sendable () async throws -> Void = {
            try await other.finish(upload, response: [1], lifetime: 1_000)
        }
        if !isOnItsWay { try await finish() }
        let late = content { if isOnItsWay { try await finish() } }
        #expect(await code { _ = try await space.append(late, to: upload, limits: limits) } == .gone)
        let found = try #require(try await space.upload("t"))
        #expect(found.response == [1] && found.offset == 4)
        #expect(names.isEmpty)
        #expect(await code { try await space.finish(upload, response: [2], lifetime: 1_000) } == .gone)
    }

    /// What a process leaves that is ended between two steps.
    private func leave(_ files: [(name: String, bytes: Data)]) async throws {
        try await here.pool.write { try $0.execute(sql: "UPDATE odata_store_uploads SET received = 4") }
        for (name, bytes) in files {
            try bytes.write(to: URL(fileURLWithPath: file.path + "-uploads/" + name))
        }
    }

    @Test("after the end of a process an upload has what lies in the file, as far as it is what came")
    func crash() async throws {
        let space = try #require(here.uploadSpace)
        let upload = try await begun(in: space)
        let folder = file.path + "-uploads/"
        let left = Mutex<[(name: String, bytes: Data)]>([])
        let body = content {
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
                .map { ($0, try Data(contentsOf: URL(fileURLWithPath: folder + $0))) }
            left.withLock { $0 = files }
        }
        #expect(try await space.append(body, to: upload, limits: limits).offset == 8)
        let files = left.withLock { $0 }.sorted { $0.name < $1.name }
        #expect(files.map(\.name) == ["t", "t.pieces"])
        let cases: [(change: (inout Data) -> Void, bytes: String)] = [
            ({ _ in }, "0123late"), ({ $0 += Data("more".utf8) }, "0123late"), ({ $0[5] ^= 1 }, "0123"),
            ({ $0 = $0.prefix(7) }, "0123"),
        ]
        for (change, bytes) in cases {
            var changed = files
            change(&changed[0].bytes)
            try await leave(changed)
            let found = try #require(try await space.upload("t"))
            #expect(try await space.content(of: found).collect(upTo: 100) == Array(bytes.utf8))
            #expect(try await here.reading { try UploadTable.reservedSize(in: $0) } == bytes.utf8.count)
        }
        try await leave(files)
        try SQLiteUploads(here).tidy()
        let found = try #require(try await space.upload("t"))
        #expect(try await space.append(ByteContent(Array("!".utf8)), to: found, limits: limits).offset == 9)
        #expect(try await space.upload("t")?.offset == 9)
        try await space.remove(found)
        #expect(names.isEmpty)
    }

    @Test("bytes that did not have the digest they came with do not come back")
    func refusedBytes() async throws {
        let space = try #require(here.uploadSpace)
        let upload = try await begun(in: space)
        let body = content { throw ByteStreamError(.changed, "Other bytes.") }
        #expect(await code { _ = try await space.append(body, to: upload, limits: limits) } != nil)
        #expect(try await space.upload("t")?.offset == 4)
    }

    @Test("bytes that another process has taken are not overwritten")
    func append() async throws {
        let (space, other) = (try #require(here.uploadSpace), try #require(there.uploadSpace))
        let upload = try await begun(in: space)
        let limits = limits
        let bytes = ByteContent(Array("4567".utf8))
        let both = content {
            #expect(await code { _ = try await other.append(bytes, to: upload, limits: limits) } == .busy)
        }
        #expect(try await space.append(both, to: upload, limits: limits).offset == 8)
        #expect(await code { _ = try await other.append(bytes, to: upload, limits: limits) } == .busy)
        let found = try #require(try await other.upload("t"))
        #expect(try await other.content(of: found).collect(upTo: 100) == Array("0123late".utf8))
    }
}

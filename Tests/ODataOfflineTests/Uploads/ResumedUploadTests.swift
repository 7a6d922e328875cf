import Foundation
import GRDB
import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores
import ODataTesting
import Synchronization
import Testing

@testable import ODataOffline

@Suite("Streams that are uploaded in pieces")
struct ResumedUploadTests {
    private static let cuts = [0, 1, 131_071, 131_072, 131_073, 299_999] + random(6)

    private static func random(_ count: Int) -> [Int] {
        var generator = SplitMix(seed: 7)
        return (0..<count).map { _ in Int(generator.next() % UInt64(UploadDesk.size)) }
    }

    @Test("A cut costs nothing that had arrived", arguments: cuts, [nil, 70_000] as [Int?])
    func cut(at byte: Int, partSize: Int?) async throws {
        let conflicts = try UploadDesk(partSize: partSize)
        let store = try await conflicts.device()
        try await conflicts.replace(in: store)
        conflicts.breakingOnce(.patch, .requestCut(after: byte))
        let seen = Mutex<[Int64]>([])
        let report = try await store.upload { step in seen.withLock { $0.append(step.acknowledgedBytes) } }
        #expect(report.isComplete)
        #expect(try await conflicts.hasBytes(1))
        #expect(conflicts.server.begun == 1 && conflicts.server.executed == 1)
        #expect(conflicts.server.received == UploadDesk.size)
        let progress = seen.withLock { $0 }
        #expect(progress == progress.sorted() && progress.last == Int64(UploadDesk.size))
        #expect(try store.database.read { try Int.fetchOne($0, sql: #"SELECT count(*) FROM "$transfer""#) } == 0)
        try store.close()
    }

    @Test("What is handed over is told before the service says that it has it, and after a cut from what it has")
    func handedOver() async throws {
        let conflicts = try UploadDesk()
        let store = try await conflicts.device()
        try await conflicts.replace(in: store)
        let server = conflicts.server
        let told = Mutex<[Int64]>([])
        let patches = Mutex(0)
        conflicts.breaking { request in
            guard request.method == .patch else { return nil }
            let isFirst = patches.withLock { patches in
                patches += 1
                return patches == 1
            }
            server.meanwhile {
                let transfer = try #require(store.transferSnapshots.first)
                #expect(transfer.state == .running && transfer.transferred == Int64(server.received))
                #expect(transfer.transferred > transfer.acknowledged)
                told.withLock { $0.append(transfer.acknowledged) }
            }
            return isFirst ? .requestCut(after: 200_000) : nil
        }
        #expect(try await store.upload().isComplete)
        conflicts.breaking { _ in nil }
        #expect(told.withLock { $0 } == [0, 200_000])
        let sent = try #require(store.transferSnapshots.first)
        #expect(sent.state == .finished && sent.transferred == Int64(UploadDesk.size))
        try store.close()
    }

    @Test("A lost last response is asked for, and nothing is carried out twice", arguments: [true, false])
    func lostResponse(replays: Bool) async throws {
        let conflicts = try UploadDesk(replays: replays)
        let store = try await conflicts.device()
        let made = try await conflicts.create(in: store)
        conflicts.breakingOnce(.patch, .responseLost)
        if replays {
            #expect(try await store.upload().isComplete)
        } else {
            // That it was carried out is known, and what it has made is found.
            await #expect(throws: ODataError.self) { try await store.upload() }
            #expect(try await store.upload().isComplete)
        }
        #expect(conflicts.server.executed == 1 && conflicts.server.received == UploadDesk.size)
        #expect(try conflicts.service.fetch("SELECT Title FROM Photos WHERE PhotoID > 4") == ["new"])
        let id = try #require(made.entity?.id)
        #expect(try await store.entities(try await store.query(id)).first?["PhotoID"] == .integer(5))
        try store.close()
    }

    enum End: CaseIterable { case beginning, middle, lastResponse }

    @Test("An upload goes on in the next run of the app where the service has come to", arguments: End.allCases)
    func nextRun(after end: End) async throws {
        let conflicts = try UploadDesk()
        let first = try await conflicts.device()
        _ = try await conflicts.create(in: first)
        switch end {
        case .beginning: conflicts.breakingOnce(.post, .responseLost, isDeadThen: true)
        case .middle: conflicts.breakingOnce(.patch, .requestCut(after: 200_000), isDeadThen: true)
        case .lastResponse: conflicts.breakingOnce(.patch, .responseLost, isDeadThen: true)
        }
        let error = await #expect(throws: ODataError.self) { try await first.upload() }
        #expect(error?.code == .unreachable)
        // The end goes with the bytes: once they are on their way it may have come.
        #expect(try await first.queueEntries().first?.state == (end == .beginning ? .waiting : .unconfirmed))
        try first.close()
        conflicts.breaking { _ in nil }
        let second = try await conflicts.device()
        #expect(try await second.upload().isComplete)
        #expect(conflicts.server.begun == (end == .beginning ? 2 : 1) && conflicts.server.executed == 1)
        #expect(conflicts.server.received == UploadDesk.size)
        #expect(try conflicts.service.fetch("SELECT Title FROM Photos WHERE PhotoID > 4") == ["new"])
        #expect(try await conflicts.hasBytes(5))
        try second.close()
    }

    @Test("What was not sent to its end waits, though the process ended while it was sent")
    func killed() async throws {
        let conflicts = try UploadDesk(partSize: 100_000)
        let first = try await conflicts.device()
        try await conflicts.replace(in: first)
        conflicts.breakingOnce(.patch, .requestCut(after: 60_000), isDeadThen: true)
        await #expect(throws: ODataError.self) { try await first.upload() }
        #expect(try await first.queueEntries().map(\.state) == [.waiting])
        // As a process leaves it that ends at that moment.
        try await first.database.writing { db in
            try db.execute(
                sql: #"UPDATE "$queue" SET "state" = 'sending'; UPDATE "$transfer" SET "state" = 'appending'"#)
        }
        try first.close()
        conflicts.breaking { _ in nil }
        let second = try await conflicts.device()
        #expect(try await second.queueEntries().map(\.state) == [.waiting])
        #expect(try await second.upload().isComplete)
        #expect(conflicts.server.begun == 1 && conflicts.server.received == UploadDesk.size)
        #expect(try await conflicts.hasBytes(1))
        try second.close()
    }

    @Test("A session that the service forgets begins anew; after a lost response the service is looked at first")
    func forgotten() async throws {
        let conflicts = try UploadDesk(partSize: 100_000)
        let store = try await conflicts.device { $0.exactlyOnce = .clientKeys }
        try await conflicts.replace(in: store)
        conflicts.breakingOnce(.patch, .requestCut(after: 60_000), isDeadThen: true)
        await #expect(throws: ODataError.self) { try await store.upload() }
        conflicts.server.forgetAll()
        conflicts.breaking { _ in nil }
        #expect(try await store.upload().isComplete)
        #expect(conflicts.server.begun == 2 && conflicts.server.executed == 1)

        _ = try await conflicts.create(in: store)
        let patches = Mutex(0)
        conflicts.breaking { request in
            guard request.method == .patch else { return patches.withLock { $0 } > 2 ? .refused : nil }
            return patches.withLock { count in
                count += 1
                return count == 3 ? .responseLost : nil
            }
        }
        await #expect(throws: ODataError.self) { try await store.upload() }
        #expect(try await store.queueEntries().first?.state == .unconfirmed)
        conflicts.server.forgetAll()
        conflicts.breaking { _ in nil }
        #expect(try await store.upload().isComplete)
        #expect(conflicts.server.begun == 3 && conflicts.server.executed == 2)
        #expect(try conflicts.count() == ["5"])
        try store.close()
    }

    @Test("An upload that the service forgot is not begun anew before the service was looked at, now or later")
    func forgottenUnseen() async throws {
        let conflicts = try UploadDesk()
        let store = try await conflicts.device { $0.exactlyOnce = .clientKeys }
        // With the version that is to be replaced.
        try store.removeQuery("photos")
        try store.addQuery(StreamTests.photos)
        try await store.download()
        try await conflicts.replace(in: store)
        conflicts.breakingOnce(.patch, .responseLost, isDeadThen: true)
        await #expect(throws: ODataError.self) { try await store.upload() }
        #expect(conflicts.server.executed == 1)
        conflicts.server.forgetAll()
        conflicts.breaking { $0.method == .get ? .refused : nil }
        await #expect(throws: ODataError.self) { try await store.upload() }
        #expect(try await store.queueEntries().map(\.state) == [.unconfirmed])
        conflicts.breaking { _ in nil }
        #expect(try await store.upload().isComplete)
        #expect(conflicts.server.begun == 1 && conflicts.server.executed == 1)
        #expect(try await conflicts.hasBytes(1))
        try store.close()
    }

    @Test("Content that was set again is not appended to what is there")
    func otherContent() async throws {
        let conflicts = try UploadDesk(partSize: 100_000)
        let store = try await conflicts.device()
        try await conflicts.replace(in: store, Array(repeating: 1, count: 250_000))
        conflicts.breakingOnce(.patch, .requestCut(after: 60_000), isDeadThen: true)
        await #expect(throws: ODataError.self) { try await store.upload() }
        try await conflicts.replace(in: store)
        conflicts.breaking { _ in nil }
        #expect(try await store.upload().isComplete)
        #expect(try await conflicts.hasBytes(1))
        try store.close()
    }

    @Test("A refusal at the end is one of the request, and the next upload begins anew")
    func refused() async throws {
        let conflicts = try UploadDesk()
        let store = try await conflicts.device()
        try await conflicts.replace(in: store)
        try conflicts.service.execute("DELETE FROM Photos WHERE PhotoID = 1")
        #expect(try await store.upload().failed.map(\.status) == [404])
        #expect(try await store.queueEntries().map(\.state) == [.failed])
        #expect(try await store.upload().failed.count == 1)
        #expect(conflicts.server.begun == 2 && conflicts.server.executed == 2)
        try store.close()
    }

    @Test(
        "A stream that is damaged on the device is not completed at the service, behind a cut either",
        arguments: [100_000, nil] as [Int?])
    func damaged(partSize: Int?) async throws {
        let conflicts = try UploadDesk(partSize: partSize)
        let store = try await conflicts.device()
        try await conflicts.replace(in: store)
        conflicts.breakingOnce(.patch, .requestCut(after: 60_000))
        let digest = try #require(
            try await store.database.reading { try String.fetchOne($0, sql: #"SELECT "digest" FROM "$queue""#) })
        let files = try FileManager.default.subpathsOfDirectory(atPath: conflicts.folder.path)
        let name = try #require(files.first { $0.hasSuffix(digest) })
        let handle = try #require(FileHandle(forUpdatingAtPath: conflicts.folder.path + "/" + name))
        try handle.seek(toOffset: 250_000)
        try handle.write(contentsOf: Data([0xFF, 0xFE, 0xFD]))
        try handle.close()
        let report = try await store.upload()
        #expect(report.failed.count == 1)
        #expect(try await store.errorEntries().first?.message.contains("damaged") == true)
        #expect(conflicts.server.executed == 0)
        try store.close()
    }
}

import ByteStreams
import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Synchronization
import Testing

@testable import ODataSQLite

@Suite("The commit that changes share")
struct SharedCommitTests {
    @Test("Readers see all of the changes or none of them")
    func readers() async throws {
        let seen = Mutex<[Int]>([])
        let path = Mutex<String?>(nil)
        let changes = try WaitingChanges(willCommit: {
            guard let path = path.withLock({ $0 }) else { return }
            let count = try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Item") }
            seen.withLock { $0.append(count ?? -1) }
        })
        path.withLock { $0 = changes.file.path }
        let outcomes = try await changes.outcomes(of: changes.creations(16))
        #expect(outcomes.allSatisfy { $0.isDone })
        #expect(seen.withLock { $0 } == [2])
        #expect(try changes.file.value("SELECT count(*) FROM Item") == "18")
    }

    @Test("If it fails, all changes have failed and nothing is left of them")
    func failedCommit() async throws {
        let isBroken = Atomic(true)
        let changes = try WaitingChanges(
            willCommit: {
                if isBroken.load(ordering: .relaxed) { throw DatabaseError(resultCode: .SQLITE_FULL) }
            }, configure: { $0.tracksChanges = true })
        let link = try #require(try await changes.store.tracked("Item").deltaLink)
        var requests = try changes.creations(16)
        for index in requests.indices {
            requests[index].repeatability = changes.repeatability("r\(index)")
        }
        // It would be refused for the change before it, which is not made.
        requests.append(try changes.create("Item", ["Name": .string("n15")]))
        let outcomes = try await changes.outcomes(of: requests)
        #expect(outcomes.map(\.code) == Array(repeating: .storage, count: 17))
        #expect(try changes.file.values("SELECT Name FROM Item") == ["first", "second"])
        #expect(try changes.file.value("SELECT count(*) FROM odata_store_requests") == "0")
        #expect(try await changes.store.tracked(link).entities.isEmpty && changes.commitCount == 0)

        isBroken.store(false, ordering: .relaxed)
        let again = try await changes.outcomes(of: requests)
        #expect(again.map(\.code) == Array(repeating: nil, count: 16) + [.conflict])
        #expect(try changes.file.value("SELECT count(*) FROM Item") == "18" && changes.commitCount == 1)
    }

    @Test("A file that is full refuses those that do not fit", arguments: [1, 4])
    func full(pages: Int) async throws {
        let changes = try WaitingChanges()
        try await changes.store.pool.writeWithoutTransaction { db in
            let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(count + pages)")
        }
        let small = try changes.request("Item(1)", .update(EntityPayload(["Amount": .integer(3)])))
        let outcomes = try await changes.outcomes(of: changes.creations(16, size: 3000) + [small])
        let made = outcomes.dropLast().count { $0.isDone }
        #expect(made < 16 && outcomes.last?.isDone == true)
        for outcome in outcomes.dropLast() where !outcome.isDone {
            #expect(outcome == .failed(.storage, "The disk is full."))
        }
        #expect(try changes.file.value("SELECT count(*) FROM Item") == "\(2 + made)")
        #expect(try changes.file.value("SELECT Amount FROM Item WHERE ID = 1") == "3")
        #expect(try changes.file.value("PRAGMA integrity_check") == "ok")
    }

    @Test("A caller that is cancelled before leaves; the others get their results")
    func cancelled() async throws {
        let changes = try WaitingChanges()
        let outcomes = try await changes.outcomes(of: changes.creations(16)) { tasks in
            for index in [0, 5, 15] {
                tasks[index].cancel()
                _ = await tasks[index].result
            }
        }
        for (index, outcome) in outcomes.enumerated() {
            #expect(outcome.code == ([0, 5, 15].contains(index) ? .cancelled : nil))
        }
        #expect(try changes.file.value("SELECT count(*) FROM Item") == "15" && changes.commitCount == 1)
    }

    @Test("A file that was replaced meanwhile is not written")
    func replaced() async throws {
        let changes = try WaitingChanges()
        let other = try SampleFile(WaitingChanges.sql)
        let outcomes = try await changes.outcomes(of: changes.creations(16)) { _ in
            #expect(rename(other.path, changes.file.path) == 0)
        }
        #expect(outcomes.map(\.code) == Array(repeating: .busy, count: 16) && changes.commitCount == 0)
        try changes.store.close()
        #expect(try changes.file.value("SELECT count(*) FROM Item") == "2")
    }

    @Test("Streams, change sets and changes of many entities have a transaction of their own")
    func alone() async throws {
        let changes = try WaitingChanges(configure: { $0.media = [MediaColumn(set: "Photo", column: "Content")] })
        let store = changes.store
        let picture = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        let alone = try [
            [changes.request("Photo", .createMedia(picture, slug: nil))],
            [changes.request("Photo(1)/$value", .replaceStream(picture))],
            [
                changes.create("Item", ["Name": .string("a")]), changes.create("Item", ["Name": .string("b")]),
            ],
            [changes.request("Item/$each", .update(EntityPayload(["Amount": .integer(7)])))],
            [
                changes.request(
                    "Item",
                    .create(
                        EntityPayload(
                            ["Name": .string("c")],
                            nested: [.init(navigation: "Owner", entities: [EntityPayload(["Code": .string("C")])])])))
            ],
        ]
        for set in alone {
            let before = changes.commitCount
            let small = try changes.request("Item(1)", .update(EntityPayload(["Amount": .integer(3)])))
            let (results, result) = await store.whileWriterIsBusy {
                let results = Task { try await store.changeSet(set) }
                let result = Task { try await store.change(small) }
                while store.opened.waiting.count < 1 { await Task.yield() }
                return (results, result)
            }
            _ = try await result.value
            _ = try await results.value
            // Behind both.
            try await store.pool.writeWithoutTransaction { _ in }
            #expect(store.opened.waiting.count == 0 && changes.commitCount == before + 2)
        }
    }
}

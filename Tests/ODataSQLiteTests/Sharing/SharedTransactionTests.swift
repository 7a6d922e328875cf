import ByteStreams
import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Synchronization
import Testing

@testable import ODataSQLite

@Suite("Changes that wait together share a transaction")
struct SharedTransactionTests {
    /// A change that is refused, and how often the others are committed then.
    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code: ODataError.Code
        /// Whether SQLite rolls back all of the transaction.
        var endsTransaction = false
        var request: @Sendable (WaitingChanges) throws -> ChangeRequest

        static let all = [
            Refusal(testDescription: "a unique index", code: .conflict) {
                try $0.create("Item", ["Name": .string("second")])
            },
            Refusal(testDescription: "a key that is there", code: .conflict) {
                try $0.create("Item", ["ID": .integer(1), "Name": .string("x")])
            },
            Refusal(testDescription: "NOT NULL", code: .badRequest) { try $0.create("Item", ["Amount": .integer(1)]) },
            Refusal(testDescription: "CHECK", code: .badRequest) {
                try $0.create("Item", ["Name": .string("x"), "Amount": .integer(-1)])
            },
            Refusal(testDescription: "a value of another type", code: .badRequest) {
                try $0.create("Item", ["Name": .integer(1)])
            },
            Refusal(testDescription: "a foreign key", code: .conflict) {
                try $0.create("Item", ["Name": .string("x"), "OwnerID": .integer(9)])
            },
            Refusal(testDescription: "a deferred foreign key", code: .conflict) {
                try $0.create("Item", ["Name": .string("x"), "LaterID": .integer(9)])
            },
            Refusal(testDescription: "a deferred foreign key of an update", code: .conflict) {
                try $0.request("Item(1)", .update(EntityPayload(["LaterID": .integer(9)])))
            },
            Refusal(testDescription: "a value of a property", code: .badRequest) {
                try $0.request("Item(1)/Amount", .setValue(.integer(-1)))
            },
            Refusal(testDescription: "If-Match", code: .preconditionFailed) {
                try $0.request("Item(1)", .update(EntityPayload(["Amount": .integer(9)]))) { $0.ifMatch = "W/\"old\"" }
            },
            Refusal(testDescription: "If-Match of a deletion", code: .preconditionFailed) {
                try $0.request("Item(1)", .delete) { $0.ifMatch = "W/\"old\"" }
            },
            Refusal(testDescription: "no entity", code: .notFound) { try $0.request("Item(999)", .delete) },
            Refusal(testDescription: "RAISE(ABORT)", code: .badRequest) {
                try $0.create("Item", ["Name": .string("refused, aborted")])
            },
            Refusal(testDescription: "RAISE(FAIL)", code: .badRequest) {
                try $0.create("Item", ["Name": .string("refused, failed")])
            },
            Refusal(testDescription: "RAISE(IGNORE)", code: .conflict) {
                try $0.create("Item", ["Name": .string("refused, ignored")])
            },
            Refusal(testDescription: "RAISE(ROLLBACK)", code: .badRequest, endsTransaction: true) {
                try $0.create("Item", ["Name": .string("refused, rolled back")])
            },
            Refusal(testDescription: "ON CONFLICT ROLLBACK", code: .conflict, endsTransaction: true) {
                try $0.create("Owner", ["Code": .string("B")])
            },
            Refusal(testDescription: "the time limit", code: .cancelled, endsTransaction: true) {
                var request = try $0.create("Item", ["Name": .string("slow")])
                request.scope.timeLimit = .milliseconds(50)
                return request
            },
        ]
    }

    @Test("One that is refused fails alone, as it would by itself", arguments: Refusal.all, [0, 7, 15])
    func refused(refusal: Refusal, position: Int) async throws {
        let alone = try WaitingChanges()
        let expected = try await alone.outcomes(of: [refusal.request(alone)])
        #expect(expected.map(\.code) == [refusal.code] && alone.commitCount == 0)

        let changes = try WaitingChanges()
        var requests = try changes.creations(15)
        requests.insert(try refusal.request(changes), at: position)
        var outcomes = try await changes.outcomes(of: requests)
        #expect(outcomes.remove(at: position) == expected[0])
        #expect(outcomes.map(\.isDone) == Array(repeating: true, count: 15))
        #expect(
            try changes.file.values("SELECT Name FROM Item ORDER BY ID")
                == ["first", "second"] + (0..<15).map { "n\($0)" })
        #expect(try changes.file.values("SELECT * FROM Owner") == ["1|A", "2|B"])
        #expect(changes.commitCount == (refusal.endsTransaction && position == 7 ? 2 : 1))
    }

    @Test("All kinds of refusals together, each beside a change that is made")
    func allRefused() async throws {
        let changes = try WaitingChanges()
        let requests = try Refusal.all.enumerated().flatMap { index, refusal in
            [
                try changes.create("Item", ["ID": .integer(100 + Int64(index)), "Name": .string("n\(index)")]),
                try refusal.request(changes),
            ]
        }
        let outcomes = try await changes.outcomes(of: requests)
        for (index, refusal) in Refusal.all.enumerated() {
            #expect(outcomes[2 * index].isDone, "\(outcomes[2 * index])")
            #expect(outcomes[2 * index + 1].code == refusal.code, "\(refusal): \(outcomes[2 * index + 1])")
        }
        #expect(try changes.file.value("SELECT count(*) FROM Item") == "\(2 + Refusal.all.count)")
    }

    @Test("The changes are made one after the other, as their conditions see")
    func order() async throws {
        let changes = try WaitingChanges()
        let old = try #require(try await changes.store.entity("Item(1)")?.etag)
        let updates = try (1...16).map { value in
            try changes.request("Item(1)", .update(EntityPayload(["Amount": .integer(value)])))
        }
        let outcomes = try await changes.outcomes(of: updates)
        #expect(Set(outcomes.map(\.etag)).count == 16 && changes.commitCount == 1)
        #expect(try await changes.store.entity("Item(1)")?.etag == outcomes.last?.etag)

        let conditional = updates.map { request in
            var request = request
            request.ifMatch = outcomes.last?.etag
            return request
        }
        let codes = try await changes.outcomes(of: conditional).map(\.code)
        #expect(codes == [nil] + Array(repeating: .preconditionFailed, count: 15))
        #expect(try changes.file.value("SELECT Amount FROM Item WHERE ID = 1") == "1")

        let etag = try #require(try await changes.store.entity("Item(1)")?.etag)
        #expect(etag == outcomes[0].etag && etag != old)
        let life = try await changes.outcomes(of: [
            changes.create("Item", ["ID": .integer(50), "Name": .string("new")]),
            changes.request("Item(50)", .update(EntityPayload(["Amount": .integer(5)]))),
            changes.request("Item(50)", .delete),
            changes.request("Item(50)", .update(EntityPayload(["Amount": .integer(6)]))),
            changes.create("Item", ["ID": .integer(50), "Name": .string("again")]),
            changes.request("Item(1)", .delete) { $0.ifMatch = etag },
            changes.request("Item(1)", .delete),
        ])
        #expect(life.map(\.code) == [nil, nil, nil, .notFound, nil, nil, .notFound], "\(life)")
        #expect(try changes.file.values("SELECT ID, Name, Amount FROM Item") == ["2|second|0", "50|again|-"])
    }

    @Test("A repeated request is executed once, in a transaction that it shares and after it")
    func repetitions() async throws {
        let changes = try WaitingChanges()
        func creation(_ id: String, _ name: String) throws -> ChangeRequest {
            var request = try changes.create("Item", ["Name": .string(name)])
            request.repeatability = changes.repeatability(id)
            return request
        }
        let requests = try [
            creation("a", "one"), creation("a", "one"), creation("b", "second"), creation("b", "two"),
            creation("a", "other"), creation("c", "three"),
        ]
        let outcomes = try await changes.outcomes(of: requests)
        #expect(outcomes[0].isDone && outcomes[0] == outcomes[1])
        // Nothing is recorded of what was refused.
        #expect(outcomes[2].code == .conflict && outcomes[3].isDone)
        #expect(outcomes[4].code == .badRequest && outcomes[5].isDone)
        let again = try await changes.outcomes(of: [requests[5], requests[3], requests[0]])
        #expect(again == [outcomes[5], outcomes[3], outcomes[0]])
        #expect(
            try changes.file.values("SELECT Name FROM Item WHERE ID > 2 ORDER BY ID") == ["one", "two", "three"])
    }

    @Test("The change log has what was made, in its order")
    func changeLog() async throws {
        let changes = try WaitingChanges(configure: { $0.tracksChanges = true })
        let link = try #require(try await changes.store.tracked("Item").deltaLink)
        let outcomes = try await changes.outcomes(of: [
            changes.create("Item", ["ID": .integer(10), "Name": .string("ten")]),
            changes.create("Item", ["ID": .integer(11), "Name": .string("ten")]),
            changes.request("Item(2)", .delete),
            changes.request("Item(1)", .update(EntityPayload(["Amount": .integer(-1)]))),
            changes.create("Item", ["ID": .integer(9), "Name": .string("refused, rolled back")]),
            changes.request("Item(10)", .update(EntityPayload(["Amount": .integer(1)]))),
            changes.create("Item", ["ID": .integer(12), "Name": .string("twelve")]),
        ])
        #expect(outcomes.map(\.isDone) == [true, false, true, false, false, true, true])
        let delta = try await changes.store.tracked(link)
        #expect(delta.entities.map { $0["ID"] } == [.integer(10), .integer(12)])
        #expect(delta.entities.first?["Amount"] == .integer(1))
        #expect(delta.removed.count == 1 && delta.removed.first?.hasPrefix("Item(2)") == true)
    }

    @Test("One hundred that wait are all made, 64 in a transaction")
    func many() async throws {
        let changes = try WaitingChanges()
        let outcomes = try await changes.outcomes(of: changes.creations(100))
        #expect(outcomes.allSatisfy { $0.isDone } && changes.commitCount == 2)
        #expect(try changes.file.value("SELECT count(*) FROM Item") == "102")
    }

    @Test("A transaction that has taken long is committed before the next change")
    func long() async throws {
        let changes = try WaitingChanges(configure: { $0.sharedTransactionTime = .zero })
        let outcomes = try await changes.outcomes(of: changes.creations(16))
        #expect(outcomes.allSatisfy { $0.isDone } && changes.commitCount == 16)
        #expect(try changes.file.value("SELECT count(*) FROM Item") == "18")
    }

    @Test("One change, and one after the other, has a transaction by itself")
    func single() async throws {
        let changes = try WaitingChanges()
        for number in 1...3 {
            let outcomes = try await changes.outcomes(of: [changes.create("Item", ["Name": .string("n\(number)")])])
            #expect(outcomes[0].isDone && changes.commitCount == number)
        }
    }
}

import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Change sets and repeated requests")
struct ChangeSetTests {
    private func request(
        _ store: SQLiteStore, _ target: String, _ operation: ChangeRequest.Operation, id: String? = nil
    ) throws -> ChangeRequest {
        var request = ChangeRequest(try store.path(target), operation)
        request.contentID = id
        return request
    }

    @Test("All changes of a set happen, and later ones refer to earlier ones")
    func contentIDs() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let category = try request(store, "Category", .create(EntityPayload(["Name": .string("Tools")])), id: "1")
        let product = try request(
            store, "Product",
            .create(
                EntityPayload(
                    ["Name": .string("Saw")], bindings: [.init(navigation: "Category", references: [.url("$1")])])))
        let set = try #require(try await store.model().entitySet(named: "Category"))
        let navigation = try #require(set.type.navigationProperty(named: "Product"))
        let target = ResourcePath(
            root: .contentID("1", set),
            segments: [.navigation(navigation, try await store.model().entitySet(named: "Product"))])
        let member = ChangeRequest(target, .create(EntityPayload(["Name": .string("Nail")])))
        let results = try await store.changeSet([category, product, member])
        #expect(results.compactMap(\.entityID) == ["Category(3)", "Product(4)", "Product(5)"])
        #expect(try file.values("SELECT Name FROM Product WHERE CategoryID = 3") == ["Saw", "Nail"])
    }

    @Test("One that fails takes all back and says which it was")
    func atomic() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let good = try request(store, "Category", .create(EntityPayload(["Name": .string("Tools")])))
        let bad = try request(store, "Category(1)", .delete)
        do {
            _ = try await store.changeSet([good, good, bad])
            Issue.record("it did not fail")
        } catch let error as ODataError {
            #expect(error.requestIndex == 1 && error.code == .conflict)
        }
        do {
            _ = try await store.changeSet([good, bad])
            Issue.record("it did not fail")
        } catch let error as ODataError {
            #expect(error.requestIndex == 1 && error.code == .conflict)
        }
        #expect(try file.value("SELECT count(*) FROM Category") == "2")
    }

    @Test("A repeated request is executed once, and its response is repeated")
    func repeated() async throws {
        let file = try Shop.file()
        let repeatability = RepeatabilityHeaders(requestID: "r1", firstSent: "Sat, 21 Nov 2026 01:00:00 GMT")
        var results: [ChangeResult] = []
        for _ in 0..<3 {
            let store = try file.store { $0.now = { 1_795_000_000 } }
            results.append(
                try await store.change("Category", .create(EntityPayload(["Name": .string("Tools")]))) {
                    $0.repeatability = repeatability
                })
            try store.close()
        }
        #expect(try file.value("SELECT count(*) FROM Category") == "3")
        #expect(results.map(\.entityID) == Array(repeating: "Category(3)", count: 3))
        #expect(results.allSatisfy { $0.isRepeatable && $0.entity?["Name"] == .string("Tools") })
        #expect(Set(results.map(\.etag)).count == 1)
    }

    @Test("An id that was used for another request is refused, one that is too old cannot be told")
    func misused() async throws {
        let store = try Shop.file().store { $0.now = { 1_795_000_000 } }
        func create(_ name: String, _ sent: String, id: String) async throws {
            _ = try await store.change("Category", .create(EntityPayload(["Name": .string(name)]))) {
                $0.repeatability = RepeatabilityHeaders(requestID: id, firstSent: sent)
            }
        }
        try await create("A", "Sat, 21 Nov 2026 01:00:00 GMT", id: "1")
        #expect(await code { try await create("B", "Sat, 21 Nov 2026 01:00:00 GMT", id: "1") } == .badRequest)
        #expect(await code { try await create("C", "Sun, 06 Nov 1994 08:49:37 GMT", id: "2") } == .preconditionFailed)
    }

    @Test("A request that failed is executed when it is repeated")
    func failed() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let sent = RepeatabilityHeaders(requestID: "r", firstSent: "x")
        func create() async throws {
            _ = try await store.change(
                "Product", .create(EntityPayload(["Name": .string("P"), "CategoryID": .integer(9)]))
            ) {
                $0.repeatability = sent
            }
        }
        #expect(await code { try await create() } == .conflict)
        try file.execute("INSERT INTO Category(CategoryID, Name) VALUES (9, 'Nine')")
        try await create()
        try await create()
        #expect(try file.value("SELECT count(*) FROM Product WHERE CategoryID = 9") == "1")
    }
}

import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

@Suite("Deep inserts are executed once")
struct DeepInsertDoubtTests {
    private static let twins =
        #"{"CustomerID":"A","Note":"new","Items":[{"LineNo":1,"Product":"x"},{"LineNo":2,"Product":"x"}]}"#

    @Test("A lost response, in each form", arguments: [DeepInsertForm.automatic, .request, .changeSet], [false, true])
    func lostResponse(form: DeepInsertForm, refusesExpand: Bool) async throws {
        var habits = DeepService.Habits()
        habits.losesResponses = true
        habits.refusesExpand = false
        let conflicts = try await DeepDesk(habits) { $0.deepInserts = form }
        try await conflicts.make(Self.twins)
        await #expect(throws: ODataError.self) { try await conflicts.store.upload() }
        #expect(try await conflicts.store.queueEntries().map(\.state) == [.unconfirmed, .unconfirmed, .unconfirmed])
        habits.losesResponses = false
        habits.refusesExpand = refusesExpand
        conflicts.remote.use(habits)
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines.isEmpty)
        #expect(try conflicts.orders == ["26|A|new", "26|1|x", "26|2|x"])
        habits.refusesExpand = false
        conflicts.remote.use(habits)
        try await conflicts.checkCopy()
    }

    @Test("A lost request is sent again in its form", arguments: [DeepInsertForm.automatic, .changeSet])
    func lostRequest(form: DeepInsertForm) async throws {
        var habits = DeepService.Habits()
        habits.losesRequests = true
        let conflicts = try await DeepDesk(habits) { $0.deepInserts = form }
        try await conflicts.make(Self.twins)
        await #expect(throws: ODataError.self) { try await conflicts.store.upload() }
        let lines = conflicts.remote.lines
        conflicts.remote.use(.init())
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == lines)
        #expect(try conflicts.orders == ["26|A|new", "26|1|x", "26|2|x"])
        try await conflicts.checkCopy()
    }

    @Test("What is refused when it is sent again, for its form, is sent in another one")
    func refusedAgain() async throws {
        var habits = DeepService.Habits()
        habits.losesRequests = true
        let conflicts = try await DeepDesk(habits)
        try await conflicts.make()
        await #expect(throws: ODataError.self) { try await conflicts.store.upload() }
        habits.losesRequests = false
        habits.refusal = (.notImplemented, 501)
        conflicts.remote.use(habits)
        #expect(try await conflicts.store.upload().isComplete)
        #expect(try conflicts.orders == ["26|A|new", "26|1|x", "26|2|y"])
        try await conflicts.checkCopy()
    }

    @Test(
        "A service that fails at nested entities and has made the outer one: that is not made twice",
        arguments: [false, true])
    func keptOuter(refusesExpand: Bool) async throws {
        var habits = DeepService.Habits()
        habits.refusal = (.internalError, 500)
        habits.keepsOuter = true
        habits.refusesExpand = refusesExpand
        let conflicts = try await DeepDesk()
        conflicts.remote.use(habits)
        try await conflicts.make()
        #expect(try await conflicts.store.upload().isComplete)
        #expect(try conflicts.orders == ["26|A|new", "26|1|x", "26|2|y"])
        conflicts.remote.use(.init())
        try await conflicts.checkCopy()
    }

    @Test(
        "A service that passes nested entities over gets them by themselves, with or without a lost response",
        arguments: [false, true])
    func ignored(isLost: Bool) async throws {
        var habits = DeepService.Habits()
        habits.ignoresNested = true
        habits.losesResponses = isLost
        let conflicts = try await DeepDesk(habits)
        try await conflicts.make()
        if isLost {
            await #expect(throws: ODataError.self) { try await conflicts.store.upload() }
            habits.losesResponses = false
            conflicts.remote.use(habits)
        }
        #expect(try await conflicts.store.upload().isComplete)
        #expect(try conflicts.orders == ["26|A|new", "26|1|x", "26|2|y"])
        try await conflicts.checkCopy()
        guard !isLost else { return }
        conflicts.remote.use(habits)
        try await conflicts.make()
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["[Orders Items Items]"])
        try await conflicts.checkCopy()
    }

    @Test(
        "A response that shows no nested entities leads to a read; where that is refused each is looked for",
        arguments: [false, true])
    func unnamed(refusesExpand: Bool) async throws {
        let conflicts = try await DeepDesk()
        let id = try await conflicts.make(Self.twins)
        let items = try await conflicts.device.entities("\(id)/Items").compactMap(\.id)
        var habits = DeepService.Habits()
        habits.refusesExpand = refusesExpand
        conflicts.remote.use(habits)
        #expect(try await conflicts.store.upload().isComplete)
        #expect(conflicts.remote.lines == ["Orders{Items:2}"])
        #expect(try Set(items.map { try conflicts.store.path($0).url }).count == 2)
        conflicts.remote.use(.init())
        try await conflicts.checkCopy()
    }

    @Test("Values that the service stores otherwise")
    func storedOtherwise() async throws {
        var habits = DeepService.Habits()
        habits.storesUpperCase = true
        let conflicts = try await DeepDesk(habits)
        try await conflicts.make()
        #expect(try await conflicts.store.upload().isComplete)
        #expect(try conflicts.orders == ["26|A|NEW", "26|1|X", "26|2|Y"])
        try await conflicts.checkCopy()
    }

    @Test("The app may tell the key of the outermost entity: the others are looked for")
    func decided() async throws {
        var habits = DeepService.Habits()
        habits.losesResponses = true
        let conflicts = try await DeepDesk(habits) { $0.exactlyOnce = .none }
        try await conflicts.make()
        await #expect(throws: ODataError.self) { try await conflicts.store.upload() }
        conflicts.remote.use(.init())
        let order = try #require(try await conflicts.store.queueEntries().first { $0.entitySet == "Orders" })
        try await conflicts.store.decide(
            requestID: order.id, .made(EntityKey([.init(name: "OrderID", value: .integer(26))])))
        #expect(try await conflicts.store.queueEntries().map(\.state) == [.unconfirmed, .unconfirmed])
        #expect(try await conflicts.store.queueEntries().allSatisfy { $0.changeSet == nil })
        for entry in try await conflicts.store.queueEntries() {
            try await conflicts.store.decide(requestID: entry.id, .sent)
        }
        #expect(try conflicts.orders.count == 3)
        try await conflicts.checkCopy()
    }

    @Test(
        "Entities belong to the payloads that may have made them, one to one",
        arguments: [
            (["a", "b"], ["a", "b"], [0, 1]), (["a", "b"], ["b", "a"], [1, 0]), (["a", "a"], ["a", "a"], [0, 1]),
            // `*` has no value of its own, and takes what is left.
            (["*", "a"], ["a", "b"], [1, 0]), (["a", "b"], ["a"], [0, nil]), (["a"], ["A"], [0]),
            (["a", "b"], ["q", "b"], [0, 1]), (["a", "b"], [], [nil, nil]), (["a"], ["q", "r"], [nil]),
        ] as [([String], [String], [Int?])])
    func match(sent: [String], made: [String], expected: [Int?]) async throws {
        let service = try SampleService()
        let type = try #require(try await service.store.model().entitySet(named: "Items")?.type)
        let payloads = sent.map { EntityPayload($0 == "*" ? [:] : ["Product": .string($0)]) }
        let entities = made.map { EdmEntity(type: type, properties: ["Product": .string($0)]) }
        #expect(EntityMatch(payloads, entities).places == expected)
    }
}

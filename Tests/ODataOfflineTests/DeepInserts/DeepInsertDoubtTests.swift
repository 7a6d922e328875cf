import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

@Suite("Deep inserts are executed once")
struct DeepInsertDoubtTests {
    private static let twins =
        #"{"CustomerID":"A","Note":"new","Items":[{"LineNo":1,"Product":"x"},{"LineNo":2,"Product":"x"}]}"#

    @Test("A lost answer, in each form", arguments: [DeepInsertForm.automatic, .request, .changeSet], [false, true])
    func lostAnswer(form: DeepInsertForm, refusesExpand: Bool) async throws {
        var habits = DeepService.Habits()
        habits.losesAnswers = true
        habits.refusesExpand = false
        let desk = try await DeepDesk(habits) { $0.deepInserts = form }
        try await desk.make(Self.twins)
        await #expect(throws: ODataError.self) { try await desk.store.upload() }
        #expect(try await desk.store.queueEntries().map(\.state) == [.unconfirmed, .unconfirmed, .unconfirmed])
        habits.losesAnswers = false
        habits.refusesExpand = refusesExpand
        desk.remote.use(habits)
        #expect(try await desk.store.upload().isComplete)
        #expect(desk.remote.lines.isEmpty)
        #expect(try desk.orders == ["26|A|new", "26|1|x", "26|2|x"])
        habits.refusesExpand = false
        desk.remote.use(habits)
        try await desk.checkCopy()
    }

    @Test("A lost request is sent again in its form", arguments: [DeepInsertForm.automatic, .changeSet])
    func lostRequest(form: DeepInsertForm) async throws {
        var habits = DeepService.Habits()
        habits.losesRequests = true
        let desk = try await DeepDesk(habits) { $0.deepInserts = form }
        try await desk.make(Self.twins)
        await #expect(throws: ODataError.self) { try await desk.store.upload() }
        let lines = desk.remote.lines
        desk.remote.use(.init())
        #expect(try await desk.store.upload().isComplete)
        #expect(desk.remote.lines == lines)
        #expect(try desk.orders == ["26|A|new", "26|1|x", "26|2|x"])
        try await desk.checkCopy()
    }

    @Test("What is refused when it is sent again, for its form, is sent in another one")
    func refusedAgain() async throws {
        var habits = DeepService.Habits()
        habits.losesRequests = true
        let desk = try await DeepDesk(habits)
        try await desk.make()
        await #expect(throws: ODataError.self) { try await desk.store.upload() }
        habits.losesRequests = false
        habits.refusal = (.notImplemented, 501)
        desk.remote.use(habits)
        #expect(try await desk.store.upload().isComplete)
        #expect(try desk.orders == ["26|A|new", "26|1|x", "26|2|y"])
        try await desk.checkCopy()
    }

    @Test(
        "A service that fails at nested entities and has made the outer one: that is not made twice",
        arguments: [false, true])
    func keptOuter(refusesExpand: Bool) async throws {
        var habits = DeepService.Habits()
        habits.refusal = (.internalError, 500)
        habits.keepsOuter = true
        habits.refusesExpand = refusesExpand
        let desk = try await DeepDesk()
        desk.remote.use(habits)
        try await desk.make()
        #expect(try await desk.store.upload().isComplete)
        #expect(try desk.orders == ["26|A|new", "26|1|x", "26|2|y"])
        desk.remote.use(.init())
        try await desk.checkCopy()
    }

    @Test(
        "A service that passes nested entities over gets them by themselves, with or without a lost answer",
        arguments: [false, true])
    func ignored(isLost: Bool) async throws {
        var habits = DeepService.Habits()
        habits.ignoresNested = true
        habits.losesAnswers = isLost
        let desk = try await DeepDesk(habits)
        try await desk.make()
        if isLost {
            await #expect(throws: ODataError.self) { try await desk.store.upload() }
            habits.losesAnswers = false
            desk.remote.use(habits)
        }
        #expect(try await desk.store.upload().isComplete)
        #expect(try desk.orders == ["26|A|new", "26|1|x", "26|2|y"])
        try await desk.checkCopy()
        guard !isLost else { return }
        desk.remote.use(habits)
        try await desk.make()
        #expect(try await desk.store.upload().isComplete)
        #expect(desk.remote.lines == ["[Orders Items Items]"])
        try await desk.checkCopy()
    }

    @Test(
        "A response that shows no nested entities leads to a read; where that is refused each is looked for",
        arguments: [false, true])
    func unnamed(refusesExpand: Bool) async throws {
        let desk = try await DeepDesk()
        let id = try await desk.make(Self.twins)
        let items = try await desk.device.entities("\(id)/Items").compactMap(\.id)
        var habits = DeepService.Habits()
        habits.refusesExpand = refusesExpand
        desk.remote.use(habits)
        #expect(try await desk.store.upload().isComplete)
        #expect(desk.remote.lines == ["Orders{Items:2}"])
        #expect(try Set(items.map { try desk.store.path($0).url }).count == 2)
        desk.remote.use(.init())
        try await desk.checkCopy()
    }

    @Test("Values that the service stores otherwise")
    func storedOtherwise() async throws {
        var habits = DeepService.Habits()
        habits.storesUpperCase = true
        let desk = try await DeepDesk(habits)
        try await desk.make()
        #expect(try await desk.store.upload().isComplete)
        #expect(try desk.orders == ["26|A|NEW", "26|1|X", "26|2|Y"])
        try await desk.checkCopy()
    }

    @Test("The app may tell the key of the outermost entity: the others are looked for")
    func decided() async throws {
        var habits = DeepService.Habits()
        habits.losesAnswers = true
        let desk = try await DeepDesk(habits) { $0.exactlyOnce = .none }
        try await desk.make()
        await #expect(throws: ODataError.self) { try await desk.store.upload() }
        desk.remote.use(.init())
        let order = try #require(try await desk.store.queueEntries().first { $0.entitySet == "Orders" })
        try await desk.store.decide(
            requestID: order.id, .made(EntityKey([.init(name: "OrderID", value: .integer(26))])))
        #expect(try await desk.store.queueEntries().map(\.state) == [.unconfirmed, .unconfirmed])
        #expect(try await desk.store.queueEntries().allSatisfy { $0.changeSet == nil })
        for entry in try await desk.store.queueEntries() { try await desk.store.decide(requestID: entry.id, .sent) }
        #expect(try desk.orders.count == 3)
        try await desk.checkCopy()
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

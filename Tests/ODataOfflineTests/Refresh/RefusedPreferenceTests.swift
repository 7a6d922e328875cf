import HTTPTypes
import ODataOffline
import ODataOnline
import ODataStores
import ODataTesting
import Testing

@Suite("Preferences that a service refuses are left out, for the life of the store")
struct RefusedPreferenceTests {
    private static let wishes = ["odata.track-changes", "odata.maxpagesize"]

    /// Refuses what has one of these in its preferences.
    private static func refusing(_ wishes: [String], _ status: Int) -> HabitService.Habit {
        { request, _ in wishes.contains { request.says($0) } ? .error(status, "I do not know that.") : nil }
    }

    @Test(
        "Asked again without, told in the event, and remembered by the store",
        arguments: [
            (["odata.track-changes"], 501), (["odata.maxpagesize"], 500), (["odata.track-changes"], 400),
            (["odata.maxpagesize"], 406), (["odata.track-changes"], 500), (wishes, 400), (wishes, 500), (wishes, 412),
            (wishes, 403), (["odata.track-changes"], 404), (wishes, 405), (wishes, 406), (["odata.maxpagesize"], 409),
            (wishes, 415), (wishes, 422), (wishes, 428),
        ])
    func refused(wishes: [String], status: Int) async throws {
        let service = try HabitService(Self.refusing(wishes, status))
        let store = try await service.store()
        try await store.download()
        #expect(try await store.keys() == ["1", "2"])
        let message = try #require(try await store.events().first?.message)
        for wish in Self.wishes {
            let name = String(wish.dropFirst("odata.".count))
            #expect(message.contains("\(name) of T") == wishes.contains(wish), "\(message)")
        }
        service.clear()
        try await store.download()
        #expect(service.requests.allSatisfy { request in !wishes.contains { request.contains($0) } })
        #expect(try await store.events().first?.message == nil)
        try store.close()
        // Another run knows it too, and keeps the wishes that the service takes.
        service.clear()
        let again = try await service.store()
        try await again.download()
        #expect(service.requests.count == 1)
        for wish in Self.wishes {
            #expect(service.requests[0].contains(wish) == !wishes.contains(wish), "\(service.requests)")
        }
        try again.close()
    }

    @Test(
        "The same where the store asks for a count first",
        arguments: [400, 403, 404, 405, 406, 409, 412, 415, 422, 428, 501])
    func counted(status: Int) async throws {
        for habit in ["odata.track-changes", "odata.maxpagesize", "$count=true"] {
            let service = try HabitService(Self.refusing([habit], status))
            let store = try await service.store { $0.countsEntities = true }
            try await store.download()
            #expect(try await store.keys() == ["1", "2"], "\(habit)")
            try store.close()
        }
    }

    @Test("A service that was not well for a moment has refused nothing")
    func passing() async throws {
        let service = try HabitService { _, number in number == 1 ? .error(500) : nil }
        let store = try await service.store()
        try await store.download()
        #expect(try await store.events().first?.message == nil)
        service.clear()
        try await store.download()
        #expect(service.requests.first?.contains("odata.track-changes") == true, "\(service.requests)")
    }

    @Test(
        "What the service refuses without preferences too is told as it was refused", arguments: [400, 403, 500, 501])
    func other(status: Int) async throws {
        let service = try HabitService { request, _ in .error(status, request.headerFields[.prefer] ?? "plain") }
        let store = try await service.store()
        await #expect { try await store.download() } throws: { error in
            (error as? ODataError)?.status == status && "\(error)".contains("odata.track-changes")
        }
        #expect(service.requests.count == 2)
    }

    @Test("Reads without an offline store do the same, and remember it by set")
    func online() async throws {
        let service = try HabitService(Self.refusing(["odata.maxpagesize"], 500))
        let store = try OnlineStore(serviceRoot: HabitService.root, transport: service)
        var request = ReadRequest(try await store.query("T"))
        request.maxPageSize = 10
        #expect(try await store.entities(request).count == 2)
        service.clear()
        #expect(try await store.entities(request).count == 2)
        #expect(service.requests == ["/T"])
        // Another set may take them.
        request = ReadRequest(try await store.query("T(1)/Parts"))
        request.maxPageSize = 10
        service.take { _, _ in .page([3]) }
        #expect(try await store.entities(request).count == 1)
    }
}

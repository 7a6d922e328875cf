import HTTPTypes
import ODataOffline
import ODataOnline
import ODataStores
import ODataTesting
import Testing

@Suite("Links and downloads that lead nowhere do not keep a store from its data")
struct WayOutTests {
    private static let delta = #","@odata.deltaLink":"http://service.test/T?$deltatoken=1""#
    private static func next(_ token: Int) -> String {
        #","@odata.nextLink":"\#(HabitService.root)T?$skiptoken=\#(token)""#
    }

    /// All of T with a delta link, whose changes are `changes`.
    private static func tracking(_ changes: HabitService.Response) -> HabitService.Habit {
        { request, _ in request.says("deltatoken") ? changes : .page(1...3, more: delta) }
    }

    @Test("A first download that cannot be completed begins anew in the way the app chooses")
    func chosenMode() async throws {
        let service = try HabitService { request, _ in
            request.says("skiptoken") ? .error(404) : .page(1...2, more: Self.next(2))
        }
        let store = try await service.store()
        await #expect(throws: ODataError.self) { try await store.download() }
        service.take { request, _ in request.says("skiptoken") ? .error(401) : .page(1...2, more: Self.next(2)) }
        await #expect(throws: ODataError.self) { try await store.download() }
        service.take { _, _ in .page(1...3) }
        try store.setRefresh(.comparison, checksStreams: false, of: "t")
        let report = try await store.download()
        #expect(service.requests.allSatisfy { !$0.contains("skiptoken") && !$0.contains("track-changes") })
        #expect(report.queries.first?.pages == 1)
        #expect(try await store.keys() == ["1", "2", "3"])
    }

    @Test(
        "Changes that cannot be read lead to one read of all, and the event says so",
        arguments: [
            HabitService.Response(body: #"{"@odata.context":"$metadata#T/$delta","value":[{"ID":1,"D":{}}]}"#),
            .init(body: #"{"value":["#), .init(body: "<html>"), .init(status: 204), .init(body: #"{"value":{}}"#),
            .init(body: #"{"value":[{"D":1}]}"#),
        ])
    func unreadable(changes: HabitService.Response) async throws {
        let service = try HabitService(Self.tracking(changes))
        let store = try await service.store()
        try await store.download()
        service.clear()
        let report = try await store.download()
        #expect(report.queries.first?.mode == .comparison)
        #expect(service.requests.map { $0.contains("deltatoken") } == [true, false])
        #expect(try await store.keys() == ["1", "2", "3"])
        let event = try #require(try await store.events().first)
        #expect(event.outcome == .succeeded)
        #expect(event.counts?.queries.first?.reason?.isEmpty == false)
    }

    @Test("What cannot be read as a whole either is told once, and the next download begins with the whole")
    func unreadableWhole() async throws {
        let bad = HabitService.Response(body: #"{"value":[{"ID":1,"D":{}}]}"#)
        let service = try HabitService(Self.tracking(bad))
        let store = try await service.store()
        try await store.download()
        service.take { _, _ in bad }
        await #expect(throws: ODataError.self) { try await store.download() }
        #expect(service.requests.count == 2)
        service.take { _, _ in .page(2...3) }
        try await store.download()
        #expect(try await store.keys() == ["2", "3"])
    }

    @Test(
        "A delta link at which the service fails is given up after three tries", arguments: [500, 502, 503, 504, 505])
    func failingDelta(status: Int) async throws {
        let service = try HabitService(Self.tracking(.error(status, "CX_QRL_DELTA_UNAVAILABLE")))
        let store = try await service.store()
        try await store.download()
        service.clear()
        let report = try await store.download()
        #expect(report.queries.first?.mode == .comparison)
        #expect(report.queries.first?.reason?.contains("CX_QRL_DELTA_UNAVAILABLE") == true)
        // The preference is not to blame.
        #expect(try await store.events().first?.message == nil)
        let tries = service.requests.count { $0.contains("deltatoken") && $0.contains("maxpagesize") }
        #expect(tries == 3, "\(service.requests)")
    }

    @Test("A delta link at which the service fails once or twice is kept", arguments: [1, 2])
    func passing(failures: Int) async throws {
        let service = try HabitService(Self.tracking(.page([], context: "T/$delta")))
        let store = try await service.store()
        try await store.download()
        service.take { request, _ in
            let asked = service.requests.count { $0.contains("deltatoken") && $0.contains("maxpagesize") }
            return asked > failures ? .page([], more: Self.delta, context: "T/$delta") : .error(500)
        }
        #expect(try await store.download().queries.first?.mode == .delta)
    }

    @Test("Where the service fails at everything, what has come and the delta link are kept", arguments: [500, 503])
    func failingService(status: Int) async throws {
        let changes = HabitService.Response.page([7], more: Self.delta, context: "T/$delta")
        let service = try HabitService(Self.tracking(changes))
        let store = try await service.store()
        try await store.download()
        service.take { _, _ in .error(status) }
        await #expect { try await store.download() } throws: { ($0 as? ODataError)?.status == status }
        service.take(Self.tracking(changes))
        #expect(try await store.download().queries.first?.mode == .delta)
        #expect(try await store.keys() == ["1", "2", "3", "7"])
    }

    @Test(
        "A delta link that is refused, or at which the connection ends, is given up where the query itself succeeds",
        arguments: [400, 403, 405, 406, 409, 412, 422, 428, 0])
    func refusedDelta(status: Int) async throws {
        let service = try HabitService(Self.tracking(.error(status)))
        let store = try await service.store()
        try await store.download()
        service.take { request, _ in
            request.says("deltatoken") ? .error(status) : .page(1...4, more: Self.delta)
        }
        let report = try await store.download()
        #expect(report.queries.first?.mode == .comparison)
        #expect(report.queries.first?.reason?.isEmpty == false)
        #expect(service.requests.count { $0.contains("deltatoken") } >= 2)
        #expect(try await store.keys() == ["1", "2", "3", "4"])
    }

    @Test("A delta link that is refused once, or at which the connection ends once, is kept", arguments: [409, 428, 0])
    func passingRefusal(status: Int) async throws {
        let service = try HabitService(Self.tracking(.error(status)))
        let store = try await service.store()
        try await store.download()
        service.take { request, _ in
            guard request.says("deltatoken") else { return .page(1...4, more: Self.delta) }
            let isFirst = service.requests.count { $0.contains("deltatoken") } == 1
            return isFirst ? .error(status) : .page([7], more: Self.delta, context: "T/$delta")
        }
        // What the second attempt has brought is not kept: the next download asks for it.
        _ = try? await store.download()
        #expect(try await store.download().queries.first?.mode == .delta)
        #expect(try await store.keys() == ["1", "2", "3", "7"])
    }

    @Test("Where all is refused, or nothing is reached, the delta link is kept", arguments: [403, 405, 409, 0])
    func refusedService(status: Int) async throws {
        let changes = HabitService.Response.page([7], more: Self.delta, context: "T/$delta")
        let service = try HabitService(Self.tracking(changes))
        let store = try await service.store()
        try await store.download()
        service.take { _, _ in .error(status) }
        await #expect(throws: ODataError.self) { try await store.download() }
        service.take(Self.tracking(changes))
        #expect(try await store.download().queries.first?.mode == .delta)
        #expect(try await store.keys() == ["1", "2", "3", "7"])
    }

    @Test("A next link at which the service fails is gone on with by the next download, which then begins again")
    func failingNext() async throws {
        let service = try HabitService { request, _ in
            request.says("skiptoken=2") ? .error(500) : .page(1...2, more: Self.next(2))
        }
        let store = try await service.store()
        await #expect { try await store.download() } throws: { ($0 as? ODataError)?.status == 500 }
        service.take { request, _ in
            if request.says("skiptoken=2") { return .error(500) }
            return request.says("skiptoken=3") ? .page(3...4) : .page(1...2, more: Self.next(3))
        }
        let report = try await store.download()
        #expect(report.queries.first?.reason?.contains("next page") == true)
        #expect(try await store.keys() == ["1", "2", "3", "4"])
    }

    @Test("An empty text is not a link")
    func emptyLink() async throws {
        let more = #","@odata.nextLink":"","@odata.deltaLink":" ""#
        let service = try HabitService { _, _ in .page(1...2, more: more) }
        let store = try await service.store()
        for _ in 1...2 {
            service.clear()
            #expect(try await store.download().queries.first?.pages == 1)
            #expect(service.requests.count == 1)
        }
        #expect(try await store.keys() == ["1", "2"])
    }

    @Test("A response without content is not an empty set")
    func noContent() async throws {
        let service = try HabitService { _, _ in .page(1...2) }
        let store = try await service.store()
        try await store.download()
        service.take { _, _ in .init(status: 204) }
        await #expect { try await store.download() } throws: { "\($0)".contains("204") && "\($0)".contains("/T") }
        #expect(try await store.keys() == ["1", "2"])
    }
}

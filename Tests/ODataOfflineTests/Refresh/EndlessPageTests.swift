import HTTPTypes
import ODataOffline
import ODataOnline
import ODataStores
import ODataTesting
import Testing

@Suite("Next links without end are told, with the link")
struct EndlessPageTests {
    /// The keys of a page, by its number from 1.
    enum Habit: CaseIterable, Sendable {
        case empty, emptyLater, same

        func keys(_ page: Int) -> ClosedRange<Int>? {
            switch self {
            case .empty: nil
            case .emptyLater: page <= 5 ? 2 * page...2 * page + 1 : nil
            case .same: 1...2
            }
        }
    }

    private static func service(_ habit: Habit, path: String = "T") throws -> HabitService {
        try HabitService { _, number in
            let link = "\(HabitService.root)\(path)?$skiptoken=\(number)"
            let more = #","@odata.nextLink":"\#(link)""#
            return habit.keys(number).map { .page($0, more: more) } ?? .page([], more: more)
        }
    }

    private static func isTold(_ error: any Error) -> Bool {
        (error as? ODataError)?.code == .invalidResponse && "\(error)".contains("without end")
            && "\(error)".contains("T?$skiptoken=")
    }

    @Test("In a download; the next one begins again", arguments: Habit.allCases)
    func download(habit: Habit) async throws {
        let service = try Self.service(habit)
        let store = try await service.store()
        await #expect { try await store.download() } throws: { Self.isTold($0) && "\($0)".contains("query t ") }
        #expect(service.requests.count < 120)
        service.take { _, _ in .page(1...2) }
        try await store.download()
        #expect(try await store.keys() == ["1", "2"])
    }

    @Test("In a refresh by comparison and by delta link", arguments: Habit.allCases)
    func refresh(habit: Habit) async throws {
        let delta = #","@odata.deltaLink":"\#(HabitService.root)T?$deltatoken=1""#
        let service = try HabitService { _, _ in .page(1...2, more: delta) }
        let store = try await service.store()
        try await store.download()
        service.take { _, number in
            let more = #","@odata.nextLink":"\#(HabitService.root)T?$skiptoken=\#(number)""#
            return .page(habit.keys(number).map(Array.init) ?? [], more: more)
        }
        await #expect(throws: ODataError.self) { try await store.download() }
        #expect(service.requests.count < 240)
        #expect(try await store.keys() == ["1", "2"])
    }

    @Test("In the pages of an expanded collection")
    func expansion() async throws {
        let service = try HabitService { _, number in
            let link = "\(HabitService.root)T(1)/Parts?$skiptoken=\(number)"
            guard number > 1 else {
                return .init(
                    body: #"""
                        {"@odata.context":"\#(HabitService.root)$metadata#T(Parts())","value":[{"ID":1,"D":1,
                        "Parts":[],"Parts@odata.nextLink":"\#(link)"}]}
                        """#)
            }
            return .page([], more: #","@odata.nextLink":"\#(link)""#)
        }
        let store = try await service.store([.init(name: "t", query: "T?$expand=Parts")])
        await #expect { try await store.download() } throws: { "\($0)".contains("T(1)/Parts?$skiptoken=") }
        #expect(service.requests.count < 120)
        service.clear()
        let online = try OnlineStore(serviceRoot: HabitService.root, transport: service)
        let query = try await online.query("T?$expand=Parts")
        await #expect { try await online.entities(query) } throws: { "\($0)".contains("T(1)/Parts?$skiptoken=") }
        #expect(service.requests.count < 120)
    }

    @Test("Without an offline store", arguments: Habit.allCases)
    func online(habit: Habit) async throws {
        let service = try Self.service(habit)
        let store = try OnlineStore(serviceRoot: HabitService.root, transport: service)
        let query = try await store.query("T")
        await #expect { try await store.entities(query) } throws: { Self.isTold($0) }
        #expect(service.requests.count < 120)
    }

    @Test("Fifty empty pages before the last one are read, and pages that begin alike but for their keys")
    func patience() async throws {
        let service = try HabitService { _, number in
            let more = #","@odata.nextLink":"\#(HabitService.root)T?$skiptoken=\#(number)""#
            if number > 300 { return .page([999]) }
            return .page(number.isMultiple(of: 50) ? [number] : [], more: more)
        }
        let store = try await service.store()
        try await store.download()
        #expect(try await store.keys() == ["50", "100", "150", "200", "250", "300", "999"])
    }
}

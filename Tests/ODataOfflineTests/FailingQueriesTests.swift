import HTTPTypes
import ODataOffline
import ODataStores
import ODataTesting
import Testing

@Suite("Several defining queries that fail")
struct FailingQueriesTests {
    private static let queries = [
        DefiningQuery(name: "things", query: "T"), DefiningQuery(name: "photos", query: "P"),
        DefiningQuery(name: "one", query: "T(1)"),
    ]

    @Test("All of them are told, in the error and in the event; the others come", arguments: [1, 2])
    func all(parallel: Int) async throws {
        let service = try HabitService { request, _ in
            if request.says("/T(1)") { return .init(body: #"{"@odata.context":"$metadata#T/$entity","ID":1,"D":1}"#) }
            return request.says("/T") ? .error(403, "no things") : .error(409, "no photos")
        }
        let store = try await service.store(Self.queries) { $0.parallelQueries = parallel }
        let error = await #expect(throws: ODataError.self) { try await store.download() }
        #expect(error?.code == .forbidden)
        for text in ["2 defining queries", "things: no things", "photos: no photos", "/T", "/P"] {
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
        #expect(try await store.events().first?.message?.contains("no photos") == true)
        #expect(try await store.keys() == ["1"])
    }

    @Test("One is told as the service tells it")
    func one() async throws {
        let service = try HabitService { request, _ in request.says("/P") ? .error(403, "no photos") : .page(1...2) }
        let store = try await service.store(Array(Self.queries[..<2]))
        let error = await #expect(throws: ODataError.self) { try await store.download() }
        #expect(error?.message == "no photos")
    }
}

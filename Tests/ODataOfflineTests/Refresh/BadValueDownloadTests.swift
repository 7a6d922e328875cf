import HTTPTypes
import ODataOffline
import ODataOnline
import ODataStores
import ODataTesting
import Testing

@Suite("One bad value in a download")
struct BadValueDownloadTests {
    private static let page = HabitService.Response(
        body: #"{"@odata.context":"$metadata#T","value":[{"ID":1,"D":0.5},{"ID":2,"D":"half"},{"ID":3,"D":1}]}"#)

    @Test("Is told with its entity, its property, itself, and the ways out")
    func told() async throws {
        let service = try HabitService { _, _ in Self.page }
        let store = try await service.store()
        let error = await #expect(throws: ODataError.self) { try await store.download() }
        for text in ["T(2)", "D is of type Edm.Double", "“half”", "$select", "--bad-values-as-null"] {
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
        #expect(try await store.keys() == [])
    }

    @Test("Is null where the app wants that, and told in the report and the event")
    func null() async throws {
        let service = try HabitService { _, _ in Self.page }
        var online = OnlineStore.Configuration()
        online.takesBadValuesAsNull = true
        let store = try await service.store(online: online)
        let report = try await store.download()
        #expect(try await store.keys() == ["1", "2", "3"])
        #expect(try await store.entities(try await store.query("T(2)")).map { $0["D"] } == [.null])
        let told = try #require(report.queries.first?.diagnostics)
        #expect(told.count == 1 && told[0].contains("T(2)") && told[0].contains("“half”"), "\(told)")
        #expect(try await store.events().first?.counts?.queries.first?.diagnostics == told)
    }
}

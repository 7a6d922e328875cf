import ODataModel
import ODataOffline
import ODataOnline
import ODataStores
import Synchronization
import Testing

@Suite("Downloads that are cut within a page, and pages that wait to be written")
struct CutDownloadTests {
    private static let metadata = HabitService.metadata.replacing(
        #"<Property Name="D" Type="Edm.Double"/>"#,
        with: #"<Property Name="D" Type="Edm.Double"/><Property Name="Text" Type="Edm.String"/>"#)

    /// A page of so many kilobytes; the last row repeats the first one.
    private static func page(_ keys: ClosedRange<Int>, _ text: String, next: Int? = nil, isWhole: Bool = true) -> String
    {
        let filler = String(repeating: "-", count: 1000)
        let rows = (Array(keys) + [keys.lowerBound]).map { #"{"ID":\#($0),"D":0.5,"Text":"\#(text) \#(filler)"}"# }
        let more = next.map { #","@odata.nextLink":"\#(HabitService.root)T?$skiptoken=\#($0)""# } ?? ""
        let end = isWhole ? "]\(more)}" : ",{\"ID\":"
        return #"{"@odata.context":"\#(HabitService.root)$metadata#T","value":[\#(rows.joined(separator: ","))\#(end)"#
    }

    private func texts(_ store: OfflineStore) async throws -> [String] {
        try await store.entities(try await store.query("T?$orderby=ID")).map { entity in
            entity["Text"]?.lexical.split(separator: " ").first.map(String.init) ?? "-"
        }
    }

    @Test("A large page of which a part is in the store is read again", arguments: [false, true])
    func withinPage(isSecond: Bool) async throws {
        let isCut = Mutex(true)
        let service = try HabitService(metadata: Self.metadata) { request, _ in
            if isSecond, !request.says("skiptoken") { return .init(body: Self.page(1...10, "small", next: 1)) }
            let cut = isCut.withLock { $0 }
            return .init(body: Self.page(11...6_000, cut ? "cut" : "whole", isWhole: !cut))
        }
        let store = try await service.store()
        await #expect(throws: ODataError.self) { try await store.download() }
        #expect(try await store.keys() == [])
        isCut.withLock { $0 = false }
        service.clear()
        try await store.download()
        #expect(service.requests.count == 1)
        let small = Array(repeating: "small", count: isSecond ? 10 : 0)
        #expect(try await texts(store) == small + Array(repeating: "whole", count: 5_990))
        try store.close()
    }

    @Test("More pages than fit into a transaction, larger ones than fit into the queue", arguments: [20, 400, 4_000])
    func manyPages(rows: Int) async throws {
        let pages = 8_000 / rows
        let service = try HabitService(metadata: Self.metadata) { request, _ in
            let number = request.path?.split(separator: "=").last.flatMap { Int($0) } ?? 0
            let first = number * rows + 1
            return .init(
                body: Self.page(
                    first...first + rows - 1, "page\(number)", next: number + 1 < pages ? number + 1 : nil))
        }
        let store = try await service.store()
        let report = try await store.download()
        #expect(report.queries.map(\.pages) == [pages] && report.queries.map(\.entities) == [pages * (rows + 1)])
        let texts = try await texts(store)
        #expect(texts == (0..<8_000).map { "page\($0 / rows)" })
        try store.close()
    }

    @Test("Pages that were received before the service failed are kept", arguments: [1, 5, 39])
    func failing(page: Int) async throws {
        let isFailing = Mutex(true)
        let service = try HabitService(metadata: Self.metadata) { request, _ in
            let number = request.path?.split(separator: "=").last.flatMap { Int($0) } ?? 0
            if number == page, isFailing.withLock({ $0 }) { return .error(503) }
            let first = number * 100 + 1
            return .init(body: Self.page(first...first + 99, "text", next: number < 39 ? number + 1 : nil))
        }
        let store = try await service.store()
        await #expect(throws: ODataError.self) { try await store.download() }
        isFailing.withLock { $0 = false }
        service.clear()
        let report = try await store.download()
        #expect(service.requests.count == 40 - page)
        #expect(report.queries.map(\.pages) == [40])
        #expect(try await store.keys().count == 4_000)
        try store.close()
    }

    @Test("A value that no row can hold stops a download at its page, and what waits behind it is not written")
    func badRow() async throws {
        let isBad = Mutex(true)
        let service = try HabitService(metadata: Self.metadata) { request, _ in
            let number = request.path?.split(separator: "=").last.flatMap { Int($0) } ?? 0
            if number == 3, isBad.withLock({ $0 }) {
                return .init(body: Self.page(1...1, "bad").replacing(#""ID":1,"#, with: ""))
            }
            let first = number * 10 + 1
            return .init(body: Self.page(first...first + 9, "text", next: number < 9 ? number + 1 : nil))
        }
        let store = try await service.store()
        await #expect { try await store.download() } throws: { "\($0)".contains("ID") }
        #expect(try await store.keys() == [])
        isBad.withLock { $0 = false }
        try await store.download()
        #expect(try await store.keys() == (1...100).map { "\($0)" })
        try store.close()
    }
}

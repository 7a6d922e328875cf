import Foundation
import HTTPTypes
import ODataSQLite
import ODataService
import TestSupport
import Testing

@Suite("Northwind over HTTP", .enabled(if: Northwind.isPresent, Comment(rawValue: TestData.absence)))
struct NorthwindTests {
    @Test("gives each set completely in pages, as many as it counts")
    func pages() async throws {
        try await Northwind.published { service, store in
            for set in try await store.model().entitySets {
                let count = try await service.responseText("GET \(set.name)/$count").dropFirst(5)
                var url: String? = set.name
                var seen: Set<Substring> = []
                while let next = url {
                    let page = try await service.responseText(
                        "GET \(next)\nPrefer: maxpagesize=100\nAccept: application/json;metadata=full")
                    #expect(page.hasPrefix("200\n"), "\(next): \(page.prefix(300))")
                    seen.formUnion(page.matches(of: #/"@odata.id":"([^"]*)"/#).map { $0.1 })
                    url = page.firstMatch(of: #/"@odata.nextLink":"http://service.test/([^"]*)"/#).map { String($0.1) }
                }
                #expect("\(seen.count)" == count, "\(set.name)")
            }
        }
    }

    @Test("gives the halves of a picture as the whole")
    func halves() async throws {
        try await Northwind.published { service, _ in
            for number in 1...9 {
                let path = "Employees(\(number))/$value"
                let whole = try await service.response("GET \(path)").body.collect(upTo: 1_000_000)
                let first = await service.response("GET \(path)\nRange: bytes=0-999")
                let rest = await service.response("GET \(path)\nRange: bytes=1000-")
                #expect(first.head.status == .partialContent)
                let joined = try await first.body.collect(upTo: 1_000_000) + rest.body.collect(upTo: 1_000_000)
                #expect(joined == whole && whole.count > 1_000)
            }
        }
    }
}

/// A copy of the shared Northwind file, published.
enum Northwind {
    private static let file = TestData.url("northwind/northwind.db")

    static var isPresent: Bool { file != nil }

    static func published(_ work: (RequestText, SQLiteStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("northwind-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("northwind.db")
        try FileManager.default.copyItem(at: try #require(file), to: copy)
        var configuration = SQLiteStore.Configuration()
        configuration.media = [
            MediaColumn(set: "Employees", column: "Photo"), MediaColumn(set: "Categories", column: "Picture"),
        ]
        let store = try SQLiteStore(path: copy.path, configuration: configuration)
        defer { try? store.close() }
        try await work(RequestText(service: ODataService(store: store)), store)
    }
}

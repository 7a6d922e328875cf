import ODataModel
import ODataOffline
import ODataStores
import Testing

@Suite("Pages of local reads")
struct LocalPageTests {
    /// The entities of each page, along the next links.
    private func pages(_ url: String, of device: Device, atMost wish: Int? = nil) async throws -> [[EntityKey?]] {
        var request = ReadRequest(try await device.store.query(url))
        request.maxPageSize = wish
        var pages: [[EntityKey?]] = []
        repeat {
            guard case .entities(let reader) = try await device.store.read(request).body else { return pages }
            request.continuation = nil
            let assembler = EntityAssembler(shape: reader.shape)
            var page: [EntityKey?] = []
            while let block = try await reader.next() {
                page += assembler.entities(in: block).map(\.key)
                request.continuation = block.nextLink ?? request.continuation
            }
            pages.append(page)
        } while request.continuation != nil
        return pages
    }

    @Test(
        "A read has pages of the size that the configuration names, or of a smaller one that it asks for itself",
        arguments: [
            ("Orders", 10, nil, [10, 10, 5]), ("Orders", 25, nil, [25]), ("Orders", nil, nil, [25]),
            ("Orders", 10, 4, [4, 4, 4, 4, 4, 4, 1]), ("Orders", 4, 10, [4, 4, 4, 4, 4, 4, 1]),
            ("Orders?$filter=OrderID gt 5&$orderby=Amount desc", 8, nil, [8, 8, 4]),
            ("Orders?$top=12", 10, nil, [10, 2]), ("Orders?$filter=false", 10, nil, [0]),
        ] as [(String, Int?, Int?, [Int])])
    func sizes(url: String, size: Int?, wish: Int?, expected: [Int]) async throws {
        let device = try await Device(
            [.init(name: "orders", query: "Orders")], configure: { $0.pageSize = size })
        try await device.store.download()
        let pages = try await pages(url, of: device, atMost: wish)
        #expect(pages.map(\.count) == expected)
        let keys = pages.flatMap(\.self).compactMap(\.self)
        #expect(Set(keys).count == expected.reduce(0, +), "no entity comes twice")
        #expect(try await device.entities(url).map(\.key) == keys, "`entities` reads all pages")
    }
}

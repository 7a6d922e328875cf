import ODataStores

/// Server-driven paging.
enum PageChecks {
    static let all =
        [
            ("Products", "1 2 3 4 5 6 7 8 9 10"), ("Products?$orderby=Price desc", "8 10 7 6 4 5 2 1 3 9"),
            ("Products?$orderby=Price", "9 3 1 2 5 4 6 7 10 8"),
            ("Products?$orderby=Released,Name desc", "5 8 9 10 3 1 2 6 4 7"),
            ("Products?$orderby=Category/Name,ProductID", "9 10 1 2 3 4 5 6 8 7"),
            ("Products?$filter=Price gt 10&$orderby=Weight desc,ProductID", "10 5 6 2 1 7 4 8"),
            ("Products?$orderby=ProductID&$top=5", "1 2 3 4 5"),
            ("Products?$orderby=ProductID&$skip=4", "5 6 7 8 9 10"),
            ("Products?$orderby=ProductID&$skip=1&$top=7&$expand=Category,Photos", "2 3 4 5 6 7 8"),
            ("Categories(2)/Products?$orderby=Name", "3 6 4 8 5"),
            ("Order_Details?$orderby=Quantity desc", "101,3 100,1 100,2 102,7 103,10 101,1"),
            ("Products?$orderby=ProductID&$select=Name&$filter=ProductID le 7", "7 names"),
        ].map(paged)

    private static func paged(_ url: String, _ keys: String) -> ConformanceCheck {
        .read("In pages: \(url)", section: "OData-Protocol 11.2.6.7", needs: [.paging]) { session in
            let query = try session.parser.query(url)
            var request = ReadRequest(query)
            request.maxPageSize = 2
            var found: [String] = []
            var pages = 0
            repeat {
                let page = try await session.page(request)
                let size = page.entities.count
                try session.expect(size <= 2, "at most 2 entities in a page", found: "\(size)")
                found += page.entities.map { $0.key == nil ? "name" : $0.keyText }
                request.continuation = page.nextLink
                pages += 1
            } while request.continuation != nil && pages < 20
            let expected =
                keys.hasSuffix("names")
                ? Array(repeating: "name", count: 7) : keys.split(separator: " ").map(String.init)
            try session.expect(
                found == expected, expected.joined(separator: " "), found: found.joined(separator: " "))
            try session.expect(pages >= (expected.count + 1) / 2, "several pages", found: "\(pages)")
        }
    }
}

import OData
import Testing

@Suite("The article on defining queries")
struct DefiningQuerySnippets {
    @Test("Queries are declared, downloaded, refreshed another way and removed")
    func queries() async throws {
        let site = try FieldSite()
        let store = try OfflineStore(folder: site.folder + "/store", remote: try site.online())
        // snippet: declaring queries
        try await store.open()
        try store.addQuery(
            DefiningQuery(name: "orders", query: "SalesOrders?$filter=Status eq 'new'&$expand=SalesOrderItems"))
        try store.addQuery(DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true))
        try store.addQuery(DefiningQuery(name: "plan", query: "Photos(9000)", retrievesStreams: true))
        // end
        // snippet: downloading queries
        let report = try await store.download(["orders", "plan"]) { progress in
            show(progress.query, progress.entities, progress.bytes)
        }
        for query in report.queries { show(query.name, query.mode, query.entities, query.reason) }
        for stream in report.failedStreams { show(stream.path, stream.error) }
        // end
        #expect(report.queries.map(\.name) == ["orders", "plan"] && report.streams == 1)
        #expect(try await store.status.entities["Photos"] == 1)
        try await store.download()
        #expect(try await store.status.streams == 6)

        // snippet: refreshing queries
        try store.setRefresh(.comparison, checksStreams: true, of: "photos")
        // end
        // snippet: removing a query
        try store.removeQuery("photos")
        // end
        #expect(try await store.status.streams == 1)
    }

    @Test("A query is added before the model is known")
    func early() async throws {
        let site = try FieldSite()
        let store = try OfflineStore(folder: site.folder + "/store", remote: try site.online())
        // snippet: a property that tells of changes
        try store.addQuery(
            DefiningQuery(name: "log", query: "Entries", refresh: .changedSince("ModifiedAt", compareEvery: 5)))
        // end
        #expect(try await store.queries.map(\.name) == ["log"])
    }

    @Test("What is new is added at each start")
    func added() async throws {
        let site = try FieldSite()
        let store = try OfflineStore(folder: site.folder + "/store", remote: try site.online())
        try store.addQuery(DefiningQuery(name: "orders", query: "SalesOrders?$filter=Status eq 'new'"))
        // snippet: adding new queries
        for (name, query) in [("orders", "SalesOrders"), ("products", "Products")]
        where try await !store.queries.contains(where: { $0.name == name }) {
            try store.addQuery(DefiningQuery(name: name, query: query))
        }
        // end
        #expect(try await store.queries.map(\.query) == ["SalesOrders?$filter=Status eq 'new'", "Products"])
    }

    @Test("A set that no query holds is noticed")
    func notice() async throws {
        let site = try FieldSite()
        let store = try OfflineStore(folder: site.folder + "/store", remote: try site.online())
        try await store.open()
        // snippet: noticing what is not here
        let query = try await store.query("Products?$top=10")
        if let notice = try await store.notice(for: query) { show(notice) }
        // end
        #expect(try await store.notice(for: query)?.contains("Products") == true)
    }
}

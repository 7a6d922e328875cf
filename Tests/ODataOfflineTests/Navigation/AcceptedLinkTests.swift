import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Links that the service accepted, where no query expands them")
struct AcceptedLinkTests {
    private func opened(
        _ queries: [String] = ["Items", "Cats"]
    ) async throws -> (service: ModelService, store: OfflineStore, folder: TemporaryFolder) {
        let service = try ModelService(schema: ModelService.itemsAndCats)
        for (id, name) in [(1, "a"), (2, "b"), (3, "c")] {
            try await service.create("Cats", #"{"ID":\#(id),"Name":"\#(name)"}"#)
            try await service.create("Items", #"{"ID":\#(id),"Name":"item \#(id)"}"#)
        }
        let (store, folder) = try await service.device(queries)
        return (service, store, folder)
    }

    /// Of both relations of an item.
    private func links(_ service: ModelService, _ store: any ODataStore, _ item: Int) async throws -> [String] {
        let one = try await service.names("Items(\(item))/Cat", on: store)
        return try await one + service.names("Items(\(item))/Cats?$orderby=ID", on: store)
    }

    enum Change: CaseIterable { case update, create, reference }

    private func change(_ change: Change, _ service: ModelService, _ store: OfflineStore) async throws {
        let body = #""Cat@odata.bind":"Cats(2)","Cats@odata.bind":["Cats(1)","Cats(3)"]"#
        switch change {
        case .update: try await service.request("Items(1)", "{\(body)}", on: store, creates: false)
        case .create: try await service.request("Items", #"{"ID":9,\#(body)}"#, on: store, creates: true)
        case .reference:
            for (url, target) in [("Cat", 2), ("Cats", 1), ("Cats", 3)] {
                let reference = EntityReference.path(try service.path("Cats(\(target))"))
                _ = try await store.change(
                    ChangeRequest(try service.path("Items(1)/\(url)"), .addReference(reference)))
            }
        }
    }

    @Test(
        "They stay through refreshes of queries that do not tell of them", arguments: Change.allCases,
        [
            ["Items", "Cats"], ["Items", "Cats", "Items?$filter=ID eq 2&$expand=Cat,Cats"],
            ["Items", "Cats?$top=1000"],
        ])
    func stay(_ kind: Change, _ queries: [String]) async throws {
        let (service, store, folder) = try await opened(queries)
        defer { withExtendedLifetime(folder) {} }
        try await change(kind, service, store)
        let item = kind == .create ? 9 : 1
        #expect(try await store.upload().isComplete)
        for round in 1...3 {
            #expect(try await links(service, store, item) == ["b", "a", "c"], "round \(round)")
            try await service.update("Items(\(item))", #"{"Name":"round \#(round)"}"#)
            try await store.download()
        }
        #expect(try await service.names("Items?$filter=Cat/Name eq 'b'", on: store) == ["round 3"])
    }

    @Test("Another link of a relation to one takes its place, and one that is taken away here is gone")
    func replaced() async throws {
        let (service, store, folder) = try await opened()
        defer { withExtendedLifetime(folder) {} }
        try await change(.update, service, store)
        try await store.upload()
        try await store.download()
        try await service.request(
            "Items(1)", #"{"Cat@odata.bind":"Cats(3)"}"#, on: store, creates: false)
        let removed = EntityReference.path(try service.path("Cats(1)"))
        _ = try await store.change(ChangeRequest(try service.path("Items(1)/Cats"), .removeReference(removed)))
        #expect(try await links(service, store, 1) == ["c", "c"])
        try await store.upload()
        for _ in 1...2 {
            try await store.download()
            #expect(try await links(service, store, 1) == ["c", "c"])
        }
        #expect(try await links(service, service.tables, 1) == ["c", "c"])
    }

    @Test("A change that is undone leaves the accepted link")
    func undone() async throws {
        let (service, store, folder) = try await opened()
        defer { withExtendedLifetime(folder) {} }
        try await change(.update, service, store)
        try await store.upload()
        try await store.download()
        try await service.request("Items(1)", #"{"Cat@odata.bind":"Cats(3)"}"#, on: store, creates: false)
        let request = try #require(try await store.queueEntries().first?.id)
        _ = try await store.undo(.request(request))
        #expect(try await links(service, store, 1) == ["b", "a", "c"])
        try await store.download()
        #expect(try await links(service, store, 1) == ["b", "a", "c"])
    }

    @Test("A query that expands the relation tells what is there", arguments: [nil, "Cats", "Cat"])
    func told(_ kept: String?) async throws {
        let (service, store, folder) = try await opened()
        defer { withExtendedLifetime(folder) {} }
        try await change(.update, service, store)
        try await store.upload()
        try await store.download()
        for name in ["Cat", "Cats"] where name != kept {
            for target in name == "Cat" ? [2] : [1, 3] {
                let reference = EntityReference.path(try service.path("Cats(\(target))"))
                _ = try await service.tables.change(
                    ChangeRequest(try service.path("Items(1)/\(name)"), .removeReference(reference)))
            }
        }
        try store.addQuery(DefiningQuery(name: "more", query: "Items?$expand=Cat,Cats"))
        try await store.download()
        let expected = kept == "Cat" ? ["b"] : kept == "Cats" ? ["a", "c"] : []
        #expect(try await links(service, store, 1) == expected)
    }

    @Test("An entity that is gone takes its links along")
    func gone() async throws {
        let (service, store, folder) = try await opened()
        defer { withExtendedLifetime(folder) {} }
        try await change(.update, service, store)
        try await store.upload()
        for url in ["Cats(2)", "Cats(3)"] {
            _ = try await service.tables.change(ChangeRequest(try service.path(url), .delete))
        }
        try await store.download()
        #expect(try await links(service, store, 1) == ["a"])
        try await service.create("Cats", #"{"ID":2,"Name":"new"}"#)
        try await store.download()
        #expect(try await links(service, store, 1) == ["a"])
    }

    @Test("A rebuild keeps them, and lets go what its queries do not find", arguments: [false, true])
    func rebuild(expands: Bool) async throws {
        let (service, store, folder) = try await opened()
        defer { withExtendedLifetime(folder) {} }
        try await change(.update, service, store)
        try await store.upload()
        try await store.download()
        if expands {
            let reference = EntityReference.path(try service.path("Cats(2)"))
            _ = try await service.tables.change(
                ChangeRequest(try service.path("Items(1)/Cat"), .removeReference(reference)))
            try store.addQuery(DefiningQuery(name: "more", query: "Items?$expand=Cat,Cats"))
        }
        _ = try await store.rebuild()
        #expect(try await links(service, store, 1) == (expands ? ["a", "c"] : ["b", "a", "c"]))
        try await store.download()
        #expect(try await links(service, store, 1) == (expands ? ["a", "c"] : ["b", "a", "c"]))
    }
}

import OData
import ODataUI
import Testing

/// Objects that views observe.
@MainActor
@Suite("Fetched entities and values")
struct FetchedTests {
    private func texts(_ entities: FetchedEntities<DynamicEntity>) -> [EdmValue?] {
        entities.results.map { $0["Text"] }
    }

    @Test("Entities follow changes, with what differs")
    func entities() async throws {
        let yard = try await Yard()
        let fetched = FetchedEntities(yard.notes)
        #expect(fetched.isLoading && fetched.isFollowing && fetched.results.isEmpty)
        await until { !fetched.isLoading }
        #expect(texts(fetched) == ["one", "two"] && fetched.difference == nil && fetched.error == nil)
        try await yard.notes.create(DynamicEntity(["ID": 3, "Text": "aaa"]))
        await until { fetched.results.count == 3 }
        #expect(texts(fetched) == ["aaa", "one", "two"] && fetched.difference?.insertions == [0])
        try await yard.notes.delete(EntityID("Notes(1)"))
        await until { fetched.results.count == 2 }
        #expect(fetched.difference?.removals == [1])
    }

    @Test("Another query takes the place of the first, and stopping ends it")
    func another() async throws {
        let yard = try await Yard()
        let fetched = FetchedEntities<DynamicEntity>()
        #expect(!fetched.isLoading && !fetched.isFollowing)
        fetched.follow(yard.notes)
        await until { fetched.results.count == 2 }
        fetched.follow(yard.notes.where { $0["Weight"] > 5 })
        #expect(fetched.isLoading && fetched.results.count == 2)
        await until { !fetched.isLoading }
        #expect(texts(fetched) == ["two"] && fetched.difference == nil)
        fetched.stop()
        #expect(!fetched.isFollowing)
        let other = FetchedEntities(yard.notes)
        try await yard.notes.create(DynamicEntity(["ID": 3, "Text": "z", "Weight": 9]))
        await until { other.results.count == 3 }
        #expect(texts(fetched) == ["two"])
    }

    @Test("An error is shown; a query that the store does not know ends it")
    func error() async throws {
        let yard = try await Yard()
        let fetched = FetchedEntities(yard.notes.where { $0["Colour"] == "red" })
        await until { !fetched.isFollowing }
        #expect(fetched.error?.code == .badRequest && !fetched.isLoading)
        fetched.follow(yard.notes)
        #expect(fetched.error == nil)
        await until { !fetched.isLoading }
        #expect(fetched.results.count == 2)
        try yard.offline.close()
        await until { !fetched.isFollowing }
        #expect(fetched.results.count == 2)
    }

    @Test("It lives no longer than its view")
    func lifetime() async throws {
        let yard = try await Yard()
        weak var seen: FetchedEntities<DynamicEntity>?
        do {
            let fetched = FetchedEntities(yard.notes)
            seen = fetched
            await until { !fetched.isLoading }
        }
        try await yard.notes.create(DynamicEntity(["ID": 3]))
        #expect(seen == nil)
    }

    @Test("One entity is followed over changes and its deletion")
    func entity() async throws {
        let yard = try await Yard()
        let fetched = FetchedEntity(EntityID("Notes(1)"), in: yard.notes)
        await until { fetched.value != nil }
        var note = try #require(fetched.value)
        note["Text"] = "changed"
        try await yard.notes.update(note)
        await until { fetched.value?["Text"] == "changed" }
        #expect(fetched.value?.id == EntityID("Notes(1)"))
        try await yard.notes.delete(EntityID("Notes(1)"))
        await until { fetched.value == nil }
        #expect(fetched.error == nil && !fetched.isLoading)
        let unknown = FetchedEntity(DynamicEntity([:]).id, in: yard.notes)
        #expect(unknown.error?.code == .badRequest && !unknown.isLoading)
    }

    @Test("Counts and sums follow changes, of an offline store and of one that reports none", arguments: [true, false])
    func values(isOffline: Bool) async throws {
        let yard = try await Yard()
        let store: any ODataStore = isOffline ? yard.offline : yard.service
        let notes = EntityCollections(store)["Notes"]
        let count = FetchedValue(countOf: notes.where { $0["Weight"] > 5 })
        await until { count.value != nil }
        #expect(count.value == 1 && !count.isLoading)
        try await notes.create(DynamicEntity(["ID": 3, "Weight": 10]))
        await until { count.value == 2 }
        let sum = FetchedValue(sumOf: \.weight, in: notes)
        await until { sum.value != nil }
        #expect(sum.value == 22)
        try await notes.delete(EntityID("Notes(1)"))
        await until { sum.value == 17 }
        let wrong = FetchedValue(countOf: notes.where { $0["Colour"] == "red" })
        await until { wrong.error != nil }
        #expect(wrong.value == nil && wrong.error?.code == .badRequest)
    }
}

extension DynamicFields {
    fileprivate var weight: QueryOperand<Int32> { self["Weight"].as(Int32.self) }
}

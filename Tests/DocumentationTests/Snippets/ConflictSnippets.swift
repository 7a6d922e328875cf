import OData
import Testing

@Suite("The article on conflicts")
struct ConflictSnippets {
    @Test("A resolver merges, set by set")
    func resolvers() async throws {
        let site = try FieldSite()
        let (folder, service) = (site.folder + "/device", try site.online())
        // snippet: resolvers
        var configuration = OfflineStore.Configuration()
        configuration.conflictResolver = .hold
        configuration.conflictResolvers["SalesOrders"] = .serviceWins
        configuration.conflictResolvers["Inspections"] = .custom { conflict in
            guard let mine = conflict.mine?["Remarks"]?.lexical, let theirs = conflict.theirs?["Remarks"]?.lexical
            else { return .hold }
            return .merged(EntityPayload(["Remarks": .string("\(theirs); \(mine)")]))
        }
        let store = try OfflineStore(folder: folder, remote: service, configuration: configuration)
        // end
        try await site.fill(store)
        let change = EntityPayload(["Remarks": .string("mine")])
        _ = try await store.change(ChangeRequest(store.path("Inspections(7000)"), .update(change)))
        try await site.update("Inspections(7000)", ["Remarks": .string("theirs")])
        #expect(try await store.upload().isComplete)
        #expect(try await site.text("Remarks", of: "Inspections(7000)") == "theirs; mine")
    }

    @Test("A conflict that is held is decided later")
    func held() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let change = EntityPayload(["State": .string("done")])
        _ = try await store.change(ChangeRequest(store.path("WorkOrders(5000)"), .update(change)))
        try await site.update("WorkOrders(5000)", ["Title": .string("Replace pump"), "State": .string("open")])
        #expect(try await store.upload().failed.map(\.status) == [412])
        // snippet: deciding later
        for conflict in try await store.conflicts() {
            let versions = [conflict.base, conflict.mine, conflict.theirs]
            show(conflict.path, versions.map { $0?["State"]?.lexical })
            try await store.resolve(conflict, as: .mine)
        }
        let report = try await store.upload()
        // end
        #expect(report.isComplete)
        #expect(try await site.text("State", of: "WorkOrders(5000)") == "done")
        #expect(try await site.text("Title", of: "WorkOrders(5000)") == "Replace pump")
    }
}

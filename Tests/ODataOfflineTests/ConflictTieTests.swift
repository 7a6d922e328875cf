import Foundation
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

/// What a settled conflict makes of requests refers to other entities, made later or linked.
@Suite("Conflicts beside entities made later, and links")
struct ConflictTieTests {
    private func update(_ device: KeyDevice, _ path: String, _ json: String) async throws {
        let target = try device.store.path(path)
        let payload = try await device.store.payload(json, for: target)
        _ = try await device.store.change(
            ChangeRequest(target, .update(payload)), options: RequestOptions(combines: false))
    }

    @Test("Created again with a reference to what a later request makes, it waits for that", arguments: [true, false])
    func laterCreation(merges: Bool) async throws {
        let device = try await KeyDevice(.int32)
        try await update(device, "Children(101)", #"{"Name":"c"}"#)
        let parent = try await device.create("Parents", #"{"Name":"p"}"#)
        if !merges { try await update(device, "Children(101)", #"{"Parent@odata.bind":"\#(parent)"}"#) }
        let child = try device.store.path("Children(101)")
        _ = try await device.service.base.change(ChangeRequest(child, .delete))
        try await device.store.download()
        let entries = try await device.store.queueEntries()
        let merged = try await device.store.payload(#"{"Parent@odata.bind":"\#(parent)"}"#, for: child)
        try await device.store.resolve(requestID: entries[0].id, as: merges ? .merged(merged) : .mine)
        let left = try await device.store.queueEntries()
        #expect(left.map(\.id) == entries.prefix(2).map(\.id) && left[0].dependsOn == [entries[1].id])
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.served("Children?$filter=Parent/Name eq 'p'") == ["c"])
    }

    @Test("Bindings of several requests are one in the creation that they become")
    func bindings() async throws {
        let device = try await KeyDevice(.int32)
        for name in ["t", "u"] { _ = try await device.create("Tags", #"{"Name":"\#(name)"}"#) }
        #expect(try await device.store.upload().isComplete)
        for tag in [102, 103] { try await update(device, "Parents(101)", #"{"Tags@odata.bind":["Tags(\#(tag))"]}"#) }
        _ = try await device.service.base.change(ChangeRequest(try device.store.path("Parents(101)"), .delete))
        try await device.store.download()
        let first = try #require(try await device.store.queueEntries().first)
        try await device.store.resolve(requestID: first.id, as: .mine)
        let body = try #require(try await device.store.queueEntries().first?.body)
        #expect(body.components(separatedBy: "Tags@odata.bind").count == 2, "\(body)")
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.served("Tags?$filter=Parents/any()&$orderby=Name") == ["t", "u"])
    }

    /// A device whose service takes the keys that clients give.
    private func device(_ resolver: ConflictResolver) async throws -> (OfflineStore, SQLiteTags) {
        let tags = try await SQLiteTags()
        var configuration = Device.configuration()
        configuration.conflictResolver = resolver
        let store = try OfflineStore(
            folder: tags.folder.path + "/store", remote: tags.service.base, configuration: configuration)
        try await store.open()
        for query in ["Parents?$expand=Tags", "Tags"] { try store.addQuery(.init(name: query, query: query)) }
        try await store.download()
        return (store, tags)
    }

    private struct SQLiteTags {
        let service: KeyService
        let folder: TemporaryFolder

        init() async throws {
            service = try await KeyService(.int32)
            folder = try TemporaryFolder()
        }
    }

    @Test("Created below another entity with a key that is taken: the link is sent too", arguments: ["mine", "merged"])
    func link(choice: String) async throws {
        let payload = EntityPayload(["Name": .string("merged")])
        let (store, tags) = try await device(choice == "mine" ? .clientWins : .custom { _ in .merged(payload) })
        let path = try store.path("Parents(101)/Tags")
        _ = try await store.change(
            ChangeRequest(path, .create(EntityPayload(["ID": .integer(150), "Name": .string("mine")]))))
        _ = try await tags.service.base.change(
            ChangeRequest(
                try store.path("Tags"), .create(EntityPayload(["ID": .integer(150), "Name": .string("theirs")]))))
        let report = try await store.upload()
        #expect(report.isComplete && report.succeeded.map(\.method).sorted() == ["PATCH", "POST"])
        let names = { (from: any ODataStore) in
            try await from.entities(try await store.query("Tags?$filter=Parents/any(p:p/ID eq 101)")).map { $0["Name"] }
        }
        #expect(try await names(tags.service.base) == [.string(choice)])
        #expect(try await names(store) == [.string(choice)])
        #expect(
            try await store.entities(try await store.query("Parents?$filter=OfflineStore.hasPendingChanges()")).isEmpty)
        try store.close()
    }

    @Test("A link that only a given-up binding made does not show any more")
    func phantom() async throws {
        let (store, tags) = try await device(.custom { _ in .merged(EntityPayload(["Name": .string("merged")])) })
        let parent = try store.path("Parents(101)")
        let binding = EntityPayload.Binding(navigation: "Tags", references: [.path(try store.path("Tags(101)"))])
        _ = try await store.change(
            ChangeRequest(parent, .update(EntityPayload(["Name": .string("mine")], bindings: [binding]))))
        _ = try await tags.service.base.change(
            ChangeRequest(parent, .update(EntityPayload(["Name": .string("theirs")]))))
        #expect(try await store.upload().isComplete)
        let linked = try await store.query("Tags?$filter=Parents/any()")
        #expect(try await store.entities(linked).isEmpty)
        #expect(try await tags.service.base.entities(linked).isEmpty)
        try store.close()
    }
}

import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import ODataTesting
import Testing

@Suite("Undo of links in any order")
struct UndoLinkTests {
    /// Three parents and four tags with links, all downloaded.
    private func device() async throws -> KeyDevice {
        let device = try await KeyDevice(.int32)
        for name in ["b", "c"] { _ = try await device.create("Parents", #"{"Name":"\#(name)"}"#) }
        for name in ["x", "y", "z"] { _ = try await device.create("Tags", #"{"Name":"\#(name)"}"#) }
        #expect(try await device.store.upload().isComplete)
        try await device.store.download()
        let parents = try await device.entities("Parents").compactMap(\.id)
        let tags = try await device.entities("Tags").compactMap(\.id)
        #expect(parents.count == 3 && tags.count == 4)
        for (parent, tag) in [(0, 0), (0, 1), (1, 1), (2, 3)] {
            try await device.refer("\(parents[parent])/Tags/$ref", to: tags[tag])
        }
        for (parent, tag) in [(0, 2), (1, 2)] {
            try await device.refer("\(parents[parent])/Favorite/$ref", to: tags[tag])
        }
        #expect(try await device.store.upload().isComplete)
        try await device.store.download()
        return device
    }

    /// All entities with their links.
    private func picture(_ device: KeyDevice) async throws -> [String] {
        let parents = try await device.entities("Parents?$expand=Tags($orderby=Name),Favorite&$orderby=Name")
        let names = { (entities: [EdmEntity]) in entities.map { $0["Name"]?.lexical ?? "" }.joined(separator: ",") }
        let lines = parents.map { parent in
            let tags = parent.expanded["Tags"].map { if case .many(let tags, _) = $0 { names(tags) } else { "" } }
            let favorite = parent.expanded["Favorite"].map {
                if case .one(let tag?) = $0 { names([tag]) } else { "none" }
            }
            return "\(names([parent])): \(tags ?? "?") favorite \(favorite ?? "?")"
        }
        return lines + (try await device.names("Tags?$orderby=Name"))
    }

    /// Changes something; nothing where that is not possible, as for an entity that was deleted before.
    private func change(_ device: KeyDevice, _ number: Int, _ random: inout SplitMix) async throws {
        let store = device.store
        let parents = try await device.entities("Parents?$orderby=Name").compactMap(\.id)
        let tags = try await device.entities("Tags?$orderby=Name").compactMap(\.id)
        guard let parent = parents.randomElement(using: &random), let tag = tags.randomElement(using: &random) else {
            return
        }
        let reference = EntityReference.path(try store.path(tag))
        let name = EntityPayload(["Name": .string("n\(number)")])
        let request: ChangeRequest
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: request = ChangeRequest(try store.path("\(parent)/Tags/$ref"), .addReference(reference))
        case 2:
            let back = EntityReference.path(try store.path(parent))
            request = ChangeRequest(try store.path("\(tag)/Parents/$ref"), .addReference(back))
        case 3:
            let members = try await device.entities("\(parent)/Tags?$orderby=Name").compactMap(\.id)
            guard let member = members.randomElement(using: &random) else { return }
            let reference = EntityReference.path(try store.path(member))
            request = ChangeRequest(try store.path("\(parent)/Tags/$ref"), .removeReference(reference))
        case 4, 5: request = ChangeRequest(try store.path("\(parent)/Favorite/$ref"), .addReference(reference))
        case 6: request = ChangeRequest(try store.path("\(parent)/Favorite/$ref"), .removeReference(nil))
        case 7: request = ChangeRequest(try store.path("\(parent)/Tags"), .create(name))
        case 8:
            var payload = name
            payload.bindings = [.init(navigation: "Favorite", references: [reference])]
            let isNew = number % 2 == 0
            request = ChangeRequest(
                try store.path(isNew ? "Parents" : parent), isNew ? .create(payload) : .update(payload))
        case 9: request = ChangeRequest(try store.path(parent), .update(name))
        default: request = ChangeRequest(try store.path(number % 2 == 0 ? tag : parent), .delete)
        }
        do { _ = try await store.change(request) } catch let error as ODataError where error.code == .notFound {}
    }

    @Test("What is left is what was downloaded", arguments: 1...12)
    func all(seed: UInt64) async throws {
        let device = try await device()
        let before = try await picture(device)
        var random = SplitMix(seed: seed)
        for number in 0..<20 { try await change(device, number, &random) }
        while let entry = try await device.store.queueEntries().randomElement(using: &random) {
            try await device.store.undo(.request(entry.id))
        }
        #expect(try await picture(device) == before)
    }

    @Test("What is left shows as the service has it once the rest is sent", arguments: 1...12)
    func some(seed: UInt64) async throws {
        let device = try await device()
        var random = SplitMix(seed: seed)
        for number in 0..<14 { try await change(device, number, &random) }
        for _ in 0..<3 {
            guard let entry = try await device.store.queueEntries().randomElement(using: &random) else { break }
            try await device.store.undo(.request(entry.id))
        }
        let before = try await picture(device)
        let report = try await device.store.upload()
        #expect(report.isComplete, "\(report.failed.map { "\($0.method) \($0.url): \($0.message)" })")
        try await device.store.download()
        #expect(try await picture(device) == before)
    }

    @Test("Links that a binding has made are the service's after the upload: they go when it takes them away")
    func bound() async throws {
        let device = try await device()
        let payload = #"{"Name":"d","Tags@odata.bind":["Tags(101)"],"Favorite@odata.bind":"Tags(101)"}"#
        let parent = try await device.create("Parents", payload)
        #expect(try await device.store.upload().isComplete)
        try await device.store.download()
        #expect(try await device.names("\(parent)/Tags") == ["first"])
        let path = try device.store.path(parent)
        for name in ["Tags", "Favorite"] {
            let reference = name == "Tags" ? EntityReference.path(try device.store.path("Tags(101)")) : nil
            _ = try await device.service.base.change(
                ChangeRequest(try device.store.path("\(path.url)/\(name)/$ref"), .removeReference(reference)))
        }
        try await device.store.download()
        let lines = try await picture(device)
        #expect(lines.first { $0.hasPrefix("d") } == "d:  favorite none")
    }
}

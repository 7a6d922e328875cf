import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

@Suite("Changes of complex values and of singletons")
struct ComplexChangeTests {
    private static let queries = [
        DefiningQuery(name: "customers", query: "Customers"), DefiningQuery(name: "company", query: "Company"),
    ]
    private static let address: EdmValue = .complex([
        "Street": .string("Rue 9"), "City": .string("Lyon"),
        "Place": .complex(["Floor": .integer(1), "Door": .string("A")]), "Tags": .collection([.string("a")]),
    ])

    /// Two customers with the same address, and a company.
    private func service() async throws -> ShopService {
        let service = try await ShopService()
        for id in Int64(1)...2 { try await service.create("Customers", ["ID": .integer(id), "Address": Self.address]) }
        try await service.update("Company", ["ID": .integer(7), "Name": .string("old"), "Address": Self.address])
        return service
    }

    private func device(
        _ service: ShopService, remote: (any ODataStore)? = nil,
        configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws -> ShopDevice {
        let device = try await ShopDevice(Self.queries, remote: remote ?? service.tables, configure: configure)
        try await device.store.download()
        return device
    }

    private func patch(_ device: ShopDevice, _ url: String, _ json: String) async throws {
        let path = try device.store.path(url)
        _ = try await device.store.change(
            ChangeRequest(path, .update(try await device.store.payload(json, for: path))))
    }

    /// `City=Metz Place/Floor=2`: the members that are not null or empty, by name.
    private func address(_ url: String, in store: any ODataStore) async throws -> String {
        let model = try await store.model()
        let entity = try await store.entities(QueryParser(model: model).query(url)).first
        return Self.members(entity?["Address"] ?? .null, "Address").sorted().joined(separator: " ")
    }

    private static func members(_ value: EdmValue, _ name: String) -> [String] {
        guard case .complex(let complex) = value else {
            return value.isNull || value == .collection([]) ? [] : ["\(name)=\(value.lexical)"]
        }
        return complex.members.flatMap { members($0.value, name == "Address" ? $0.name : "\(name)/\($0.name)") }
    }

    static let sequences: [(changes: [String], expected: String)] = [
        (
            [#"{"Address":{"City":"Metz"}}"#, #"{"Address":{"Street":"Rue 1","Place":{"Floor":2}}}"#],
            #"City=Metz Place/Door=A Place/Floor=2 Street=Rue 1 Tags=["a"]"#
        ),
        ([#"{"Address":null}"#, #"{"Address":{"City":"Metz"}}"#], "City=Metz"),
        ([#"{"Address":{"City":"Metz"}}"#, #"{"Address":null}"#], ""),
        (
            [#"{"Address":{"Place":null}}"#, #"{"Address":{"Place":{"Floor":2}}}"#],
            #"City=Lyon Place/Floor=2 Street=Rue 9 Tags=["a"]"#
        ),
        (
            [#"{"Address":{"Tags":["b"]}}"#, #"{"Address":{"Tags":["c"],"City":null}}"#],
            #"Place/Door=A Place/Floor=1 Street=Rue 9 Tags=["c"]"#
        ),
    ]

    @Test(
        "An update changes only the members given, here and at the service, as one request or as two",
        arguments: sequences.indices, [true, false])
    func members(_ index: Int, combines: Bool) async throws {
        let service = try await service()
        let device = try await device(service) { $0.combinesRequests = combines }
        let (changes, expected) = Self.sequences[index]
        for change in changes { try await patch(device, "Customers(1)", change) }
        #expect(try await device.store.queueEntries().count == (combines ? 1 : changes.count))
        #expect(try await address("Customers(1)", in: device.store) == expected)
        #expect(try await device.store.upload().isComplete)
        for store in [device.store, service.tables] as [any ODataStore] {
            #expect(try await address("Customers(1)", in: store) == expected)
        }
    }

    @Test("A creation and a replacement take members along; what they do not name is not there")
    func afterWhole() async throws {
        let service = try await service()
        let device = try await device(service)
        let path = try device.store.path("Customers(1)")
        let whole = try await device.store.payload(#"{"Address":{"City":"Metz"}}"#, for: path)
        _ = try await device.store.change(ChangeRequest(path, .replace(whole)))
        let new = try await device.store.payload(#"{"ID":3,"Address":null}"#, for: device.store.path("Customers"))
        _ = try await device.store.change(ChangeRequest(device.store.path("Customers"), .create(new)))
        for url in ["Customers(1)", "Customers(3)"] {
            try await patch(device, url, #"{"Address":{"Street":"Rue 1"}}"#)
        }
        #expect(try await device.store.upload().isComplete)
        for store in [device.store, service.tables] as [any ODataStore] {
            #expect(try await address("Customers(1)", in: store) == "City=Metz Street=Rue 1")
            #expect(try await address("Customers(3)", in: store) == "Street=Rue 1")
        }
    }

    @Test("Values inside are set, updated, replaced and taken away by their paths, as the service does it")
    func paths() async throws {
        let service = try await service()
        let device = try await device(service)
        let street = EntityPayload(["Street": .string("Rue 1")])
        let changes: [(String, ChangeRequest.Operation)] = [
            ("Address/City", .setValue(.string("Metz"))), ("Address/Place", .update(EntityPayload(["Door": .null]))),
            ("Address/Street", .delete), ("Address", .update(street)), ("Address", .replace(street)),
            ("Address/Place", .setValue(.complex(["Floor": .integer(3)]))),
            ("Address/City/$value", .setRawValue(Array("Nancy".utf8), contentType: "text/plain")),
        ]
        for (url, operation) in changes {
            var there = operation
            if case .delete = operation { there = .setValue(.null) }
            _ = try await service.tables.change(ChangeRequest(service.path("Customers(2)/\(url)"), there))
            _ = try await device.store.change(ChangeRequest(device.store.path("Customers(1)/\(url)"), operation))
            let expected = try await address("Customers(2)", in: service.tables)
            #expect(try await address("Customers(1)", in: device.store) == expected, "\(url)")
            if url == "Address/Street" {
                #expect(try await device.store.upload().isComplete)
                #expect(try await address("Customers(1)", in: service.tables) == expected)
            }
        }
        #expect(try await device.store.upload().isComplete)
        #expect(
            try await address("Customers(1)", in: service.tables) == "City=Nancy Place/Floor=3 Street=Rue 1")
    }

    @Test("What the service changed beside stays, where the device wins")
    func conflict() async throws {
        let service = try await service()
        let device = try await device(service) { $0.conflictResolver = .clientWins }
        try await patch(device, "Customers(1)", #"{"Address":{"City":"Metz"}}"#)
        try await service.update("Customers(1)", ["Address": .complex(["Street": .string("theirs")])])
        #expect(try await device.store.upload().isComplete)
        for store in [device.store, service.tables] as [any ODataStore] {
            #expect(
                try await address("Customers(1)", in: store)
                    == #"City=Metz Place/Door=A Place/Floor=1 Street=theirs Tags=["a"]"#)
        }
    }

    @Test("What was deleted there is created again with its complex values and collections, where the device wins")
    func createdAgain() async throws {
        let service = try await service()
        let device = try await device(service) { $0.conflictResolver = .clientWins }
        try await patch(device, "Customers(1)", #"{"Address":{"City":"Metz"}}"#)
        try await service.delete("Customers(1)")
        #expect(try await device.store.upload().isComplete)
        #expect(
            try await address("Customers(1)", in: service.tables)
                == #"City=Metz Place/Door=A Place/Floor=1 Street=Rue 9 Tags=["a"]"#)
    }

    @Test("A version that the service brings meanwhile keeps the members given here on top")
    func replay() async throws {
        let service = try await service()
        let device = try await device(service)
        try await patch(device, "Customers(1)", #"{"Address":{"City":"Metz"}}"#)
        try await service.update("Customers(1)", ["Name": .string("new")])
        try await device.store.download()
        #expect(try await device.lines("Customers(1)", "Name") == ["new"])
        #expect(
            try await address("Customers(1)", in: device.store)
                == #"City=Metz Place/Door=A Place/Floor=1 Street=Rue 9 Tags=["a"]"#)
        #expect(try await device.store.upload().isComplete)
    }

    @Test(
        "A newer version is what the change is based on if it has changed other members, and a conflict if the same",
        arguments: [
            (#"{"Street":"theirs","Place":{"Floor":5}}"#, true), (#"{"City":"Metz","Street":"theirs"}"#, true),
            (#"{"City":"theirs"}"#, false), (#"{"Place":{"Door":"theirs"}}"#, false), (#"{"Place":null}"#, false),
            ("null", false),
        ])
    func newer(theirs: String, isHarmless: Bool) async throws {
        let service = try await service()
        let device = try await device(service)
        try await patch(device, "Customers(1)", #"{"Address":{"City":"Metz","Place":{"Door":"B"}}}"#)
        let path = try device.store.path("Customers(1)")
        let newer = try await device.store.payload(#"{"Address":\#(theirs)}"#, for: path)
        _ = try await service.tables.change(ChangeRequest(path, .update(newer)))
        let there = try await address("Customers(1)", in: service.tables)
        try await device.store.download()
        #expect(try await device.store.upload().failed.map(\.status) == (isHarmless ? [] : [412]))
        let expected = there.replacing("Lyon", with: "Metz").replacing("Door=A", with: "Door=B")
        #expect(try await address("Customers(1)", in: service.tables) == (isHarmless ? expected : there))
        guard isHarmless else { return }
        #expect(try await address("Customers(1)", in: device.store) == expected)
    }

    @Test(
        "An update whose response was lost is found by the members that were sent",
        arguments: ["Customers(1)", "Company"])
    func probe(_ url: String) async throws {
        let service = try await service()
        let remote = FaultyStore(service.tables)
        let device = try await device(service, remote: remote)
        try await patch(device, url, #"{"Name":"new","Address":{"City":"Metz","Place":{"Floor":2}}}"#)
        await remote.loseResponse(to: device.store)
        #expect(try await device.store.upload().isComplete)
        #expect(remote.count.changes == 0)
        #expect(
            try await address(url, in: device.store)
                == #"City=Metz Place/Door=A Place/Floor=2 Street=Rue 9 Tags=["a"]"#)
    }

    @Test("A singleton whose type has a key is changed without naming the key", arguments: [true, false])
    func singleton(overHTTP: Bool) async throws {
        let service = try await service()
        let device = try await overHTTP ? service.device(Self.queries) : service.directDevice(Self.queries)
        try await device.store.download()
        try await patch(device, "Company", #"{"Name":"new"}"#)
        #expect(try await device.store.queueEntries().map(\.url) == ["Company"])
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.lines("Company", "ID", "Name") == ["7 new"])
        try await service.update("Company", ["Name": .string("theirs")])
        try await device.store.download()
        #expect(try await device.lines("Company", "Name") == ["theirs"])
    }

    @Test("The change of a singleton without a key outlives a refresh, and is undone")
    func keylessSingleton() async throws {
        let service = try await ShopService()
        try await service.update("Settings", ["Theme": .string("dark")])
        let device = try await service.device([DefiningQuery(name: "settings", query: "Settings")])
        try await device.store.download()
        try await patch(device, "Settings", #"{"Theme":"light"}"#)
        #expect(try await device.store.queueEntries().map(\.url) == ["Settings"])
        try await device.store.download()
        #expect(try await device.lines("Settings", "Theme") == ["light"])
        try await device.store.undo(.entity(try device.store.path("Settings")))
        #expect(try await device.lines("Settings", "Theme") == ["dark"])
        #expect(try await device.store.queueEntries().isEmpty)
    }

    @Test("What cannot be changed here is refused by name and leaves nothing behind")
    func refused() async throws {
        let service = try await service()
        let device = try await device(service)
        let request = ChangeRequest(
            try device.store.path("Customers(1)/Address/Tags"), .insertValue(.string("b"), at: nil))
        await #expect { try await device.store.change(request) } throws: { error in
            (error as? ODataError)?.code == .notImplemented
        }
        #expect(try await device.store.queueEntries().isEmpty)
    }
}

import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Identity of entities made here")
struct IdentityTests {
    static let keyTypes: [EdmPrimitiveType] = [
        .int32, .int64, .int16, .string, .guid, .decimal, .date, .dateTimeOffset, .duration,
    ]

    @Test("Parent, child and grandchild made here: old links, filters and relations follow", arguments: keyTypes)
    func family(key: EdmPrimitiveType) async throws {
        let device = try await KeyDevice(key)
        let parent = try await device.create("Parents", #"{"Name":"p"}"#)
        let child = try await device.create("Children", #"{"Name":"c","Parent@odata.bind":"\#(parent)"}"#)
        let below = try await device.create("\(parent)/Children", #"{"Name":"c2"}"#)
        let grandchild = try await device.create("\(child)/Grandchildren", #"{"Line":1,"Name":"g"}"#)
        let old = device.literal(parent)

        func check() async throws {
            #expect(try await device.names(parent) == ["p"])
            #expect(try await device.names(grandchild) == ["g"])
            #expect(try await device.names("\(child)/Parent") == ["p"])
            #expect(try await device.names("\(parent)/Children?$orderby=Name") == ["c", "c2"])
            #expect(try await device.names("\(parent)/Children(\(device.literal(below)))") == ["c2"])
            #expect(try await device.names("Children?$filter=ParentID eq \(old)&$orderby=Name") == ["c", "c2"])
            #expect(try await device.names("Children?$filter=\(old) eq Parent/ID and Name eq 'c'") == ["c"])
            #expect(try await device.names("Parents?$filter=ID in (\(old))") == ["p"])
            #expect(try await device.names("$entity?$id=\(parent)") == ["p"])
            #expect(try await device.names("Parents?$filter=Name eq $root/\(parent)/Name") == ["p"])
            #expect(try await device.names("Parents?$filter=Children/any(c:c/ParentID eq \(old))") == ["p"])
            #expect(
                try await device.names("Children?$filter=Name ne 'first' and ParentID ne \(old)").isEmpty)
            let filter = "$expand=Children($filter=ID eq \(device.literal(below)))"
            let expanded = try #require(try await device.entities("\(parent)?\(filter)").first)
            guard case .many(let children, _)? = expanded.expanded["Children"] else {
                Issue.record("Nothing is expanded.")
                return
            }
            #expect(children.map { $0["Name"] } == [.string("c2")])
        }
        try await check()
        #expect(try await device.store.upload().isComplete)
        try await check()
        #expect(try await device.served("Grandchildren") == ["g"])
        #expect(try await device.served("Parents?$filter=Children/any(c:c/Grandchildren/any())") == ["p"])
        #expect(try await device.served("Children?$filter=Parent/Name eq 'p'&$orderby=Name") == ["c", "c2"])
        try await device.store.download()
        try await check()
    }

    @Test("What tells the key of a created entity", arguments: KeyService.Response.allCases.filter { $0 != .nothing })
    func responses(response: KeyService.Response) async throws {
        let device = try await KeyDevice(.int32, response: response)
        let parent = try await device.create("Parents", #"{"Name":"p","Children":[{"Name":"c"},{"Name":"d"}]}"#)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.store.path(parent).url == "Parents(102)")
        #expect(try await device.served("Parents(102)/Children?$orderby=Name") == ["c", "d"])
        let request = ChangeRequest(
            try device.store.path(parent), .update(EntityPayload(["Name": .string("changed")])))
        _ = try await device.store.change(request)
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.served("Parents(102)") == ["changed"])
    }

    @Test("A service that does not report the key: the entity comes with the next download, what names it is mended")
    func untold() async throws {
        let device = try await KeyDevice(.int32, response: .nothing, deepInserts: .parts)
        _ = try await device.create("Parents", #"{"Name":"p","Children":[{"Name":"c"}]}"#)
        let report = try await device.store.upload()
        #expect(report.succeeded.count == 1 && report.failed.count == 1)
        // It is shown until then.
        #expect(try await device.names("Parents?$orderby=Name") == ["first", "p"])
        try await device.store.download()
        #expect(try await device.names("Parents(102)") == ["p"])
        #expect(try await device.names("Parents?$orderby=Name") == ["first", "p"])
        let entry = try #require(try await device.store.errorEntries().first)
        // The temporary key is not sent.
        #expect(entry.message.contains("ParentID"))
        let payload = try await device.store.payload(
            #"{"Name":"c","ParentID":102}"#, for: try device.store.path("Children"))
        try await device.store.edit(errorID: entry.id, payload: payload)
        #expect(try await device.names("Parents(102)/Children") == ["c"])
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.served("Parents(102)/Children") == ["c"])
    }

    @Test("A deep insert whose keys are not told is looked for: its parts need them")
    func untoldDeep() async throws {
        let device = try await KeyDevice(.int32, response: .nothing)
        let parent = try await device.create("Parents", #"{"Name":"p","Children":[{"Name":"c"},{"Name":"d"}]}"#)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.store.path(parent).url == "Parents(102)")
        #expect(try await device.names("Parents(102)/Children?$orderby=Name") == ["c", "d"])
        #expect(try await device.served("Parents(102)/Children?$orderby=Name") == ["c", "d"])
    }

    @Test(
        "An entity whose key is not told stays through a failed download, cannot be changed, and goes for the one that comes"
    )
    func untoldStays() async throws {
        let device = try await KeyDevice(.int32, response: .nothing)
        let parent = try await device.create("Parents", #"{"Name":"p"}"#)
        #expect(try await device.store.upload().isComplete)
        for operation in [ChangeRequest.Operation.update(EntityPayload(["Name": .string("q")])), .delete] {
            let error = await #expect(throws: ODataError.self) {
                try await device.store.change(ChangeRequest(try device.store.path(parent), operation))
            }
            #expect(error?.message.contains("not returned its key") == true, "\(error!)")
        }
        #expect(try await device.store.queueEntries().isEmpty)
        let shown = try await device.entities("Parents?$filter=Name eq 'p'")
        #expect(shown.count == 1 && shown[0]["ID"] == nil)
        for _ in 0..<2 {
            try await device.store.download()
            #expect(try await device.entities("Parents?$filter=Name eq 'p'").map(\.id) == ["Parents(102)"])
        }
    }

    @Test("What cannot be written out is the request at fault of its change set")
    func untoldInChangeSet() async throws {
        let device = try await KeyDevice(.int32, response: .nothing)
        let parent = try await device.create("Parents", #"{"Name":"p"}"#)
        try await device.refer("Children(101)/Parent/$ref", to: parent)
        let children = try device.store.path("Children")
        let child = try await device.store.payload(#"{"Name":"c","Parent@odata.bind":"\#(parent)"}"#, for: children)
        _ = try await device.store.changeSet([
            ChangeRequest(try device.store.path("Tags(101)"), .update(EntityPayload(["Name": .string("t")]))),
            ChangeRequest(children, .create(child)),
        ])
        let report = try await device.store.upload()
        // No temporary key is sent.
        #expect(report.failed.map(\.url).sorted() == ["Children", "Children(101)/Parent/$ref"])
        #expect(report.failed.allSatisfy { $0.status == 404 && $0.message.contains("not returned its key") })
        #expect(try await device.store.errorEntries().map(\.status).sorted { $0 ?? 0 < $1 ?? 0 } == [404, 404, 424])
    }

    @Test("An entity gets its key though a request that names it names another one that is gone")
    func goneBeside() async throws {
        let device = try await KeyDevice(.int32)
        let child = try await device.create("Children", #"{"Name":"c"}"#)
        try await device.refer("Parents(101)/Children/$ref", to: child)
        for path in ["Children(101)", "Parents(101)"] {
            _ = try await device.service.base.change(ChangeRequest(try device.store.path(path), .delete))
        }
        try await device.store.download()
        let report = try await device.store.upload()
        #expect(report.succeeded.map(\.url) == ["Children"] && report.failed.map(\.status) == [404])
        #expect(try await device.served("Children") == ["c"])
        #expect(try device.store.path(child).url == "Children(102)")
        try await device.store.undo(.everything)
        #expect(try await device.names("Children") == ["c"])
    }

    @Test("Keys that were made up are hidden in results of any length, and in what is expanded")
    func hidden() async throws {
        let device = try await KeyDevice(.int32)
        let parents = try device.store.path("Parents")
        // More than are read in one go.
        _ = try await device.store.changeSet(
            (1...2100).map { ChangeRequest(parents, .create(EntityPayload(["Name": .string("\($0)")]))) })
        let last = try #require(try await device.entities("Parents?$filter=Name eq '2100'").first?.id)
        _ = try await device.create("\(last)/Children", #"{"Name":"c"}"#)
        let entities = try await device.entities("Parents?$expand=Children")
        #expect(entities.count == 2101)
        #expect(entities.filter { $0["ID"] != nil }.map(\.id) == ["Parents(101)"])
        let parent = try #require(entities.first { $0.id == last })
        guard case .many(let children, _)? = parent.expanded["Children"] else { return #expect(Bool(false)) }
        #expect(children.map { $0["Name"] } == [.string("c")] && children.first?["ID"] == nil)
    }

    @Test("A service that changes the client's key: old links and references follow")
    func changedKey() async throws {
        let device = try await KeyDevice(.string)
        let parent = try await device.create("Parents", #"{"ID":"mine","Name":"p"}"#)
        _ = try await device.create("Children", #"{"ID":"kid","ParentID":"mine","Name":"c"}"#)
        _ = try await device.create("Children('kid')/Grandchildren", #"{"Line":1,"Name":"g"}"#)
        #expect(parent == "Parents('mine')")
        #expect(try await device.store.upload().isComplete)
        #expect(try device.store.path(parent).url == "Parents('key%202')")
        #expect(try await device.names("Parents('mine')/Children") == ["c"])
        #expect(try await device.names("Children?$filter=ParentID eq 'mine'") == ["c"])
        #expect(try await device.names("Grandchildren(ChildID='kid',Line=1)") == ["g"])
        #expect(try await device.served("Children?$filter=Parent/Name eq 'p'") == ["c"])
        #expect(try await device.served("Grandchildren?$filter=Child/Name eq 'c'") == ["g"])
    }

    @Test("Relations by reference and in link tables, both ends made here")
    func references() async throws {
        let device = try await KeyDevice(.int64)
        let parent = try await device.create("Parents", #"{"Name":"p"}"#)
        let tag = try await device.create("Tags", #"{"Name":"t"}"#)
        let bound = try await device.create("Tags", #"{"Name":"u","Parents@odata.bind":["\#(parent)"]}"#)
        try await device.refer("\(parent)/Tags/$ref", to: tag)
        let existing = try #require(try await device.entities("Children").first?.id)
        try await device.refer("\(existing)/Parent/$ref", to: parent)
        #expect(try await device.names("\(parent)/Tags?$orderby=Name") == ["t", "u"])
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.names("\(parent)/Tags?$orderby=Name") == ["t", "u"])
        #expect(try await device.names("\(bound)/Parents") == ["p"])
        #expect(try await device.served("Parents?$filter=Tags/any(t:t/Name eq 't')") == ["p"])
        #expect(try await device.served("Parents?$filter=Tags/any(t:t/Name eq 'u')") == ["p"])
        #expect(try await device.served("Children?$filter=Parent/Name eq 'p'") == ["first"])
        try await device.store.download()
        #expect(try await device.names("\(parent)/Tags?$orderby=Name") == ["t", "u"])
    }

    @Test("A reference to an uploaded entity by its old id, made after the upload")
    func afterwards() async throws {
        let device = try await KeyDevice(.int32)
        let parent = try await device.create("Parents", #"{"Name":"p"}"#)
        #expect(try await device.store.upload().isComplete)
        _ = try await device.create("Children", #"{"Name":"c","Parent@odata.bind":"\#(parent)"}"#)
        _ = try await device.create("Children", #"{"Name":"d","ParentID":\#(device.literal(parent))}"#)
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.served("Children?$filter=Parent/Name eq 'p'&$orderby=Name") == ["c", "d"])
    }

    @Test("Requests that wait while the entity they name gets its key; undone, the old relation is back")
    func waiting() async throws {
        let device = try await KeyDevice(.int32)
        let parent = try await device.create("Parents", #"{"Name":"p"}"#)
        let child = try #require(try await device.entities("Children").first?.id)
        let path = try device.store.path(child)
        let payload = try await device.store.payload(#"{"Parent@odata.bind":"\#(parent)"}"#, for: path)
        _ = try await device.store.change(ChangeRequest(path, .update(payload)))
        try await device.refer("\(parent)/Tags/$ref", to: "Tags(101)")
        device.service.fail(after: 1)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        #expect(try await device.store.queueEntries().map(\.url) == ["Children(101)", "Parents(102)/Tags/$ref"])
        #expect(try await device.names("\(child)/Parent") == ["p"])
        try await device.store.undo(.entity(path))
        #expect(try await device.names("\(child)/Parent") == ["first"])
        device.service.fail(after: nil)
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.served("Parents?$filter=Tags/any()") == ["p"])
        #expect(try await device.served("Children?$filter=Parent/Name eq 'first'") == ["first"])
    }

    @Test("Media: content and the relation of a photo made here follow its key")
    func media() async throws {
        let device = try await Device([
            .init(name: "orders", query: "Orders"), .init(name: "photos", query: "Photos", retrievesStreams: true),
        ])
        try await device.store.download()
        let order = try #require(try await device.create("Orders", #"{"Note":"new"}"#).path?.url)
        let made = try await device.store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try device.store.path("Photos"),
            properties: try await device.store.payload(
                #"{"Title":"t","Order@odata.bind":"\#(order)"}"#, for: try device.store.path("Photos")))
        let photo = try #require(made.path?.url)
        let content = MediaContent(ByteContent([4, 5]), contentType: "image/png")
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("\(photo)/$value"), .replaceStream(content)))
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.bytes("\(photo)/$value") == [4, 5])
        #expect(try await device.values("\(photo)/Order", "Note") == [.string("new")])
        #expect(
            try device.service.fetch("SELECT Title, OrderID, hex(Image) FROM Photos WHERE PhotoID > 4") == ["t|26|0405"]
        )
        try await device.store.download()
        #expect(try await device.bytes("\(photo)/$value") == [4, 5])
    }
}

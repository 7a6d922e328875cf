import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

/// What an entity is in a list stays from its creation on, whatever its key becomes.
@Suite("Stable ids")
struct StableIDTests {
    private func texts(_ entities: [EdmEntity]) -> [String] { entities.map { $0.stableID?.text ?? "" } }

    @Test(
        "Several new entities have different ids, which stay during and after the upload",
        arguments: IdentityTests.keyTypes)
    func several(key: EdmPrimitiveType) async throws {
        let device = try await KeyDevice(key)
        let parents = EntityCollections(device.store)["Parents"]
        let first = try #require(try await parents.findAll().first)
        var made: [DynamicEntity] = []
        for name in ["a", "b", "c"] { made.append(try await parents.create(DynamicEntity(["Name": .string(name)]))) }
        let ids = made.map(\.id)
        #expect(Set(ids).count == 3)
        #expect(try await parents.orderBy { $0["Name"] }.findAll().map(\.id) == ids + [first.id])

        #expect(try await device.store.upload().isComplete)
        let sent = try await parents.orderBy { $0["Name"] }.findAll()
        #expect(sent.map(\.id) == ids + [first.id])
        #expect(sent.prefix(3).map(\.entityID) != made.map(\.entityID))
        for (id, name) in zip(ids, ["a", "b", "c"]) { #expect(try await parents.find(id)?["Name"] == .string(name)) }

        try await device.store.download()
        #expect(try await parents.orderBy { $0["Name"] }.findAll().map(\.id) == ids + [first.id])
        let kept = EntityID(try #require(ids[1].text))
        #expect(kept == ids[1])
        #expect(try await parents.find(kept)?["Name"] == "b")
        try await parents.delete(kept)
        #expect(try await parents.find(kept) == nil)
        #expect(try await parents.orderBy { $0["Name"] }.findAll().map(\.id) == [ids[0], ids[2], first.id])
    }

    @Test("A list's snapshot sees no row leave or come during an upload")
    func list() async throws {
        let device = try await KeyDevice(.int32)
        let parents = EntityCollections(device.store)["Parents"].orderBy { $0["Name"] }.expand("Children")
        var updates = parents.updates.makeAsyncIterator()
        let before = try #require(try await updates.next()?.get())
        var shown = before.elements.map(\.id)
        for name in ["x", "y", "z"] {
            try await parents.create(DynamicEntity(["Name": .string(name)]))
            let snapshot = try #require(try await updates.next()?.get())
            shown = snapshot.elements.map(\.id)
        }
        #expect(Set(shown).count == 4)
        #expect(try await device.store.upload().isComplete)
        var snapshot = try #require(try await updates.next()?.get())
        while snapshot.elements.contains(where: { $0.entityID?.contains("(-") == true }) {
            #expect(snapshot.elements.map(\.id) == shown)
            snapshot = try #require(try await updates.next()?.get())
            #expect(snapshot.difference?.removals == [] && snapshot.difference?.insertions == [])
            #expect(snapshot.difference?.moves == [])
        }
        #expect(snapshot.elements.map(\.id) == shown)
    }

    @Test("Entities are related by their ids, before and after the upload")
    func relatedByIDs() async throws {
        let device = try await KeyDevice(.int32)
        let collections = EntityCollections(device.store)
        let (parents, children) = (collections["Parents"], collections["Children"])
        let (first, second) = (
            try await parents.create(DynamicEntity(["Name": "a"])).id,
            try await parents.create(DynamicEntity(["Name": "b"])).id
        )
        let child = try await children.create(DynamicEntity(["Name": "c"])).id
        try await children.link(child, "Parent", to: first)
        #expect(try await parents.children(of: first, "Children").findAll().map(\.id) == [child])
        try await device.store.upload()

        try await parents.add(child, to: "Children", of: second)
        #expect(try await parents.children(of: second, "Children").findAll().map(\.id) == [child])
        #expect(try await parents.children(of: first, "Children").isEmpty())
        try await device.store.upload()
        #expect(try await device.served("Children?$filter=Parent/Name eq 'b'") == ["c"])
        try await parents.remove(child, from: "Children", of: second)
        try await children.link(child, "Parent", to: second)
        try await children.link(child, "Parent", to: nil)
        #expect(try await parents.children(of: second, "Children").isEmpty())
        let unknown = DynamicEntity(["Name": "d"]).id
        await #expect(throws: ODataError.self) { try await children.link(unknown, "Parent", to: second) }
        await #expect(throws: ODataError.self) { try await children.link(child, "Parent", to: unknown) }
    }

    @Test("One entity is followed over its upload, with its children")
    func one() async throws {
        let device = try await KeyDevice(.int64)
        let parents = EntityCollections(device.store)["Parents"]
        let made = try await parents.create(DynamicEntity(["Name": "p"]))
        let one = try parents.entity(made.id)
        var updates = one.updates.makeAsyncIterator()
        #expect(try await updates.next()?.get().map(\.id) == [made.id])
        try await device.store.upload()
        var snapshot = try #require(try await updates.next()?.get())
        while snapshot.first?["ID"] == nil { snapshot = try #require(try await updates.next()?.get()) }
        #expect(snapshot.map(\.id) == [made.id])
        var entity = try await one.one()
        entity["Name"] = "q"
        try await one.update(entity)
        #expect(try await parents.find(made.id)?["Name"] == "q")
        let children = try one.children(of: entity, "Children")
        let child = try await children.create(DynamicEntity(["Name": "c"]))
        let found = try await children.findAll()
        #expect(found.map(\.id) == [child.id])
        #expect(try await EntityCollections(device.store)["Children"].find(child.id)?["Name"] == "c")
    }

    @Test("Expanded entities, and those whose key has that of their parent, keep theirs too")
    func related() async throws {
        let device = try await KeyDevice(.int32)
        let parent = try await device.create("Parents", #"{"Name":"p","Children":[{"Name":"c"},{"Name":"d"}]}"#)
        let child = try #require(try await device.entities("\(parent)/Children?$orderby=Name").first?.id)
        _ = try await device.create("\(child)/Grandchildren", #"{"Line":1,"Name":"g"}"#)
        func ids() async throws -> [[String]] {
            let all = try await device.entities("\(parent)?$expand=Children($orderby=Name;$expand=Grandchildren)")
            guard case .many(let children, _)? = all.first?.expanded["Children"],
                case .many(let grandchildren, _)? = children.first?.expanded["Grandchildren"]
            else { return [] }
            return [texts(all), texts(children), texts(grandchildren)]
        }
        let before = try await ids()
        #expect(before.map(\.count) == [1, 2, 1])
        #expect(before.flatMap(\.self).allSatisfy { $0.contains("-") })
        #expect(try await device.store.upload().isComplete)
        #expect(try await ids() == before)
        try await device.store.download()
        #expect(try await ids() == before)
        for id in before.flatMap(\.self) { #expect(try await device.entities(id).count == 1) }
    }

    @Test("After a new start of the app, and after a rebuild")
    func laterStarts() async throws {
        let device = try await Device(LiveQueryTests.queries)
        try await device.store.download()
        let made = try #require(try await device.create("Orders", #"{"Note":"new"}"#).entity?.stableID)
        try await device.store.upload()
        try device.store.close()
        let again = try OfflineStore(
            folder: device.folder.path + "/store", remote: device.remote, configuration: Device.configuration())
        try await again.open()
        func id() async throws -> EntityID? {
            try await again.entities(try await again.query("Orders?$filter=Note eq 'new'")).first?.stableID
        }
        #expect(try await id() == made)
        try await again.rebuild()
        #expect(try await id() == made)
    }

    @Test("A key of the app's own that the service replaces")
    func replacedKey() async throws {
        let device = try await KeyDevice(.int32)
        let parents = EntityCollections(device.store)["Parents"]
        let made = try await parents.create(DynamicEntity(["ID": 77, "Name": "own"]))
        #expect(made.id == EntityID("Parents(77)"))
        try await device.store.upload()
        let sent = try #require(try await parents.find(made.id))
        #expect(sent.id == made.id && sent.entityID != "Parents(77)" && sent["Name"] == "own")
    }

    @Test("A conflict is found by the id of its entity")
    func conflict() async throws {
        let device = try await Device(LiveQueryTests.queries)
        try await device.store.download()
        let orders = EntityCollections(device.store)["Orders"]
        let made = try await orders.create(DynamicEntity(["Note": "new"]))
        try await device.store.upload()
        var order = try #require(try await orders.find(made.id))
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 26")
        order["Note"] = "mine"
        try await orders.update(order)
        try await device.store.download()
        let conflict = try #require(try await device.store.conflict(of: made.id))
        #expect(conflict.id == made.id && conflict.theirs?["Note"] == "theirs")
        #expect([conflict.mine, conflict.base, conflict.theirs].allSatisfy { $0?.stableID == made.id })
        #expect(try await device.store.conflict(of: EntityID("Orders(1)")) == nil)
        try await device.store.resolve(conflict, as: .theirs)
        #expect(try await device.store.conflict(of: made.id) == nil)
        #expect(try await orders.find(made.id)?["Note"] == "theirs")
    }

    @Test("Entities that were not created, and ids of others, are refused by name")
    func refused() async throws {
        let device = try await Device(LiveQueryTests.queries)
        try await device.store.download()
        let collections = EntityCollections(device.store)
        let (orders, customers) = (collections["Orders"], collections["Customers"])
        let (one, same, other) = (
            DynamicEntity(["Note": "a"]), DynamicEntity(["Note": "a"]), DynamicEntity(["Note": "b"])
        )
        #expect(one.id == same.id && one.id != other.id && one.id.text == nil)
        #expect("\(one.id)" == "an entity that was not created")
        let unknown = await #expect(throws: ODataError.self) { try await orders.find(one.id) }
        #expect(unknown?.message.contains("create it") == true)
        #expect(throws: ODataError.self) { try orders.entity(one.id) }
        let order = try #require(try await orders.first())
        let wrong = await #expect(throws: ODataError.self) { try await customers.find(order.id) }
        #expect(wrong?.message == "Orders(1) is a service.Orders, and Customers has entities of service.Customers.")
        await #expect(throws: ODataError.self) { try await customers.delete(order.id) }
        #expect(try await orders.find(EntityID("Orders(99)")) == nil)
        #expect(try await orders.find(order.id) == order)
    }

    @Test("Contained entities have the id that the service gives, wherever they are read")
    func contained() async throws {
        let service = try ModelService(
            schema: """
                <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
                  <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
                  <NavigationProperty Name="Items" Type="Collection(NS.Item)" ContainsTarget="true"/></EntityType>
                <EntityType Name="Item"><Key><PropertyRef Name="Line"/></Key>
                  <Property Name="Line" Type="Edm.Int32" Nullable="false"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="NS.Order"/></EntityContainer>
                """)
        let (device, folder) = try await service.device(["Orders?$expand=Items"])
        try await service.request("Orders", #"{"Name":"new"}"#, on: device, creates: true)
        let made = try #require(try await device.entities(try service.parser.query("Orders")).first?.stableID)
        #expect(made.text?.hasPrefix("Orders(-") == true)
        #expect(try await device.upload().isComplete)
        let sent = try #require(try await service.tables.entities(try service.parser.query("Orders")).first?.id)
        for line in [1, 2] { try await service.create("\(sent)/Items", #"{"Line":\#(line)}"#) }
        let ids = [1, 2].map { "\(sent)/Items(\($0))" }
        for _ in 0..<2 {
            try await device.download()
            let orders = try await device.entities(try service.parser.query("Orders?$expand=Items($orderby=Line)"))
            #expect(texts(orders) == [made.text])
            guard case .many(let items, _)? = orders.first?.expanded["Items"] else { throw ODataError.noSuchEntity }
            #expect(texts(items) == ids)
            #expect(texts(try await device.entities(try service.parser.query("\(sent)/Items?$orderby=Line"))) == ids)
        }
        for (id, line) in zip(ids, [1, 2]) {
            let found = try await device.entities(try await device.query(id))
            #expect(found.map { $0["Line"] } == [.integer(Int64(line))])
        }
        withExtendedLifetime(folder) {}
    }
}

import Foundation
import OData
import ODataGeneration
import Testing

@Suite("What structures do not know")
struct TravelTests {
    private func people(_ shop: Shop) -> EntityCollection<Person> { TravelService(shop.store).people }

    /// What the service has in the end.
    private func there(_ shop: Shop) async throws -> DynamicEntity {
        if let offline = shop.store as? OfflineStore { #expect(try await offline.upload().isComplete) }
        let person = try await EntityCollections(shop.file)["People"].find(EntityKey("UserName", .string("russell")))
        return try #require(person)
    }

    @Test("structures are what the generator writes", arguments: ["Generated", "Partial"])
    func generated(name: String) throws {
        var generator = CodeGenerator(model: try CSDL.read(xml: Array(Travel.earlier.utf8)).model)
        if name == "Partial" {
            (generator.prefix, generator.isPartial, generator.sets) = (name, true, ["People"])
        }
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        for file in try generator.files() {
            let here = try? String(contentsOf: folder.appending(path: file.name), encoding: .utf8)
            #expect(here == file.text, "\(file.name)")
        }
    }

    @Test("of complex values in a collection outlives an update", arguments: StoreKind.allCases)
    func complexCollections(kind: StoreKind) async throws {
        let shop = try await Travel.store(kind)
        var person = try #require(try await people(shop).find("russell"))
        #expect(person.addressInfo.map(\.city) == ["Bern", "Zug"])
        #expect(person.addressInfo[1].additional.type == Travel.eventLocation)
        #expect(person.addressInfo[1].additional["BuildingInfo"] == .string("Hall 7"))
        let read = try #require(person["AddressInfo"])
        person.addressInfo[0].address = "Quai 2"
        try await people(shop).update(person)
        guard case .collection(var expected) = read, case .complex(var first) = expected[0] else {
            Issue.record("no collection")
            return
        }
        first["Address"] = .string("Quai 2")
        expected[0] = .complex(first)
        guard case .collection(let found)? = try await there(shop)["AddressInfo"] else {
            Issue.record("no collection")
            return
        }
        #expect(found.map(Location.init(edm:)) == expected.map(Location.init(edm:)))
        #expect(Location(edm: found[0])?.additional["Zip"] == .string("3000"))
        #expect(Location(edm: found[1])?.additional["Floor"] == .string("second"))
    }

    @Test("null in a collection is a value where the metadata say so", arguments: StoreKind.allCases)
    func nullMembers(kind: StoreKind) async throws {
        let shop = try await Travel.store(kind)
        var person = try #require(try await people(shop).find("russell"))
        #expect(person.nicks == ["Rus", nil])
        person.nicks.insert(nil, at: 0)
        try await people(shop).update(person)
        #expect(try await there(shop)["Nicks"] == .collection([.null, .string("Rus"), .null]))
    }

    @Test("null in a collection is an error that tells the place, where they do not")
    func unexpectedNull() async throws {
        let shop = try await Travel.store(.file)
        let key = EntityKey("UserName", .string("russell"))
        var person = try #require(try await shop.collections["People"].find(key))
        person["Tags"] = .collection([.string("new"), .null])
        try await shop.collections["People"].update(person)
        let error = await #expect(throws: ODataError.self) { try await people(shop).findAll() }
        #expect(error?.code == .invalidResponse)
        #expect(
            error?.message == "People('russell') of Travel.Person has null among the values of Tags, "
                + "which its metadata do not provide for.")
    }

    @Test("flags that came later are read, and written back", arguments: StoreKind.allCases)
    func flags(kind: StoreKind) async throws {
        let shop = try await Travel.store(kind)
        var person = try #require(try await people(shop).find("russell"))
        #expect(person.permits?.contains(.read) == true && person.permits?.unknownMembers == ["Export"])
        person.permits?.insert(.write)
        person.permits?.remove(.read)
        try await people(shop).update(person)
        let sent = try #require(try await there(shop)["Permits"])
        #expect(Travel.permits.number(of: sent) == 6, "\(sent)")
    }

    @Test("dynamic properties are set by their names", arguments: StoreKind.allCases)
    func dynamicProperties(kind: StoreKind) async throws {
        let shop = try await Travel.store(kind)
        var person = try #require(try await people(shop).find("russell"))
        person["Colour"] = .string("red")
        person["Name"] = .string("no dynamic property")
        #expect(person.changes == ["Colour": .string("red")] && person["Colour"] == .string("red"))
        person = try await people(shop).update(person)
        #expect(person["Colour"] == .string("red") && person.additional.isEmpty && person.name == "Russell")
        #expect(try await there(shop)["Colour"] == .string("red"))
        person["Colour"] = .string("blue")
        person.revert()
        #expect(person["Colour"] == .string("red"))
        var new = Person(userName: "ann", name: "Ann")
        new["Colour"] = .string("green")
        #expect(try await people(shop).create(new)["Colour"] == .string("green"))
    }

    @Test("entities of derived types are told, and read as theirs", arguments: StoreKind.allCases)
    func derivedEntities(kind: StoreKind) async throws {
        let shop = try await Travel.store(kind)
        let items = TravelService(shop.store).planItems
        let found = try await items.expand(Flight.self, \.airline).orderBy(\.id).findAll()
        #expect(found.map(\.origin?.typeName.name) == ["Flight", "PlanItem"])
        let flight = try #require(try found[0].as(Flight.self))
        #expect(flight.flightNumber == "LX 38" && flight.note == "Home")
        // The offline store has downloaded no link.
        #expect(flight.airline?.name == (kind == .offline ? nil : "Swiss"))
        #expect(try found[1].as(Flight.self) == nil)
        #expect(try found[1].as(PlanItem.self)?.note == "Dinner")
        #expect(try PlanItem(id: 9).as(Flight.self) == nil)
        #expect(try await items.of(Flight.self).findAll().map(\.flightNumber) == ["LX 38"])
    }

    @Test("related entities are had by the relation that the query named", arguments: StoreKind.allCases)
    func expanded(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let found = try await shop.products.expand(\.category).expand(\.items).orderBy(\.id).findAll()
        #expect(try found.map { try $0.expanded(\.category)?.name } == ["Drinks", "Drinks", "Food"])
        #expect(try found[0].expanded(\.items)?.map(\.quantity).sorted() == [3, 8])
        let plain = try #require(try await shop.products.find(1))
        #expect(try plain.expanded(\.category) == nil && plain.expanded(\.items) == nil)
    }

    @Test("a partial structure is read of a part of the properties, and sends no more")
    func partial() async throws {
        let shop = try await Travel.store(.file)
        let people = EntityCollections(shop.store).of(PartialPerson.self, in: "People")
        var person = try #require(try await people.options("$select=UserName,Mood").findAll().first)
        #expect(person.userName == "russell" && person.mood == .happy && person.name == nil && person.tags == nil)
        #expect(person.changes.isEmpty)
        person.mood = nil
        #expect(person.changes == ["Mood": .null])
        person.tags = []
        try await people.update(person)
        let there = try await there(shop)
        #expect(there["Name"] == .string("Russell") && there["Tags"] == .collection([]) && there["Mood"] == .null)
    }
}

@Suite("Values of enumerations")
struct EnumerationTests {
    @Test("a number stands for the member that has it", arguments: [("1", "Happy"), ("Happy", "Happy"), ("7", "7")])
    func numbers(text: String, name: String) {
        let mood = Mood(edm: .enumeration(Mood.typeName, text))
        #expect(mood?.rawValue == name && mood?.number == (name == "Happy" ? 1 : 7))
        #expect(mood?.edm == .enumeration(Mood.typeName, name))
    }

    @Test("all members are there to choose from")
    func cases() {
        #expect(Mood.allCases == [.calm, .happy])
    }

    @Test(
        "names that a type of flags does not know are kept",
        arguments: [
            ("Read,Export", 1, "Read,Export"), ("Export", 0, "Export"), ("Print,Write,Export", 2, "Write,Export,Print"),
            ("12,Export", 12, "12,Export"), ("0", 0, "0"), ("Read", 1, "Read"),
        ])
    func unknownFlags(text: String, number: Int64, written: String) throws {
        let permits = try #require(Permits(edm: .enumeration(Permits.type.name, text)))
        #expect(permits.rawValue == number && permits.edm == .enumeration(Permits.type.name, written))
    }

    @Test("sets of flags count what they do not know")
    func sets() throws {
        let permits = try #require(Permits(edm: .enumeration(Permits.type.name, "Read,Export")))
        #expect(permits != .read && permits.isSuperset(of: .read) && !permits.isSubset(of: [.read, .write]))
        #expect(permits.union(.write).unknownMembers == ["Export"] && permits.intersection(.read) == .read)
        #expect(permits.subtracting(.read).rawValue == 0 && !permits.subtracting(.read).isEmpty)
        var changed = permits
        changed.insert(.write)
        changed.remove(.read)
        #expect(changed.rawValue == 2 && changed.unknownMembers == ["Export"])
        #expect(permits.subtracting(permits).isEmpty && Set([permits, permits]).count == 1)
    }
}

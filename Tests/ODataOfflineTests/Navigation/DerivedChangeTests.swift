import GRDB
import ODataFormats
import ODataMetadata
import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataService
import ODataStores
import ODataTesting
import Testing

@Suite("Changes through navigation properties of derived types")
struct DerivedChangeTests {
    @Test("A deep insert makes the entity in the set of the type", arguments: StorePlace.allCases)
    func deepInsert(_ place: StorePlace) async throws {
        let service = try await VehicleService.made()
        let (device, folder) = try await service.device(VehicleService.queries)
        defer { withExtendedLifetime(folder) {} }
        let store = place.store(service, device)
        let bodies = [
            ##"{"@type":"#NS.Car","ID":8,"Owner":{"ID":50,"Name":"Eve"},"Drivers":[{"ID":51,"Name":"Fay"}]}"##,
            ##"{"@type":"#NS.Truck","ID":9,"Owner":{"ID":50,"Name":"Esso"},"Drivers":[{"ID":51,"Name":"Fiat"}]}"##,
        ]
        do {
            for body in bodies { try await service.request("Vehicles", body, on: store, creates: true) }
        } catch let error as ODataError where place == .device && error.code == .notImplemented {
            #expect(error.message.contains("NS.Car"))
            #expect(try await device.queueEntries().isEmpty)
            return
        }
        if place == .device { #expect(try await device.upload().isComplete) }
        let expected: [(url: String, names: [String])] = [
            ("Vehicles(8)/NS.Car/Owner", ["Eve"]), ("Vehicles(9)/NS.Truck/Owner", ["Esso"]),
            ("Vehicles(8)/NS.Car/Drivers", ["Fay"]), ("Vehicles(9)/NS.Truck/Drivers", ["Fiat"]),
            ("People?$filter=ID ge 50", ["Eve", "Fay"]), ("Companies?$filter=ID ge 50", ["Esso", "Fiat"]),
        ]
        for (url, names) in expected {
            #expect(try await service.names(url, on: store) == names, "\(url)")
            #expect(try await service.names(url, on: service.tables) == names, "\(url)")
        }
    }

    @Test("A deep update changes the entity in the set of the type", arguments: StorePlace.allCases)
    func deepUpdate(_ place: StorePlace) async throws {
        let service = try await VehicleService.made()
        let (device, folder) = try await service.device(VehicleService.queries)
        defer { withExtendedLifetime(folder) {} }
        let store = place.store(service, device)
        do {
            try await service.request(
                "Vehicles(1)/NS.Car", #"{"Owner":{"ID":5,"Name":"Anna"}}"#, on: store, creates: false)
            try await service.request(
                "Vehicles(2)/NS.Truck", #"{"Owner":{"ID":5,"Name":"Apex"},"Drivers":[{"ID":6,"Name":"Bosch"}]}"#,
                on: store, creates: false)
        } catch let error as ODataError where place == .device && error.code == .notImplemented {
            #expect(try await device.queueEntries().isEmpty)
            return
        }
        if place == .device { #expect(try await device.upload().isComplete) }
        for (url, names) in [
            ("People", ["Anna", "Bob"]), ("Companies", ["Apex", "Bosch"]), ("Vehicles(1)/NS.Car/Owner", ["Anna"]),
            ("Vehicles(2)/NS.Truck/Owner", ["Apex"]), ("Vehicles(2)/NS.Truck/Drivers", ["Bosch"]),
        ] {
            #expect(try await service.names(url, on: store) == names, "\(url)")
        }
    }

    /// `Garage` with a foreign key, which is of companies for trucks.
    private static let keyed = VehicleService.metadata.replacing(
        #"<NavigationProperty Name="Garage" Type="NS.Party"/>"#,
        with: """
            <Property Name="GarageID" Type="Edm.Int32"/><NavigationProperty Name="Garage" Type="NS.Party">
            <ReferentialConstraint Property="GarageID" ReferencedProperty="ID"/></NavigationProperty>
            """)

    @Test(
        "A foreign key that leads elsewhere for a derived type is not held against the set of the others",
        arguments: StorePlace.allCases)
    func overriddenKey(_ place: StorePlace) async throws {
        let service = try await VehicleService.made(Self.keyed)
        try await service.create("Companies", #"{"ID":70,"Name":"Zett"}"#)
        let (device, folder) = try await service.device(VehicleService.queries)
        defer { withExtendedLifetime(folder) {} }
        let store = place.store(service, device)
        try await service.request(
            "Vehicles", ##"{"@type":"#NS.Truck","ID":9,"GarageID":70}"##, on: store, creates: true)
        try await service.request("Vehicles(2)/NS.Truck", #"{"GarageID":70}"#, on: store, creates: false)
        if place == .device { #expect(try await device.upload().isComplete) }
        for (url, names) in [
            ("Vehicles(9)/NS.Truck/Garage", ["Zett"]), ("Vehicles(2)/NS.Truck/Garage", ["Zett"]),
            ("Vehicles(1)/NS.Car/Garage", ["Ann"]), ("Vehicles?$filter=NS.Truck/Garage/Name eq 'Zett'", ["2", "9"]),
        ] {
            #expect(try await service.names(url, on: store) == names, "\(url)")
            #expect(try await service.names(url, on: service.tables) == names, "\(url)")
        }
    }

    @Test("A missing entity, and one that is still referred to, have one message in tables and through the service")
    func constraints() async throws {
        let service = try await VehicleService.made()
        for store in [service.tables, service.online] as [any ODataStore] {
            let missing: [(url: String, body: String, target: String)] = [
                ("Vehicles(1)/NS.Car", #"{"Owner@bind":"People(99)"}"#, "People(99)"),
                ("Vehicles(2)/NS.Truck", #"{"Owner@bind":"Companies(99)"}"#, "Companies(99)"),
                ("Vehicles(2)/NS.Truck", #"{"Drivers@bind":["Companies(98)"]}"#, "Companies(98)"),
            ]
            for (url, body, target) in missing {
                let error = await #expect(throws: ODataError.self) {
                    try await service.request(url, body, on: store, creates: false)
                }
                #expect(
                    error?.message.contains("The reference \(target) names an entity that does not exist.") == true,
                    "\(error?.message ?? "")")
            }
            let wrong: [(url: String, body: String, message: String)] = [
                (
                    "Vehicles(2)/NS.Truck", #"{"Owner@bind":"People(5)"}"#,
                    "The navigation property Owner leads to entities of Companies, not to an entity of People."
                ),
                (
                    "Vehicles(1)/NS.Car", #"{"Drivers@bind":["Companies(5)"]}"#,
                    "The navigation property Drivers leads to entities of People, not to an entity of Companies."
                ),
            ]
            for (url, body, message) in wrong {
                let error = await #expect(throws: ODataError.self) {
                    try await service.request(url, body, on: store, creates: false)
                }
                #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
            }
        }
    }
}

@Suite("Metadata, indexes and V2 of navigation properties of derived types")
struct DerivedSchemaTests {
    @Test("The metadata of V2 bind them to the sets of their types")
    func v2() throws {
        let model = try CSDL.read(xml: Array(VehicleService.metadata.utf8)).model
        let (copy, diagnostics) = try CSDL.read(xml: CSDL.v2(model))
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        let vehicles = try #require(copy.entitySet(named: "Vehicles"))
        for (type, target) in [("NS.Car", "People"), ("NS.Taxi", "People"), ("NS.Truck", "Companies")] {
            let type = try #require(copy.structuredType(named: EdmQualifiedName(type)))
            for name in ["Owner", "Drivers"] {
                let navigation = try #require(type.navigationProperty(named: name))
                #expect(
                    copy.targetSet(of: navigation, from: vehicles, as: type)?.name == target, "\(type.name)/\(name)")
            }
        }
        #expect(
            copy.structuredType(named: EdmQualifiedName("NS.Party"))?.navigationProperty(named: "Cars")?.partner
                == "Owner")
    }

    @Test(
        "Over V2, where a type cannot be named, they are refused by name, and the others are read and linked",
        arguments: [false, true])
    func legacy(usesAtom: Bool) async throws {
        let service = try ModelService(VehicleService.metadata, version: "v2", usesAtom: usesAtom)
        try await service.create("People", #"{"ID":5,"Name":"Ann"}"#)
        try await service.create("People", #"{"ID":6,"Name":"Bob"}"#)
        try await service.create("Vehicles", ##"{"@type":"#NS.Car","ID":1,"OwnerID":5}"##)
        for url in [
            "Vehicles(1)/NS.Car/Owner", "Vehicles?$expand=NS.Car/Owner", "Vehicles?$filter=NS.Car/Owner/ID eq 5",
        ] {
            let error = await #expect(throws: ODataError.self) {
                try await service.online.entities(try service.parser.query(url))
            }
            #expect(
                error?.code == .notImplemented && error?.message.contains("V2") == true,
                "\(url): \(error?.message ?? "")")
        }
        #expect(try await service.names("People(5)/Cars", on: service.online) == ["1"])
        let cars = try service.path("People(6)/Cars/$ref")
        _ = try await service.online.change(ChangeRequest(cars, .addReference(.path(try service.path("Vehicles(1)")))))
        #expect(try await service.names("People(6)/Cars", on: service.online) == ["1"])
        #expect(try await service.names("Vehicles(1)/NS.Car/Owner", on: service.tables) == ["Bob"])
        let references = try await service.online.entities(try service.parser.query("People(6)/Cars/$ref"))
        #expect(references.compactMap(\.id).map { $0.hasSuffix("/v2/Vehicles(1)") } == [true])
    }

    /// The indexes of a table with these foreign keys, in the order in which they were made.
    private func indexes(foreignKeys: [String]) async throws -> [String] {
        let properties = foreignKeys.enumerated().map { position, name in
            """
            <Property Name="\(name)" Type="Edm.Int32"/><NavigationProperty Name="N\(position)" Type="NS.P">
            <ReferentialConstraint Property="\(name)" ReferencedProperty="ID"/></NavigationProperty>
            """
        }
        let service = try ModelService(
            schema: """
                <EntityType Name="P"><Key><PropertyRef Name="ID"/></Key>
                  <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(properties.joined())</EntityType>
                <EntityContainer Name="C"><EntitySet Name="Ps" EntityType="NS.P"/></EntityContainer>
                """)
        let (device, folder) = try await service.device(["Ps"])
        try device.close()
        return try await DatabaseQueue(path: try OfflineStore.databasePath(in: folder.path + "/store")).read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT i.name FROM sqlite_master m JOIN pragma_index_info(m.name) i
                    WHERE m.type = 'index' AND m.tbl_name = 'Ps' AND i.name NOT LIKE '$%' AND i.name <> 'ID'
                    ORDER BY m.rowid
                    """)
        }
    }

    @Test("The indexes of a table are made in the order of their columns")
    func order() async throws {
        let names = ["AID", "BID", "CID", "DID", "EID", "FID"]
        #expect(try await indexes(foreignKeys: names) == names)
    }

    @Test(
        "A foreign key with the name of an index of the store's own has its index",
        arguments: ["State", "state", "FREE"])
    func clash(name: String) async throws {
        #expect(try await indexes(foreignKeys: [name]) == [name])
    }
}

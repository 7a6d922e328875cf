import Foundation
import GRDB
import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataStores
import Testing

/// A device whose service gets another schema.
struct ChangingService {
    let device: Device
    let remote: SwitchingStore

    init(_ queries: [DefiningQuery]) async throws {
        let service = try SampleService()
        let remote = SwitchingStore(service.store)
        device = try await Device(queries, service: service) { _ in remote }
        self.remote = remote
        try await device.store.download()
    }

    /// Changes the tables of the service, which then has other metadata.
    func change(_ statements: String...) throws {
        try device.service.store.close()
        for statement in statements { try device.service.execute(statement) }
        try reopen()
    }

    func reopen() throws {
        var configuration = SQLiteStore.Configuration()
        let hasPhotos = try !device.service.fetch("SELECT 1 FROM sqlite_master WHERE name = 'Photos'").isEmpty
        if hasPhotos { configuration.media = [MediaColumn(set: "Photos", column: "Image", contentType: "image/png")] }
        configuration.tracksChanges = true
        remote.use(try SQLiteStore(path: device.service.file, configuration: configuration))
    }

    func difference(_ body: () async throws -> Void) async throws -> ModelDifference {
        do {
            try await body()
        } catch let error as ODataError {
            #expect(error.code == .metadataChanged)
            return try #require(error.modelDifference)
        }
        Issue.record("The change was taken up.")
        return ModelDifference()
    }
}

@Suite("Changed metadata of the service")
struct MetadataTests {
    @Test("Additions are taken up in place, and the queries that ask for them are read in full")
    func additions() async throws {
        let service = try await ChangingService([
            .init(name: "orders", query: "Orders?$expand=Items"), .init(name: "names", query: "Customers?$select=Name"),
        ])
        let device = service.device
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try service.change(
            "ALTER TABLE Orders ADD COLUMN Urgent INTEGER", "ALTER TABLE Customers ADD COLUMN City TEXT",
            "UPDATE Orders SET Urgent = OrderID", "CREATE TABLE Cars (CarID INTEGER PRIMARY KEY, Name TEXT)",
            "INSERT INTO Cars VALUES (1, 'red')")
        let difference = try await device.store.metadataDifference()
        #expect(difference.isCompatible)
        #expect(difference.changes.contains { $0.kind == .added && $0.element == "Cars" })
        let report = try await device.store.download()
        #expect(report.queries.first?.isDelta == false)
        #expect(
            try await device.values("Orders?$filter=OrderID ge 24&$orderby=OrderID", "Urgent") == [
                .integer(24), .integer(25),
            ])
        #expect(try await device.values("Orders(2)", "Note") == [.string("mine")])
        try device.store.addQuery(.init(name: "cars", query: "Cars"))
        try await device.store.download()
        #expect(try await device.count("Cars") == 1)
        // The service's ETags come from all columns: that of the version which has the new ones is sent.
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.store.metadataDifference().isEmpty)
    }

    @Test("An open change of a new property reaches the service")
    func newPropertyOfChangedRow() async throws {
        let service = try await ChangingService([.init(name: "orders", query: "Orders")])
        let device = service.device
        try service.change("ALTER TABLE Orders ADD COLUMN Urgent INTEGER")
        try await device.store.download()
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try await device.update("Orders(2)", #"{"Urgent":7}"#)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note, Urgent FROM Orders WHERE OrderID = 2") == ["mine|7"])
    }

    @Test("A relation that loses its constraint is filled by the next download")
    func navigation() async throws {
        let service = try await ShopService()
        try await service.fill()
        let responses = service.responses
        let remote = SwitchingStore(try responses.remote(over: service.tables))
        let device = try await ShopDevice([.init(name: "orders", query: "Orders?$expand=Items")], remote: remote) { _ in
        }
        try await device.store.download()
        let constraint = #"<ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/>"#
        let metadata = ShopService.metadata.replacing(constraint, with: "")
        responses.set("/$metadata", .body(Array(metadata.utf8), contentType: "application/xml"))
        remote.use(try responses.remote(over: service.tables))
        let report = try await device.refresh()
        #expect(report.mode == .full)
        #expect(try await device.lines("Orders(2)/Items?$orderby=ID", "ID") == ["21", "22"])
        #expect(try await device.lines("Items(11)/Order", "ID") == ["1"])
    }

    @Test("What nothing uses is let go")
    func unusedRemovals() async throws {
        let service = try await ChangingService([.init(name: "orders", query: "Orders")])
        let device = service.device
        try service.change(
            "DROP TABLE Photos", "UPDATE Orders SET OrderDate = NULL")
        try await device.store.download()
        try service.change("ALTER TABLE Orders DROP COLUMN OrderDate")
        try await device.store.download()
        #expect(try await device.count("Orders") == SampleService.orders)
        #expect(try await device.store.model().entitySet(named: "Photos") == nil)
        try service.change("ALTER TABLE Orders ADD COLUMN OrderDate INTEGER", "UPDATE Orders SET OrderDate = 5")
        try await device.store.download()
        #expect(try await device.values("Orders(1)", "OrderDate") == [.integer(5)])
    }

    @Test(
        "A first download that was cut begins again with other metadata",
        arguments: [
            ["ALTER TABLE Orders ADD COLUMN Urgent INTEGER", "UPDATE Orders SET Urgent = 7"],
            [
                "CREATE TABLE Other (OrderID INTEGER NOT NULL, Note TEXT PRIMARY KEY NOT NULL, Urgent INTEGER)",
                "INSERT INTO Other SELECT OrderID, Note, 7 FROM Orders", "DROP TABLE Items", "DROP TABLE Photos",
                "DROP TABLE Orders", "ALTER TABLE Other RENAME TO Orders",
            ],
        ])
    func cutFirstDownload(statements: [String]) async throws {
        let service = try SampleService()
        let faulty = FaultyStore(service.store, .init(failingRead: 2))
        let remote = SwitchingStore(faulty)
        let device = try await Device([.init(name: "orders", query: "Orders")], service: service, pageSize: 10) { _ in
            remote
        }
        await #expect(throws: ODataError.self) { try await device.store.download() }
        try service.store.close()
        for statement in statements { try service.execute(statement) }
        remote.use(try SQLiteStore(path: service.file, configuration: .init()))
        try await device.store.download()
        let values = try await device.values("Orders", "Urgent")
        #expect(values == Array(repeating: .integer(7), count: SampleService.orders))
    }

    @Test("Removed and changed things in use are told, and nothing is changed")
    func conflicts() async throws {
        let service = try await ChangingService([
            .init(name: "orders", query: "Orders"), .init(name: "photos", query: "Photos"),
        ])
        let device = service.device
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try service.change(
            "CREATE TABLE Saved AS SELECT * FROM Orders", "DROP TABLE Photos", "ALTER TABLE Orders DROP COLUMN Note")
        let difference = try await service.difference { try await device.store.download() }
        let text = difference.description
        #expect(difference.changes.contains { $0.kind == .removed && $0.element == "Photos" })
        #expect(text.contains("removed: Photos"))
        #expect(text.contains("The defining query photos"))
        #expect(text.contains("PATCH Orders(2) waits"))
        #expect(try await device.values("Orders(2)", "Note") == [.string("mine")])
        #expect(try await device.count("Photos") == 4)
        #expect(try await device.store.queueEntries().count == 1)
        #expect(try await device.store.events().first?.outcome == .failed)
    }

    @Test("A relation that leads to another set from now on holds nothing of the old one")
    func otherTarget() async throws {
        let name = { EdmQualifiedName(namespace: "S", name: $0) }
        let id = EdmProperty(name: "ID", type: .int32, isNullable: false)
        let customer = EdmNavigationProperty(
            name: "Customer", target: name("Customer"), isCollection: false,
            constraints: [.init(property: "CustomerID", referencedProperty: "ID")])
        let services = try ["Customers", "Clients"].map { target in
            try SQLiteStore(
                model: EdmModel(schemas: [
                    EdmSchema(
                        namespace: "S",
                        types: [
                            EdmStructuredTypeDeclaration(
                                name: name("Order"), key: ["ID"],
                                properties: [id, EdmProperty(name: "CustomerID", type: .int32)],
                                navigationProperties: [customer]),
                            EdmStructuredTypeDeclaration(name: name("Customer"), key: ["ID"], properties: [id]),
                        ], container: "C",
                        entitySets: [
                            EdmEntitySetDeclaration(
                                name: "Orders", type: name("Order"), bindings: ["Customer": target]),
                            EdmEntitySetDeclaration(name: "Customers", type: name("Customer")),
                            EdmEntitySetDeclaration(name: "Clients", type: name("Customer")),
                        ])
                ]))
        }
        for service in services {
            try await service.load([
                StoredEntity("Customers", EntityPayload(["ID": .integer(1)])),
                StoredEntity("Clients", EntityPayload(["ID": .integer(1)])),
                StoredEntity("Orders", EntityPayload(["ID": .integer(1), "CustomerID": .integer(1)])),
            ])
        }
        let remote = SwitchingStore(services[0])
        let device = try await Device([.init(name: "orders", query: "Orders?$expand=Customer")]) { _ in remote }
        try await device.store.download()
        #expect(try await device.count("Customers") == 1)
        remote.use(services[1])
        try await device.store.download()
        #expect(try await device.count("Customers") == 0)
        #expect(try await device.count("Clients") == 1)
        try device.store.removeQuery("orders")
        #expect(try await device.count("Clients") == 0)
    }

    @Test("A changed type and a changed key in use are told")
    func typesAndKeys() async throws {
        let service = try await ChangingService([.init(name: "all", query: "Customers")])
        try service.change(
            "DROP TABLE Items", "DROP TABLE Photos", "DROP TABLE Orders", "DROP TABLE Customers",
            "CREATE TABLE Customers (CustomerID TEXT NOT NULL, Name INTEGER NOT NULL PRIMARY KEY)")
        let difference = try await service.difference { try await service.device.store.download() }
        #expect(difference.conflicts.contains { $0.contains("Edm.String → Edm.Int64") })
        #expect(difference.conflicts.contains { $0.contains("key [\"CustomerID\"] → [\"Name\"]") })
    }

    @Test("Metadata that vanished do not stop downloads; a service that cannot be reached does")
    func vanished() async throws {
        let service = try await ChangingService([.init(name: "orders", query: "Orders")])
        let device = service.device
        service.remote.loseMetadata(ODataError(.notFound, "There is no $metadata."))
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 1")
        try await device.store.download()
        #expect(try await device.values("Orders(1)", "Note") == [.string("theirs")])
        let event = try #require(try await device.store.events().first)
        #expect(event.outcome == .succeeded)
        #expect(event.message?.contains("There is no $metadata.") == true)
        service.remote.loseMetadata(ODataError(.unreachable, "No network."))
        await #expect(throws: ODataError.self) { try await device.store.download() }
    }

    @Test("Metadata that the store has lost are fetched again")
    func lostInStore() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        try device.store.close()
        let path = device.folder.path + "/store"
        let queue = try DatabaseQueue(path: path + "/store.sqlite")
        try await queue.write { try $0.execute(sql: #"UPDATE "$store" SET "value" = x'3c' WHERE "name" = 'metadata'"#) }
        try queue.close()
        let store = try OfflineStore(folder: path, remote: device.remote)
        await #expect(throws: ODataError.self) { try await store.query("Orders") }
        try await store.open()
        #expect(try await store.entities(try await store.query("Orders")).count == SampleService.orders)
    }
}

import ByteStreams
import Foundation
import HTTPTypes
import ODataFormats
import ODataModel
import ODataOffline
import ODataOnline
import ODataQuery
import ODataSQLite
import ODataService
import ODataStores
import ODataTesting
import Testing

@Suite("Navigation properties of one name on derived types")
struct DerivedNavigationTests {
    private static let reads: [(url: String, names: [String])] = [
        ("Vehicles(1)/NS.Car/Owner", ["Ann"]), ("Vehicles(2)/NS.Truck/Owner", ["ACME"]),
        ("Vehicles(3)/NS.Car/Owner", ["Bob"]), ("Vehicles(3)/NS.Taxi/Owner", ["Bob"]),
        ("Vehicles(1)/NS.Truck/Owner", []), ("Vehicles(2)/NS.Car/Owner", []),
        ("Vehicles(1)/NS.Car/Drivers", ["Bob"]), ("Vehicles(2)/NS.Truck/Drivers", ["Bolt"]),
        ("Vehicles(1)/NS.Car/Garage", ["Ann"]), ("Vehicles(2)/NS.Truck/Garage", ["ACME"]),
        ("Vehicles?$filter=NS.Car/Owner/Name eq 'Ann'", ["1"]),
        ("Vehicles?$filter=NS.Truck/Owner/Name eq 'ACME'", ["2"]),
        ("Vehicles?$filter=NS.Car/Owner/Name eq 'ACME' or NS.Truck/Owner/Name eq 'Ann'", []),
        ("Vehicles?$filter=NS.Truck/Garage/Name eq 'ACME'", ["2"]),
        ("Vehicles?$filter=NS.Car/Drivers/any(d:d/Name eq 'Bob')", ["1"]),
        ("Vehicles?$filter=NS.Truck/Drivers/any(d:d/Name eq 'Bob')", []),
        ("Vehicles?$filter=NS.Truck/Drivers/$count gt 0", ["2"]),
        ("Vehicles/NS.Car?$filter=Owner/Name eq 'Bob'", ["3"]), ("Vehicles/NS.Truck?$filter=Owner/Name eq 'Ann'", []),
        ("Vehicles?$orderby=NS.Truck/Owner/Name desc,NS.Car/Owner/Name desc", ["2", "3", "1"]),
        ("People(5)/Cars", ["1"]), ("People?$filter=Cars/any(c:c/ID eq 2)", []),
        ("People?$filter=Cars/$count gt 1", []), ("People?$filter=Cars/any(c:c/ID eq 3)", ["Bob"]),
    ]

    @Test("Paths, filters, orders and lambdas follow the property of the type", arguments: StorePlace.allCases)
    func reads(_ place: StorePlace) async throws {
        let service = try await VehicleService.made()
        let (device, folder) = try await service.device(VehicleService.queries)
        defer { withExtendedLifetime(folder) {} }
        let store = place.store(service, device)
        for (url, names) in Self.reads {
            #expect(try await service.names(url, on: store) == names, "\(url)")
        }
    }

    private static let expansions: [(url: String, expanded: [String])] = [
        ("Vehicles?$expand=NS.Car/Owner", ["1 Ann", "2 -", "3 Bob"]),
        ("Vehicles?$expand=NS.Truck/Owner", ["1 -", "2 ACME", "3 -"]),
        ("Vehicles?$expand=NS.Car/Owner,NS.Truck/Owner", ["1 Ann", "2 ACME", "3 Bob"]),
        ("Vehicles?$expand=NS.Truck/Owner($select=ID,Name),NS.Car/Owner($select=Name)", ["1 Ann", "2 ACME", "3 Bob"]),
        ("Vehicles?$expand=NS.Taxi/Owner,NS.Truck/Owner", ["1 -", "2 ACME", "3 Bob"]),
        ("Vehicles/NS.Car?$expand=Owner", ["1 Ann", "3 Bob"]), ("Vehicles(2)/NS.Truck?$expand=Owner", ["2 ACME"]),
    ]

    @Test("An expanded property comes with entities of its type only, once", arguments: StorePlace.allCases)
    func expand(_ place: StorePlace) async throws {
        let service = try await VehicleService.made()
        let (device, folder) = try await service.device(VehicleService.queries)
        defer { withExtendedLifetime(folder) {} }
        let store = place.store(service, device)
        for (url, expected) in Self.expansions {
            let entities = try await store.entities(try service.parser.query(url))
            func id(_ entity: EdmEntity) -> String { entity["ID"]?.lexical ?? "none" }
            let lines = entities.map { entity -> String in
                guard case .one(let owner)? = entity.expanded["Owner"] else { return "\(id(entity)) -" }
                return "\(id(entity)) \(owner?["Name"]?.lexical ?? "null")"
            }
            #expect(lines == expected, "\(url)")
        }
    }

    @Test("A payload names the member once for each entity")
    func payload() async throws {
        let service = try await VehicleService.made()
        let transport = InProcessTransport(service: ODataService(store: service.tables))
        let response = try await transport.text("Vehicles?$expand=NS.Car/Owner,NS.Truck/Owner,NS.Car/Drivers/$count")
        #expect(response.components(separatedBy: #""Owner":{"#).count == 4, "\(response)")
        #expect(response.components(separatedBy: #""Drivers@odata.count""#).count == 3, "\(response)")
    }

    private static let payloads: [(url: String, expected: [String])] = [
        ("Vehicles?$expand=NS.Car/Owner,NS.Truck/Owner", ["1 Ann", "2 ACME", "3 Bob"]),
        ("Vehicles?$expand=NS.Car/Owner", ["1 Ann", "2 -", "3 Bob"]),
        ("Vehicles?$expand=NS.Truck/Owner&$select=ID", ["1 -", "2 ACME", "3 -"]),
        ("Vehicles?$expand=NS.Car/Owner($expand=Cars($expand=NS.Car/Owner($expand=Cars)))", ["1 Ann", "2 -", "3 Bob"]),
        ("Vehicles/NS.Truck?$expand=Owner", ["2 ACME"]),
    ]

    @Test("Every store's JSON has a member once in each object, of its type only", arguments: StorePlace.allCases)
    func members(_ place: StorePlace) async throws {
        let service = try await VehicleService.made()
        let (device, folder) = try await service.device(VehicleService.queries)
        defer { withExtendedLifetime(folder) {} }
        let transport = InProcessTransport(service: ODataService(store: place.store(service, device)))
        for (url, expected) in Self.payloads {
            let text = try await transport.text(url)
            #expect(MemberNames(text).repeated.isEmpty, "\(url): \(text)")
            let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let entities = try #require(document["value"] as? [[String: Any]])
            let lines = entities.map { entity in
                "\(entity["ID"] ?? "none") \((entity["Owner"] as? [String: Any])?["Name"] ?? "-")"
            }
            #expect(lines == expected, "\(url)")
        }
    }

    @Test("A partner's path may name the derived type that has it", arguments: ["Owner", "NS.Car/Owner"])
    func partner(_ path: String) async throws {
        let metadata = VehicleService.metadata
            .replacing(#"Partner="Owner"/>"#, with: "Partner=\"\(path)\"/>")
            .replacing(
                #"<NavigationProperty Name="Owner" Type="NS.Party" Partner="Cars">"#,
                with: #"<NavigationProperty Name="Owner" Type="NS.Party">"#)
        let service = try await VehicleService.made(metadata)
        #expect(try await service.names("People(5)/Cars", on: service.tables) == ["1"])
        #expect(try await service.names("People?$filter=Cars/any(c:c/ID eq 3)", on: service.tables) == ["Bob"])
        let (device, folder) = try await service.device(VehicleService.queries)
        defer { withExtendedLifetime(folder) {} }
        #expect(try await service.names("People(5)/Cars", on: device) == ["1"])
        #expect(try await service.names("People(6)/Cars", on: device) == ["3"])
    }

    @Test(
        "A property that leads elsewhere for a derived type is refused without the type", arguments: StorePlace.allCases
    )
    func ambiguous(_ place: StorePlace) async throws {
        let service = try await VehicleService.made()
        let (device, folder) = try await service.device(VehicleService.queries)
        defer { withExtendedLifetime(folder) {} }
        let store = place.store(service, device)
        for url in ["Vehicles?$expand=Garage", "Vehicles?$filter=Garage/Name eq 'Ann'"] {
            await #expect {
                try await store.entities(try service.parser.query(url))
            } throws: { error in
                (error as? ODataError)?.code == .notImplemented && "\(error)".contains("NS.Truck/Garage")
            }
        }
        #expect {
            try device.addQuery(DefiningQuery(name: "x", query: "Vehicles?$expand=Garage"))
        } throws: { error in
            "\(error)".contains("NS.Truck/Garage")
        }
    }

    @Test("Changes bind, link and unlink what the type leads to, and arrive there", arguments: StorePlace.allCases)
    func changes(_ place: StorePlace) async throws {
        let service = try await VehicleService.made()
        let (device, folder) = try await service.device(VehicleService.queries)
        defer { withExtendedLifetime(folder) {} }
        let store = place.store(service, device)
        func path(_ url: String) throws -> ResourcePath { try service.parser.query(url).path }
        try await service.request(
            "Vehicles",
            ##"{"@type":"#NS.Truck","ID":7,"Owner@bind":"Companies(6)","Drivers@bind":["Companies(5)"]}"##, on: store,
            creates: true)
        try await service.request(
            "Vehicles(1)/NS.Car", ##"{"@type":"#NS.Car","Owner@bind":"People(6)","Garage@bind":"People(6)"}"##,
            on: store,
            creates: false)
        try await service.request("Vehicles(2)/NS.Truck", #"{"Garage@bind":"Companies(6)"}"#, on: store, creates: false)
        _ = try await store.change(
            ChangeRequest(try path("Vehicles(2)/NS.Truck/Owner"), .addReference(.path(try path("Companies(6)")))))
        _ = try await store.change(
            ChangeRequest(try path("Vehicles(2)/NS.Truck/Drivers"), .addReference(.path(try path("Companies(5)")))))
        _ = try await store.change(
            ChangeRequest(try path("Vehicles(1)/NS.Car/Drivers"), .removeReference(.path(try path("People(6)")))))
        let wrong: [(url: String, body: String)] = [
            ("Vehicles(2)/NS.Truck", #"{"Owner@bind":"People(5)"}"#),
            ("Vehicles(1)/NS.Car", #"{"Owner@bind":"Companies(5)"}"#),
        ]
        for (url, body) in wrong {
            await #expect(throws: ODataError.self) {
                try await service.request(url, body, on: store, creates: false)
            }
        }
        let expected: [(url: String, names: [String])] = [
            ("Vehicles(7)/NS.Truck/Owner", ["Bolt"]), ("Vehicles(7)/NS.Truck/Drivers", ["ACME"]),
            ("Vehicles(1)/NS.Car/Owner", ["Bob"]), ("Vehicles(1)/NS.Car/Garage", ["Bob"]),
            ("Vehicles(2)/NS.Truck/Garage", ["Bolt"]), ("Vehicles(2)/NS.Truck/Owner", ["Bolt"]),
            ("Vehicles(2)/NS.Truck/Drivers?$orderby=ID", ["ACME", "Bolt"]), ("Vehicles(1)/NS.Car/Drivers", []),
        ]
        for (url, names) in expected { #expect(try await service.names(url, on: store) == names, "\(url)") }
        guard place == .device else { return }
        #expect(try await device.upload().isComplete)
        for (url, names) in expected { #expect(try await service.names(url, on: service.tables) == names, "\(url)") }
        try await device.download()
        for (url, names) in expected { #expect(try await service.names(url, on: device) == names, "\(url)") }
    }

    @Test("Only entities of the type hold what a refresh expands")
    func refresh() async throws {
        let service = try await VehicleService.made()
        let (device, folder) = try await service.device(["Vehicles?$expand=NS.Car/Owner,NS.Truck/Owner"])
        defer { withExtendedLifetime(folder) {} }
        #expect(try await service.names("People?$orderby=ID", on: device) == ["Ann", "Bob"])
        #expect(try await service.names("Companies", on: device) == ["ACME"])
        try await service.request("Vehicles(1)/NS.Car", #"{"OwnerID":6}"#, on: service.tables, creates: false)
        try await device.download()
        // The truck's OwnerID is 5 too.
        #expect(try await service.names("People", on: device) == ["Bob"])
        #expect(try await service.names("Companies", on: device) == ["ACME"])
    }
}

extension InProcessTransport {
    /// The body of a GET.
    fileprivate func text(_ path: String) async throws -> String {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "service.test", path: "/" + path)
        return String(decoding: try await send(request, body: nil).body.collect(upTo: 1 << 20), as: UTF8.self)
    }
}

/// The names of the members of a JSON text that one object has twice.
private struct MemberNames {
    private(set) var repeated: [String] = []

    init(_ text: String) {
        var open: [Set<String>] = []
        var rest = text.dropFirst(0)
        while let character = rest.popFirst() {
            switch character {
            case "{": open.append([])
            case "}": _ = open.popLast()
            case "\"":
                let name = String(rest.prefix { $0 != "\"" })
                rest = rest.dropFirst(name.count + 1)
                guard rest.first == ":", let last = open.indices.last else { continue }
                if !open[last].insert(name).inserted { repeated.append(name) }
            default: break
            }
        }
    }
}

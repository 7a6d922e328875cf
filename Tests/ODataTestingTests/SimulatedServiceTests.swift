import Foundation
import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataTesting

@Suite("The service and the connection of a simulation")
struct SimulatedServiceTests {
    private typealias Event = SimulatedService.Event

    private static func setup(where matches: (SimulationSetup) -> Bool) -> SimulationSetup {
        var random = SplitMix(seed: 1)
        var setup = SimulationSetup(&random)
        while !matches(setup) { setup = SimulationSetup(&random) }
        return setup
    }

    @Test("The log tells the members of a complex value that were written, and what was done to the singleton")
    func log() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/simulated-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let setup = Self.setup { $0.hasSingleton && !$0.quirks.storesUpperCase }
        let dice = RandomFaults(setup: setup, seed: 1)
        let service = try await SimulatedService(path: folder + "/service.sqlite", setup: setup, moods: dice)
        try await service.fill(Journal(), singletonAt: 0)
        let parser = QueryParser(model: try await service.tables.model())
        let changes: [(String, EdmComplexValue)] = [
            ("Jobs(1002)", ["Place": .complex(["City": .string("v1")])]),
            ("Jobs(1002)", ["Place": .complex(["Street": .string("v2")])]),
            ("Jobs(1002)", ["Place": .complex(["Street": .string("v3"), "City": .string("v1")])]),
            ("Settings", ["First": .string("v4")]),
        ]
        for (url, properties) in changes {
            let update = ChangeRequest(try parser.path(url), .update(EntityPayload(properties)))
            _ = try await service.moods.change(update)
        }
        let events = try await service.events()
        #expect(events.first == Event(kind: "insert", marker: "m1"))
        #expect(
            events.filter { !["insert", "stream"].contains($0.kind) } == [
                Event(kind: "Place/City", marker: "m2", value: "v1"),
                Event(kind: "Place/Street", marker: "m2", value: "v2"),
                Event(kind: "Place/Street", marker: "m2", value: "v3"),
                Event(kind: "First", marker: "m1", value: "v4"),
            ])
        let lines = try await SimulatedState(service.tables, sets: setup.sets).lines
        let place = lines.first { $0.marker == "m2" }?.values.filter { $0.key.hasPrefix("Place/") }
        #expect(place == ["Place/City": "v1", "Place/Street": "v3"])
        #expect(lines.filter { $0.key == "Settings" }.map(\.values["First"]) == ["v4"])
        try service.close()
    }

    @Test("Refusals from the way meet requests to every service; no entity and no singleton is said to be gone")
    func faults() {
        let unseen: Set<TransportFault> = [.status(403), .status(413)]
        let gone: Set<TransportFault> = [.status(404), .status(410)]
        for recognisesRepeats in [true, false] {
            let setup = Self.setup { $0.recognisesRepeats == recognisesRepeats && $0.faults > 0 }
            let dice = RandomFaults(setup: setup, seed: 1)
            dice.turn(on: true)
            let faults = { (method: HTTPRequest.Method, path: String) in
                Set((0..<5000).compactMap { _ in dice.fault(for: .test(method, path)) })
            }
            let changes = faults(.patch, "/Jobs(1)")
            #expect(unseen.isSubset(of: changes))
            #expect(changes.contains(.status(412)) == !recognisesRepeats)
            #expect(gone.isSubset(of: faults(.get, "/Jobs")))
            for path in ["/Settings", "/Settings?$select=First", "/v2/Jobs(1L)"] {
                #expect(gone.isDisjoint(with: faults(.get, path)))
            }
        }
    }

    @Test("A service with quirks refuses preferences, delta links and deep inserts, and stores values otherwise")
    func habits() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/simulated-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let setup = Self.setup {
            $0.quirks.refusesPreferences && $0.quirks.failsDeltaLinks && $0.quirks.storesUpperCase
                && $0.quirks.hidesETags && $0.quirks.refusesDeepInserts
        }
        let dice = RandomFaults(setup: setup, seed: 1)
        let service = try await SimulatedService(path: folder + "/service.sqlite", setup: setup, moods: dice)
        let transport = QuirkTransport(next: FixedTransport("x"), quirks: setup.quirks)
        let cases: [(HTTPRequest.Method, String, String?, Int)] = [
            (.get, "/Jobs", nil, 200), (.get, "/Jobs", "odata.track-changes", 501),
            (.get, "/v2/Jobs", "odata.maxpagesize=5", 500), (.get, "/Jobs?$deltatoken=1", nil, 500),
            (.get, "/v2/Jobs?!deltatoken=1", nil, 500),
            (.get, "/Jobs?$skiptoken=1&$deltatoken=1", nil, 200), (.post, "/Pictures", "return=representation", 400),
            (.post, "/Jobs", "return=representation", 200),
        ]
        for (method, path, preference, status) in cases {
            var request = HTTPRequest.test(method, path)
            request.headerFields[.prefer] = preference
            let response = try await transport.send(request, body: nil)
            #expect(response.head.status.code == status, "\(method) \(path) \(preference ?? "")")
        }
        let parser = QueryParser(model: try await service.tables.model())
        var job = EntityPayload(["Marker": .string("m2"), "First": .string("v1")])
        let made = try await service.moods.change(ChangeRequest(try parser.path("Jobs"), .create(job)))
        #expect(made.etag == nil && made.entity?.etag == nil)
        let read = try await service.moods.entities(try parser.query("Jobs"))
        #expect(read.map { $0["First"] } == [.string("V1")])
        #expect(read.map(\.etag) == [nil])
        #expect(try await service.events().contains(Event(kind: "First", marker: "m2", value: "v1")))
        job.nested = [.init(navigation: "Parts", entities: [EntityPayload(["Marker": .string("m3")])])]
        let deep = ChangeRequest(try parser.path("Jobs"), .create(job))
        await #expect { _ = try await service.moods.change(deep) } throws: {
            ($0 as? ODataError)?.code == .notImplemented
        }
        try service.close()
    }
}

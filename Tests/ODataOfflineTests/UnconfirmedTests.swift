import ByteStreams
import Foundation
import ODataModel
import ODataQuery
import ODataStores
import Synchronization
import Testing

@testable import ODataOffline

/// The service knows nothing of repeated requests: the store finds out what became of a request whose response was
/// lost.
@Suite("Requests whose response was lost, at a service that does not recognise repeated ones")
struct UnconfirmedTests {
    enum Loss: CaseIterable { case response, request }

    private func device(
        _ queries: [DefiningQuery] = ChangeTests.queries + [.init(name: "photos", query: "Photos")],
        more: [String] = [], configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws -> (Device, FaultyStore) {
        let service = try SampleService(more: more)
        let device = try await Device(queries, service: service, wrap: { FaultyStore($0) }, configure: configure)
        try await device.store.download()
        return (device, try #require(device.remote as? FaultyStore))
    }

    /// The first change is lost; then an upload with a sound connection.
    private func lose(_ loss: Loss, _ device: Device, _ remote: FaultyStore) async throws -> UploadReport {
        var plan = FaultyStore.Plan()
        plan.isForgetful = true
        if loss == .response { plan.lostResponses = [1] } else { plan.lostRequests = [1] }
        remote.set(plan)
        let error = await #expect(throws: ODataError.self) { try await device.store.upload() }
        #expect((error?.cause as? UploadInterruption)?.report.unconfirmed.count == 1)
        #expect(try await device.store.queueEntries().first?.state == .unconfirmed)
        plan.lostResponses = []
        plan.lostRequests = []
        remote.set(plan)
        return try await device.store.upload()
    }

    @Test("A creation with a key of the service's is found by its values", arguments: Loss.allCases)
    func listed(_ loss: Loss) async throws {
        let (device, remote) = try await device()
        var plan = FaultyStore.Plan()
        plan.isForgetful = true
        remote.set(plan)
        // As another entity that was there before.
        try await device.update("Orders(7)", #"{"Note":"once","Amount":5,"CustomerID":"A"}"#)
        #expect(try await device.store.upload().isComplete)
        let made = try await device.create("Orders", #"{"Note":"once","Amount":5,"CustomerID":"A"}"#)
        #expect(try await lose(loss, device, remote).isComplete)
        #expect(remote.count.changes == (loss == .response ? 0 : 1))
        #expect(try device.service.fetch("SELECT OrderID FROM Orders WHERE Note = 'once'") == ["7", "26"])
        #expect(try await device.values(try #require(made.entity?.id), "OrderID") == [.integer(26)])
    }

    @Test("What is outside the defining queries may be older than the request: the app is asked", arguments: [0, 1])
    func older(photos: Int) async throws {
        let asked = AskedRequests()
        let (device, remote) = try await device([
            .init(name: "orders", query: "Orders?$filter=OrderID lt 10"),
            .init(name: "photos", query: "Photos?$top=2"),
        ]) {
            $0.unconfirmed = { request in
                for candidate in request.candidates { asked.add(candidate.id ?? "") }
                return .notSent
            }
        }
        if photos == 0 {
            try await device.create("Orders", #"{"Note":"note 20"}"#)
        } else {
            try device.service.execute("UPDATE Photos SET Image = x'010203' WHERE PhotoID = 4")
            let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
            _ = try await device.store.change(
                ChangeRequest(try device.store.path("Photos"), .createMedia(content, slug: nil)))
        }
        #expect(try await lose(.request, device, remote).isComplete)
        #expect(asked.urls == [photos == 0 ? "Orders(20)" : "Photos(4)"])
        let counts = try device.service.fetch("SELECT (SELECT count(*) FROM Orders), (SELECT count(*) FROM Photos)")
        #expect(counts == [photos == 0 ? "26|4" : "25|5"])
    }

    @Test("An entity that a defining query would have brought before is new", arguments: Loss.allCases, [true, false])
    func insideQuery(_ loss: Loss, isChild: Bool) async throws {
        let (device, remote) = try await device(
            [.init(name: "orders", query: "Orders?$filter=Amount gt 0&$expand=Notes")],
            more: [
                "CREATE TABLE Notes (ID INTEGER PRIMARY KEY, OrderID INTEGER REFERENCES Orders(OrderID), Text TEXT)",
                "INSERT INTO Notes (OrderID, Text) VALUES (3, 'old')",
            ])
        if isChild {
            try await device.create("Orders(3)/Notes", #"{"Text":"new"}"#)
        } else {
            try await device.create("Orders", #"{"Note":"once","Amount":5}"#)
        }
        #expect(try await lose(loss, device, remote).isComplete)
        #expect(remote.count.changes == (loss == .response ? 0 : 1))
    }

    @Test("What a download has brought before the request was sent was not made by it")
    func downloadedBefore() async throws {
        let (device, remote) = try await device()
        try await device.create("Orders", #"{"Note":"once"}"#)
        try device.service.execute("INSERT INTO Orders (Note) VALUES ('once')")
        try await device.store.download()
        #expect(try await lose(.request, device, remote).isComplete)
        #expect(try device.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'once'") == ["2"])
    }

    private static let others = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21) "

    /// What was lost, what another client does then, and the entities that the app is asked about.
    private static let changes: [(Loss, String, [String])] = [
        (.response, "UPDATE Orders SET Amount = 6, CustomerID = 'B' WHERE Note = 'once'", ["Orders(26)"]),
        (.response, "UPDATE Orders SET Note = 'other' WHERE Note = 'once'", ["Orders(26)"]),
        (.request, "INSERT INTO Orders (Note, CustomerID) VALUES ('other', 'A')", []),
        (.request, others + "INSERT INTO Orders (Amount) SELECT 5 FROM n", []),
        (.request, "INSERT INTO Orders (Kind) VALUES ('usual')", []),
    ]

    @Test(
        "A creation that somebody may have changed since is not made again: what tells it from others is looked for",
        arguments: changes)
    func changedSince(_ loss: Loss, sql: String, expected: [String]) async throws {
        let asked = AskedRequests()
        let (device, remote) = try await device(more: [
            "ALTER TABLE Orders ADD COLUMN Kind TEXT", "UPDATE Orders SET Kind = 'usual' WHERE OrderID > 5",
        ]) {
            $0.unconfirmed = { request in
                for candidate in request.candidates { asked.add(candidate.id ?? "") }
                return .hold
            }
        }
        try await device.create("Orders", #"{"Note":"once","Amount":5,"CustomerID":"A","Kind":"usual"}"#)
        var plan = FaultyStore.Plan()
        plan.isForgetful = true
        if loss == .response { plan.lostResponses = [1] } else { plan.lostRequests = [1] }
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        try device.service.execute(sql)
        let report = try await device.store.upload()
        #expect(asked.urls == expected)
        #expect(report.isComplete == expected.isEmpty && report.unconfirmed.count == expected.count)
        #expect(try device.service.fetch("SELECT count(*) FROM Orders WHERE Kind = 'usual' AND Amount < 10") == ["1"])
    }

    @Test("A creation with a known key is found by it", arguments: Loss.allCases)
    func known(_ loss: Loss) async throws {
        let (device, remote) = try await device()
        try await device.create("Customers", #"{"CustomerID":"N","Name":"new"}"#)
        #expect(try await lose(loss, device, remote).isComplete)
        #expect(remote.count.changes == (loss == .response ? 0 : 1))
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE CustomerID = 'N'") == ["new"])
    }

    @Test("An update is found by the values of its entity, and goes on with its ETag", arguments: Loss.allCases)
    func update(_ loss: Loss) async throws {
        let (device, remote) = try await device()
        try await device.update("Orders(3)", #"{"Note":"changed"}"#)
        #expect(try await lose(loss, device, remote).isComplete)
        try await device.update("Orders(3)", #"{"Note":"again"}"#)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 3") == ["again"])
    }

    @Test("A deletion is done, whoever did it", arguments: Loss.allCases)
    func deletion(_ loss: Loss) async throws {
        let (device, remote) = try await device()
        try await device.delete("Items(OrderID=3,LineNo=1)")
        #expect(try await lose(loss, device, remote).isComplete)
        #expect(try device.service.fetch("SELECT count(*) FROM Items") == ["49"])
    }

    @Test("An update of relations only is found by what they lead to", arguments: Loss.allCases)
    func navigation(_ loss: Loss) async throws {
        let (device, remote) = try await device()
        try await device.update("Orders(3)", #"{"Customer@odata.bind":"Customers('C')"}"#)
        #expect(try await lose(loss, device, remote).isComplete)
        #expect(remote.count.changes == (loss == .response ? 0 : 1))
        #expect(try device.service.fetch("SELECT CustomerID FROM Orders WHERE OrderID = 3") == ["C"])
    }

    @Test("A change set is found out as a whole, though only deletions and references tell", arguments: Loss.allCases)
    func changeSet(_ loss: Loss) async throws {
        let (device, remote) = try await device()
        let item = try device.store.path("Items(OrderID=3,LineNo=1)")
        let customer = EntityReference.path(try device.store.path("Customers('C')"))
        let reference = ChangeRequest(try device.store.path("Orders(3)/Customer"), .addReference(customer))
        _ = try await device.store.changeSet([ChangeRequest(item, .delete), reference])
        var plan = FaultyStore.Plan()
        plan.isForgetful = true
        if loss == .response { plan.lostResponses = [1] } else { plan.lostRequests = [1] }
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        remote.set(.init())
        #expect(try await device.store.upload().isComplete)
        #expect(remote.count.changes == (loss == .response ? 0 : 1))
        #expect(try device.service.fetch("SELECT CustomerID FROM Orders WHERE OrderID = 3") == ["C"])
        #expect(try device.service.fetch("SELECT count(*) FROM Items") == ["49"])
    }

    @Test("Proofs decide about a change set; without any all of its requests must say the same")
    func proofs() {
        let done = ChangeResult(.updated)
        let cases: [([Probe.Finding], Bool?)] = [
            ([.executed(done, isProof: true), .nothing([]), .notExecuted(isProof: false)], true),
            ([.executed(done, isProof: false), .notExecuted(isProof: true), .nothing([])], false),
            ([.executed(done, isProof: true), .notExecuted(isProof: true)], nil),
            ([.executed(done, isProof: false), .executed(done, isProof: false)], true),
            ([.notExecuted(isProof: false), .notExecuted(isProof: false)], false),
            ([.executed(done, isProof: false), .nothing([])], nil),
            ([.executed(done, isProof: false), .notExecuted(isProof: false)], nil),
            ([.nothing([]), .nothing([])], nil),
        ]
        for (findings, expected) in cases { #expect(LostResponse.isExecuted(findings) == expected, "\(findings)") }
    }

    @Test("An update that another device has overwritten meanwhile is a conflict, not repeated")
    func overwritten() async throws {
        let (device, remote) = try await device()
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        var plan = FaultyStore.Plan()
        plan.isForgetful = true
        plan.lostResponses = [1]
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3")
        #expect(try await device.store.upload().failed.map(\.status) == [412])
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 3") == ["theirs"])
    }

    @Test("A stream is found by its content: the newer version is not a conflict", arguments: Loss.allCases)
    func stream(_ loss: Loss) async throws {
        let (device, remote) = try await device()
        let target = try device.store.path("Photos(1)")
        for bytes: [UInt8] in [[1, 2, 3], [4, 5]] {
            let content = MediaContent(ByteContent(bytes), contentType: "image/png")
            _ = try await device.store.change(ChangeRequest(target, .replaceStream(content)))
            #expect(try await lose(loss, device, remote).isComplete)
        }
        #expect(try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 1") == ["0405"])
        #expect(try await device.bytes("Photos(1)") == [4, 5])
    }

    @Test("A media creation is found by its content, and its properties follow", arguments: Loss.allCases, [0, 11])
    func media(_ loss: Loss, others: Int) async throws {
        let (device, remote) = try await device()
        try await photo(device)
        for _ in 0..<others {
            try device.service.execute("INSERT INTO Photos (Title, Image) VALUES ('other', x'010204')")
        }
        let report = try await lose(loss, device, remote)
        // More than ten streams are not read.
        #expect(report.isComplete == (others == 0) && report.unconfirmed.count == (others == 0 ? 0 : 1))
        guard others == 0 else { return }
        #expect(remote.count.changes == (loss == .response ? 1 : 2))
        #expect(try device.service.fetch("SELECT Title, hex(Image) FROM Photos WHERE PhotoID > 4") == ["new|010203"])
    }

    private func photo(_ device: Device) async throws {
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        let photos = try device.store.path("Photos")
        _ = try await device.store.createMedia(
            content, in: photos, properties: EntityPayload(["Title": .string("new")]))
    }

    @Test("Where nothing can tell, the request is held with what depends on it, until the app decides")
    func held() async throws {
        let (device, remote) = try await device { $0.exactlyOnce = .none }
        try await photo(device)
        let report = try await lose(.request, device, remote)
        #expect(report.unconfirmed.map(\.method) == ["POST"] && report.held.map(\.method) == ["PATCH"])
        #expect(try await device.store.upload().unconfirmed.count == 1)
        let id = try #require(try await device.store.queueEntries().first).id
        try await device.store.decide(requestID: id, .notSent)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Title FROM Photos WHERE PhotoID > 4") == ["new"])
    }

    @Test("The app is asked where nothing can tell", arguments: Loss.allCases)
    func asked(_ loss: Loss) async throws {
        let asked = AskedRequests()
        let (device, remote) = try await device {
            $0.exactlyOnce = .none
            $0.unconfirmed = { request in
                asked.add(request.request.url)
                return loss == .response ? .sent : .notSent
            }
        }
        let photos = try device.store.path("Photos")
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        _ = try await device.store.change(ChangeRequest(photos, .createMedia(content, slug: nil)))
        #expect(try await lose(loss, device, remote).isComplete)
        #expect(asked.urls == ["Photos"])
        #expect(try device.service.fetch("SELECT count(*) FROM Photos") == ["5"])
        try await device.store.download()
        #expect(try await device.count("Photos") == 5)
    }

    @Test("Of two creations that look the same nobody can tell: both are held")
    func alike() async throws {
        let (device, remote) = try await device()
        for _ in 0..<2 { try await device.create("Orders", #"{"Note":"same"}"#) }
        try device.service.execute("INSERT INTO Orders (Note) VALUES ('same'), ('same')")
        let report = try await lose(.request, device, remote)
        #expect(report.unconfirmed.count == 1)
    }

    @Test(
        "A creation that nothing tells from others, or that too many look like, is held",
        arguments: ["{}", #"{"Note":"same"}"#])
    func untold(_ json: String) async throws {
        let asked = AskedRequests()
        let (device, remote) = try await device {
            $0.unconfirmed = { request in
                for candidate in request.candidates { asked.add(candidate.id ?? "") }
                return .hold
            }
        }
        try await device.create("Orders", json)
        try device.service.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
            INSERT INTO Orders (Note) SELECT 'same' FROM n
            """)
        #expect(try await lose(.request, device, remote).unconfirmed.count == 1)
        #expect(asked.urls.isEmpty)
    }

    @Test(
        "A creation that the service does not know any more is found out, and sent without its id",
        arguments: Loss.allCases)
    func forgotten(_ loss: Loss) async throws {
        let (device, remote) = try await device { $0.exactlyOnce = .repeatableRequests }
        try await device.create("Orders", #"{"Note":"once"}"#)
        var plan = FaultyStore.Plan()
        if loss == .response { plan.lostResponses = [1] } else { plan.lostRequests = [1] }
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        plan = .init()
        plan.refusesRepetition = true
        remote.set(plan)
        #expect(try await device.store.upload().isComplete)
        #expect(remote.count.firstSent.map { $0 == nil } == (loss == .response ? [false] : [false, true]))
        #expect(try device.service.fetch("SELECT OrderID FROM Orders WHERE Note = 'once'") == ["26"])
    }

    @Test("A request that the service refuses for its id is sent again without one")
    func refusedID() async throws {
        let (device, remote) = try await device()
        var plan = FaultyStore.Plan()
        plan.refusesIDs = true
        remote.set(plan)
        for order in [3, 4] { try await device.update("Orders(\(order))", #"{"Note":"changed"}"#) }
        #expect(try await device.store.upload().isComplete)
        #expect(remote.count.requests.sorted() == ["Orders(3)", "Orders(3)", "Orders(4)", "Orders(4)"])
        #expect(remote.count.firstSent.map { $0 == nil } == [false, false, true, true])
        #expect(try device.service.fetch("SELECT OrderID FROM Orders WHERE Note = 'changed'") == ["3", "4"])
    }

    @Test("A service that recognises repeated requests gets the same one again, but not after 90 days")
    func repeated() async throws {
        let clock = Mutex(Date().timeIntervalSince1970)
        let (device, remote) = try await device {
            $0.now = { Date(timeIntervalSince1970: clock.withLock { $0 }) }
        }
        for note in ["a", "b"] {
            try await device.create("Orders", #"{"Note":"\#(note)"}"#)
            // Said when it is sent, not when it is made.
            clock.withLock { $0 += 60 }
            var plan = FaultyStore.Plan()
            plan.lostResponses = note == "a" ? [] : [1]
            remote.set(plan)
            _ = try? await device.store.upload()
        }
        let firstSent = StoreTime(date: Date(timeIntervalSince1970: clock.withLock { $0 })).instant.httpDate
        #expect(remote.count.firstSent == [firstSent])
        clock.withLock { $0 += 60 }
        var plan = FaultyStore.Plan()
        plan.failingRead = 1
        plan.lostResponses = [1]
        remote.set(plan)
        // It is not asked what became of the request.
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        #expect(remote.count.firstSent == [firstSent])
        clock.withLock { $0 += 91 * 86_400 }
        remote.set(.init())
        #expect(try await device.store.upload().isComplete)
        #expect(remote.count.changes == 0)
        #expect(try device.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'b'") == ["1"])
    }

    @Test("A request is never first sent before it was made")
    func notBefore() {
        let times = ["2024-01-02T03:04:05", "2023-01-02T03:04:05", "-0100-01-02T03:04:05", ""]
        let expected = [times[0], "2023-11-14T22:13:20", "2023-11-14T22:13:20", "2023-11-14T22:13:20"]
        let time = StoreTime(date: Date(timeIntervalSince1970: 1_700_000_000))
        #expect(times.map { time.notBefore($0).column } == expected)
    }

    @Test("SAP Gateway is told in its own headers, and the same when the request is sent again")
    func sapGateway() async throws {
        let (device, remote) = try await device { $0.exactlyOnce = .sapGateway }
        var plan = FaultyStore.Plan()
        plan.lostRequests = [1]
        remote.set(plan)
        try await device.update("Orders(3)", #"{"Note":"changed"}"#)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        let headers = try #require(remote.count.headers.first)
        remote.set(.init())
        #expect(try await device.store.upload().isComplete)
        #expect(remote.count.headers == [headers])
        #expect(headers.map(\.name) == ["RequestID", "RepeatabilityCreation"])
        #expect(headers[0].value.count == 32 && headers[0].value.allSatisfy(\.isHexDigit))
        #expect(remote.count.firstSent == [nil])
    }

    @Test(
        "Without a choice SAP Gateway's headers are sent where the metadata are SAP's and nothing else was promised",
        arguments: [
            (false, false, ExactlyOnce.repeatableRequests), (true, false, .sapGateway),
            (true, true, .repeatableRequests),
        ])
    func automatic(isSAP: Bool, isPromised: Bool, mechanism: ExactlyOnce) throws {
        let annotations: [EdmAnnotation] =
            isSAP ? [EdmAnnotation(term: EdmAnnotation.sap("label"), value: .string("Number"))] : []
        let type = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName("S.T"), key: ["ID"],
            properties: [EdmProperty(name: "ID", type: .int32, isNullable: false, annotations: annotations)])
        let model = try EdmModel(schemas: [EdmSchema(namespace: "S", types: [type])])
        let policy = RepetitionPolicy(.automatic, model: model, hasRepeated: isPromised)
        #expect(policy.mechanism(of: .update, promise: nil) == mechanism)
        #expect(policy.repeats(mechanism) == isPromised)
        // What the service has shown with other requests says nothing of an action.
        #expect(policy.mechanism(of: .call, promise: nil) == (mechanism == .sapGateway ? mechanism : .none))
        guard !isSAP else { return }
        for operation in [QueueRecord.Operation.update, .call] {
            #expect(policy.mechanism(of: operation, promise: true) == .repeatableRequests)
            #expect(policy.mechanism(of: operation, promise: false) == .none)
        }
    }

    @Test("With client keys a lost creation is found by its key")
    func clientKeys() async throws {
        let (device, remote) = try await device { $0.exactlyOnce = .clientKeys }
        try await device.create("Customers", #"{"CustomerID":"K","Name":"key"}"#)
        #expect(try await lose(.response, device, remote).isComplete)
        #expect(remote.count.changes == 0)
    }

    @Test("With conditions a creation is a PUT that must not find anything")
    func conditional() async throws {
        let (device, remote) = try await device { $0.exactlyOnce = .conditional }
        remote.set(.init())
        try await device.create("Customers", #"{"CustomerID":"C2","Name":"new"}"#)
        #expect(try await device.store.upload().isComplete)
        #expect(remote.count.requests == ["Customers('C2')"])
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE CustomerID = 'C2'") == ["new"])
    }

    @Test("With conditions a key that another client has used is a conflict")
    func conditionalConflict() async throws {
        let (device, _) = try await device {
            $0.exactlyOnce = .conditional
            $0.conflictResolver = .clientWins
        }
        try await device.create("Customers", #"{"CustomerID":"C3","Name":"mine"}"#)
        try device.service.execute("INSERT INTO Customers VALUES ('C3', 'theirs')")
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE CustomerID = 'C3'") == ["mine"])
    }
}

final class AskedRequests: Sendable {
    private let list = Mutex<[String]>([])

    var urls: [String] { list.withLock { $0 } }
    func add(_ url: String) { list.withLock { $0.append(url) } }
}

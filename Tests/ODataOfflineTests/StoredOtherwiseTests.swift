import Foundation
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

@Suite("A lost response, and a service that stores values otherwise than they are sent")
struct StoredOtherwiseTests {
    /// What a service makes of what it is sent.
    enum Habit: String, CaseIterable, Sendable {
        case upperCase, trimmed, rounded, cut, padded

        var sent: String {
            switch self {
            case .upperCase: #"{"Note":"tea for two"}"#
            case .trimmed: #"{"Note":"  tea for two "}"#
            case .rounded: #"{"Amount":12.37}"#
            case .cut: #"{"Note":"tea for two and two for tea"}"#
            case .padded: #"{"Note":"12"}"#
            }
        }

        func stored(_ value: EdmValue) -> EdmValue {
            switch (self, value) {
            case (.upperCase, .string(let text)): .string(text.uppercased())
            case (.trimmed, .string(let text)): .string(text.trimmingCharacters(in: .whitespaces))
            case (.cut, .string(let text)): .string(String(text.prefix(16)))
            case (.padded, .string(let text)): .string(String(repeating: "0", count: max(0, 10 - text.count)) + text)
            case (.rounded, .decimal): .decimal(EdmDecimal("12.4") ?? .zero)
            default: value
            }
        }

        func stored(_ request: ChangeRequest) -> ChangeRequest {
            var request = request
            func stored(_ payload: EntityPayload) -> EntityPayload {
                var payload = payload
                payload.properties = EdmComplexValue(
                    payload.properties.members.map {
                        EdmComplexValue.Member(name: $0.name, value: self.stored($0.value))
                    })
                return payload
            }
            switch request.operation {
            case .create(let payload): request.operation = .create(stored(payload))
            case .update(let payload): request.operation = .update(stored(payload))
            default: break
            }
            return request
        }
    }

    private func device(
        _ habit: Habit, decision: UnconfirmedRequest.Decision = .hold
    ) async throws -> (Device, FaultyStore, AskedRequests) {
        let asked = AskedRequests()
        let device = try await Device(
            ChangeTests.queries, wrap: { FaultyStore(TappedStore(base: $0, changing: { habit.stored($0) })) },
            configure: {
                $0.unconfirmed = { request in
                    for candidate in request.candidates { asked.add(candidate.id ?? "") }
                    return decision
                }
            })
        try await device.store.download()
        return (device, try #require(device.remote as? FaultyStore), asked)
    }

    @Test(
        "A creation with a key of the service's is not sent again: the app is asked, and held is what it does not know",
        arguments: Habit.allCases)
    func creation(_ habit: Habit) async throws {
        let (device, remote, asked) = try await device(habit)
        try await device.create("Orders", habit.sent)
        await remote.loseResponse(to: device.store)
        #expect(try await device.store.upload().unconfirmed.count == 1)
        #expect(asked.urls == ["Orders(26)"])
        #expect(remote.count.changes == 0)
        #expect(try device.service.fetch("SELECT count(*) FROM Orders") == ["26"])
        #expect(try await device.store.queueEntries().map(\.state) == [.unconfirmed])
        let id = try #require(try await device.store.queueEntries().first?.id)
        try await device.store.decide(requestID: id, .made(EntityKey([.init(name: "OrderID", value: .integer(26))])))
        #expect(try await device.store.queueEntries().isEmpty)
    }

    @Test("Of a change set that was executed, the only entity that a creation can have made is its own")
    func changeSet() async throws {
        let (device, remote, asked) = try await device(.upperCase)
        let orders = try device.store.path("Orders")
        let payloads = [EntityPayload(["Amount": .decimal(7)]), EntityPayload(["Note": .string("tea for two")])]
        let made = try await device.store.changeSet(payloads.map { ChangeRequest(orders, .create($0)) })
        await remote.loseResponse(to: device.store)
        let tea = try #require(made.last?.path)
        _ = try await device.store.change(ChangeRequest(tea, .update(EntityPayload(["Amount": .decimal(9)]))))
        let report = try await device.store.upload()
        #expect(report.isComplete && asked.urls.isEmpty, "\(report)")
        let stored = try device.service.fetch("SELECT Amount FROM Orders WHERE OrderID > 25 ORDER BY OrderID")
        #expect(stored.count == 2 && stored.last?.hasPrefix("9") == true, "\(stored)")
    }

    @Test(
        "A service that stores none of the values sent: the app is asked about what came meanwhile", arguments: [1, 2])
    func replaced(count: Int) async throws {
        let asked = AskedRequests()
        let device = try await Device(
            ChangeTests.queries,
            wrap: { FaultyStore(TappedStore(base: $0, changing: { Self.replaced($0) })) },
            configure: {
                $0.unconfirmed = { request in
                    for candidate in request.candidates { asked.add(candidate.id ?? "") }
                    return .hold
                }
            })
        try await device.store.download()
        let remote = try #require(device.remote as? FaultyStore)
        for number in 0..<count { try await device.create("Orders", #"{"Note":"zz\#(number)","Amount":9}"#) }
        await remote.loseResponse(to: device.store)
        _ = try? await device.store.upload()
        _ = try? await device.store.upload()
        #expect(Set(asked.urls).contains("Orders(26)"))
        #expect(try device.service.fetch("SELECT count(*) FROM Orders") == ["\(25 + count)"])
    }

    private static func replaced(_ request: ChangeRequest) -> ChangeRequest {
        var request = request
        if case .create(var payload) = request.operation {
            payload.properties["Note"] = .string("AUTO-1")
            payload.properties["Amount"] = .decimal(.zero)
            request.operation = .create(payload)
        }
        return request
    }

    @Test(
        "A creation that never arrived is sent where what others have made meanwhile cannot be its own, else it is held",
        arguments: [("NULL", true), ("'B'", false)])
    func neverArrived(customer: String, isSent: Bool) async throws {
        let (device, remote, asked) = try await device(.upperCase)
        try await device.create("Orders", #"{"Note":"tea for two","Amount":5,"CustomerID":"B"}"#)
        var plan = FaultyStore.Plan()
        (plan.isForgetful, plan.lostRequests) = (true, [1])
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        try device.service.execute("INSERT INTO Orders (Note, Amount, CustomerID) VALUES ('COFFEE', 5.01, \(customer))")
        plan.lostRequests = []
        remote.set(plan)
        #expect(try await device.store.upload().isComplete == isSent)
        #expect(asked.urls == (isSent ? [] : ["Orders(26)"]))
        let count = isSent ? "1" : "0"
        #expect(try device.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'TEA FOR TWO'") == [count])
    }

    @Test(
        "An update that was executed is not a conflict with itself, and one that was not is sent",
        arguments: Habit.allCases, [true, false])
    func update(_ habit: Habit, isExecuted: Bool) async throws {
        let (device, remote, asked) = try await device(habit)
        try await device.update("Orders(3)", habit.sent)
        var plan = FaultyStore.Plan()
        plan.isForgetful = true
        if isExecuted { plan.lostResponses = [1] } else { plan.lostRequests = [1] }
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        (plan.lostResponses, plan.lostRequests) = ([], [])
        remote.set(plan)
        let report = try await device.store.upload()
        #expect(report.isComplete, "\(report)")
        #expect(remote.count.changes == (isExecuted ? 0 : 1))
        #expect(asked.urls.isEmpty)
        #expect(try await device.store.conflicts().isEmpty)
        // What the service has is here.
        let property = habit == .rounded ? "Amount" : "Note"
        let stored = try device.service.fetch("SELECT \(property) FROM Orders WHERE OrderID = 3")
        #expect(try await device.values("Orders(3)", property).map(\.lexical) == stored)
    }

    /// The service finds an entity by a key that is spelled otherwise, or does not.
    @Test(
        "A key that the service returns for ours is ours; one that it does not return is asked about",
        arguments: [true, false])
    func paddedKey(isFound: Bool) async throws {
        let asked = AskedRequests()
        let padded: @Sendable (String) -> String = { String(repeating: "0", count: max(0, 10 - $0.count)) + $0 }
        let device = try await Device(
            ChangeTests.queries,
            wrap: { base in FaultyStore(PaddingStore(base: base, padded: padded, isFound: isFound)) },
            configure: {
                $0.unconfirmed = { request in
                    for candidate in request.candidates { asked.add(candidate.id ?? "") }
                    return .hold
                }
            })
        let remote = try #require(device.remote as? FaultyStore)
        try await device.store.download()
        try await device.create("Customers", #"{"CustomerID":"12","Name":"new"}"#)
        await remote.loseResponse(to: device.store)
        let report = try await device.store.upload()
        #expect(remote.count.changes == 0)
        #expect(try device.service.fetch("SELECT CustomerID FROM Customers WHERE Name = 'new'") == ["0000000012"])
        guard isFound else {
            #expect(report.unconfirmed.count == 1 && asked.urls == ["Customers('0000000012')"])
            return
        }
        #expect(report.isComplete && asked.urls.isEmpty)
        // The old key leads there.
        #expect(try device.store.path("Customers('12')").url == "Customers('0000000012')")
        try await device.store.download()
        #expect(try await device.count("Customers?$filter=Name eq 'new'") == 1)
    }
}

/// Pads the keys of customers.
private struct PaddingStore: ODataStore {
    let base: any ODataStore
    let padded: @Sendable (String) -> String
    let isFound: Bool

    func model() async throws -> EdmModel { try await base.model() }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        var request = request
        if isFound { request.query.path = path(request.query.path) }
        return try await base.read(request)
    }

    private func path(_ path: ResourcePath) -> ResourcePath {
        guard case .entitySet(let set) = path.root, set.name == "Customers", case .key(let key)? = path.segments.first,
            case .string(let text)? = key["CustomerID"]
        else { return path }
        let own = EntityKey([.init(name: "CustomerID", value: .string(padded(text)))])
        return path.segments.dropFirst().reduce(ResourcePath(set, key: own)) { $0.appending($1) }
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        var request = request
        if case .create(var payload) = request.operation, case .string(let text)? = payload.properties["CustomerID"] {
            payload.properties["CustomerID"] = .string(padded(text))
            request.operation = .create(payload)
        }
        return try await base.change(request)
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        var results: [ChangeResult] = []
        for request in requests { results.append(try await change(request)) }
        return results
    }
}

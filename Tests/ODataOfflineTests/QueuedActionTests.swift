import Foundation
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Actions in the queue")
struct QueuedActionTests {
    /// Orders can be approved; all can be counted up.
    private func device() async throws -> Device {
        let service = try SampleService()
        let model = try await service.store.model()
        let orders = try #require(model.entitySet(named: "Orders"))
        var operations = OperationHandlers()
        let approve = EdmOperationDeclaration(
            kind: .action, name: EdmQualifiedName("Shop.Approve"), isBound: true,
            parameters: [.init(name: "order", type: orders.type.reference), .init(name: "note", type: .string)])
        operations.action(approve) { call in
            guard let binding = call.binding else { return ActionPlan() }
            return ActionPlan([ChangeRequest(binding, .update(EntityPayload(["Note": call["note"]])))])
        }
        let add = EdmOperationDeclaration(
            kind: .action, name: EdmQualifiedName("Shop.Add"), parameters: [.init(name: "name", type: .string)],
            annotations: [EdmAnnotation(term: EdmAnnotation.repeatability)])
        operations.action(add, importName: "Add") { call in
            let path = ResourcePath(try call.entitySet("Customers"))
            let payload = EntityPayload(["CustomerID": call["name"], "Name": call["name"]])
            return ActionPlan([ChangeRequest(path, .create(payload))])
        }
        let function = EdmOperationDeclaration(
            kind: .function, name: EdmQualifiedName("Shop.Words"), result: .init(type: .collection(.string)))
        operations.function(function, importName: "Words") { _ in .values([.string("a")]) }
        let device = try await Device(ChangeTests.queries, service: service) {
            FaultyStore(OperationStore($0, operations: operations))
        }
        try await device.store.download()
        return device
    }

    private func call(_ device: Device, _ path: String, _ arguments: [(String, String)]) async throws {
        let members = arguments.map { EdmComplexValue.Member(name: $0.0, value: .string($0.1)) }
        let path = try device.store.path(path)
        let result = try await device.store.change(ChangeRequest(path, .call(arguments: EdmComplexValue(members))))
        #expect(result.outcome == .called && result.entity == nil)
    }

    @Test("A bound action waits for its entity, and what follows has the ETag it leaves")
    func bound() async throws {
        let device = try await device()
        let id = try #require(try await device.create("Orders", #"{"Note":"new"}"#).entity?.id)
        try await call(device, "\(id)/Shop.Approve", [("note", "approved")])
        try await device.update(id, #"{"Amount":5}"#)
        let entries = try await device.store.queueEntries()
        #expect(entries.map(\.method) == ["POST", "POST", "PATCH"])
        #expect(entries[1].dependsOn == [entries[0].id] && entries[2].dependsOn == [entries[1].id])
        #expect(entries[1].url == "\(id)/Shop.Approve" && entries[1].body == #"{"note":"approved"}"#)
        // Nothing is known here of what it does.
        #expect(try await device.values(id, "Note") == [.string("new")])
        let report = try await device.store.upload()
        #expect(report.failed.isEmpty, "\(report.failed)")
        #expect(report.succeeded.map(\.url) == ["Orders", "Orders(26)/Shop.Approve", "Orders(26)"])
        #expect(
            try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 26") == ["approved|5"])
        #expect(try await device.values(id, "Note") == [.string("approved")])
        #expect(try await device.store.queueEntries().isEmpty)
    }

    @Test("Actions that are bound to nothing are sent in their order; they can be taken back")
    func unbound() async throws {
        let device = try await device()
        for name in ["X", "Y", "Z"] { try await call(device, "Add", [("name", name)]) }
        let entries = try await device.store.queueEntries()
        #expect(entries.map(\.entity) == [nil, nil, nil] && entries[1].dependsOn == [entries[0].id])
        try await device.store.undo(.request(entries[1].id))
        #expect(try await device.store.queueEntries().last?.dependsOn == [entries[0].id])
        #expect(try await device.store.upload().succeeded.count == 2)
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE Name < 'a' AND Name > 'W'") == ["X", "Z"])
        // Refused: it goes to the archive like any other.
        try await call(device, "Add", [("name", "X")])
        #expect(try await device.store.upload().failed.map(\.url) == ["Add"])
        let id = try #require(try await device.store.queueEntries().first).id
        #expect(try await device.store.conflict(requestID: id) == nil)
        let error = await #expect(throws: ODataError.self) { try await device.store.resolve(requestID: id, as: .mine) }
        #expect(error?.code == .conflict)
        try device.service.execute("DELETE FROM Customers WHERE Name = 'X'")
        try await device.store.retry(errorID: try #require(try await device.store.errorEntries().first).id)
        #expect(try await device.store.upload().isComplete)
    }

    @Test("An action has an id where the metadata say that it is recognised; its response may be lost then")
    func repeated() async throws {
        let device = try await device()
        let remote = try #require(device.remote as? FaultyStore)
        try await call(device, "Orders(3)/Shop.Approve", [("note", "approved")])
        try await call(device, "Add", [("name", "X")])
        let sent = try await device.store.upload().succeeded
        #expect(sent.map(\.url) == ["Orders(3)/Shop.Approve", "Add"])
        #expect(sent.map(\.exactlyOnce) == [ExactlyOnce.none, .repeatableRequests])
        try await call(device, "Add", [("name", "Y")])
        var plan = FaultyStore.Plan()
        plan.lostResponses = [1]
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        remote.set(.init())
        #expect(try await device.store.upload().isComplete)
        #expect(remote.count.requests == ["Add"])
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE Name < 'a' AND Name > 'W'") == ["X", "Y"])
    }

    @Test("An action that waits stands in the way of metadata that its arguments do not fit")
    func changedParameters() async throws {
        let service = try SampleService()
        let orders = try #require(try await service.store.model().entitySet(named: "Orders"))
        let store: (String) -> OperationStore = { parameter in
            var operations = OperationHandlers()
            let approve = EdmOperationDeclaration(
                kind: .action, name: EdmQualifiedName("Shop.Approve"), isBound: true,
                parameters: [.init(name: "order", type: orders.type.reference), .init(name: parameter, type: .string)])
            operations.action(approve) { _ in ActionPlan() }
            return OperationStore(service.store, operations: operations)
        }
        let remote = SwitchingStore(store("note"))
        let device = try await Device(ChangeTests.queries, service: service) { _ in remote }
        try await device.store.download()
        try await call(device, "Orders(2)/Shop.Approve", [("note", "approved")])
        remote.use(store("reason"))
        let difference = try await device.store.metadataDifference()
        #expect(difference.conflicts.count == 1)
        #expect(difference.description.contains("POST Orders(2)/Shop.Approve waits"), "\(difference)")
        #expect(difference.description.contains("no parameter note"), "\(difference)")
    }

    @Test("A refused action that is bound to nothing is retried, edited, given up and taken back like any request")
    func repair() async throws {
        let device = try await device()
        // The customer A is there.
        for name in ["A", "Z"] { try await call(device, "Add", [("name", name)]) }
        let refuse = {
            #expect(try await device.store.upload().failed.map(\.url) == ["Add"])
            return try #require(try await device.store.errorEntries().first)
        }
        var entry = try await refuse()
        #expect(entry.entity == nil)
        #expect(try await device.store.queueEntries().map(\.state) == [.failed, .held])
        try await device.store.retry(errorID: entry.id)
        #expect(try await device.store.queueEntries().map(\.state) == [.waiting, .waiting])
        entry = try await refuse()
        await #expect { try await device.store.edit(errorID: entry.id, json: #"{"nam":"W"}"#) } throws: {
            let error = $0 as? ODataError
            return error?.code == .badRequest && error?.message.contains("nam") == true
        }
        await #expect { try await device.store.edit(errorID: entry.id, payload: EntityPayload()) } throws: {
            ($0 as? ODataError)?.code == .badRequest
        }
        try await device.store.edit(errorID: entry.id, json: #"{"name":"W"}"#)
        #expect(try await device.store.upload().succeeded.count == 2)
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE Name < 'a' AND Name > 'V'") == ["W", "Z"])
        for skips in [true, false] {
            for name in ["A", "Y"] { try await call(device, "Add", [("name", name)]) }
            entry = try await refuse()
            if skips {
                try await device.store.skip(errorID: entry.id)
            } else {
                #expect(try await device.store.undo(errorID: entry.id).requests.count == 1)
            }
            #expect(try await device.store.errorEntries().isEmpty)
            #expect(try await device.store.queueEntries().map(\.state) == [.waiting])
            try await device.store.undo(.everything)
        }
        try await call(device, "Add", [("name", "A")])
        entry = try await refuse()
        try await device.store.edit(errorID: entry.id, arguments: ["name": .string("V")])
        #expect(try await device.store.upload().isComplete)
    }

    @Test("A copy for support has no arguments with the names of omitted properties")
    func export() async throws {
        let device = try await device()
        try await call(device, "Add", [("name", "secret words")])
        try await call(device, "Orders(3)/Shop.Approve", [("note", "secret words")])
        let path = device.folder.path + "/copy"
        try await device.store.export(to: path, omitting: ["Customers/Name", "Orders/Note"])
        let bytes = try #require(FileManager.default.contents(atPath: path + "/store.sqlite"))
        #expect(bytes.range(of: Data("secret words".utf8)) == nil)
        let copy = try OfflineStore(folder: path, remote: nil)
        #expect(try await copy.queueEntries().map(\.body) == [#"{"name":null}"#, #"{"note":null}"#])
    }

    @Test("Functions are not called without the service")
    func function() async throws {
        let device = try await device()
        let read = await #expect(throws: ODataError.self) { try await device.entities("Words()") }
        #expect(read?.code == .notImplemented && read?.message.contains("Words") == true, "\(read as Any)")
        let path = try device.store.path("Words()")
        let call = await #expect(throws: ODataError.self) {
            try await device.store.change(ChangeRequest(path, .call(arguments: EdmComplexValue())))
        }
        #expect(call?.code == .badRequest && call?.message == "Words() is not an action.")
        #expect(try await device.store.queueEntries().isEmpty)
    }
}

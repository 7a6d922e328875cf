import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("What waits on a device, over services of V4 and V2")
struct VersionTests {
    private static let versions: [String?] = [nil, "v2"]

    private func device(
        _ version: String?, operations: OperationHandlers = OperationHandlers(),
        configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws -> Device {
        let service = try SampleService()
        let remote = try FixedResponses().remote(
            over: OperationStore(service.store, operations: operations), version: version)
        let device = try await Device(
            ChangeTests.queries, service: service, wrap: { _ in remote }, configure: configure)
        try await device.store.download()
        return device
    }

    @Test("What the service refuses is in the error archive, is edited and sent", arguments: versions)
    func refused(version: String?) async throws {
        let device = try await device(version)
        try await device.update("Orders(3)", #"{"Note":"refused"}"#)
        try await device.update("Orders(4)", #"{"Note":"fine"}"#)
        let report = try await device.store.upload()
        #expect(report.succeeded.map(\.url) == ["Orders(4)"] && report.failed.count == 1)
        let entry = try #require(try await device.store.errorEntries().first)
        #expect(entry.status == 400 && entry.entity == "Orders(3)" && !entry.message.isEmpty)
        try await device.store.edit(errorID: entry.id, json: #"{"Note":"mended"}"#)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID IN (3, 4)") == ["mended", "fine"])
    }

    @Test("What the client wins is sent with the fresh ETag", arguments: versions)
    func conflict(version: String?) async throws {
        let device = try await device(version) { $0.conflictResolver = .clientWins }
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute("UPDATE Orders SET Note = 'theirs', Amount = 1 WHERE OrderID = 3")
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 3") == ["mine|1"])
        #expect(try await device.count("Orders?$filter=OrderID eq 3 and Amount eq 1 and Note eq 'mine'") == 1)
    }

    @Test("What waits outlives a rebuild", arguments: versions)
    func rebuild(version: String?) async throws {
        let device = try await device(version)
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        let made = try #require(try await device.create("Orders", #"{"Note":"made","CustomerID":"B"}"#).entity?.id)
        let queue = try await device.store.queueEntries()
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 5")
        let report = try await device.store.rebuild()
        #expect(report.misfits.isEmpty && report.keptRequests == 2)
        #expect(try await device.store.queueEntries() == queue)
        #expect(try await device.values("Orders(5)", "Note") == [.string("theirs")])
        #expect(try await device.values("\(made)/Customer", "Name") == [.string("Beta")])
        #expect(try await device.store.upload().isComplete)
        let notes = try device.service.fetch("SELECT Note FROM Orders WHERE OrderID IN (2, 26)")
        #expect(notes == ["mine", "made"])
    }

    @Test("An action waits and is called: in V2 it is an import of a function", arguments: versions)
    func action(version: String?) async throws {
        var operations = OperationHandlers()
        let add = EdmOperationDeclaration(
            kind: .action, name: EdmQualifiedName("Shop.Add"), parameters: [.init(name: "name", type: .string)])
        operations.action(add, importName: "Add") { call in
            let path = ResourcePath(try call.entitySet("Customers"))
            let payload = EntityPayload(["CustomerID": call["name"], "Name": call["name"]])
            return ActionPlan([ChangeRequest(path, .create(payload))])
        }
        let device = try await device(version, operations: operations)
        let arguments: EdmComplexValue = ["name": .string("V")]
        _ = try await device.store.change(ChangeRequest(try device.store.path("Add"), .call(arguments: arguments)))
        #expect(try await device.store.queueEntries().count == 1)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE CustomerID = 'V'") == ["V"])
        try await device.store.download()
        #expect(try await device.values("Customers('V')", "Name") == [.string("V")])
    }
}

import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Messages about values that the model forbids")
struct ValueMessageTests {
    private static var schema: String {
        let properties = ValueCase.all.enumerated().map { #"<Property Name="P\#($0)" Type="\#($1.declaration)"/>"# }
        return """
            \(ValueCase.declarations)
            <EntityType Name="P"><Key><PropertyRef Name="ID"/></Key>
              <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(properties.joined())</EntityType>
            <EntityContainer Name="C"><EntitySet Name="Ps" EntityType="NS.P"/></EntityContainer>
            """
    }

    /// How a value is given to a property.
    enum Form: CaseIterable {
        case update, create, property

        fileprivate func request(_ name: String, _ value: EdmValue, _ service: ModelService) throws -> ChangeRequest {
            switch self {
            case .update:
                ChangeRequest(
                    try service.path("Ps(1)"),
                    .update(EntityPayload(EdmComplexValue([.init(name: name, value: value)]))))
            case .create:
                ChangeRequest(try service.path("Ps"), .create(EntityPayload(["ID": .integer(2), name: value])))
            case .property: ChangeRequest(try service.path("Ps(1)/\(name)"), .setValue(value))
            }
        }
    }

    @Test(
        "A fault has one message in tables, in the queue of a device and through the service, and nothing changes",
        arguments: Form.allCases)
    func messages(_ form: Form) async throws {
        let service = try ModelService(schema: Self.schema)
        try await service.create("Ps", #"{"ID":1}"#)
        let (device, folder) = try await service.device(["Ps"])
        defer { withExtendedLifetime(folder) {} }
        for (index, fault) in ValueCase.all.enumerated() {
            // An object that is sent alone is taken for the value's members, or for what has it as `value`.
            let isComplex = fault.declaration.hasPrefix("NS.Place")
            if form == .property, case .complex(let value) = fault.value, value.type != nil || !isComplex { continue }
            let request = try form.request("P\(index)", fault.value, service)
            let expected = "The property P\(index)\(fault.path) \(fault.message)."
            for place in StorePlace.allCases {
                let error = await #expect(throws: ODataError.self, "\(place): \(expected)") {
                    try await place.store(service, device).change(request)
                }
                #expect(error?.code == .badRequest, "\(place): \(expected)")
                #expect(error?.message.contains(expected) == true, "\(place): \(error?.message ?? "") – \(expected)")
            }
        }
        #expect(try await device.queueEntries().isEmpty)
        #expect(try await service.names("Ps", on: service.tables) == ["1"])
    }

    /// An action with a parameter for each property of ``schema``.
    private static func action(_ model: EdmModel) throws -> EdmOperationDeclaration {
        let type = try #require(model.structuredType(named: EdmQualifiedName("NS.P")))
        let parameters = type.properties.dropFirst().map { property in
            var parameter = EdmOperationDeclaration.Parameter(
                name: property.name, type: property.type, isNullable: property.isNullable)
            parameter.facets = property.facets
            parameter.annotations = [EdmAnnotation(term: EdmAnnotation.optionalParameter)]
            return parameter
        }
        return EdmOperationDeclaration(kind: .action, name: EdmQualifiedName("NS.Try"), parameters: parameters)
    }

    @Test("A parameter of an action has the same message as a property, here, in the queue and through the service")
    func parameters() async throws {
        let service = try ModelService(schema: Self.schema)
        var handlers = OperationHandlers()
        handlers.action(try Self.action(service.model), importName: "Try") { _ in ActionPlan() }
        let store = OperationStore(service.tables, operations: handlers)
        let remote = try FixedResponses().remote(over: store)
        let device = try await ShopDevice([DefiningQuery(name: "Ps", query: "Ps")], remote: remote) { _ in }
        try await device.store.download()
        let stores: [(String, any ODataStore)] = [
            ("operations", store), ("device", device.store), ("service", remote),
        ]
        for (index, fault) in ValueCase.all.enumerated() {
            let expected = "The parameter P\(index)\(fault.path) \(fault.message)."
            for (place, store) in stores {
                // The service says that the parameter is needed.
                if place == "service", fault.value.isNull { continue }
                let target = try QueryParser(model: try await store.model()).query("Try").path
                let arguments = EdmComplexValue([.init(name: "P\(index)", value: fault.value)])
                let error = await #expect(throws: ODataError.self, "\(place): \(expected)") {
                    try await store.change(ChangeRequest(target, .call(arguments: arguments)))
                }
                #expect(error?.code == .badRequest, "\(place): \(expected)")
                #expect(error?.message.contains(expected) == true, "\(place): \(error?.message ?? "") – \(expected)")
            }
        }
        #expect(try await device.store.queueEntries().isEmpty)
    }

    @Test("A parameter that an action does not have is refused before the call is queued")
    func parameterNames() async throws {
        let service = try ModelService(
            schema: """
                <Action Name="Try"><Parameter Name="Code" Type="Edm.String"/></Action>
                <EntityContainer Name="C"><ActionImport Name="Try" Action="NS.Try"/></EntityContainer>
                """)
        let (device, folder) = try await service.device([])
        defer { withExtendedLifetime(folder) {} }
        let arguments: EdmComplexValue = ["Code": .string("a"), "More": .integer(2)]
        let error = await #expect(throws: ODataError.self) {
            try await device.change(ChangeRequest(try service.path("Try"), .call(arguments: arguments)))
        }
        #expect(error?.message == "NS.Try has no parameter More.")
        #expect(try await device.queueEntries().isEmpty)
        _ = try await device.change(ChangeRequest(try service.path("Try"), .call(arguments: ["Code": .string("abc")])))
        #expect(try await device.queueEntries().count == 1)
    }
}

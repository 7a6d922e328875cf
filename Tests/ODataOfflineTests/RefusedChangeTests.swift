import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import ODataTesting
import Testing

@Suite("Changes that are refused here")
struct RefusedChangeTests {
    private func device() async throws -> Device {
        let device = try await Device([
            DefiningQuery(name: "orders", query: "Orders?$expand=Items"),
            DefiningQuery(name: "customers", query: "Customers"),
        ])
        try await device.store.download()
        return device
    }

    @Test(
        "A value of another type is a bad request that names the property",
        arguments: [
            ("Customers", ["CustomerID": .integer(5), "Name": .string("x")], "CustomerID"),
            ("Customers", ["CustomerID": .string("X"), "Name": .boolean(true)], "Name"),
            ("Orders", ["OrderDate": .string("2024-01-02")], "OrderDate"),
            ("Orders", ["Amount": .string("1")], "Amount"),
            ("Items", ["OrderID": .integer(1), "LineNo": .string("9")], "LineNo"),
        ] as [(String, EdmComplexValue, String)])
    func type(set: String, properties: EdmComplexValue, property: String) async throws {
        let device = try await device()
        let request = ChangeRequest(try device.store.path(set), .create(EntityPayload(properties)))
        await #expect {
            try await device.store.change(request)
        } throws: { error in
            let error = error as? ODataError
            return error?.code == .badRequest && error?.message.contains(property) == true
        }
        #expect(try await device.store.queueEntries().isEmpty)
    }

    @Test("That a property which must have a value is missing only the service says, and an update mends it")
    func missingProperty() async throws {
        let device = try await device()
        try await device.create("Customers", #"{"CustomerID":"Z"}"#)
        #expect(try await device.store.upload().failed.map(\.url) == ["Customers"])
        #expect(try #require(try await device.store.errorEntries().first).message.contains("Name"))
        try await device.update("Customers('Z')", #"{"Name":"Zeta"}"#)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE CustomerID = 'Z'") == ["Zeta"])
    }

    @Test("A required reference is not removed")
    func mandatoryNavigation() async throws {
        let device = try await device()
        let path = try device.store.path("Items(OrderID=4,LineNo=1)/Order/$ref")
        await #expect {
            try await device.store.change(ChangeRequest(path, .removeReference(nil)))
        } throws: {
            ($0 as? ODataError)?.code == .badRequest
        }
        #expect(try await device.count("Orders(4)/Items") == 2)
        #expect(try await device.store.queueEntries().isEmpty)
    }

    @Test("A relation leads to entities of its own set only", arguments: ["Orders(2)", "Items(OrderID=4,LineNo=1)"])
    func otherSet(target: String) async throws {
        let device = try await device()
        let reference = EntityReference.path(try device.store.path(target))
        let ref = ChangeRequest(try device.store.path("Orders(3)/Customer/$ref"), .addReference(reference))
        let binding = EntityPayload([:], bindings: [.init(navigation: "Customer", references: [reference])])
        let update = ChangeRequest(try device.store.path("Orders(3)"), .update(binding))
        let create = ChangeRequest(try device.store.path("Orders"), .create(binding))
        for request in [ref, update, create] {
            await #expect {
                try await device.store.change(request)
            } throws: {
                ($0 as? ODataError)?.code == .badRequest
            }
        }
        #expect(try await device.store.queueEntries().isEmpty)
    }

    private static let types = """
        <Annotation Term="Org.OData.Core.V1.AcceptableMediaTypes"><Collection><String>image/*</String>
        <String>text/plain</String></Collection></Annotation>
        """

    @Test(
        "Content that the metadata do not allow is refused by the limit, and nothing is queued",
        arguments: [
            (#"MaxLength="4""#, "", 4, "a/b", nil, ""), (#"MaxLength="4""#, "", 5, "a/b", .tooLarge, "MaxLength"),
            ("", #"<Annotation Term="Org.OData.Validation.V1.Maximum" Int="4"/>"#, 5, "a/b", .tooLarge, "4 at most"),
            ("", #"<Annotation Term="Org.OData.Validation.V1.Maximum" String="1KB"/>"#, 1024, "a/b", nil, ""),
            ("", #"<Annotation Term="Org.OData.Validation.V1.Maximum" String="1KB"/>"#, 1025, "a/b", .tooLarge, "1024"),
            ("", #"<Annotation Term="Org.OData.Validation.V1.Maximum" String="much"/>"#, 1025, "a/b", nil, ""),
            ("", types, 1, "Image/PNG", nil, ""), ("", types, 1, "text/plain; charset=utf-8", nil, ""),
            ("", types, 1, "text/html", .unsupportedMediaType, "image/*, text/plain"),
            ("", #"<Annotation Term="Org.OData.Core.V1.MediaType" String="a/b"/>"#, 1, "a/b", nil, ""),
            (
                "", #"<Annotation Term="Org.OData.Core.V1.MediaType" String="a/b"/>"#, 1, "a/c", .unsupportedMediaType,
                "a/b"
            ),
            ("", #"<Annotation Term="Org.OData.Core.V1.MediaType" Path="Name"/>"#, 1, "a/c", nil, ""),
        ] as [(String, String, Int, String, ODataError.Code?, String)])
    func content(
        facet: String, annotation: String, length: Int, type: String, code: ODataError.Code?, text: String
    ) async throws {
        let plan = #"<Property Name="Plan" Type="Edm.Stream""#
        let metadata = ShopService.metadata.replacing(
            plan + "/>", with: "\(plan) \(facet)>\(annotation)</Property>")
        let service = try await ShopService()
        service.responses.set("/$metadata", .body(Array(metadata.utf8), contentType: "application/xml"))
        try await service.create("Vehicles/Shop.Car", ["ID": .integer(2), "Name": .string("car")])
        let device = try await service.device([.init(name: "vehicles", query: "Vehicles")])
        try await device.store.download()
        let path = try device.store.path("Vehicles(2)/Shop.Car/Plan")
        let bytes = ByteContent(Array(repeating: 7, count: length))
        for content in [bytes, ByteContent(try bytes.chunks(), length: nil)] {
            let request = ChangeRequest(path, .replaceStream(MediaContent(content, contentType: type)))
            guard let code else {
                _ = try await device.store.change(request)
                continue
            }
            let error = await #expect(throws: ODataError.self) { try await device.store.change(request) }
            #expect(error?.code == code)
            #expect(error?.message.contains(text) == true, "\(error as Any)")
        }
        #expect(try await device.store.queueEntries().isEmpty == (code != nil))
    }
}

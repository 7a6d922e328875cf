import ByteStreams
import EncryptionKeys
import ODataAttachments
import ODataModel
import ODataOffline
import ODataStores
import ODataTesting
import Testing

@Suite("Attachments that are stream properties")
struct StreamPropertyTests {
    private static func details(_ name: String) -> AttachmentDetails {
        AttachmentDetails(name: name, contentType: "application/pdf")
    }

    /// Content of an edit that is refused before any of it is written.
    private static var unread: ByteContent {
        ByteContent(ByteChunks { throw ODataError(.internalError, "The content was read.") }, length: 1)
    }

    @Test("Each property with content is an attachment; others can be added", arguments: [false, true])
    func wholeWay(offline: Bool) async throws {
        try await InspectionSite.open { site in
            let device = try await offline ? site.device() : nil
            let owner: AttachmentOwner
            if let device {
                owner = AttachmentOwner(store: device, backEnd: StreamPropertyBackEnd(store: device))
            } else {
                let backEnd = StreamPropertyBackEnd(store: try site.online())
                owner = try AttachmentOwner(folder: site.path + "/journal", key: .random(), backEnd: backEnd)
            }
            let streams = try await owner.manager(for: "Inspections(1)")
            try await streams.fetchAttachments()
            #expect(streams.attachments.map(\.name) == ["Plan"])
            let plan = streams.attachments[0].id
            try await streams.fetchContent(of: plan)
            #expect(try await streams.content(of: plan).collect(upTo: 10) == [0x0A, 0x0B])

            for (name, code) in [("Plan", ODataError.Code.conflict), ("Drawing", ODataError.Code.badRequest)] {
                let error = await #expect(throws: ODataError.self) {
                    try await streams.add(Self.unread, Self.details(name))
                }
                #expect(error?.code == code)
            }
            try await streams.add(ByteContent([3]), Self.details("Sketch"))
            try await streams.update(plan, content: ByteContent([4]))
            #expect(try await streams.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(streams.attachments.map(\.editState) == [.original, .original])
            _ = try await device?.upload()
            #expect(try site.plans(1) == "04|03")

            try await streams.fetchAttachments()
            try await streams.markForDeletion(plan)
            try await streams.unmarkForDeletion(plan)
            #expect(!streams.hasLocalEdits)
            try await streams.markForDeletion(plan)
            let error = await #expect(throws: ODataError.self) {
                try await streams.update(plan, content: Self.unread)
            }
            #expect(error?.code == .conflict)
            #expect(try await streams.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            _ = try await device?.upload()
            #expect(try site.plans(1) == "|03")
            _ = try await device?.download()
            try await streams.fetchAttachments()
            #expect(streams.attachments.map(\.name) == ["Sketch"])
            try device?.close()
        }
    }

    @Test(
        "The first content reaches a service that demands ETags, and is written over nothing", arguments: [false, true])
    func firstContent(isThere: Bool) async throws {
        try await InspectionSite.open(requiresETags: true) { site in
            let backEnd = StreamPropertyBackEnd(store: try site.online())
            let owner = try AttachmentOwner(folder: site.path + "/journal", backEnd: backEnd)
            let streams = try await owner.manager(for: "Inspections(1)")
            try await streams.fetchAttachments()
            try await streams.add(ByteContent([3]), Self.details("Sketch"))
            if isThere { try site.execute("UPDATE Inspections SET Sketch = x'09' WHERE InspectionID = 1") }
            let errors = try await streams.postLocalEdits().compactMap { $0.error?.code }
            #expect(errors == (isThere ? [.preconditionFailed] : []))
            #expect(try site.plans(1) == (isThere ? "0A0B|09" : "0A0B|03"))
            guard !isThere else { return }
            // It has an ETag by now.
            try await streams.update(streams.attachments[1].id, content: ByteContent([4]))
            #expect(try await streams.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.plans(1) == "0A0B|04")
        }
    }

    /// Inspections, some of pumps, which have a plan.
    private static func pumps() throws -> EdmModel {
        let inspection = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName(namespace: "service", name: "Inspection"), key: ["InspectionID"],
            properties: [
                EdmProperty(name: "InspectionID", type: .int64, isNullable: false),
                EdmProperty(name: "Title", type: .string),
            ])
        let pump = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName(namespace: "service", name: "PumpInspection"), baseType: inspection.name,
            properties: [EdmProperty(name: "Plan", type: .stream)])
        return try EdmModel(schemas: [
            EdmSchema(
                namespace: "service", types: [inspection, pump], container: "Container",
                entitySets: [EdmEntitySetDeclaration(name: "Inspections", type: inspection.name)])
        ])
    }

    @Test("Those of a derived type are attachments of its entities, and of no others", arguments: [false, true])
    func derived(offline: Bool) async throws {
        try await InspectionSite.open(model: try Self.pumps()) { site in
            try site.execute(
                """
                INSERT INTO Inspections (InspectionID, Title, "$type")
                VALUES (1, 'pump', 'service.PumpInspection'), (2, 'tank', 'service.Inspection')
                """)
            let device = try await offline ? site.device(sets: ["Inspections"]) : nil
            let owner: AttachmentOwner
            if let device {
                owner = AttachmentOwner(store: device, backEnd: StreamPropertyBackEnd(store: device))
            } else {
                let backEnd = StreamPropertyBackEnd(store: try site.online())
                owner = try AttachmentOwner(folder: site.path + "/journal", backEnd: backEnd)
            }
            let streams = try await owner.manager(for: "Inspections(1)")
            try await streams.fetchAttachments()
            #expect(streams.attachments.isEmpty)
            try await streams.add(ByteContent([3]), Self.details("Plan"))
            #expect(try await streams.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            _ = try await device?.upload()
            _ = try await device?.download()
            try await streams.clear()
            try await streams.fetchAttachments()
            let plan = try #require(streams.attachments.first)
            #expect(plan.name == "Plan")
            try await streams.fetchContent(of: plan.id)
            #expect(try await streams.content(of: plan.id).collect(upTo: 10) == [3])
            try await streams.markForDeletion(plan.id)
            #expect(try await streams.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            _ = try await device?.upload()
            _ = try await device?.download()
            try await streams.fetchAttachments()
            #expect(streams.attachments.isEmpty)

            let others = try await owner.manager(for: "Inspections(2)")
            let error = await #expect(throws: ODataError.self) {
                try await others.add(Self.unread, Self.details("Plan"))
            }
            #expect(error?.code == .badRequest)
            try device?.close()
        }
    }

    @Test(
        "A stream of which the service tells nothing is listed where the list checks streams", arguments: [false, true])
    func untold(checks: Bool) async throws {
        try await InspectionSite.open { site in
            let silent = FaultPlan { attempt in
                guard attempt.request.path?.hasSuffix("/Inspections(1)") == true else { return nil }
                return .body(Array(#"{"InspectionID":1,"Title":"pump"}"#.utf8), contentType: "application/json")
            }
            let backEnd = StreamPropertyBackEnd(store: try site.online(silent), checksStreams: checks)
            let listed = try await backEnd.list(of: "Inspections(1)")
            #expect(listed.map(\.id) == (checks ? ["Plan"] : []))
            guard let plan = listed.first else { return }
            let content = try await backEnd.content(of: plan, in: "Inspections(1)").content
            #expect(try await content.collect(upTo: 10) == [0x0A, 0x0B])
        }
    }

    @Test("A stream that an offline store cannot ask for now is not taken for one without content")
    func notAsked() async throws {
        try await InspectionSite.open { site in
            try await site.device().close()
            func list(_ plan: FaultPlan, _ policy: (any NetworkPolicy)? = nil) async throws -> [String] {
                var configuration = OfflineStore.Configuration()
                configuration.networkPolicy = policy
                let store = try OfflineStore(
                    folder: site.path + "/device", remote: try site.online(plan), configuration: configuration)
                defer { try? store.close() }
                let backEnd = StreamPropertyBackEnd(store: store, checksStreams: true)
                return try await backEnd.list(of: "Inspections(2)").map(\.id)
            }
            let unreachable = await #expect(throws: ODataError.self) { try await list(FaultPlan { _ in .refused }) }
            #expect(unreachable?.code == .unreachable)
            let forbidden = await #expect(throws: ODataError.self) { try await list(.none, NoStreams()) }
            #expect(forbidden?.code == .mediaNotInStore)
            #expect(try await list(.none).isEmpty)
        }
    }

    private struct NoStreams: NetworkPolicy {
        func allows(_ bytes: Int64?, priority: Int) async -> Bool { false }
    }
}

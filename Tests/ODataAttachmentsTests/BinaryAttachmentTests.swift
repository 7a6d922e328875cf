import ByteStreams
import HTTPTypes
import ODataAttachments
import ODataModel
import ODataOffline
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Attachments in a set whose content is a binary property")
struct BinaryAttachmentTests {
    private static func name(_ name: String) -> EdmQualifiedName { EdmQualifiedName(namespace: "service", name: name) }

    /// Inspections with files, as ``InspectionSite`` has them.
    private static func model() throws -> EdmModel {
        let inspection = EdmStructuredTypeDeclaration(
            name: name("Inspection"), key: ["InspectionID"],
            properties: [
                EdmProperty(name: "InspectionID", type: .int64, isNullable: false),
                EdmProperty(name: "Title", type: .string),
            ],
            navigationProperties: [
                EdmNavigationProperty(name: "Files", target: name("File"), isCollection: true, partner: "Inspection")
            ])
        let file = EdmStructuredTypeDeclaration(
            name: name("File"), key: ["ID"],
            properties: [
                EdmProperty(name: "ID", type: .primitive(.guid), isNullable: false),
                EdmProperty(name: "InspectionID", type: .int64), EdmProperty(name: "filename", type: .string),
                EdmProperty(name: "mimeType", type: .string), EdmProperty(name: "status", type: .string),
                EdmProperty(name: "content", type: .primitive(.binary), maxLength: 1_000),
            ],
            navigationProperties: [
                EdmNavigationProperty(
                    name: "Inspection", target: name("Inspection"), isCollection: false, partner: "Files",
                    constraints: [.init(property: "InspectionID", referencedProperty: "InspectionID")])
            ])
        return try EdmModel(schemas: [
            EdmSchema(
                namespace: "service", types: [inspection, file], container: "Container",
                entitySets: [
                    EdmEntitySetDeclaration(name: "Inspections", type: inspection.name, bindings: ["Files": "Files"]),
                    EdmEntitySetDeclaration(name: "Files", type: file.name, bindings: ["Inspection": "Inspections"]),
                ])
        ])
    }

    /// With one inspection.
    private static func open(_ body: (InspectionSite) async throws -> Void) async throws {
        try await InspectionSite.open(model: try model()) { site in
            try site.execute("INSERT INTO Inspections (InspectionID, Title) VALUES (1, 'pump')")
            try await body(site)
        }
    }

    @Test("Content goes and comes as the property's raw value; nothing else is read or sent with it")
    func wholeWay() async throws {
        try await Self.open { site in
            let seen = SeenRequests()
            let files = try await site.attachments(seen.plan).manager(for: "Inspections(1)")
            let added = try await files.add(ByteContent([7, 7]), .png("valve.png"))
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files() == ["valve.png|image/png|0707"])
            #expect(seen.all.contains { $0.method == .put && $0.path?.hasSuffix("/content/$value") == true })
            try await files.clear()
            try await files.fetchAttachments()
            let listed = try #require(files.attachments.first)
            #expect(listed.details == .png("valve.png") && !listed.hasContent)
            try await files.fetchContent(of: listed.id)
            #expect(try await files.content(of: listed.id).collect(upTo: 10) == [7, 7])
            #expect(added.name == listed.name)

            // What somebody else writes is found.
            try site.execute("UPDATE Files SET content = x'09'")
            try await files.fetchAttachments()
            try await files.fetchContent(of: listed.id)
            #expect(try await files.content(of: listed.id).collect(upTo: 10) == [9])

            try await files.update(listed.id, content: ByteContent([8]), details: .png("after.png"))
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files() == ["after.png|image/png|08"])
            try await files.fetchAttachments()
            try await files.markForDeletion(listed.id)
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files().isEmpty)

            let reads = seen.all.filter { $0.method == .get }.compactMap(\.path).filter { $0.contains("/Files") }
            let ofEntities = reads.filter { !$0.hasSuffix("/content/$value") }
            #expect(reads.count - ofEntities.count == 2 && !ofEntities.isEmpty)
            #expect(ofEntities.allSatisfy { $0.contains("select=") && !$0.contains("content") }, "\(ofEntities)")
        }
    }

    @Test(
        "What was cut off in either step is gone on with by the process that comes next",
        arguments: [HTTPRequest.Method.post, .put], [TransportFault.responseLost, .requestLost, .refused])
    func cutOff(method: HTTPRequest.Method, fault: TransportFault) async throws {
        try await Self.open { site in
            let owner = try site.attachments(.once(fault) { $0.method == method })
            let files = try await owner.manager(for: "Inspections(1)")
            for name in ["a.png", "b.png"] { try await files.add(ByteContent([7]), .png(name)) }
            #expect(try await files.postLocalEdits().contains { $0.error != nil })
            try site.copy("journal", to: "next")

            let next = try await site.attachments(folder: "next").manager(for: "Inspections(1)")
            try await next.fetchAttachments()
            #expect(try await next.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(!next.hasLocalEdits && !next.attachments.contains(where: \.isUnconfirmed))
            #expect(try site.files() == ["a.png|image/png|07", "b.png|image/png|07"])
            try await next.fetchAttachments()
            #expect(next.attachments.map(\.name).sorted() == ["a.png", "b.png"])
        }
    }

    @Test("Content that the property cannot take is refused before it is kept")
    func tooLong() async throws {
        try await Self.open { site in
            let files = try await site.attachments().manager(for: "Inspections(1)")
            let long = ByteContent([UInt8](repeating: 7, count: 1_001))
            let error = await #expect(throws: ODataError.self) { try await files.add(long, .png("long.png")) }
            #expect(error?.code == .tooLarge)
            #expect(files.attachments.isEmpty)
        }
    }

    @Test("With an offline store the value goes through its queue, and is read from it")
    func offline() async throws {
        try await Self.open { site in
            let device = try await site.device(sets: ["Inspections", "Files"])
            let backEnd = AttachmentSetBackEnd(store: device, navigation: "Files")
            let owner = AttachmentOwner(store: device, backEnd: backEnd)
            let files = try await owner.manager(for: "Inspections(1)")
            let added = try await files.add(ByteContent([7, 7]), .png("valve.png"))
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files().isEmpty)
            #expect(try await device.upload().isComplete)
            #expect(try site.files() == ["valve.png|image/png|0707"])
            try await device.download()
            try await files.clear()
            try await files.fetchAttachments()
            #expect(files.attachments.map(\.name) == [added.name])
            let listed = try #require(files.attachments.first)
            try await files.fetchContent(of: listed.id)
            #expect(try await files.content(of: listed.id).collect(upTo: 10) == [7, 7])
            try device.close()
        }
    }
}

/// The requests that have been sent.
private final class SeenRequests: Sendable {
    private let state = Mutex<[HTTPRequest]>([])

    var all: [HTTPRequest] { state.withLock { $0 } }

    /// Without faults.
    var plan: FaultPlan {
        FaultPlan { [self] attempt in
            state.withLock { $0.append(attempt.request) }
            return nil
        }
    }
}

import ByteStreams
import HTTPTypes
import ODataAttachments
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Names of attachments are those of files")
struct AttachmentNameTests {
    @Test("The slug of a media entity and its property")
    func mediaEntity() async throws {
        try await InspectionSite.open { site in
            let slugs = Mutex<[String]>([])
            let plan = FaultPlan { attempt in
                if let slug = HTTPField.Name("Slug").flatMap({ attempt.request.headerFields[$0] }) {
                    slugs.withLock { $0.append(slug) }
                }
                return nil
            }
            let photos = try await site.photos(plan).manager(for: "Inspections(2)")
            let added = try await photos.add(ByteContent([7]), .png("../a\\le\u{7}ak.png"))
            #expect(added.name == "leak.png")
            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(slugs.withLock { $0 } == ["leak.png"])
            #expect(try site.served(2) == ["3|lid|030303", "4|leak.png|07"])
        }
    }

    @Test("The property of an entity in a set of its own; one that the service has stays unless it is another one")
    func set() async throws {
        try await InspectionSite.open { site in
            let backEnd = AttachmentSetBackEnd(store: try site.online(), navigation: "Files")
            let owner = try AttachmentOwner(folder: site.path + "/journal", backEnd: backEnd)
            let files = try await owner.manager(for: "Inspections(1)")
            try await files.add(ByteContent([7]), .png("a/b/valve.png"))
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files() == ["valve.png|image/png|07"])
            try site.execute("UPDATE Files SET filename = 'in/out.png'")
            try await files.fetchAttachments()
            let listed = try #require(files.attachments.first)
            try await files.update(listed.id, details: AttachmentDetails(name: listed.name, contentType: "image/x"))
            #expect(try await files.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.files() == ["in/out.png|image/x|07"])
        }
    }

    @Test("One of which nothing is left is refused", arguments: ["", "..", "a/..", "\r\n"])
    func refused(name: String) async throws {
        try await InspectionSite.open { site in
            let photos = try await site.photos().manager(for: "Inspections(1)")
            let error = await #expect(throws: ODataError.self) {
                try await photos.add(ByteContent([7]), .png(name))
            }
            #expect(error?.code == .badRequest)
            #expect(photos.attachments.isEmpty)
        }
    }
}

import ByteStreams
import EncryptionKeys
import ODataAttachments
import ODataOffline
import ODataStores
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
}

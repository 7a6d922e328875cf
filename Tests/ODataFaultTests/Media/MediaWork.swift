import Foundation
import OData

/// Streams that are changed on a device, each recognisable at the service.
struct MediaWork: Sendable {
    static let inspection = "Inspections(7000)"

    /// New photos, by their captions.
    var creations: [String: ByteContent] = [:]
    /// Content of photos that are there.
    var replacements: [Int: ByteContent] = [:]

    /// What the device has to send.
    static let uploads = MediaWork(
        creations: ["kill-1": picture(1, 150_000), "kill-2": picture(2, 5_000)],
        replacements: [9001: picture(3, 120_000), 9003: picture(4, 40_000)])
    /// What is edited of the photos of one inspection.
    static let edits = MediaWork(
        creations: ["kill-1": picture(1, 150_000), "kill-2": picture(2, 5_000)],
        replacements: [9000: picture(3, 120_000)])

    private static func picture(_ number: UInt64, _ length: Int) -> ByteContent {
        ByteContent(SiteFile.picture(seed: 600 + number, length: length))
    }

    func queue(in store: OfflineStore) async throws {
        let photos = try store.path("Photos")
        for (caption, content) in creations.sorted(by: { $0.key < $1.key }) {
            let properties = try await store.payload(#"{"Caption":"\#(caption)","InspectionID":7000}"#, for: photos)
            _ = try await store.createMedia(png(content), in: photos, properties: properties)
        }
        try await replace(in: store) { try store.path($0) }
    }

    /// As another client does it.
    func send(to store: OnlineStore) async throws {
        let parser = QueryParser(model: try await store.model())
        try await replace(in: store) { try parser.path($0) }
    }

    private func replace(in store: any ODataStore, _ path: (String) throws -> ResourcePath) async throws {
        for (photo, content) in replacements.sorted(by: { $0.key < $1.key }) {
            let target = try path("Photos(\(photo))")
            _ = try await store.change(ChangeRequest(target, .replaceStream(png(content))))
        }
    }

    func edit(in folder: String, of store: any ODataStore) async throws {
        let owner = try AttachmentOwner(folder: folder, backEnd: Self.backEnd(of: store))
        let manager = try await owner.manager(for: Self.inspection)
        try await manager.fetchAttachments()
        for (caption, content) in creations.sorted(by: { $0.key < $1.key }) {
            try await manager.add(content, AttachmentDetails(name: caption, contentType: "image/png"))
        }
        for attachment in manager.attachments {
            guard let content = replacements.first(where: { "Photos(\($0.key))" == attachment.remoteID })?.value
            else { continue }
            try await manager.update(attachment.id, content: content)
        }
    }

    static func backEnd(of store: any ODataStore) -> MediaEntityBackEnd {
        MediaEntityBackEnd(store: store, navigation: "Photos", names: .init(name: "Caption"))
    }

    private func png(_ content: ByteContent) -> MediaContent { MediaContent(content, contentType: "image/png") }
}

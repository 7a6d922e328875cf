import ArcGISTesting
import AsyncHTTPTransport
import ByteStreams
import Foundation
import ODataAttachments
import ODataStores
import Testing

@testable import ODataArcGIS

/// A feature service for tests, and a folder for those who edit the attachments of its features.
struct FeatureSite {
    static let styles = [FeatureServerConfiguration.Style.hosted, .enterprise]

    let server: FeatureServer
    private let transport: AsyncHTTPTransport
    private let path: String

    /// Does `body` at a site of its own, which is gone afterwards.
    ///
    /// No request may have a parameter, file or member that Esri's reference does not know.
    static func open(
        _ style: FeatureServerConfiguration.Style, _ change: (inout FeatureServerConfiguration) -> Void = { _ in },
        _ body: (FeatureSite) async throws -> Void
    ) async throws {
        var configuration = FeatureServerConfiguration()
        configuration.style = style
        change(&configuration)
        let path = FileManager.default.temporaryDirectory.path + "/features-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await FeatureServer.open(configuration) { server in
            let transport = AsyncHTTPTransport()
            do { try await body(FeatureSite(server: server, transport: transport, path: path)) } catch {
                try? await transport.shutdown()
                throw error
            }
            try await transport.shutdown()
            let strange = server.requests.filter { $0.operation == nil || !$0.unknownNames.isEmpty }
            #expect(strange.map { "\($0.operation?.rawValue ?? "nothing"): \($0.unknownNames)" } == [])
        }
    }

    /// The layer 0, asked without pauses after failures.
    func backEnd(_ change: (inout ArcGISClient.Configuration) -> Void = { _ in }) throws -> FeatureLayerBackEnd {
        var configuration = ArcGISClient.Configuration()
        change(&configuration)
        let service = try ArcGISClient(
            serviceURL: server.serviceURL, transport: transport, configuration: configuration)
        return FeatureLayerBackEnd(service: service, layer: 0, plan: RetryPlan(), pause: { _ in })
    }

    /// - Parameter folder: Of the journal.
    func owner(
        _ folder: String = "journal", _ change: (inout ArcGISClient.Configuration) -> Void = { _ in }
    ) throws -> AttachmentOwner {
        try AttachmentOwner(folder: "\(path)/\(folder)", backEnd: try backEnd(change))
    }

    /// What a process that is killed now leaves behind.
    func copy(_ folder: String, to target: String) throws {
        try FileManager.default.copyItem(atPath: "\(path)/\(folder)", toPath: "\(path)/\(target)")
    }

    /// Another client adds photos to the feature 1: `gauge.jpg` and `valve.jpg`.
    func attachPhotos() throws {
        try server.attach([1], named: "gauge.jpg", contentType: "image/jpeg", to: 1)
        try server.attach([2, 2], named: "valve.jpg", contentType: "image/jpeg", to: 1)
    }

    /// `1 gauge.jpg [1]`: the attachments of the feature 1 at the service.
    func served() async throws -> [String] {
        var texts: [String] = []
        for attachment in server.attachments(of: 1) {
            let bytes = try await ByteContent(attachment.content).collect(upTo: 1 << 20)
            texts.append("\(attachment.id) \(attachment.name) \(bytes)")
        }
        return texts
    }

    func requests(_ operation: FeatureServerOperation) -> [ReceivedRequest] {
        server.requests.filter { $0.operation == operation }
    }

    static func jpeg(_ name: String) -> AttachmentDetails {
        AttachmentDetails(name: name, contentType: "image/jpeg")
    }

    /// `gauge.jpg original`
    static func states(_ manager: AttachmentManager) -> [String] {
        manager.attachments.map { "\($0.name) \($0.editState)" }
    }
}

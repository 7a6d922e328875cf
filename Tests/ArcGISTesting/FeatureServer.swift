import ByteStreams
import Foundation
import ODataServer

/// An ArcGIS feature service with attachments over real HTTP, for tests of clients.
///
/// ```swift
/// try await FeatureServer.open { server in
///     server.inject(FeatureServerFault(.loseResponse, on: .addAttachment))
///     // … what is tested, with server.layerURL()
///     #expect(try server.attachments(of: 1).count == 1)
/// }
/// ```
///
/// Its responses have the shapes of Esri's REST reference and of recorded ones; it refuses what real services refuse.
/// Codes of errors in the rows of edits are not documented: clients should show them and not decide by them.
///
/// [Esri: ArcGIS REST APIs, Services reference: Feature service, Uploads, Generate Token]
package final class FeatureServer: Sendable {
    private let server: ODataServer
    private let service: FeatureService
    private let name: String

    private init(server: ODataServer, service: FeatureService, name: String) {
        self.server = server
        self.service = service
        self.name = name
    }

    /// Does `body` with a server of its own at the loopback address, of which nothing is left afterwards.
    package static func open(
        _ configuration: FeatureServerConfiguration = FeatureServerConfiguration(),
        _ body: (FeatureServer) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/feature-server-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let service = FeatureService(configuration, folder: folder)
        let server = try await ODataServer.start(service: configuration.front(service))
        do {
            try await body(FeatureServer(server: server, service: service, name: configuration.name))
        } catch {
            try? await server.stop()
            throw error
        }
        try await server.stop()
    }

    /// `http://127.0.0.1:41235/`
    package var rootURL: String { server.rootURL }

    /// `http://127.0.0.1:41235/arcgis/rest/services/Inspections/FeatureServer`
    package var serviceURL: String { "\(rootURL)arcgis/rest/services/\(name)/FeatureServer" }

    package func layerURL(_ layer: Int = 0) -> String { "\(serviceURL)/\(layer)" }

    package var tokenURL: String { "\(rootURL)arcgis/tokens/generateToken" }

    /// A token as a user gets one by signing in.
    package func newToken() -> String { service.withState { $0.newToken(minutes: 60).token } }

    /// All requests but those whose URL was too long or whose body could not be read, in their order.
    package var requests: [ReceivedRequest] { service.withState { $0.requests } }

    /// Faults of one operation come in the order in which they are given, one for each request.
    package func inject(_ fault: FeatureServerFault) { service.withState { $0.faults.append(fault) } }

    /// Changes how the service behaves from now on. Name, style and layers stay what they were.
    package func configure(_ body: (inout FeatureServerConfiguration) -> Void) {
        service.withState { body(&$0.configuration) }
    }

    /// Changes a layer's capabilities and settings from now on; its features stay.
    package func configureLayer(_ layer: Int = 0, _ body: (inout FeatureLayer) -> Void) {
        service.withState { state in
            guard let index = state.configuration.layers.firstIndex(where: { $0.id == layer }) else { return }
            body(&state.configuration.layers[index])
            state.layers[layer]?.layer = state.configuration.layers[index]
        }
    }

    /// A feature's global id as the service writes it; nil if there is no such feature.
    package func globalID(of feature: Int64, in layer: Int = 0) -> String? {
        service.withState { state in
            state.layers[layer]?.feature(feature)?.globalID.text(state.configuration.style)
        }
    }

    package func attachments(of feature: Int64, in layer: Int = 0) -> [ServedAttachment] {
        service.withState { $0.layers[layer]?.attachments(of: feature).map(\.served) ?? [] }
    }

    /// A new attachment that another client added.
    package func attach(
        _ bytes: [UInt8], named name: String, contentType: String, keywords: String? = nil, to feature: Int64,
        in layer: Int = 0
    ) throws {
        let file = AttachedFile(
            name: name, contentType: contentType, keywords: keywords, source: DataSource(bytes),
            size: Int64(bytes.count))
        try service.withState { state in _ = try state.layers[layer]?.add(file, to: feature) }
    }

    /// Takes away what another client deleted.
    package func removeAttachments(of feature: Int64, in layer: Int = 0) {
        service.withState { (state: inout ServiceState) -> Void in
            state.layers[layer]?.attachments.removeAll { $0.served.feature == feature }
        }
    }
}

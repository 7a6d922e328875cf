import Foundation
import OData
import ODataServer
import ODataService

/// The service of the demo: started and stopped on the same port, to simulate a network that is interrupted.
final class DemoService {
    private let path: String
    private let media: [MediaColumn]
    private var server: ODataServer?
    private var store: SQLiteStore?
    private var port = 0

    init(path: String, media: [MediaColumn]) {
        self.path = path
        self.media = media
    }

    /// Starts the service and gives its root URL.
    func start() async throws -> String {
        var configuration = SQLiteStore.Configuration()
        configuration.media = media
        configuration.tracksChanges = true
        let store = try SQLiteStore(path: path, configuration: configuration)
        let server = try await ODataServer.start(service: ODataService(store: store), port: port)
        self.store = store
        self.server = server
        port = URL(string: server.rootURL)?.port ?? 0
        return server.rootURL
    }

    func stop() async throws {
        try await server?.stop()
        try store?.close()
        server = nil
        store = nil
    }
}

import ODataServer
import ODataService
import ODataStores
import Testing

/// Runs `work` with the port of a server of `store`, which is stopped afterwards.
func withServer(of store: any ODataStore, _ work: (Int) async throws -> Void) async throws {
    let server = try await ODataServer.start(service: ODataService(store: store))
    let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
    do { try await work(port) } catch {
        try await server.stop()
        throw error
    }
    try await server.stop()
}

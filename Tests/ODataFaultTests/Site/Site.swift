import AsyncHTTPTransport
import Foundation
import OData
import ODataServer
import ODataService
import ToolSupport

/// A service in this process and a store folder that the tool works in.
final class Site: Sendable {
    static let queries = [
        DefiningQuery(name: "partners", query: "BusinessPartners"),
        DefiningQuery(name: "orders", query: "SalesOrders?$expand=SalesOrderItems"),
        DefiningQuery(name: "products", query: "Products"),
        DefiningQuery(name: "equipment", query: "Equipment"),
        DefiningQuery(name: "work", query: "WorkOrders?$expand=Inspections"),
        DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true),
    ]
    private static let transport = AsyncHTTPTransport()

    private let folder: TemporaryFolder
    let file: SiteFile
    let service: SQLiteStore
    let responder: KillingResponder
    let server: ODataServer

    init() async throws {
        folder = try TemporaryFolder()
        file = try SiteFile(in: folder)
        service = try file.publish()
        responder = KillingResponder(ODataService(store: service))
        server = try await ODataServer.start(service: responder)
    }

    /// The store's folder.
    var store: String { folder.path + "/store" }

    func stop() async throws {
        try await server.stop()
        try service.close()
    }

    func path(_ name: String) -> String { folder.path + "/" + name }

    /// Makes the store with its defining queries, nothing downloaded.
    func prepare() async throws {
        try await run("init", "--service", server.rootURL)
        try await open { store in
            for query in Self.queries { try store.addQuery(query) }
        }
    }

    /// Does `body` with the store, in this process, and with the service at hand.
    @discardableResult
    func open<Result>(_ body: (OfflineStore) async throws -> Result) async throws -> Result {
        let remote = try OnlineStore(serviceRoot: server.rootURL, transport: Self.transport)
        return try await OfflineStore.opened(store, remote, body)
    }

    /// Runs `odata store <command> <folder> …` to its end; anything but exit status 0 is an error.
    @discardableResult
    func run(_ command: String, _ arguments: String...) async throws -> Tool.Output {
        let output = try await Tool.run(["store", command, store] + arguments)
        guard output.status == 0 else {
            throw ToolError(message: "\(command) ended with \(output.status): \(output.standardError)")
        }
        return output
    }
}

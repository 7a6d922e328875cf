import ArgumentParser
import Dispatch
import Foundation
import OData
import ODataServer
import ODataService
import ODataTesting

/// Publishes work orders, inspections and photos from an SQLite file, with an action that the file alone does not have.
@main
struct FieldService: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FieldService",
        abstract: "Publish a file of field work as an OData service on this machine.",
        discussion: "Prints its URL once it accepts requests. Ctrl-C or SIGTERM ends it.")

    @Argument(help: "The SQLite file; a sample is written where there is none.")
    var file: String

    @Option(help: "0 lets the system choose.")
    var port = 8080

    @Option(help: "Who may call it, with the password in FIELD_SERVICE_PASSWORD. Otherwise everybody on this machine.")
    var user: String?

    func run() async throws {
        if !FileManager.default.fileExists(atPath: file) { try FieldServiceSample.create(at: file) }
        let store = try SQLiteStore(path: file, configuration: Self.published)
        let service = ODataService(store: OperationStore(store, operations: try await Self.operations(on: store)))
        let signals = Self.terminations()
        let server = try await ODataServer.start(service: try guarded(service), port: port)
        print(server.rootURL)
        // Whoever reads this through a pipe waits for the line.
        fflush(nil)
        for await _ in signals { break }
        try await server.stop()
        try store.close()
    }

    /// Photos are media entities, and clients get delta links.
    private static var published: SQLiteStore.Configuration {
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: "Photos", column: "Content", contentType: "image/png")]
        configuration.tracksChanges = true
        return configuration
    }

    private func guarded(_ service: ODataService) throws -> any HTTPResponder {
        guard let user else { return service }
        guard let password = ProcessInfo.processInfo.environment["FIELD_SERVICE_PASSWORD"] else {
            throw ValidationError("FIELD_SERVICE_PASSWORD has no password for \(user).")
        }
        var credentials = ServiceCredentials()
        credentials.add(user: user, password: password)
        return AuthenticatingResponder(service, credentials: credentials)
    }

    /// A value for SIGTERM and for SIGINT, which do not end the process from now on.
    private static func terminations() -> AsyncStream<Int32> {
        AsyncStream { continuation in
            for number in [SIGTERM, SIGINT] {
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler {
                    continuation.yield(number)
                    // Until then its own handler keeps the source.
                    source.cancel()
                }
                source.resume()
            }
        }
    }
}

import ArgumentParser
import AsyncHTTPTransport
import Foundation
import GRDB
import OData
import ODataTesting

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show the main job: take a service's data and pictures offline, change them, bring the changes back.",
        discussion: """
            A service is started on a loopback port, a store downloads a part of it, the service is stopped, data \
            and pictures are read, edited, created and deleted in the store, the service is started again, the \
            changes are uploaded, and both sides are compared. Any difference is exit status 1.

            EXAMPLE: odata demo --database northwind.db --keep demo-folder
            """)

    @Option(
        help: "An SQLite file to use instead of the sample; a copy is served, the file is not touched.",
        completion: .file())
    var database: String?

    @Option(
        help: "Keep the database and the store in this new folder instead of a temporary one.",
        completion: .directory)
    var keep: String?

    func run() async throws {
        let folder = try workFolder()
        defer { if keep == nil { try? FileManager.default.removeItem(atPath: folder) } }
        let copy = try prepareDatabase(in: folder)
        let scenario = try await scenario(for: copy)
        let transport = AsyncHTTPTransport()
        do {
            try await DemoRun(scenario: scenario, database: copy, folder: folder)
                .run(transport.with([RedirectMiddleware()]))
            try await transport.shutdown()
        } catch {
            try? await transport.shutdown()
            throw error
        }
        if let keep { Console.write("The database and the store are in \(keep).") }
    }

    private func workFolder() throws -> String {
        let folder = keep ?? NSTemporaryDirectory() + "odata-demo-\(UUID().uuidString)"
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw Failure("\(folder) is there already. Choose a new folder for --keep.")
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private func prepareDatabase(in folder: String) throws -> String {
        guard let database else {
            let path = folder + "/fieldservice.db"
            try FieldServiceSample.create(at: path)
            return path
        }
        let path = folder + "/" + URL(fileURLWithPath: database).lastPathComponent
        guard FileManager.default.fileExists(atPath: database) else {
            throw Failure("There is no file \(database).")
        }
        var configuration = Configuration()
        configuration.readonly = true
        let source = try DatabaseQueue(path: database, configuration: configuration)
        try source.backup(to: DatabaseQueue(path: path))
        return path
    }

    private func scenario(for path: String) async throws -> DemoScenario {
        guard database != nil else { return .fieldService }
        let store = try SQLiteStore(path: path)
        let model = try await store.model()
        try store.close()
        let isNorthwind = ["Order_Details", "Employees", "Categories"].allSatisfy { model.entitySet(named: $0) != nil }
        return isNorthwind ? .northwind : .generic(model: model)
    }
}

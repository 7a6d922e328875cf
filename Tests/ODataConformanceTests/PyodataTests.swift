import Foundation
import ODataSQLite
import ODataServer
import ODataService
import ODataStores
import TestSupport
import Testing

/// A V2 client that is not ours, over HTTP: pyodata from PyPI, in a virtual environment outside of the repository.
@Suite(
    "pyodata uses Northwind", .enabled(if: PyodataPeer.isWanted, Comment(rawValue: PyodataPeer.absence)),
    .timeLimit(.minutes(10)))
struct PyodataTests {
    @Test("reads, filters, creates, updates, deletes, sends batches and calls functions")
    func everything() async throws {
        let peer = try #require(PyodataPeer.shared, Comment(rawValue: PyodataPeer.absence))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pyodata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("northwind.db")
        try FileManager.default.copyItem(at: peer.northwind, to: file)
        let store = try SQLiteStore(path: file.path, configuration: SQLiteStore.Configuration())
        defer { try? store.close() }
        let service = ODataService(store: OperationStore(store, operations: NorthwindOperations.all))
        let server = try await ODataServer.start(service: service)
        let result = await peer.run(root: server.rootURL + "v2/")
        try await server.stop()
        #expect(result.status == 0, "\(result.output)")
    }
}

/// Where the script, its Python and the data lie.
struct PyodataPeer: Sendable {
    let python: String
    let script: String
    let northwind: URL

    private static let environment = PythonEnvironment(["pyodata==1.12.1", "requests"], importing: "pyodata, requests")
    private static let data = TestData.url("northwind/northwind.db")

    /// Nil where Python, the package or the data are missing.
    static let shared: PyodataPeer? = {
        guard let northwind = data, let python = environment.python else { return nil }
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return PyodataPeer(
            python: python, script: tests.appendingPathComponent("Peers/pyodata_client.py").path,
            northwind: northwind)
    }()

    /// Whether tests with it run, if only to fail because it is missing.
    static var isWanted: Bool { data != nil && environment.isWanted }
    static var absence: String { data == nil ? TestData.absence : environment.absence }

    /// Runs the script on a thread of its own, as that blocks.
    func run(root: String) async -> (status: Int32, output: String) {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: PythonEnvironment.run([python, script, root, "functions"]))
            }
        }
    }
}

import Foundation
import ODataSQLite
import ODataServer
import ODataService
import ODataStores
import Testing

/// A V2 client that is not ours, over HTTP: pyodata from PyPI, in a virtual environment outside of the repository.
@Suite(
    "pyodata uses Northwind", .enabled(if: PyodataPeer.shared != nil, Comment(rawValue: PyodataPeer.absence)),
    .timeLimit(.minutes(10)))
struct PyodataTests {
    @Test("reads, filters, creates, updates, deletes, sends batches and calls functions")
    func everything() async throws {
        let peer = try #require(PyodataPeer.shared)
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

    static let absence = "skipped: Python 3 with pyodata from PyPI, or ../shared/data/northwind, is not here"

    /// Nil where Python, the package or the data are missing.
    static let shared: PyodataPeer? = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let northwind = tests.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("shared/data/northwind/northwind.db")
        guard FileManager.default.fileExists(atPath: northwind.path), let python = environment() else { return nil }
        return PyodataPeer(
            python: python, script: tests.appendingPathComponent("Peers/pyodata_client.py").path,
            northwind: northwind)
    }()

    /// Makes the virtual environment, or uses the one that an earlier run made.
    private static func environment() -> String? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("odata-peer-pyodata-1.12.1")
        let python = folder.appendingPathComponent("bin/python3").path
        if run([python, "-c", "import pyodata, requests"]).status == 0 { return python }
        let install = [python, "-m", "pip", "install", "--quiet", "pyodata==1.12.1", "requests"]
        guard run(["/usr/bin/env", "python3", "-m", "venv", "--clear", folder.path]).status == 0,
            run(install).status == 0, run([python, "-c", "import pyodata, requests"]).status == 0
        else { return nil }
        return python
    }

    /// Runs the script on a thread of its own, as that blocks.
    func run(root: String) async -> (status: Int32, output: String) {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Self.run([python, script, root, "functions"]))
            }
        }
    }

    private static func run(_ command: [String]) -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: command.first ?? "")
        process.arguments = Array(command.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        guard (try? process.run()) != nil else { return (-1, "\(command) cannot be started.") }
        let bytes = (try? output.fileHandleForReading.readToEnd()) ?? nil
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes ?? Data(), as: UTF8.self))
    }
}

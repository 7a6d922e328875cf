import Foundation

/// A program in Python that uses a package from PyPI, in a virtual environment outside of the repository.
package struct PythonPeer: Sendable {
    /// The environment's Python.
    let python: String
    let script: String

    /// The OData V2 service that `pyslet_server.py` is; nil where there is no Python 3 or the package cannot be
    /// installed.
    package static let pyslet: PythonPeer? = environment(package: "pyslet", version: "0.7.20170805").map { python in
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return PythonPeer(python: python, script: tests.appendingPathComponent("Peers/pyslet_server.py").path)
    }

    package static let absence: String = "skipped: Python 3 with pyslet from PyPI is not here"

    /// Makes the environment, or uses the one that an earlier run made.
    private static func environment(package: String, version: String) -> String? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("odata-peer-\(package)-\(version)")
        let python = folder.appendingPathComponent("bin/python3").path
        if run([python, "-c", "import \(package)"]) { return python }
        guard run(["/usr/bin/env", "python3", "-m", "venv", "--clear", folder.path]),
            run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "\(package)==\(version)"]),
            run([python, "-c", "import \(package)"])
        else { return nil }
        return python
    }

    private static func run(_ command: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Runs the program while `body` does; it tells the address it listens on in its first line.
    package func serving(_ body: (String) async throws -> Void) async throws {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.terminate()
            process.waitUntilExit()
        }
        let line = await Self.firstLine(of: output.fileHandleForReading)
        guard line.hasPrefix("http://") else { throw CocoaError(.fileReadUnknown) }
        try await body(line)
    }

    /// Reads on a thread of its own, as it blocks.
    private static func firstLine(of handle: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes: [UInt8] = []
                while bytes.last != UInt8(ascii: "\n") {
                    guard let byte = try? handle.read(upToCount: 1)?.first else { break }
                    bytes.append(byte)
                }
                let text = String(decoding: bytes, as: UTF8.self)
                continuation.resume(returning: text.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
    }
}

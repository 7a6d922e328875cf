import Foundation
import TestSupport

/// A program in Python that uses a package from PyPI, in a virtual environment outside of the repository.
package struct PythonPeer: Sendable {
    /// The environment's Python.
    let python: String
    let script: String

    private static let environment = PythonEnvironment(["pyslet==0.7.20170805"], importing: "pyslet")

    /// The OData V2 service that `pyslet_server.py` is; nil where there is no Python 3 or the package cannot be
    /// installed.
    package static let pyslet: PythonPeer? = environment.python.map { python in
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return PythonPeer(python: python, script: tests.appendingPathComponent("Peers/pyslet_server.py").path)
    }

    /// Whether tests with it run, if only to fail because it is missing.
    package static var isWanted: Bool { environment.isWanted }
    package static var absence: String { environment.absence }

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

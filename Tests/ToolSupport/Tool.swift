import Foundation

/// Runs the tool, or another program, that was built with the tests, as a process of its own.
package struct Tool {
    package struct Output: Sendable {
        package var status: Int32
        package var standardOutput: String
        package var standardError: String

        /// Standard output as a JSON object.
        package var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(standardOutput.utf8))) as? [String: Any] ?? [:]
        }

        /// The members of `value`.
        package var rows: [[String: Any]] { json["value"] as? [[String: Any]] ?? [] }
    }

    /// The executable of this name beside the test bundle; one with a path from the root as it stands.
    package static func path(of program: String = "odata") throws -> String {
        if program.hasPrefix("/") { return program }
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(program).path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
                return candidate
            }
            folder.deleteLastPathComponent()
        }
        throw ToolError(message: "\(program) is not built beside \(CommandLine.arguments[0]).")
    }

    /// Where a program of the machine is; nil if it is not installed.
    package static func installed(_ program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(program)" }
            .first { $0.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs the tool to its end.
    package static func run(_ arguments: String..., input: String = "") async throws -> Output {
        try await run(arguments, input: input)
    }

    /// - Parameters:
    ///   - program: What is run.
    ///   - folder: The one that it works in; nil for that of this process.
    ///   - environment: Beside that of this process.
    package static func run(
        _ arguments: [String], of program: String = "odata", in folder: String? = nil, input: String = "",
        environment: [String: String] = [:]
    ) async throws -> Output {
        let running = try RunningTool(arguments, of: program, in: folder, environment: environment)
        running.write(input)
        running.closeInput()
        return await running.finish()
    }
}

package struct ToolError: Error {
    package var message: String

    package init(message: String) {
        self.message = message
    }
}

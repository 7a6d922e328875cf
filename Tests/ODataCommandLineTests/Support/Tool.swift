import Foundation
import Testing

/// Runs the tool that was built with the tests, as a process of its own.
struct Tool {
    struct Output {
        var status: Int32
        var standardOutput: String
        var standardError: String

        /// Standard output as a JSON object.
        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(standardOutput.utf8))) as? [String: Any] ?? [:]
        }

        /// The members of `value`.
        var rows: [[String: Any]] { json["value"] as? [[String: Any]] ?? [] }
    }

    /// The executable beside the test bundle.
    static var path: String {
        get throws {
            var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            while folder.path != "/" {
                let candidate = folder.appendingPathComponent("odata").path
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
            throw ToolError(message: "The tool is not built beside \(CommandLine.arguments[0]).")
        }
    }

    /// Runs the tool to its end.
    static func run(_ arguments: String..., input: String = "") async throws -> Output {
        try await run(arguments, input: input)
    }

    static func run(_ arguments: [String], input: String = "") async throws -> Output {
        let running = try RunningTool(arguments)
        running.write(input)
        running.closeInput()
        return await running.finish()
    }
}

struct ToolError: Error {
    var message: String
}

/// A tool process that is under way.
final class RunningTool: Sendable {
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private let lines: LineReader
    private let errorText: Task<String, Never>

    init(_ arguments: [String]) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: try Tool.path)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        lines = LineReader(output.fileHandleForReading)
        let handle = errors.fileHandleForReading
        errorText = Task.detached { String(decoding: handle.readDataToEndOfFile(), as: UTF8.self) }
    }

    var processID: Int32 { process.processIdentifier }

    func write(_ text: String) {
        guard !text.isEmpty else { return }
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    func closeInput() {
        try? input.fileHandleForWriting.close()
    }

    /// The next line of standard output; nil at its end.
    func nextLine() -> String? { lines.next() }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Reads what is left and waits for the end.
    func finish() async -> Tool.Output {
        let rest = lines.rest()
        let text = await errorText.value
        process.waitUntilExit()
        return Tool.Output(status: process.terminationStatus, standardOutput: rest, standardError: text)
    }
}

/// Reads a pipe line by line.
private final class LineReader: Sendable {
    private let handle: FileHandle

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    func next() -> String? {
        var line: [UInt8] = []
        while let byte = try? handle.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    func rest() -> String { String(decoding: handle.readDataToEndOfFile(), as: UTF8.self) }
}

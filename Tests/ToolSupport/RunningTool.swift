import Foundation

/// A tool process that is under way.
package final class RunningTool: Sendable {
    private let process: Process
    private let input = Pipe()
    private let lines: LineReader
    private let errors: Pipe

    /// - Parameters:
    ///   - program: What is run.
    ///   - folder: The one that it works in; nil for that of this process.
    ///   - inputFile: What the tool reads as standard input; without it, what ``write(_:)`` gives.
    ///   - fileLimit: The greatest length of a file that the process may write, in blocks of 512 bytes: what a full
    ///     disk is to it. A write beyond it fails and does not end the process.
    ///   - environment: Beside that of this process.
    package init(
        _ arguments: [String], of program: String = "odata", in folder: String? = nil, inputFile: String? = nil,
        fileLimit: Int? = nil, environment: [String: String] = [:]
    ) throws {
        let output = Pipe()
        errors = Pipe()
        process = Process()
        if let fileLimit {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let script = "trap '' XFSZ; ulimit -f \(fileLimit); exec \"$0\" \"$@\""
            process.arguments = ["-c", script, try Tool.path(of: program)] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: try Tool.path(of: program))
            process.arguments = arguments
        }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = inputFile.flatMap { FileHandle(forReadingAtPath: $0) } ?? input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        lines = LineReader(output.fileHandleForReading)
    }

    package var isRunning: Bool { process.isRunning }

    package func write(_ text: String) {
        guard !text.isEmpty else { return }
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    package func closeInput() {
        try? input.fileHandleForWriting.close()
    }

    /// The next line of standard output; nil at its end.
    package func nextLine() -> String? { lines.next() }

    /// Nothing if it has ended: its number may be another process's by now.
    package func send(_ signal: Int32) {
        guard process.isRunning else { return }
        kill(process.processIdentifier, signal)
    }

    /// Reads what is left and waits for the end. A process that a signal ended has the signal's number as status.
    package func finish() async -> Tool.Output {
        async let text = Self.onThread { [errors] in
            String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        let rest = await Self.onThread { [lines] in lines.rest() }
        let status = await Self.onThread { [process] in
            process.waitUntilExit()
            return process.terminationStatus
        }
        return Tool.Output(status: status, standardOutput: rest, standardError: await text)
    }

    /// Does what blocks on a thread of its own: the few threads of the tasks may be needed by the service that the
    /// tool talks to, in this process.
    private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
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

import Foundation

/// The tool itself, or another program, as a child process whose lines are read.
final class BenchProcess {
    private let process = Process()
    private let output = Pipe()
    private var pending: [UInt8] = []

    convenience init(_ arguments: [String]) throws {
        try self.init(try Self.tool, arguments)
    }

    init(_ program: URL, _ arguments: [String]) throws {
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    private static var tool: URL {
        get throws {
            #if os(Linux)
                return URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            #else
                guard let url = Bundle.main.executableURL else { throw Failure("The tool cannot find itself.") }
                return url
            #endif
        }
    }

    func nextLine() -> String? {
        let handle = output.fileHandleForReading
        while !pending.contains(UInt8(ascii: "\n")) {
            let data = handle.availableData
            guard !data.isEmpty else { break }
            pending += data
        }
        guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { pending.removeSubrange(...end) }
        return String(decoding: pending[..<end], as: UTF8.self)
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    func finish() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}

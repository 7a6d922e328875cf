import Foundation
import Synchronization

/// A pseudo-terminal, and a tool process whose standard error, and standard output and input if wanted, it is.
package final class PseudoTerminal: Sendable {
    private let process: Process
    private let main: FileHandle
    private let output: Pipe?
    private let seen = Mutex("")

    /// - Parameters:
    ///   - columns: How many characters a line has; zero if the terminal does not know.
    ///   - inputFile: What the tool reads as standard input; without it, nothing.
    ///   - takesInput: Whether standard input is the terminal instead, on which ``write(_:)`` types.
    ///   - showsOutput: Whether standard output is the terminal too; else a pipe.
    ///   - environment: Beside that of this process, of which what tells of terminals is left out.
    package init(
        _ arguments: [String], columns: Int = 80, rows: Int = 24, inputFile: String? = nil,
        takesInput: Bool = false, showsOutput: Bool = false, environment: [String: String] = [:]
    ) throws {
        let (main, other) = try Self.open(columns: columns, rows: rows)
        self.main = main
        output = showsOutput ? nil : Pipe()
        process = Process()
        process.executableURL = URL(fileURLWithPath: try Tool.path())
        process.arguments = arguments
        let told: Set = ["COLUMNS", "LINES", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"]
        let own = ProcessInfo.processInfo.environment.filter { !told.contains($0.key) }
        process.environment = own.merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 }
        let input = inputFile.flatMap { FileHandle(forReadingAtPath: $0) } ?? FileHandle.nullDevice
        process.standardInput = takesInput ? other : input
        process.standardError = other
        process.standardOutput = output ?? other
        // Tests that run in the background may ignore it, and so would the tool.
        let before = signal(SIGINT, SIG_DFL)
        defer { signal(SIGINT, before) }
        try process.run()
        // Its end is seen only if nobody here holds the other side.
        try other.close()
    }

    private static func open(columns: Int, rows: Int) throws -> (main: FileHandle, other: FileHandle) {
        let (descriptor, name) = try pair()
        let main = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let other = Foundation.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw ToolError(message: "The pseudo-terminal cannot be opened.") }
        var size = winsize()
        (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
        guard ioctl(other, UInt(TIOCSWINSZ), &size) == 0 else {
            throw ToolError(message: "The pseudo-terminal takes no size.")
        }
        return (main, FileHandle(fileDescriptor: other, closeOnDealloc: true))
    }

    /// One side, and the name of the other.
    private static func pair() throws -> (descriptor: Int32, name: String) {
        #if os(Linux)
            // The C library's module leaves posix_openpt(3) out; these are TIOCSPTLCK and TIOCGPTN of ioctl_tty(2).
            let descriptor = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (isLocked, number) = (Int32(0), UInt32(0))
            if descriptor >= 0, ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
                ioctl(descriptor, 0x8004_5430, &number) == 0
            {
                return (descriptor, "/dev/pts/\(number)")
            }
        #else
            let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
            if descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, grantpt(descriptor) == 0,
                unlockpt(descriptor) == 0, let name = ptsname(descriptor)
            {
                return (descriptor, String(cString: name))
            }
        #endif
        throw ToolError(message: "There is no pseudo-terminal: \(String(cString: strerror(errno)))")
    }

    /// Types on the terminal, which shows it too.
    package func write(_ text: String) throws { try main.write(contentsOf: Data(text.utf8)) }

    /// What came on the terminal until now, after reading until `text` is in it or it has ended.
    package func read(until text: String) async -> String { await read { $0.contains(text) } }

    /// What came on the terminal until now, after reading until it `isThere` or has ended.
    package func read(until isThere: @escaping @Sendable (String) -> Bool) async -> String {
        await Self.onThread { [self] in
            while !seen.withLock({ isThere($0) }), readSome() {}
            return seen.withLock { $0 }
        }
    }

    /// Nothing if the tool has ended: its number may be another process's by now.
    package func send(_ signal: Int32) {
        guard process.isRunning else { return }
        kill(process.processIdentifier, signal)
    }

    /// Reads what is left and waits for the end: all that came on the terminal stands as standard error.
    package func finish() async -> Tool.Output {
        async let output = Self.onThread { [output] in
            output.map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) } ?? ""
        }
        let shown = await Self.onThread { [self] in
            while readSome() {}
            process.waitUntilExit()
            return seen.withLock { $0 }
        }
        return Tool.Output(status: process.terminationStatus, standardOutput: await output, standardError: shown)
    }

    /// Whether more may come: a terminal whose other side is closed responds to reads with an error.
    private func readSome() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 12)
        let count = bytes.withUnsafeMutableBytes { Foundation.read(main.fileDescriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return count < 0 && errno == EINTR }
        seen.withLock { $0 += String(decoding: bytes[..<count], as: UTF8.self) }
        return true
    }

    private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
}

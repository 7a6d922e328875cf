import Foundation
import Synchronization

/// Standard output for results, standard error for messages.
enum Console {
    private static let output = Mutex(OutputState())
    private static let quiet = Mutex(false)

    /// From now on neither progress nor notices nor messages are written that a person can do without.
    static func beQuiet() { quiet.withLock { $0 = true } }

    private static var isQuiet: Bool { quiet.withLock { $0 } }

    /// Writes a line of a result. On a terminal, control characters of outside data are replaced; elsewhere all bytes
    /// are written as they are.
    static func write(_ text: String) {
        write(bytes: Array((text + "\n").utf8))
    }

    /// Writes a part of a result, likewise.
    static func write(bytes: [UInt8]) {
        output.withLock { $0.write(bytes) }
    }

    /// Writes a line of a result whose outside data is harmless already, with the styles that it has.
    static func writeStyled(_ text: String) {
        output.withLock { $0.writeAsIs(Array((text + "\n").utf8)) }
    }

    /// Writes a part of a result, likewise.
    static func writeStyled(bytes: [UInt8]) {
        output.withLock { $0.writeAsIs(bytes) }
    }

    /// Ends the line on a terminal, after bytes that are written unchanged.
    static func endLine() {
        output.withLock { $0.endLine() }
    }

    /// Nothing more needs to be written if this throws.
    ///
    /// - Throws: ``OutputFailure`` if not all that was written until now has reached standard output.
    static func checkOutput() throws {
        try output.withLock { try $0.check() }
    }

    /// Writes a message that is not part of a result. Control characters of outside data are replaced.
    ///
    /// - Parameter isNeeded: Whether it is written with `--quiet` too, as are errors.
    static func message(_ text: String, isNeeded: Bool = false) {
        guard isNeeded || !isQuiet else { return }
        _ = Descriptor.error.write(Array((text.withoutControls + "\n").utf8))
    }

    /// Writes `notice: …`: information without a failure.
    static func notice(_ text: String) {
        if !isQuiet { message(.yellow, "notice:", text) }
    }

    /// Writes `error: …`: why the command failed, and what to do.
    static func error(_ text: String) { message(.red, "error:", text) }

    /// Writes text for the person as it is, without ending the line.
    static func progress(_ text: String) {
        if !isQuiet { ask(text) }
    }

    /// Writes a question, likewise.
    static func ask(_ text: String) {
        _ = Descriptor.error.write(Array(text.utf8))
    }

    private static func message(_ style: TextStyle, _ title: String, _ text: String) {
        let title = style.applied(to: title, on: .error)
        _ = Descriptor.error.write(Array("\(title) \(text.withoutControls)\n".utf8))
    }
}

/// Writing to standard output failed.
struct OutputFailure: Error, CustomStringConvertible {
    /// The number of the error. [POSIX.1, errno.h]
    var code: Int32

    /// Whether the reader has closed the pipe, as `head` does: that is not an error.
    var isClosedPipe: Bool { code == EPIPE }

    var description: String { "Standard output cannot be written: \(String(cString: strerror(code)))." }
}

/// What became of standard output until now.
private struct OutputState {
    private var filter = TerminalFilter()
    private var failure: OutputFailure?
    private var lastByte: UInt8?

    mutating func write(_ bytes: [UInt8]) {
        writeAsIs(Terminal.output.isTerminal ? filter.text(bytes) : bytes)
    }

    mutating func writeAsIs(_ bytes: [UInt8]) {
        guard failure == nil, let last = bytes.last else { return }
        lastByte = last
        failure = Descriptor.output.write(bytes)
    }

    mutating func endLine() {
        guard Terminal.output.isTerminal else { return }
        writeAsIs(filter.end())
        if let lastByte, lastByte != UInt8(ascii: "\n") { writeAsIs([UInt8(ascii: "\n")]) }
    }

    func check() throws {
        if let failure = failure ?? Descriptor.output.flush() { throw failure }
    }
}

/// The destination of bytes.
private struct Descriptor {
    static let output = Descriptor(number: STDOUT_FILENO)
    static let error = Descriptor(number: STDERR_FILENO)

    let number: Int32

    /// Writes all bytes, and waits where a pipe that does not wait itself is full.
    ///
    /// - Returns: Why not all were written; nil if they were.
    func write(_ bytes: [UInt8]) -> OutputFailure? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if written < 0, errno == EAGAIN {
                var asked = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                _ = poll(&asked, 1, -1)
            } else if written == 0 || errno != EINTR {
                return OutputFailure(code: written == 0 ? EIO : errno)
            }
        }
        return nil
    }

    /// Some file systems report only when a file is closed that its bytes found no room.
    func flush() -> OutputFailure? {
        let copy = dup(number)
        guard copy >= 0, close(copy) != 0, errno != EINTR else { return nil }
        return OutputFailure(code: errno)
    }
}

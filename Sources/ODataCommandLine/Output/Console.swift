import Foundation

/// Standard output for results, standard error for messages.
enum Console {
    /// Writes a line of a result.
    static func write(_ text: String) {
        write(bytes: Array((text + "\n").utf8))
    }

    /// Writes a part of a result.
    static func write(bytes: [UInt8]) {
        write(bytes, to: STDOUT_FILENO)
    }

    /// Writes a line for the person, not part of a result. What it quotes of outside data cannot steer the terminal.
    static func message(_ text: String) {
        write(Array((text.withoutControls + "\n").utf8), to: STDERR_FILENO)
    }

    /// Writes `notice: …`: something that the person should know, though nothing failed.
    static func notice(_ text: String) { message(.yellow, "notice:", text) }

    /// Writes `error: …`: why the command failed, and what to do.
    static func error(_ text: String) { message(.red, "error:", text) }

    /// Writes text for the person as it is, without ending the line.
    static func progress(_ text: String) {
        write(Array(text.utf8), to: STDERR_FILENO)
    }

    private static func message(_ style: TextStyle, _ title: String, _ text: String) {
        let title = style.applied(to: title, on: .error)
        write(Array("\(title) \(text.withoutControls)\n".utf8), to: STDERR_FILENO)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

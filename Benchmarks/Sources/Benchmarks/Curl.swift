import ArgumentParser
import Foundation

/// Scripts of the shell that do with curl what a store does.
enum Curl {
    /// A stream into a file, with its digest, both on the device at the end: URL, file.
    static let download = #"curl -sSf "$1" | tee "$2" | sha256sum && sync "$2""#
    /// A file as a stream: file, URL. Nothing waits for `100 Continue`.
    static let upload = #"curl -sSf -o /dev/null -H Expect: -H 'Content-Type: video/mp4' -T "$1" "$2""#
    /// What a configuration names, one after the other on one connection: file.
    static let sequence = #"curl -sSf --fail-early -K "$1""#

    /// Seconds that `script` takes.
    static func time(_ script: String, _ arguments: String...) async throws -> Double {
        var status: Int32 = 0
        let time = try await seconds { status = try await run(script, arguments) }
        guard status == 0 else { throw ValidationError("The script ended with status \(status): \(script)") }
        return time
    }

    /// The end is told by a handler, for `waitUntilExit()` looks only now and then.
    private static func run(_ script: String, _ arguments: [String]) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh"] + arguments
        process.standardOutput = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }
}

/// Times of the same work of a store and of curl, in turns.
struct Turns {
    private var store: [Double] = []
    private var curl: [Double] = []

    mutating func add(store: Double, curl: Double) {
        self.store.append(store)
        self.curl.append(curl)
    }

    /// What else the machine does changes from second to second: each turn is compared with its neighbour.
    var summary: String {
        String(
            format: "store %.2f s, curl %.2f s, %.2f of its speed", store.quantile(0.5), curl.quantile(0.5),
            zip(curl, store).map { $0 / $1 }.quantile(0.5))
    }
}

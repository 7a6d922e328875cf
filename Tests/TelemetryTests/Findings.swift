import Foundation
import Synchronization

/// What a process that a test starts has found wrong, in a file: the test runner shows no details of such processes.
final class Findings: Sendable {
    let path: String
    private let lines = Mutex<[String]>([])

    init(path: String = FileManager.default.temporaryDirectory.path + "/findings-\(UUID().uuidString)") {
        self.path = path
    }

    deinit {
        if lines.withLock({ $0.isEmpty }) { return }
        try? Data(lines.withLock { $0.joined(separator: "\n") }.utf8).write(to: URL(fileURLWithPath: path))
    }

    func check(_ isTrue: Bool, _ text: @autoclosure () -> String = "", line: Int = #line) {
        guard !isTrue else { return }
        let text = text()
        lines.withLock { $0.append("line \(line): \(text)") }
    }

    /// Runs `body` with back ends that are installed, for this process.
    func collect(_ body: (FieldWatch, BackEnds, Findings) async throws -> Void) async {
        let backEnds = BackEnds()
        backEnds.install()
        do {
            let watch = try FieldWatch()
            defer { withExtendedLifetime(watch) {} }
            try await body(watch, backEnds, self)
        } catch {
            check(false, "\(error)")
        }
        check(lines.withLock { $0.isEmpty }, backEnds.text)
    }

    /// What the process has written.
    func read() throws -> [String] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        try FileManager.default.removeItem(atPath: path)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

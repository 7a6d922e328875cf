import Foundation

/// The program `dot` of Graphviz, found by `PATH`.
struct Graphviz {
    private let program: URL

    /// - Throws: ``Failure`` if it is not installed.
    init() throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let paths = folders.map { "\($0)/dot" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
            throw Failure(
                "An SVG image needs the program dot of Graphviz, which is not in PATH.",
                advice: "Install Graphviz, or use --diagram dot or mermaid.")
        }
        program = URL(fileURLWithPath: path)
    }

    /// The image of a graph.
    ///
    /// - Throws: ``Failure`` if the program ends with another status than 0; it says why on standard error.
    func svg(_ text: String) throws -> [UInt8] {
        // A file: a pipe whose reader has ended would end this process too.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("odata-\(UUID().uuidString).dot")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        let process = Process()
        process.executableURL = program
        process.arguments = ["-Tsvg", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let image = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Failure("\(program.path) did not make an image (status \(process.terminationStatus)).")
        }
        return [UInt8](image)
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of the app that gets its name when all its bytes are on the device: what breaks off leaves no half file.
package final class OutputFile: Sendable {
    private let path: String
    private let file: WritableFile

    package init(path: String) throws {
        self.path = path
        let name = "\(path).part-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        file = try WritableFile(path: name, .new, permissions: 0o666)
    }

    package func append(_ bytes: [UInt8]) throws { try file.append(bytes) }

    /// A file that has the name already goes.
    package func finish() throws {
        try file.synchronise()
        try Directory.move(file.path, to: path)
    }

    package func discard() {
        // There is an error already that says more.
        _ = try? Directory.remove(file.path)
    }
}

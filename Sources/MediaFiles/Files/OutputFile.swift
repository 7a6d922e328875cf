import ByteStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of the app that gets its name when all its bytes are on the device: what breaks off leaves no half file. A
/// symbolic link stays, and leads to the file. A device or a pipe of this name is written into, and never replaced.
package struct OutputFile: Sendable {
    private let path: String
    private let file: WritableFile
    /// Whether the bytes go where the name leads at once.
    private let isDirect: Bool

    /// Writes all bytes to a file of this name.
    ///
    /// - Throws: ``MediaFileError``, and what the chunks throw.
    package static func write(_ chunks: ByteChunks, to path: String) async throws {
        let file = try OutputFile(path: path)
        do {
            for try await chunk in chunks { try file.append(chunk) }
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Opening a pipe waits for who reads it.
    ///
    /// - Throws: ``MediaFileError``, with code `notFound` also for a link that leads nowhere.
    package init(path: String) throws {
        if let number = Self.descriptor(of: path) {
            isDirect = true
            self.path = path
            file = try WritableFile(path: path, copyOf: number)
            return
        }
        isDirect = Directory.isNoFile(path)
        guard !isDirect else {
            self.path = path
            file = try WritableFile(path: path, .writing)
            return
        }
        self.path = try Directory.target(of: path)
        Self.removeAbandoned(of: self.path)
        file = try Self.begin(self.path)
    }

    /// The open file that a name of the system stands for: what it leads to may be a file that others write as well.
    private static func descriptor(of path: String) -> Int32? {
        switch path {
        case "/dev/stdout": STDOUT_FILENO
        case "/dev/stderr": STDERR_FILENO
        default:
            ["/dev/fd/", "/proc/self/fd/"].lazy
                .compactMap { path.hasPrefix($0) ? Int32(path.dropFirst($0.count)) : nil }.first
        }
    }

    private static func begin(_ path: String) throws -> WritableFile {
        while true {
            let name = "\(path).part-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
            let file = try WritableFile(path: name, .new, permissions: 0o666, named: path)
            // Not every file system has locks; and another process may have removed the file as an abandoned one before.
            if (try? file.lock()) != nil || Directory.fileLength(name) != nil { return file }
        }
    }

    /// Removes what processes that were killed have left of this file: who writes holds a lock.
    private static func removeAbandoned(of path: String) {
        let folder = Directory.parent(of: path)
        let beginning = "\(path.split(separator: "/").last ?? "").part-"
        for part in (try? Directory.names(in: folder)) ?? [] where part.hasPrefix(beginning) {
            let numbers = part.dropFirst(beginning.count).split(separator: "-", maxSplits: 1)
            guard numbers.count == 2, numbers.allSatisfy({ UInt32($0) != nil }),
                let file = try? WritableFile(path: "\(folder)/\(part)", .reading), (try? file.lock()) != nil
            else { continue }
            _ = try? Directory.remove(file.path)
        }
    }

    package func append(_ bytes: [UInt8]) throws { try file.append(bytes) }

    /// A file of that name is replaced.
    package func finish() throws {
        guard !isDirect else { return }
        try file.synchronise()
        try Directory.move(file.path, to: path)
    }

    package func discard() {
        guard !isDirect else { return }
        // There is an error already that says more.
        _ = try? Directory.remove(file.path)
    }
}

import ByteStreams
import Foundation

/// A file that is removed with the value.
final class TemporaryFile: Sendable {
    let url: URL

    init(in folder: URL) {
        url = folder.appendingPathComponent("transfer-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes `content` to a file.
    ///
    /// - Throws: ``ByteStreamError`` if it cannot be read or written, or has not the length that it reports.
    static func spooling(_ content: ByteContent, in folder: URL) async throws -> TemporaryFile {
        let file = TemporaryFile(in: folder)
        guard FileManager.default.createFile(atPath: file.url.path, contents: nil),
            let handle = try? FileHandle(forWritingTo: file.url)
        else { throw ByteStreamError(.unreadable, "No file can be written in \(folder.path).") }
        defer { try? handle.close() }
        var count: Int64 = 0
        for try await chunk in try content.chunks() {
            do {
                try handle.write(contentsOf: Data(chunk))
            } catch {
                throw ByteStreamError(.unreadable, "The body cannot be written to \(folder.path): \(error)")
            }
            count += Int64(chunk.count)
        }
        if let length = content.length, length != count {
            throw ByteStreamError(.changed, "The body has \(count) bytes, and not the announced \(length).")
        }
        return file
    }

    /// In bytes; nil if there is no such file.
    var length: Int64? {
        (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.int64Value
    }
}

/// The bytes of a temporary file, which stays while they are read.
struct TemporaryFileSource: ByteSource {
    private let file: TemporaryFile
    private let source: FileSource

    init(_ file: TemporaryFile) throws {
        self.file = file
        source = try FileSource(path: file.url.path)
    }

    var length: Int64? { source.length }

    func open(at offset: Int64) throws -> ByteChunks {
        let chunks = try source.open(at: offset).makeAsyncIterator()
        return ByteChunks { [file] in
            defer { withExtendedLifetime(file) {} }
            return try await chunks.next()
        }
    }
}

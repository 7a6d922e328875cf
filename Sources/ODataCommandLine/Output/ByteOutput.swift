import MediaFiles
import OData

/// Where bytes are written that a command line names a file for.
struct ByteOutput {
    /// `-` is standard output.
    let name: String

    var isStandardOutput: Bool { name == "-" }

    /// Writes all bytes, with a progress bar unless they are written to the terminal. A file gets its name when it is
    /// complete.
    ///
    /// - Throws: ``OutputFailure``, `MediaFileError`, and what the chunks throw.
    func write(_ chunks: ByteChunks, of length: Int64?) async throws {
        let bar = isStandardOutput && Terminal.output.isTerminal ? nil : ProgressBar()
        defer { bar?.finish() }
        guard !isStandardOutput else {
            for try await chunk in chunks {
                Console.write(bytes: chunk)
                try Console.checkOutput()
                bar?.add(chunk.count, of: length)
            }
            return Console.endLine()
        }
        let file = try OutputFile(path: name)
        do {
            for try await chunk in chunks {
                try file.append(chunk)
                bar?.add(chunk.count, of: length)
            }
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Whether standard output may have the bytes that begin so: a terminal shows text only.
    static func fitsTerminal(_ beginning: [UInt8]) -> Bool {
        !Terminal.output.isTerminal || isText(beginning)
    }

    /// Whether the bytes are the beginning of a text in UTF-8; its last character need not be whole.
    static func isText(_ bytes: [UInt8]) -> Bool {
        var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        if scalars.last == "\u{FFFD}" { scalars.removeLast() }
        return !scalars.contains { $0 == "\u{FFFD}" || $0.value == 0 }
    }

    /// `7028 bytes of image/png: add > file`
    static func tellBinary(_ length: Int64?, _ type: String, advice: String) {
        let amount = length.map { $0 == 1 ? "1 byte" : "\($0) bytes" } ?? "Bytes"
        let essence = String(type.prefix { $0 != ";" })
        let text = "\(amount)\(essence.isEmpty ? "" : " of \(essence)") that are not text: \(advice)."
        Console.message(text, isNeeded: true)
    }
}

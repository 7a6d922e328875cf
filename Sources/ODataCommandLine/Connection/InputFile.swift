import ArgumentParser
import Foundation
import MediaFiles
import OData

/// A file that a command line names to be read; `-` is standard input.
struct InputFile: ExpressibleByArgument {
    static let help: ArgumentHelp = "The file to read; - is standard input."

    private let path: String

    init(argument: String) { path = argument }

    private var isStandardInput: Bool { path == "-" }

    /// The last part of its path; nil for standard input.
    var name: String? { isStandardInput ? nil : URL(fileURLWithPath: path).lastPathComponent }

    /// Its bytes; those of standard input once.
    ///
    /// - Parameter bar: Shows how many are read.
    /// - Throws: ``ByteStreamError`` if the file cannot be read.
    func content(followedBy bar: ProgressBar) throws -> ByteContent {
        guard isStandardInput else { return ByteContent(bar.following(try FileSource(path: path))) }
        let chunks = ByteChunks {
            guard let data = try FileHandle.standardInput.read(upToCount: 1 << 16), !data.isEmpty else { return nil }
            bar.add(data.count, of: nil)
            return Array(data)
        }
        return ByteContent(chunks, length: nil)
    }

    /// The media type that was given, or else that of its ending.
    ///
    /// - Throws: `ValidationError` if the media type cannot be determined.
    func mediaType(_ given: MediaTypeArgument?) throws -> String {
        if let given { return given.text }
        guard let name else { throw ValidationError("Give --type: standard input does not report its media type.") }
        guard let type = MediaTypeArgument.ofEnding(name.fileExtension) else {
            throw ValidationError("Give --type: the name of \(name) does not report its media type.")
        }
        return type
    }

    /// The text of an argument; for `-` all of standard input.
    ///
    /// - Throws: ``Failure`` if that is not text in UTF-8.
    static func text(_ argument: String) throws -> String {
        guard argument == "-" else { return argument }
        guard let text = String(data: FileHandle.standardInput.readDataToEndOfFile(), encoding: .utf8) else {
            throw Failure("Standard input is not UTF-8 text.")
        }
        return text
    }
}

import ArgumentParser
import MediaFiles

/// `image/jpeg`: a media type of RFC 9110, with or without parameters.
struct MediaTypeArgument {
    let text: String

    static let help: ArgumentHelp = "The media type, as type/subtype; that of the file's ending without it."

    /// - Throws: `ValidationError` with the form of a media type.
    init(typed argument: String) throws {
        let essence = argument.prefix { $0 != ";" }
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
        let isToken: (Substring) -> Bool = { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                    default: "!#$&-^_.+".utf8.contains(byte)
                    }
                }
        }
        guard parts.count == 2, parts.allSatisfy(isToken), argument.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw ValidationError("Give it as type/subtype: \(Self.ofEnding(argument.lowercased()) ?? "image/jpeg")")
        }
        text = argument
    }

    /// What files with this ending mostly are; nil where that is not known.
    static func ofEnding(_ ending: String) -> String? {
        switch ending {
        case "jpg", "jpeg", "jpe": "image/jpeg"
        case "png", "gif", "webp", "heic", "avif", "bmp": "image/\(ending)"
        case "tif", "tiff": "image/tiff"
        case "svg": "image/svg+xml"
        case "mp4", "mpeg", "webm": "video/\(ending)"
        case "mov": "video/quicktime"
        case "mp3": "audio/mpeg"
        case "wav": "audio/wav"
        case "m4a": "audio/mp4"
        case "pdf", "zip", "json", "xml": "application/\(ending)"
        case "txt", "log": "text/plain"
        case "csv", "html": "text/\(ending)"
        default: nil
        }
    }
}

/// What was made out of a stream, like a smaller image. It is a file as long as the stream is there, and can be made
/// again.
package struct DerivedMedia: Hashable, Sendable {
    package var bytes: [UInt8]
    /// `image/png`
    package var contentType: String

    package init(bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
    }

    private static let headLimit = 512

    /// A line with the media type and the digest of the bytes, then these.
    var file: [UInt8] { Array("\(contentType) \(StoredMedia(bytes).digest)\n".utf8) + bytes }

    /// Nil if the file is not whole.
    init?(file: [UInt8]) {
        guard let end = file.prefix(Self.headLimit).firstIndex(of: UInt8(ascii: "\n")),
            let space = file[..<end].lastIndex(of: UInt8(ascii: " "))
        else { return nil }
        bytes = Array(file[(end + 1)...])
        contentType = String(decoding: file[..<space], as: UTF8.self)
        guard file[(space + 1)..<end].elementsEqual(StoredMedia(bytes).digest.utf8) else { return nil }
    }
}

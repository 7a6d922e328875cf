import Foundation
import OData

/// A photo in a file.
public struct PhotoFile: Hashable, Sendable {
    public let path: String
    /// `image/jpeg`
    public let contentType: String

    /// By the ends of their names.
    private static let contentTypes = [
        "heic": "image/heic", "jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png",
    ]

    /// Nil for a file whose name has not the end of a photo's: `.jpg`, `.jpeg`, `.png` or `.heic`.
    public init?(path: String) {
        let end = URL(fileURLWithPath: path).pathExtension.lowercased()
        guard let contentType = Self.contentTypes[end] else { return nil }
        (self.path, self.contentType) = (path, contentType)
    }

    /// `valve.png`
    public var name: String { URL(fileURLWithPath: path).lastPathComponent }

    /// The bytes, which are read on demand.
    ///
    /// - Throws: `ByteStreamError` where there is no such file.
    public func content() throws -> MediaContent {
        MediaContent(ByteContent(try FileSource(path: path)), contentType: contentType)
    }
}

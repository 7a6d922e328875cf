import ByteStreams
import Crypto

/// A stream that is in the media folder.
package struct StoredMedia: Hashable, Sendable {
    /// The SHA-256 of the bytes, as 64 lower-case hexadecimal digits.
    package var digest: String
    /// In bytes.
    package var length: Int64

    package init(digest: String, length: Int64) {
        self.digest = digest
        self.length = length
    }

    /// - Parameter digestBytes: The 32 bytes of the SHA-256.
    package init(digestBytes: some Sequence<UInt8>, length: Int64) {
        self.init(digest: SourceDigest.hexadecimal(digestBytes), length: length)
    }

    /// The SHA-256 itself.
    package var digestBytes: [UInt8] { SourceDigest(algorithm: "sha-256", hexadecimal: digest)?.bytes ?? [] }

    /// What `bytes` are kept as.
    package init(_ bytes: [UInt8]) {
        var hasher = MediaHasher()
        hasher.update(bytes)
        self = hasher.finish()
    }

    /// What `content` would be kept as.
    ///
    /// - Throws: What reading the content throws.
    package init(reading content: ByteContent) async throws {
        var hasher = MediaHasher()
        for try await chunk in try content.chunks() { hasher.update(chunk) }
        self = hasher.finish()
    }

    /// - Parameter name: What has these bytes, for the message.
    /// - Throws: ``MediaFileError`` with code `wrongDigest` if the digest is another one than was announced.
    package func check(_ announced: String, of name: String) throws {
        guard digest != announced else { return }
        throw MediaFileError(.wrongDigest, "\(name) has the SHA-256 \(digest) where \(announced) was announced.")
    }

    /// Whether `text` looks like a digest.
    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// The digest and length of bytes that come in pieces.
package struct MediaHasher: Sendable {
    private var hash = SHA256()
    private(set) var length: Int64 = 0

    package init() {}

    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        length += Int64(bytes.count)
    }

    package func finish() -> StoredMedia { StoredMedia(digestBytes: hash.finalize(), length: length) }

    /// The digest of a text, to name a file after it.
    static func digest(of text: String) -> String {
        var hasher = MediaHasher()
        hasher.update(Array(text.utf8))
        return hasher.finish().digest
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What distinguishes one version of a source from another without reading its bytes. Two reads of sources with equal
/// identities are taken for reads of the same bytes.
public struct SourceIdentity: Hashable, Sendable {
    /// In bytes.
    public var size: Int64?
    /// The time of the last modification, in nanoseconds since 1970.
    public var modified: Int64?
    /// The number of the file in its file system, or of the asset in its library.
    public var file: UInt64?
    /// Of a source that is made of others: their identities.
    public var parts: [SourceIdentity?]

    /// What is known; the more, the surer.
    public init(size: Int64? = nil, modified: Int64? = nil, file: UInt64? = nil, parts: [SourceIdentity?] = []) {
        (self.size, self.modified, self.file, self.parts) = (size, modified, file, parts)
    }

    init(_ status: stat) {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        self.init(
            size: Int64(status.st_size), modified: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
            file: UInt64(status.st_ino))
    }
}

/// The digest of a source's bytes.
public struct SourceDigest: Hashable, Sendable {
    /// A name of the registry of RFC 9530, in lower case: `sha-256`.
    public var algorithm: String
    /// Of the digest itself.
    public var bytes: [UInt8]

    /// A digest that was computed or read elsewhere.
    public init(algorithm: String, bytes: [UInt8]) {
        (self.algorithm, self.bytes) = (algorithm, bytes)
    }

    /// Nil if the text is not an even number of hexadecimal digits.
    public init?(algorithm: String, hexadecimal text: some StringProtocol) {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        self.init(algorithm: algorithm, bytes: bytes)
    }

    /// Bytes in lower-case digits: `00ff`
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

import Crypto

/// The first 128 bytes of everything encrypted that lasts: what it is, and which key fits.
///
///     0   16  kind and magic: `OData sealed db `
///     16  4   version, little endian
///     20  12  zeros
///     32  32  salt: random, made once for the file
///     64  32  check: HMAC-SHA256 of bytes 0–63 under a key derived for this
///     96  32  SHA-256 of bytes 0–95: tells a damaged header from a wrong key
package struct SealedHeader: Sendable {
    package enum Kind: String, Sendable {
        case database = "db "
        case media = "med"
        case mediaFolder = "fol"
        case keys = "key"
    }

    package static let byteCount = 128
    private static let version: UInt8 = 1

    package let bytes: [UInt8]
    private let kind: Kind
    private let key: EncryptionKey

    /// A header with a new salt.
    package init(_ kind: Kind, key: EncryptionKey) {
        self.kind = kind
        self.key = key
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        var bytes = Self.magic(kind) + [Self.version] + [UInt8](repeating: 0, count: 15) + salt
        bytes += HMAC<SHA256>.authenticationCode(for: bytes, using: Self.checkKey(kind, key, salt))
        bytes += SHA256.hash(data: bytes)
        self.bytes = bytes
    }

    /// The header at the start of a file.
    ///
    /// - Throws: ``EncryptionError`` with code `notEncrypted`, `damaged`, `unsupportedVersion` or `wrongKey`.
    package init(_ kind: Kind, key: EncryptionKey, bytes: [UInt8], path: String) throws {
        guard bytes.starts(with: Self.magic(kind)) else {
            throw EncryptionError(.notEncrypted, "\(path) is not encrypted, and a key was given.")
        }
        guard bytes.count == Self.byteCount, SHA256.hash(data: bytes[..<96]).elementsEqual(bytes[96...]) else {
            throw EncryptionError(.damaged, "The header of \(path) is damaged.")
        }
        guard bytes[16] == Self.version, bytes[17..<32].allSatisfy({ $0 == 0 }) else {
            throw EncryptionError(.unsupportedVersion, "\(path) was encrypted by a newer release.")
        }
        let checkKey = Self.checkKey(kind, key, Array(bytes[32..<64]))
        guard HMAC<SHA256>.isValidAuthenticationCode(bytes[64..<96], authenticating: bytes[..<64], using: checkKey)
        else {
            throw EncryptionError(.wrongKey, "\(path) was encrypted with another key.")
        }
        self.bytes = bytes
        self.kind = kind
        self.key = key
    }

    /// Whether a file that begins with these bytes is an encrypted one of this kind.
    package static func isHeader(_ kind: Kind, _ bytes: [UInt8]) -> Bool { bytes.starts(with: magic(kind)) }

    /// The key of one part of the file.
    package func key(for part: String) -> SymmetricKey {
        key.derived(salt: Array(bytes[32..<64]), for: kind.rawValue + part)
    }

    private static func magic(_ kind: Kind) -> [UInt8] { Array("OData sealed \(kind.rawValue)".utf8) }

    private static func checkKey(_ kind: Kind, _ key: EncryptionKey, _ salt: [UInt8]) -> SymmetricKey {
        key.derived(salt: salt, for: kind.rawValue + "check")
    }
}

import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A secret of 256 bits that the app makes and keeps where its system keeps secrets.
///
/// A passphrase is not a key: the app derives one from it with a slow function (Argon2, scrypt) of its own choice. The
/// key does not show in descriptions, and its bytes are overwritten when the last copy of the value is released.
public struct EncryptionKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// 32
    public static let byteCount = 32

    private let secret: SymmetricKey

    /// - Throws: ``EncryptionError`` with code `unusableKey` unless there are 32 bytes.
    public init(_ bytes: some ContiguousBytes) throws {
        let secret = SymmetricKey(data: bytes)
        guard secret.bitCount == Self.byteCount * 8 else {
            throw EncryptionError(
                .unusableKey, "A key has \(Self.byteCount) bytes, and this one has \(secret.bitCount / 8).")
        }
        self.secret = secret
    }

    private init() { secret = SymmetricKey(size: .bits256) }

    /// A new key from the system's source of random bytes.
    public static func random() -> EncryptionKey { EncryptionKey() }

    public var description: String { "EncryptionKey" }

    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The key of one purpose, and of one file by its salt. [RFC 5869]
    package func derived(salt: [UInt8], for purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, salt: salt, info: Array("swift-odata 1 \(purpose)".utf8),
            outputByteCount: Self.byteCount)
    }

    /// The bytes themselves, to be wrapped by another key.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try secret.withUnsafeBytes(body)
    }
}

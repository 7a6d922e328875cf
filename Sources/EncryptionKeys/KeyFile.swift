/// A file that holds the random key of a store's data, wrapped by the app's key.
///
///     let data = try KeyFile(path: "field/keys").create(for: appKey)
///     …
///     let data = try KeyFile(path: "field/keys").open(with: appKey)
///     try KeyFile(path: "field/keys").rekey(from: appKey, to: newKey)
///
/// Database and media are encrypted with the key inside, so another key of the app costs a rewrite of this one small
/// file, whatever the store's size. Who has the key inside keeps it: against an attacker who had the old key of the app
/// *and* this file, the data must be written anew into another store. Without this file the data are lost.
public struct KeyFile: Sendable {
    /// Where the file is or is to be, absolute or relative to the working folder.
    public let path: String

    /// Touches nothing: the file is made by ``create(for:)`` and read by ``open(with:)``.
    public init(path: String) {
        self.path = path
    }

    /// Whether something is at the path, readable or not; asked anew each time.
    public var exists: Bool { SmallFile.exists(path) }

    /// Makes a new key, and the file that holds it, durably.
    ///
    /// - Throws: ``EncryptionError`` with code `inputOutput` if the file exists or cannot be written.
    public func create(for key: EncryptionKey) throws -> EncryptionKey {
        let inner = EncryptionKey.random()
        try SmallFile.create(path, try wrapped(inner, for: key))
        return inner
    }

    /// The key inside.
    ///
    /// - Throws: ``EncryptionError`` with code `wrongKey`, `damaged`, `notEncrypted` if it is something else,
    ///   `unsupportedVersion` or `inputOutput`.
    public func open(with key: EncryptionKey) throws -> EncryptionKey {
        let bytes = try SmallFile.read(path, upTo: Self.longest)
        let header = try SealedHeader(
            .keys, key: key, bytes: Array(bytes.prefix(SealedHeader.byteCount)), path: path)
        let sealer = Sealer(key: header.key(for: "wrap"))
        guard let inner = sealer.open(Array(bytes.dropFirst(SealedHeader.byteCount)), for: Sealer.Place(0)) else {
            throw EncryptionError(.damaged, "The key file \(path) is damaged.")
        }
        return try EncryptionKey(inner)
    }

    /// Wraps the key inside with another key of the app. At any moment, and after a crash, exactly one of the two keys
    /// opens the file.
    ///
    /// - Throws: as ``open(with:)``; then the old key stays, unless the code is `inputOutput`: try both.
    public func rekey(from old: EncryptionKey, to new: EncryptionKey) throws {
        try wrap(try open(with: old), for: new)
    }

    /// As ``rekey(from:to:)``, for one who has the key inside.
    package func wrap(_ inner: EncryptionKey, for key: EncryptionKey) throws {
        guard try SmallFile.replace(path, try wrapped(inner, for: key)) else {
            throw EncryptionError(
                .inputOutput, "\(path) is written, but a power cut may bring the old one back: keep both keys.")
        }
    }

    /// Makes a file with the same contents.
    package func copy(to other: KeyFile) throws {
        try SmallFile.create(other.path, try SmallFile.read(path, upTo: Self.longest))
    }

    private static let longest = 4096

    private func wrapped(_ inner: EncryptionKey, for key: EncryptionKey) throws -> [UInt8] {
        let header = SealedHeader(.keys, key: key)
        var sealer = Sealer(key: header.key(for: "wrap"))
        return header.bytes + (try sealer.seal(inner.withBytes { Array($0) }, for: Sealer.Place(0)))
    }
}

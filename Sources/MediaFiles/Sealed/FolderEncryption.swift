import ByteStreams
import Crypto
import EncryptionKeys

/// The key of a media folder, and the names that files have under it.
struct FolderEncryption: Sendable {
    let key: EncryptionKey
    private let header: SealedHeader

    /// The encryption of the folder at `path`, by its file `encryption`, which an empty folder gets unless it is only
    /// read; nil without a key.
    ///
    /// - Throws: `EncryptionError` if the folder is not encrypted and a key is given, or the other way round, or if the
    ///   key is another one.
    init?(folder path: String, key: EncryptionKey?, isReadOnly: Bool = false) throws {
        let marker = path + "/encryption"
        guard let key else {
            guard !SmallFile.exists(marker) else {
                throw EncryptionError(.keyNeeded, "The media in \(path) are encrypted, and no key was given.")
            }
            return nil
        }
        self.key = key
        if SmallFile.exists(marker) {
            let bytes = try SmallFile.read(marker, upTo: SealedHeader.byteCount)
            header = try SealedHeader(.mediaFolder, key: key, bytes: bytes, path: marker)
        } else {
            guard try Self.isEmpty(path) else {
                throw EncryptionError(.notEncrypted, "The media in \(path) are not encrypted, and a key was given.")
            }
            header = SealedHeader(.mediaFolder, key: key)
            if !isReadOnly { try SmallFile.create(marker, header.bytes) }
        }
    }

    private static func isEmpty(_ path: String) throws -> Bool {
        try Directory.names(in: path).allSatisfy { $0.utf8.count != 2 && $0 != MediaFolder.indexName }
            && Directory.names(in: path + "/partial").isEmpty
    }

    /// The name of a file in the place of one with a digest: another user with the same picture cannot find it.
    func name(for digest: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array(digest.utf8), using: header.key(for: "names"))
        return SourceDigest.hexadecimal(code)
    }

    func sealOrigin(_ bytes: [UInt8], of name: String) throws -> [UInt8] {
        var sealer = originSealer(name)
        return try sealer.seal(bytes, for: Sealer.Place(0))
    }

    /// Nil if this is not the origin of the partial stream with this file name.
    func openOrigin(_ bytes: [UInt8], of name: String) -> [UInt8]? {
        originSealer(name).open(bytes, for: Sealer.Place(0))
    }

    private func originSealer(_ name: String) -> Sealer { Sealer(key: header.key(for: "origin " + name)) }
}

import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Seals records with AES-256-GCM: `nonce (12) | ciphertext | tag (16)`.
package struct Sealer: Sendable {
    /// What a record is longer than its plain text.
    package static let overhead = 28
    private static let nonceLength = 12

    /// What a record is sealed for: it opens nowhere else.
    package struct Place: Sendable {
        fileprivate let words: (UInt64, UInt64)

        package init(_ position: Int64, mark: Int64 = 0) {
            words = (UInt64(bitPattern: position).littleEndian, UInt64(bitPattern: mark).littleEndian)
        }
    }

    private let key: SymmetricKey
    private var nonces = NonceSequence()

    package init(key: SymmetricKey) {
        self.key = key
    }

    /// - Parameter record: As long as `plain` and ``overhead``.
    package mutating func seal(
        _ plain: UnsafeRawBufferPointer, for place: Place, into record: UnsafeMutableRawBufferPointer
    ) throws {
        let nonce = nonces.next()
        let box = try withUnsafeBytes(of: place.words) { place in
            try AES.GCM.seal(plain, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: place)
        }
        record.copyBytes(from: nonce)
        UnsafeMutableRawBufferPointer(rebasing: record[Self.nonceLength...]).copyBytes(from: box.ciphertext)
        UnsafeMutableRawBufferPointer(rebasing: record[(Self.nonceLength + plain.count)...]).copyBytes(from: box.tag)
    }

    /// False if this is not what was sealed for this place with this key. Then `plain` is as it was.
    package func open(
        _ record: UnsafeRawBufferPointer, for place: Place, into plain: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard record.count == plain.count + Self.overhead else { return false }
        let opened = try? withUnsafeBytes(of: place.words) { place in
            try AES.GCM.open(AES.GCM.SealedBox(combined: record), using: key, authenticating: place)
        }
        guard let opened else { return false }
        plain.copyBytes(from: opened)
        return true
    }
}

extension Sealer {
    package mutating func seal(_ plain: [UInt8], for place: Place) throws -> [UInt8] {
        var record = [UInt8](repeating: 0, count: plain.count + Self.overhead)
        try plain.withUnsafeBytes { plain in
            try record.withUnsafeMutableBytes { try seal(plain, for: place, into: $0) }
        }
        return record
    }

    /// Nil if this is not what was sealed for this place with this key.
    package func open(_ record: [UInt8], for place: Place) -> [UInt8]? {
        guard record.count >= Self.overhead else { return nil }
        var plain = [UInt8](repeating: 0, count: record.count - Self.overhead)
        let isOpen = record.withUnsafeBytes { record in
            plain.withUnsafeMutableBytes { open(record, for: place, into: $0) }
        }
        return isOpen ? plain : nil
    }
}

/// Nonces that count up from a random 96-bit number: see Documentation/Encryption.md for why they do not meet.
private struct NonceSequence: Sendable {
    private var high = UInt32.random(in: .min ... .max)
    private var low = UInt64.random(in: .min ... .max)

    mutating func next() -> Data {
        low &+= 1
        if low == 0 { high &+= 1 }
        var nonce = Data(capacity: 12)
        withUnsafeBytes(of: low.littleEndian) { nonce.append(contentsOf: $0) }
        withUnsafeBytes(of: high.littleEndian) { nonce.append(contentsOf: $0) }
        return nonce
    }
}

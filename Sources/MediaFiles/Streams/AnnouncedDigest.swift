import Crypto

/// A digest that a service announces of a stream, by another algorithm than the one that streams are named by.
package struct AnnouncedDigest: Hashable, Sendable {
    /// The algorithms that are known, the strongest first. The last ones find what was damaged, not what was forged.
    package enum Algorithm: String, Sendable, CaseIterable {
        case sha512 = "sha-512"
        case sha1 = "sha"
        case md5
    }

    package let algorithm: Algorithm
    package let bytes: [UInt8]

    package init(_ algorithm: Algorithm, _ bytes: [UInt8]) {
        (self.algorithm, self.bytes) = (algorithm, bytes)
    }

    /// Takes in the bytes of the stream, then checks them.
    package var check: Check { Check(announced: self, hash: algorithm.hash) }

    package struct Check: Sendable {
        let announced: AnnouncedDigest
        var hash: any HashFunction & Sendable

        package mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

        /// - Throws: ``MediaFileError`` with code `wrongDigest`.
        package func finish(of name: String) throws {
            guard Array(hash.finalize()) != announced.bytes else { return }
            throw MediaFileError(
                .wrongDigest,
                "\(name) has another digest (\(announced.algorithm.rawValue)) than the one that was announced.")
        }
    }
}

extension AnnouncedDigest.Algorithm {
    fileprivate var hash: any HashFunction & Sendable {
        switch self {
        case .sha512: SHA512()
        case .sha1: Insecure.SHA1()
        case .md5: Insecure.MD5()
        }
    }
}

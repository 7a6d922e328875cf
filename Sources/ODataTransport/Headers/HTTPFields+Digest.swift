import ByteStreams
import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HTTPFields {
    /// The SHA-256 in `Repr-Digest` or `Content-Digest`, as 64 lower-case hexadecimal digits; nil if there is none.
    /// Other algorithms are ignored.
    ///
    /// `Repr-Digest: sha-256=:d435Qo+nKZ+gLcUHn7GQtQ72hiBVAgqoLsZnZPiTGPk=:, sha-512=:…:`
    ///
    /// [RFC 9530, sections 2 and 3; RFC 8941, section 3.2]
    package func sha256(_ name: HTTPField.Name) -> String? {
        digests(name)["sha-256"].flatMap { $0.count == 32 ? SourceDigest.hexadecimal($0) : nil }
    }

    /// The byte sequences of a dictionary by their keys, of equal keys the last one: `sha-256=:d435Qo…=:`, which
    /// parameters may follow. [RFC 8941, section 3.2]
    package func digests(_ name: HTTPField.Name) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for member in self[name]?.split(separator: ",") ?? [] {
            let sides = member.drop { $0 == " " || $0 == "\t" }.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, sides[1].first == ":" else { continue }
            let value = sides[1].dropFirst()
            let bytes = value.firstIndex(of: ":").flatMap { Data(base64Encoded: String(value[..<$0])) }
            found[String(sides[0])] = bytes.map { Array($0) }
        }
        return found
    }

    /// The bytes of `Digest` by the names of their algorithms in lower case. They are those of the whole stream, whatever
    /// part of it is sent.
    ///
    /// `Digest: SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=,MD5=HUXZLQLMuI/KZ5KDcJPcOA==`
    ///
    /// [RFC 3230, section 4.3.2]
    package var legacyDigests: [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for member in self[values: .digest].flatMap({ $0.split(separator: ",") }) {
            let sides = member.drop { $0 == " " || $0 == "\t" }.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let bytes = Data(base64Encoded: sides[1].trimmed) else { continue }
            found[sides[0].lowercased()] = Array(bytes)
        }
        return found
    }

    /// The bytes of `Content-MD5`: those of the message. [RFC 1864]
    package var contentMD5: [UInt8]? {
        self[.contentMD5].flatMap { Data(base64Encoded: $0[...].trimmed) }.map { Array($0) }
    }

    /// The other way round; nil for other text than 64 hexadecimal digits.
    package mutating func setSHA256(_ digest: String, _ name: HTTPField.Name) {
        guard let digest = SourceDigest(algorithm: "sha-256", hexadecimal: digest), digest.bytes.count == 32 else {
            return
        }
        self[name] = "sha-256=:\(Data(digest.bytes).base64EncodedString()):"
    }
}

extension Substring {
    fileprivate var trimmed: String { String(drop { $0.isWhitespace }.prefix { !$0.isWhitespace }) }
}

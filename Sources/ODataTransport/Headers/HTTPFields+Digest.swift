import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HTTPFields {
    /// The SHA-256 in `Repr-Digest` or `Content-Digest`, as 64 lower-case hexadecimal digits; nil if there is none.
    /// Other algorithms are passed over.
    ///
    /// `Repr-Digest: sha-256=:d435Qo+nKZ+gLcUHn7GQtQ72hiBVAgqoLsZnZPiTGPk=:, sha-512=:…:`
    ///
    /// [RFC 9530, sections 2 and 3; RFC 8941, section 3.2]
    package func sha256(_ name: HTTPField.Name) -> String? {
        let members = self[name]?.split(separator: ",").compactMap(Self.sha256(member:)) ?? []
        guard let bytes = members.last.flatMap({ Data(base64Encoded: $0) }), bytes.count == 32 else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The other way round; of what are no 64 hexadecimal digits nothing is told.
    package mutating func setSHA256(_ digest: String, _ name: HTTPField.Name) {
        let digits = Array(digest.utf8).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64, digest.utf8.count == 64 else { return }
        let bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        self[name] = "sha-256=:\(Data(bytes).base64EncodedString()):"
    }

    /// What is between the colons of `sha-256=:d435Qo…=:`, which parameters may follow.
    private static func sha256(member: Substring) -> String? {
        let text = member.drop { $0 == " " || $0 == "\t" }
        let start = "sha-256=:"
        guard text.hasPrefix(start) else { return nil }
        let value = text.dropFirst(start.count)
        return value.firstIndex(of: ":").map { String(value[..<$0]) }
    }
}

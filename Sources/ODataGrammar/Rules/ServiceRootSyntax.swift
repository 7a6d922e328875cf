import ODataModel
import ODataQuery

/// The part of an absolute URL before the resource path.
///
/// [OData-ABNF, `serviceRoot`; RFC 3986]
struct ServiceRootSyntax {
    /// Where a path relative to a service root may start, in bytes: after each slash of the path. The first is the one
    /// after the authority.
    let starts: [Int]

    init(of url: String) throws(QueryError) {
        let bytes = Array(url.utf8)
        var index = try Self.schemeEnd(bytes)
        index = try Self.authorityEnd(bytes, from: index)
        guard index < bytes.count, bytes[index] == UInt8(ascii: "/") else {
            throw Self.error(bytes, at: index, expected: "'/'")
        }
        var starts = [index + 1]
        var segment = index + 1
        while segment < bytes.count {
            let byte = bytes[segment]
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
            if byte == UInt8(ascii: "/") {
                guard segment > (starts.last ?? 0) else { break }
                starts.append(segment + 1)
            }
            segment += 1
        }
        self.starts = starts
    }

    /// The places in the order in which they are tried where no model reports: a service has mostly a path of one
    /// segment.
    var likelyFirst: [Int] { starts.count > 1 ? Array(starts.dropFirst()) + [starts[0]] : starts }

    private static func schemeEnd(_ bytes: [UInt8]) throws(QueryError) -> Int {
        let text = String(decoding: bytes.prefix(8), as: UTF8.self).lowercased()
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) { return scheme.utf8.count }
        throw error(bytes, at: 0, expected: "http:// or https://")
    }

    private static func authorityEnd(_ bytes: [UInt8], from start: Int) throws(QueryError) -> Int {
        var index = start
        if index < bytes.count, bytes[index] == UInt8(ascii: "[") {
            guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "]")),
                InternetAddress.isLiteral(bytes[(index + 1)..<close])
            else { throw error(bytes, at: index, expected: "an address such as [2001:db8::1]") }
            index = close + 1
        } else {
            while index < bytes.count, InternetAddress.isRegisteredNameByte(bytes[index]) { index += 1 }
        }
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return index }
        index += 1
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return index
    }

    private static func error(_ bytes: [UInt8], at index: Int, expected: String) -> QueryError {
        let position = bytes[..<index].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        let found = index < bytes.count ? "'\(String(decoding: bytes[index...].prefix(1), as: UTF8.self))'" : "the end"
        return QueryError(
            .syntax, "This is not an absolute URL.", position: position, found: found, expected: expected)
    }
}

/// Hosts of URLs.
///
/// [RFC 3986, section 3.2.2]
enum InternetAddress {
    /// `IPv6address` or `IPvFuture`
    static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool { isIPv6(bytes) || isFuture(bytes) }

    /// `v7.0`
    static func isFuture(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first | 0x20 == UInt8(ascii: "v") else { return false }
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")) else { return false }
        let version = bytes[(bytes.startIndex + 1)..<dot]
        let address = bytes[(dot + 1)...]
        return !version.isEmpty && version.allSatisfy { EdmValue.hexadecimalDigit($0) != nil }
            && !address.isEmpty && address.allSatisfy { isRegisteredNameByte($0) || $0 == UInt8(ascii: ":") }
    }

    /// `2001:db8::1`, `::ffff:10.0.0.1`
    static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return false }
        var count = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            guard let groups = groupCount(half, mayEndInIPv4: index == halves.count - 1) else { return false }
            count += groups
        }
        return halves.count == 2 ? count <= 7 : count == 8
    }

    private static func groupCount(_ text: Substring, mayEndInIPv4: Bool) -> Int? {
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = 0
        for (index, group) in groups.enumerated() {
            if mayEndInIPv4, index == groups.count - 1, group.utf8.contains(UInt8(ascii: ".")) {
                guard isIPv4(Array(group.utf8)[...]) else { return nil }
                count += 2
            } else {
                guard (1...4).contains(group.utf8.count),
                    group.utf8.allSatisfy({ EdmValue.hexadecimalDigit($0) != nil })
                else {
                    return nil
                }
                count += 1
            }
        }
        return count
    }

    /// `127.0.0.1`
    static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard (1...3).contains(part.count), part.allSatisfy(isDigit) else { return false }
                guard part.count == 1 || part.first != UInt8(ascii: "0") else { return false }
                return part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } < 256
            }
    }

    /// A byte of `reg-name`.
    static func isRegisteredNameByte(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || byte >= 0x80 || "%!$&'()*+,;=".utf8.contains(byte)
    }
}

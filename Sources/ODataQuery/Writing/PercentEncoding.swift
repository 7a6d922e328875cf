/// Percent-encodes all but unreserved characters and what `allowed` holds.
///
/// [RFC 3986, section 2]
package func percentEncoded(_ text: String, allowing allowed: Set<UInt8> = []) -> String {
    guard text.utf8.contains(where: { !isUnreserved($0) && !allowed.contains($0) }) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 2)
    for byte in text.utf8 {
        if isUnreserved(byte) || allowed.contains(byte) {
            bytes.append(byte)
        } else {
            bytes.append(UInt8(ascii: "%"))
            bytes.append(hexDigits[Int(byte >> 4)])
            bytes.append(hexDigits[Int(byte & 15)])
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

private let hexDigits = Array("0123456789ABCDEF".utf8)

package func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isLetter(byte) || isDigit(byte)
    }
}

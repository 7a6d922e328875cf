/// Percent-encodes all but unreserved characters and what `allowed` holds.
///
/// [RFC 3986, section 2]
func percentEncoded(_ text: String, allowing allowed: String = "") -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    let extra = Array(allowed.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
        if isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte) || extra.contains(byte) {
            bytes.append(byte)
        } else {
            bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

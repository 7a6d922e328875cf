import HTTPTypes
import ODataStores
import ODataTransport

extension HTTPFields {
    /// Keeps what users have stored from being a page of this service: it has no script and no origin of its own, and what
    /// is not a picture, a sound, a film or plain text is saved and not shown.
    ///
    /// [Content Security Policy Level 3, section 6.4.2; RFC 6266; RFC 8187]
    mutating func guardStoredContent(_ contentType: String, fileName: String? = nil) {
        self[.xContentTypeOptions] = "nosniff"
        self[.contentSecurityPolicy] = "sandbox"
        let isShown = Self.isShown(contentType)
        let name = fileName?.fileName
        guard !isShown || name != nil else { return }
        self[.contentDisposition] = (isShown ? "inline" : "attachment") + (name.map(Self.parameters) ?? "")
    }

    private static func isShown(_ contentType: String) -> Bool {
        guard let name = MediaType(contentType)?.name, !name.hasSuffix("xml"), !contentType.contains(",") else {
            return false
        }
        if ["text/plain", "application/json", "application/octet-stream"].contains(name) { return true }
        return ["image/", "audio/", "video/"].contains { name.hasPrefix($0) }
    }

    /// `; filename="a.txt"`, and for names with other characters `; filename="_.txt"; filename*=UTF-8''%C3%A4.txt`
    private static func parameters(_ name: String) -> String {
        let plain = String(decoding: name.unicodeScalars.map { isPlain($0) ? UInt8($0.value) : 0x5F }, as: UTF8.self)
        guard plain != name else { return "; filename=\"\(name)\"" }
        return "; filename=\"\(plain)\"; filename*=UTF-8''\(encoded(name))"
    }

    /// Whether clients read the character alike in quotes.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) && !"\"\\%".unicodeScalars.contains(scalar)
    }

    private static func encoded(_ name: String) -> String {
        let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$&+-.^_`|~".utf8)
        return name.utf8.reduce(into: "") { text, byte in
            if kept.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
    }
}

import HTTPTypes
import ODataTransport

extension HTTPFields {
    /// Keeps what users have stored from being a page of this service: it has no script and no origin of its own, and what
    /// is not a picture, a sound, a film or plain text is saved and not shown.
    ///
    /// [Content Security Policy Level 3, section 6.4.2; RFC 6266]
    mutating func guardStoredContent(_ contentType: String) {
        self[.xContentTypeOptions] = "nosniff"
        self[.contentSecurityPolicy] = "sandbox"
        if !Self.isShown(contentType) { self[.contentDisposition] = "attachment" }
    }

    private static func isShown(_ contentType: String) -> Bool {
        guard let name = MediaType(contentType)?.name, !name.hasSuffix("xml"), !contentType.contains(",") else {
            return false
        }
        if ["text/plain", "application/json", "application/octet-stream"].contains(name) { return true }
        return ["image/", "audio/", "video/"].contains { name.hasPrefix($0) }
    }
}

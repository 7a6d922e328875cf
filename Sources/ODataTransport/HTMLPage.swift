/// Pages of HTML, which gateways and sign-in services send in place of a service's response.
package enum HTMLPage {
    /// Whether a body begins as a page of HTML does, behind blanks and a byte order mark.
    package static func begins(_ body: some Collection<UInt8>) -> Bool {
        let text = String(decoding: body.prefix(512), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let start = text.prefix(16).lowercased()
        return start.hasPrefix("<html") || start.hasPrefix("<!doctype")
    }
}

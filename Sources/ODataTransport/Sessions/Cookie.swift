/// A cookie as it is kept.
///
/// [RFC 6265, section 5.3]
struct Cookie: Hashable, Sendable {
    let name: String
    let value: String
    /// In lower case, without a dot before it.
    let domain: String
    /// Sent to ``domain`` only, and not to hosts below it.
    let isHostOnly: Bool
    let path: String
    let isSecure: Bool
    /// Seconds since 1970; nil to the end of the session.
    let expiry: Int64?

    /// Reads `sap-session=abc; Path=/sap; Max-Age=600; Secure; HttpOnly`, set by the response from `url`.
    ///
    /// Nil if it is not a cookie, is for a host that `url` has no say in, or is secure and was received over `http`. A
    /// `Domain` of one label (`com`) or an address matches no host.
    ///
    /// - Parameter now: Seconds since 1970.
    init?(_ text: String, from url: AbsoluteURL, now: Int64) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard text.utf8.count <= 4096, let (name, value) = parts.first.flatMap(Self.pair), !name.isEmpty,
            !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        else { return nil }
        let host = url.host
        var (domain, path): (String?, String?)
        var (maxAge, expires): (Int64?, Int64?)
        var isSecure = false
        for part in parts.dropFirst() {
            let (attribute, value) = Self.pair(part) ?? (Self.trimmed(part), "")
            switch attribute.lowercased() {
            case "domain": domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
            case "path": path = value
            case "max-age": maxAge = Int64(value) ?? maxAge
            case "expires": expires = CookieDate.seconds(value) ?? expires
            case "secure": isSecure = true
            default: break
            }
        }
        if domain?.isEmpty == true { domain = nil }
        if let domain, domain != host {
            guard domain.contains("."), Self.isDomain(domain, of: host) else { return nil }
        }
        guard !isSecure || url.scheme == "https" else { return nil }
        self.name = name
        self.value = value
        self.domain = domain ?? host
        isHostOnly = domain == nil
        self.path = path.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? Self.defaultPath(of: url)
        self.isSecure = isSecure
        expiry = maxAge.map { $0 <= 0 ? .min : now.addingReportingOverflow($0).overflow ? .max : now + $0 } ?? expires
    }

    /// Whether it is sent with a request to `url`.
    ///
    /// [RFC 6265, section 5.4]
    func isMeant(for url: AbsoluteURL) -> Bool {
        let host = url.host
        guard host == domain || !isHostOnly && Self.isDomain(domain, of: host) else { return false }
        guard !isSecure || url.scheme == "https" else { return false }
        let target = url.path
        guard target.hasPrefix(path) else { return false }
        return target.count == path.count || path.hasSuffix("/") || target.dropFirst(path.count).first == "/"
    }

    func isExpired(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }

    /// Whether it takes the place of `other`.
    func replaces(_ other: Cookie) -> Bool { name == other.name && domain == other.domain && path == other.path }

    /// [RFC 6265, section 5.1.3]
    private static func isDomain(_ domain: String, of host: String) -> Bool {
        let isAddress = host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." }
        return !isAddress && host.hasSuffix("." + domain)
    }

    /// `/root` for `/root/Products`.
    ///
    /// [RFC 6265, section 5.1.4]
    private static func defaultPath(of url: AbsoluteURL) -> String {
        guard let slash = url.path.lastIndex(of: "/"), slash != url.path.startIndex else { return "/" }
        return String(url.path[..<slash])
    }

    private static func pair(_ text: Substring) -> (String, String)? {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        return (trimmed(text[..<sign]), trimmed(text[text.index(after: sign)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

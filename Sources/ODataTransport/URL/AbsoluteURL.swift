/// An absolute `http` or `https` URL in the parts that a request needs.
///
/// `https://example.org:8443/root/Products?$top=5`: scheme, authority, and target (path and query). A fragment is
/// dropped. Characters that a URL must not hold are percent-encoded, since services send links with raw spaces.
///
/// [RFC 3986]
package struct AbsoluteURL: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`, in lower case.
    package let scheme: String
    /// Host and port without user information.
    package let authority: String
    /// `user:password`, as the text had it; never part of ``description``.
    package let userInformation: String?
    /// Path and query; begins with `/`.
    package let target: String

    init(scheme: String, authority: String, userInformation: String? = nil, target: String) {
        self.scheme = scheme
        self.authority = authority
        self.userInformation = userInformation
        self.target = target
    }

    /// Nil if `text` is not absolute, has no host, has another scheme than `http` and `https`, or an invalid port:
    /// HTTP libraries trap on one above 65535, or take another in its place.
    package init?(_ text: String) {
        guard let parts = URLParts(text), let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let full = parts.authority
        else { return nil }
        let at = full.lastIndex(of: "@")
        let host = at.map { String(full[full.index(after: $0)...]) } ?? full
        guard !host.isEmpty, !host.hasPrefix(":"), host.utf8.allSatisfy(URLParts.isAuthority),
            URLParts.hasUsablePort(host)
        else { return nil }
        let path = parts.path.isEmpty ? "/" : URLParts.withoutDots(parts.path)
        self.init(
            scheme: scheme, authority: host, userInformation: at.map { String(full[..<$0]) },
            target: path + (parts.query.map { "?" + $0 } ?? ""))
    }

    package var description: String { "\(scheme)://\(authority)\(target)" }

    /// The path without the query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The host in lower case, without the port: `example.org`, `[::1]`.
    package var host: String {
        let text = authority.lowercased()
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[...end]) }
        return String(text.prefix { $0 != ":" })
    }

    /// `https://example.org:8443`, with the host in lower case and the default port added.
    package var origin: String {
        let host = authority.lowercased()
        let hasPort = host.last != "]" && host.split(separator: "]").last?.contains(":") == true
        if !hasPort { return "\(scheme)://\(host):\(scheme == "https" ? 443 : 80)" }
        return "\(scheme)://\(host)"
    }

    /// What `reference`, absolute or relative, stands for here; nil if it is not a URL that can be requested.
    ///
    /// [RFC 3986, section 5.2]
    package func resolving(_ reference: String) -> AbsoluteURL? {
        guard let parts = URLParts(reference) else { return nil }
        if parts.scheme != nil { return AbsoluteURL(reference) }
        if parts.authority != nil { return AbsoluteURL("\(scheme):\(reference)") }
        let query = parts.query.map { "?" + $0 }
        if parts.path.isEmpty {
            return with(target: path + (query ?? target.dropFirst(path.count).description))
        }
        let merged = parts.path.hasPrefix("/") ? parts.path : folder + parts.path
        return with(target: URLParts.withoutDots(merged) + (query ?? ""))
    }

    /// The same service with another path and query.
    package func with(target: String) -> AbsoluteURL {
        AbsoluteURL(scheme: scheme, authority: authority, target: target)
    }

    /// The path up to and with its last slash.
    private var folder: String {
        let path = path
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
    }
}

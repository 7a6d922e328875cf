/// The names by which a server may be called: the host of the `Host` header, without its port.
///
/// A web page of any origin can have its own host name lead to 127.0.0.1 and would then read from a server there as if
/// it were its own (DNS rebinding). The browser still sends the page's host name, which identifies such requests.
///
/// [RFC 9110, sections 7.2 and 7.4]
public struct AllowedHosts: Sendable {
    private enum Rule {
        case any
        case loopback
        case names(Set<String>)
    }

    private let rule: Rule

    /// Whatever the client calls the server.
    public static let any = AllowedHosts(rule: .any)
    /// `localhost`, `127.0.0.1` and its like, `[::1]`.
    public static let loopback = AllowedHosts(rule: .loopback)

    /// These host names, and those for the loopback address.
    public static func named(_ names: Set<String>) -> AllowedHosts {
        AllowedHosts(rule: .names(Set(names.map { $0.lowercased() })))
    }

    /// ``loopback`` for a server that listens at such an address, else ``any``.
    public static func suitable(forListeningAt host: String) -> AllowedHosts {
        isLoopback(host.lowercased()) || host == "::1" ? .loopback : .any
    }

    /// - Parameter authority: `localhost:8080`, `[::1]:8080`; empty for a request of HTTP/1.0 that names no host.
    func allows(_ authority: String) -> Bool {
        let host = Self.host(of: authority.lowercased())
        return switch rule {
        case .any: true
        case .loopback: host.isEmpty || Self.isLoopback(host)
        case .names(let names): host.isEmpty || names.contains(host) || Self.isLoopback(host)
        }
    }

    /// `localhost:8080` → `localhost`, `[::1]:8080` → `[::1]`
    private static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
        return String(authority.prefix { $0 != ":" })
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

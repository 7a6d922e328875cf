import Synchronization

/// The cookies of a session, in memory.
///
/// Of RFC 6265 it knows what matters to a client of services: `Domain`, `Path`, `Expires`, `Max-Age` and `Secure`;
/// `HttpOnly` is true of all, since nothing here runs scripts. There is no list of public suffixes: share one jar only
/// between services that trust each other.
///
/// [RFC 6265]
public final class CookieJar: Sendable {
    /// Cookies that are kept at most; the oldest go first.
    private static let limit = 300

    private let cookies = Mutex<[Cookie]>([])

    /// No cookies: a new session.
    public init() {}

    /// Forgets all cookies: the session is over.
    public func removeAll() { cookies.withLock { $0 = [] } }

    /// Takes the `Set-Cookie` headers of a response from `url`.
    func take(_ headers: [String], from url: AbsoluteURL, now: Int64) {
        guard !headers.isEmpty else { return }
        cookies.withLock { cookies in
            for cookie in headers.compactMap({ Cookie($0, from: url, now: now) }) {
                let old = cookies.firstIndex { cookie.replaces($0) }
                if cookie.isExpired(at: now) {
                    if let old { cookies.remove(at: old) }
                } else if let old {
                    cookies[old] = cookie
                } else {
                    cookies.append(cookie)
                }
            }
            cookies.removeAll { $0.isExpired(at: now) }
            cookies.removeFirst(max(0, cookies.count - Self.limit))
        }
    }

    /// `a=1; b=2` for a request to `url`, longer paths first; nil if there are none.
    func header(for url: AbsoluteURL, now: Int64) -> String? {
        let meant = cookies.withLock { $0.filter { $0.isMeant(for: url) && !$0.isExpired(at: now) } }
        guard !meant.isEmpty else { return nil }
        let ordered = meant.enumerated().sorted {
            ($1.element.path.count, $0.offset) < ($0.element.path.count, $1.offset)
        }
        return ordered.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }
}

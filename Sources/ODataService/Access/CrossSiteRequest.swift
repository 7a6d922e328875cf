import HTTPTypes
import ODataTransport

/// Detects requests that a page of another site has had a browser send. Such a page cannot read the response, but what
/// the request changes is changed: with the rights of the person before the browser, or of the machine that it runs on.
///
/// [Fetch, sections 3.1 and 3.2; Fetch Metadata Request Headers, section 2.3]
enum CrossSiteRequest {
    private static let safe: Set<HTTPRequest.Method> = [.get, .head, .options]

    /// - Throws: 403 for a request that may change something, from a page of another origin that is not allowed.
    ///
    /// - Parameter allowedOrigin: The origin that the policy of a ``CrossOriginResponder`` allows.
    static func check(_ request: HTTPRequest, root: String, allowedOrigin: String?) throws {
        guard !safe.contains(request.method) else { return }
        let headers = request.headerFields
        let origin = headers[.origin]
        if let origin, origin == allowedOrigin { return }
        switch headers[.secFetchSite]?.lowercased() {
        case "same-origin", "none": return
        case "cross-site": break
        case "same-site" where origin == nil: break
        default: if origin.map({ isOwn($0, root: root) }) ?? true { return }
        }
        throw ServiceFailure(
            .forbidden, "Pages of \(origin ?? "another site") may not change anything here.")
    }

    /// Whether `origin` is that of the service: its host and port. A proxy may stand between TLS and the service, but
    /// what is reached by TLS is not to be changed by pages without.
    private static func isOwn(_ origin: String, root: String) -> Bool {
        let (page, own) = (parts(origin), parts(root))
        guard let page, let own, page.authority == own.authority else { return false }
        return page.scheme == own.scheme || page.scheme == "https"
    }

    /// `https://app.example:443` → `https`, `app.example`
    private static func parts(_ url: String) -> (scheme: String, authority: String)? {
        let halves = url.lowercased().split(separator: "://", maxSplits: 1)
        guard halves.count == 2 else { return nil }
        let scheme = String(halves[0])
        var authority = String(halves[1].prefix { $0 != "/" })
        for (name, port) in [("http", ":80"), ("https", ":443")] where name == scheme && authority.hasSuffix(port) {
            authority.removeLast(port.count)
        }
        return (scheme, authority)
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}

import Foundation
import ODataModel
import ODataStores
import ODataTransport

/// The root URL of a service, with its query, and what relative and absolute links mean there.
struct ServiceAddress: Sendable {
    /// Without a query; its target ends with `/`.
    let root: AbsoluteURL
    /// The query of the root, which each request carries: `sap-client=100`
    let query: String?
    let foreignOrigins: Set<String>

    init(_ text: String, foreignOrigins: Set<String>) throws {
        guard let url = AbsoluteURL(text) else {
            throw ODataError(
                .badRequest,
                "The service root \(text) is not an http or https URL with a port up "
                    + "to 65535.")
        }
        guard url.userInformation == nil else {
            throw ODataError(
                .badRequest, "The service root has credentials in it: give them to an authentication middleware.")
        }
        let path = url.path
        root = url.with(target: path.hasSuffix("/") ? path : path + "/")
        let query = url.target.dropFirst(path.count + 1)
        self.query = query.isEmpty ? nil : String(query)
        self.foreignOrigins = Set(foreignOrigins.compactMap { AbsoluteURL($0)?.origin })
    }

    /// `Products?$top=5` at this service; `relative` is percent-encoded.
    func url(_ relative: String) -> AbsoluteURL { root.with(target: root.target + carrying(relative)) }

    /// A URL of the service with what its root has of a query, but for options that it has already.
    ///
    ///     Products?$top=5   →   Products?$top=5&sap-client=100
    func carrying(_ url: String) -> String {
        guard let query else { return url }
        let own = url.firstIndex(of: "?").map { Self.options(url[url.index(after: $0)...]) } ?? []
        let names = Set(own.map(Self.name))
        let missing = Self.options(query[...]).filter { !names.contains(Self.name($0)) }
        guard !missing.isEmpty else { return url }
        let separator = !url.contains("?") ? "?" : own.isEmpty || url.hasSuffix("&") ? "" : "&"
        return url + separator + missing.joined(separator: "&")
    }

    private func carrying(_ url: AbsoluteURL) -> AbsoluteURL { url.with(target: carrying(url.target)) }

    private static func options(_ query: Substring) -> [Substring] { query.split(separator: "&") }

    private static func name(_ option: Substring) -> String {
        let name = String(option.prefix { $0 != "=" })
        return name.removingPercentEncoding ?? name
    }

    func isForeign(_ url: AbsoluteURL) -> Bool { url.origin != root.origin }

    /// Where a link of a payload leads.
    ///
    /// Relative links are meant relative to the context URL, which is the root's, by some services and to the
    /// request's URL by others: what starts with the name of an entity set is relative to the root. A link to another
    /// origin whose path is the service's comes from a service behind a proxy, which does not know its own name.
    ///
    /// - Throws: ``ODataError`` with code `invalidResponse` if it leads to an origin that is not allowed.
    func link(_ text: String, from base: AbsoluteURL? = nil, model: EdmModel? = nil) throws -> AbsoluteURL {
        let url = try resolved(text, from: base, model: model)
        guard isForeign(url) else { return carrying(url) }
        if url.path.hasPrefix(root.target) { return carrying(root.with(target: url.target)) }
        guard foreignOrigins.contains(url.origin) else {
            throw ODataError(.invalidResponse, "The service gave a link to another host, which is not allowed: \(url)")
        }
        return url
    }

    /// Where the read link of a stream leads, also to another origin: such a request has nothing in it that reports who
    /// asks.
    ///
    /// - Throws: ``ODataError`` with code `invalidResponse` if it leads away from a service over `https` to `http`.
    func streamLink(_ text: String, model: EdmModel) throws -> AbsoluteURL {
        let url = try resolved(text, model: model)
        guard isForeign(url) else { return carrying(url) }
        if isOwn(url, model) { return carrying(root.with(target: url.target)) }
        guard root.scheme == url.scheme || url.scheme == "https" else {
            throw ODataError(.invalidResponse, "The service gave a link to a stream that is not secure: \(url)")
        }
        return url
    }

    /// Where a stream is uploaded to, also at another origin: such a request has nothing in it that identifies the
    /// client.
    ///
    /// - Parameter base: The URL of the request whose response has the link.
    /// - Throws: ``ODataError`` with code `invalidResponse` if it leads away from a service over `https` to `http`.
    func uploadLink(_ text: String, from base: AbsoluteURL) throws -> AbsoluteURL {
        guard let url = base.resolving(text) else {
            throw ODataError(.invalidResponse, "The service gave a link that is not a URL that can be asked: \(text)")
        }
        guard isForeign(url) else { return carrying(url) }
        if root.target != "/", !foreignOrigins.contains(url.origin), url.path.hasPrefix(root.target) {
            return carrying(root.with(target: url.target))
        }
        guard root.scheme == url.scheme || url.scheme == "https" else {
            throw ODataError(.invalidResponse, "The service gave a link for an upload that is not secure: \(url)")
        }
        return url
    }

    /// Whether a link to another origin is meant for the service. At the root of a host any path would be its own: there
    /// the name of an entity set decides.
    private func isOwn(_ url: AbsoluteURL, _ model: EdmModel) -> Bool {
        guard !foreignOrigins.contains(url.origin), url.path.hasPrefix(root.target) else { return false }
        let name = url.path.dropFirst().prefix { !"/(".contains($0) }
        return root.target != "/" || model.entitySet(named: String(name)) != nil
    }

    private func resolved(_ text: String, from base: AbsoluteURL? = nil, model: EdmModel?) throws -> AbsoluteURL {
        let name = text.prefix { !"/?(#".contains($0) }
        let start = model?.entitySet(named: String(name)) == nil ? base ?? root : root
        guard let url = start.resolving(text) else {
            throw ODataError(.invalidResponse, "The service gave a link that is not a URL that can be asked: \(text)")
        }
        return url
    }
}

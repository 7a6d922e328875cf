/// The URL that all resource paths are relative to.
struct ServiceRoot: Sendable {
    /// Absolute, with a trailing slash: `http://127.0.0.1:8080/`
    let url: String

    init(_ url: String) {
        self.url = url.hasSuffix("/") ? url : url + "/"
    }

    /// `/`, or `/service/` for a root that is not at the top.
    var path: String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let afterScheme = url[scheme.upperBound...]
        return afterScheme.firstIndex(of: "/").map { String(afterScheme[$0...]) } ?? "/"
    }

    /// `/service/Products?$top=1` → `Products?$top=1`; nil if it is outside the service.
    func relative(path target: String) -> String? {
        if target.hasPrefix(path) { return String(target.dropFirst(path.count)) }
        // `/service` and `/service?…` mean the root.
        let bare = path.dropLast()
        guard target.hasPrefix(bare) else { return nil }
        let rest = target.dropFirst(bare.count)
        return rest.isEmpty || rest.hasPrefix("?") ? String(rest) : nil
    }

    /// A URL of a batch request: absolute, absolute path, or relative to the root; nil if it is outside the service.
    func relative(reference: String) -> String? {
        if reference.hasPrefix(url) { return String(reference.dropFirst(url.count)) }
        if reference.hasPrefix("/") { return relative(path: reference) }
        return Self.isAbsolute(reference) ? nil : reference
    }

    /// `Products?$skiptoken=5` → `http://127.0.0.1:8080/Products?$skiptoken=5`; absolute URLs stay.
    func absolute(_ reference: String) -> String {
        Self.isAbsolute(reference)
            ? reference : url + (reference.hasPrefix("/") ? String(reference.dropFirst()) : reference)
    }

    /// Whether `reference` begins with a scheme: `http://…`.
    static func isAbsolute(_ reference: String) -> Bool {
        guard let scheme = reference.firstRange(of: "://") else { return false }
        return reference[..<scheme.lowerBound].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}

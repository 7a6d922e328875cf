/// The URL that all resource paths are relative to.
struct ServiceRoot: Sendable {
    /// Absolute, with a trailing slash: `http://127.0.0.1:8080/`
    let url: String

    init(_ url: String) {
        self.url = url.hasSuffix("/") ? url : url + "/"
    }

    /// `/`, or `/service/` for a root that is not at the top.
    var path: Substring {
        guard let scheme = Self.scheme(of: url) else { return url[...] }
        let afterScheme = url.utf8[url.utf8.index(scheme, offsetBy: 3)...]
        return afterScheme.firstIndex(of: UInt8(ascii: "/")).map { url[$0...] } ?? "/"
    }

    /// `/service/Products?$top=1` → `Products?$top=1`; nil if it is outside the service.
    func relative(path target: String) -> String? {
        let path = path
        if target.utf8.starts(with: path.utf8) { return String(Substring(target.utf8.dropFirst(path.utf8.count))) }
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
        guard let scheme = scheme(of: reference) else { return false }
        return reference.utf8[..<scheme].allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        }
    }

    /// The end of the scheme, where `://` begins.
    private static func scheme(of url: String) -> String.Index? {
        var rest = url.utf8[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[rest.index(after: colon)...]
            if rest.starts(with: "//".utf8) { return colon }
        }
        return nil
    }
}

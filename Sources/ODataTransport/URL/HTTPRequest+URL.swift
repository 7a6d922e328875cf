import HTTPTypes

extension HTTPRequest {
    /// The target of the request; nil if its scheme, authority or path is missing or unusable.
    package var absoluteURL: AbsoluteURL? {
        get {
            guard let scheme, let authority else { return nil }
            return AbsoluteURL("\(scheme)://\(authority)\(path ?? "/")")
        }
        set {
            scheme = newValue?.scheme
            authority = newValue?.authority
            path = newValue?.target
        }
    }

    /// Whether it is a read whose options stand in its body: `POST /root/Products/$query`.
    ///
    /// [OData-URL, section 4.15]
    var isQuery: Bool {
        method == .post && path?.prefix { $0 != "?" }.hasSuffix("/$query") == true
    }

    package init(method: Method, url: AbsoluteURL, headerFields: HTTPFields = [:]) {
        self.init(
            method: method, scheme: url.scheme, authority: url.authority, path: url.target, headerFields: headerFields)
    }
}

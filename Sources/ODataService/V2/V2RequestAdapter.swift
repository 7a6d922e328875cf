import HTTPTypes
import ODataTransport

/// Recognises requests of V2 clients, and converts them to requests of V4.
///
/// A client uses the path `v2/` below the service root, or says `MaxDataServiceVersion: 2.0`.
/// [OData V2: Operations]
enum V2RequestAdapter {
    private static let prefix = "v2"
    /// What POST may stand for with `X-HTTP-Method`.
    private static let tunnelled: Set<String> = ["PUT", "MERGE", "PATCH", "DELETE", "GET"]

    /// Nil for a request that is not of V2.
    static func entered(_ request: ServiceRequest) -> ServiceRequest? {
        guard var entered = byPath(request) ?? byHeader(request) else { return nil }
        entered.isV2 = true
        return entered
    }

    /// The request with the method that it means.
    ///
    /// - Throws: 400 for a version or a method behind POST that is not known.
    static func admitted(_ request: ServiceRequest) throws -> ServiceRequest {
        guard request.isV2 else { return request }
        try checkVersion(request.headers)
        return try untunnelled(request)
    }

    /// `v2/Products` → `Products` of the service at `v2/`
    private static func byPath(_ request: ServiceRequest) -> ServiceRequest? {
        let path = request.parts.path
        guard path.utf8.count >= prefix.utf8.count, path.utf8.first.map({ $0 | 0x20 }) == prefix.utf8.first else {
            return nil
        }
        guard path.lowercased() == prefix || path.lowercased().hasPrefix(prefix + "/") else { return nil }
        var entered = request
        entered.url = String(request.url.dropFirst(path.count == prefix.count ? prefix.count : prefix.count + 1))
        entered.root = ServiceRoot(request.root).url + path.prefix(prefix.count) + "/"
        return entered
    }

    private static func byHeader(_ request: ServiceRequest) -> ServiceRequest? {
        let headers = request.headers
        guard headers[.oDataVersion] == nil, headers[.oDataMaxVersion] == nil else { return nil }
        guard let sent = headers[.maxDataServiceVersion] ?? headers[.dataServiceVersion] else { return nil }
        guard let first = sent.first, "123".contains(first) else { return nil }
        return request
    }

    private static func checkVersion(_ headers: HTTPFields) throws {
        if let sent = headers[.dataServiceVersion], !sent.hasPrefix("1.0"), !sent.hasPrefix("2.0") {
            throw ServiceFailure(
                .badRequest, "The request is in DataServiceVersion \(sent); 1.0 and 2.0 are understood.")
        }
        if let most = headers[.maxDataServiceVersion], most.hasPrefix("1.") {
            throw ServiceFailure(
                .badRequest, "The client takes DataServiceVersion \(most); this service responds in 2.0.")
        }
    }

    /// `POST` with `X-HTTP-Method: MERGE` → `MERGE`
    static func untunnelled(_ request: ServiceRequest) throws -> ServiceRequest {
        guard request.method == .post, let name = request.headers[.methodOverride] else { return request }
        guard tunnelled.contains(name.uppercased()), let method = HTTPRequest.Method(rawValue: name.uppercased()) else {
            throw ServiceFailure(.badRequest, "X-HTTP-Method \(name) is not known.")
        }
        var request = request
        request.method = method
        return request
    }
}

extension HTTPRequest.Method {
    /// An update of the properties that are given, in V2.
    static let merge = HTTPRequest.Method(rawValue: "MERGE")!
}

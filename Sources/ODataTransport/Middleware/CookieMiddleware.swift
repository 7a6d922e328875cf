import ByteStreams
import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps the service's cookies and sends them back, to no other origin.
///
/// Place it behind ``RedirectMiddleware``, so that it sees each hop. `OnlineStore` has one of its own.
public struct CookieMiddleware: HTTPMiddleware {
    private let jar: CookieJar
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - jar: Where the cookies are kept.
    ///   - now: Seconds since 1970.
    public init(
        jar: CookieJar = CookieJar(), now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    ) {
        self.jar = jar
        self.now = now
    }

    public func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws
        -> TransportResponse
    {
        guard !next.context.isForeign, let url = request.absoluteURL else {
            return try await next.send(request, body: body)
        }
        var changed = request
        if let header = jar.header(for: url, now: now()) {
            changed.headerFields[.cookie] = request.headerFields[.cookie].map { "\($0); \(header)" } ?? header
        }
        let response = try await next.send(changed, body: body)
        jar.take(response.head.headerFields[values: .setCookie], from: url, now: now())
        return response
    }
}

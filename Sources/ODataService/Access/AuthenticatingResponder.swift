import ByteStreams
import Crypto
import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Who may use a service: users with passwords, and bearers of tokens.
public struct ServiceCredentials: Sendable {
    private var secrets: [String: [[UInt8]]] = [:]
    fileprivate var schemes: [String] = []

    /// No credentials: a service that requires these responds with 401 to all clients until some are added.
    public init() {}

    /// Whether no client has access.
    public var isEmpty: Bool { schemes.isEmpty }

    /// `Authorization: Basic …` with this name and password.
    ///
    /// [RFC 7617]
    public mutating func add(user: String, password: String) {
        add(Data("\(user):\(password)".utf8).base64EncodedString(), scheme: "basic")
    }

    /// `Authorization: Bearer …` with this token.
    ///
    /// [RFC 6750]
    public mutating func add(token: String) { add(token, scheme: "bearer") }

    private mutating func add(_ secret: String, scheme: String) {
        if secrets[scheme] == nil { schemes.append(scheme) }
        secrets[scheme, default: []].append(Array(secret.utf8))
    }

    /// Whether the value of an `Authorization` header is one of them. How long that takes does not report how much of
    /// it is right.
    func allow(_ authorization: String?) -> Bool {
        guard let authorization else { return false }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let known = secrets[parts[0].lowercased()] else { return false }
        let given = Array(parts[1].drop { $0 == " " }.utf8)
        return known.reduce(false) { Self.areEqual(given, $1) || $0 }
    }

    /// The user that ``allow(_:)`` admits, as a name without secrets: `basic ada`, `bearer 9f86d081…`.
    func user(_ authorization: String) -> String {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        let secret = Array((parts.last ?? "").drop { $0 == " " }.utf8)
        guard parts.first?.lowercased() == "basic", let pair = Data(base64Encoded: Data(secret)) else {
            return "bearer " + SourceDigest.hexadecimal(SHA256.hash(data: secret))
        }
        return "basic " + String(decoding: pair.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }

    private static func areEqual(_ given: [UInt8], _ known: [UInt8]) -> Bool {
        guard !known.isEmpty else { return false }
        var difference = given.count ^ known.count
        for (index, byte) in given.enumerated() { difference |= Int(byte ^ known[index % known.count]) }
        return difference == 0
    }
}

/// Responds with 401 to requests without valid credentials.
///
/// Credentials go over the wire readable: use it with TLS, or on one machine.
public struct AuthenticatingResponder: HTTPResponder {
    private let next: any HTTPResponder
    private let credentials: ServiceCredentials
    private let challenge: String
    private let attempts: SignInGuard

    /// - Parameters:
    ///   - next: Responds to the requests that are let through.
    ///   - credentials: The admitted users; `WWW-Authenticate` names the schemes among them.
    public init(_ next: any HTTPResponder, credentials: ServiceCredentials) {
        self.init(next, credentials: credentials, attempts: SignInGuard())
    }

    init(_ next: any HTTPResponder, credentials: ServiceCredentials, attempts: SignInGuard) {
        self.attempts = attempts
        self.next = next
        self.credentials = credentials
        challenge = credentials.schemes.map {
            $0 == "basic" ? #"Basic realm="OData", charset="UTF-8""# : #"Bearer realm="OData""#
        }.joined(separator: ", ")
    }

    public func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        let authorization = request.headerFields[.authorization]
        guard let authorization else { return challenged }
        let verdict = await attempts.verdict(on: authorization, from: context.address) {
            credentials.allow(authorization)
        }
        switch verdict {
        case .right: break
        case .wrong: return challenged
        case .refused(let seconds):
            var refusal = ServiceResponse.refusal(
                .tooManyRequests, "Too many wrong credentials came from this address.")
            refusal.head.headerFields[.retryAfter] = "\(seconds)"
            return refusal
        }
        var context = context
        context.user = credentials.user(authorization)
        return await next.respond(to: request, body: body, root: root, context: context)
    }

    private var challenged: ServiceResponse {
        var refusal = ServiceResponse.refusal(.unauthorized, "Credentials are needed.")
        refusal.head.headerFields[.wwwAuthenticate] = challenge
        return refusal
    }
}

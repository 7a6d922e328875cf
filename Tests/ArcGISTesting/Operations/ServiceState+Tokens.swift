import Foundation
import HTTPTypes
import ODataModel

extension ServiceState {
    private var needsTokens: Bool { !configuration.users.isEmpty }

    /// - Throws: 499 without a token where one is needed, 498 for one that is unknown or used up.
    mutating func check(token: String?) throws(RestError) {
        guard needsTokens else { return }
        guard let token else { throw .tokenRequired }
        guard var known = tokens[token], known.expires > configuration.now(), known.requestsLeft != 0 else {
            tokens[token] = nil
            throw .invalidToken
        }
        known.requestsLeft = known.requestsLeft.map { $0 - 1 }
        tokens[token] = known
    }

    /// `GET /arcgis/rest/info?f=json`
    func info(_ call: RestCall) -> RestResponse {
        .object { text in
            text.number("currentVersion", "11.3")
            text.object("authInfo") { text in
                text.member("isTokenBasedSecurity", needsTokens)
                if needsTokens { text.member("tokenServicesUrl", "\(call.root)arcgis/tokens/generateToken") }
                text.member("shortLivedTokenValidity", configuration.tokenMinutes)
            }
        }
    }

    /// `POST /arcgis/tokens/generateToken` with `username=…&password=…&client=referer&referer=…&expiration=60&f=json`
    mutating func generateToken(_ call: RestCall) throws(RestError) -> RestResponse {
        // Passwords in URLs end in logs.
        guard call.request.path?.contains("password=") != true else {
            throw .noToken("Credentials belong into the body.")
        }
        guard let name = call["username"] else { throw .noToken("'username' must be specified.") }
        guard let password = call["password"] else { throw .noToken("'password' must be specified.") }
        switch call["client"] ?? "requestip" {
        case "requestip": break
        case "referer" where call["referer"] != nil, "ip" where call["ip"] != nil: break
        case "referer": throw .noToken("'referer' must be specified.")
        case "ip": throw .noToken("'ip' must be specified.")
        default: throw .noToken("'client' is referer, ip or requestip.")
        }
        guard configuration.users[name] == password else { throw .noToken("Invalid username or password.") }
        let (token, expires) = newToken(minutes: Int64(call["expiration"] ?? "60") ?? 60)
        return .object { text in
            text.member("token", token)
            text.member("expires", expires)
            text.member("ssl", false)
        }
    }

    /// A new token, and until when it lives, in milliseconds since 1970.
    mutating func newToken(minutes: Int64) -> (token: String, expires: Int64) {
        let expires = configuration.now() + max(1, min(minutes, configuration.tokenMinutes)) * 60_000
        let token = UUID().uuidString.lowercased()
        tokens[token] = Token(expires: expires, requestsLeft: configuration.requestsPerToken)
        return (token, expires)
    }
}

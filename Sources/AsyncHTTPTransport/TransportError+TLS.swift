import NIOSSL
import ODataTransport

extension TransportError {
    /// What `error` of the TLS library means for a person.
    ///
    ///     No secure connection to 127.0.0.1:8080: it does not speak TLS.
    ///
    /// [RFC 8446, section 6.2]
    static func insecure(_ error: any Error, host: String) -> TransportError {
        let reason =
            if case NIOSSLExtraError.failedToValidateHostname? = error as? NIOSSLExtraError {
                "its certificate is of another name"
            } else {
                reason("\(error)")
            }
        return TransportError(.insecure, "No secure connection to \(host): \(reason).", cause: error)
    }

    /// The library gives no reasons but in its text: `…:OPENSSL_internal:WRONG_VERSION_NUMBER at …`
    static func reason(_ text: String) -> String {
        if let known = reasons.first(where: { words, _ in words.contains(where: text.contains) }) { return known.1 }
        guard let word = text.components(after: "OPENSSL_internal:").first else { return "the handshake failed" }
        return "the handshake failed (\(word.lowercased().replacing("_", with: " ")))"
    }

    private static let reasons: [([String], String)] = [
        (["WRONG_VERSION_NUMBER", "HTTP_REQUEST"], "it does not speak TLS"),
        (["UNSUPPORTED_PROTOCOL", "PROTOCOL_VERSION"], "it speaks no version of TLS that is known here"),
        (["CERTIFICATE_REQUIRED"], "it requires a client certificate"),
        (
            ["ALERT_UNKNOWN_CA", "ALERT_BAD_CERTIFICATE", "ALERT_CERTIFICATE", "ALERT_ACCESS_DENIED"],
            "it does not accept the client certificate"
        ),
        (
            ["CERTIFICATE_VERIFY_FAILED"],
            "its certificate has expired, is not valid yet, or its issuer is not trusted here"
        ),
        (["EOF during handshake"], "it ended the connection during the handshake"),
    ]
}

extension String {
    /// The words that follow `mark`, each up to a space.
    fileprivate func components(after mark: String) -> [Substring] {
        ranges(of: mark).map { self[$0.upperBound...].prefix { $0 != " " } }
    }
}

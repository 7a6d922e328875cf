import NIOSSL

/// The certificate with which a server shows who it is, and its private key, as PEM files.
///
/// [RFC 8446]
public struct ServerIdentity: Sendable {
    /// A certificate, followed by those that it was issued by.
    public var certificateFile: String
    /// The private key of the certificate, not encrypted.
    public var keyFile: String

    /// The files are read when a server starts, which throws ``ServerError`` if they cannot be used.
    public init(certificateFile: String, keyFile: String) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }

    /// For TLS 1.2: with a key of the connection's own each, so that who gets the private key later reads nothing of what
    /// was recorded before, and with authenticated encryption. TLS 1.3 has no others. [RFC 9325, section 4.2]
    private static let ciphers: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// TLS 1.2 and later.
    ///
    /// - Throws: ``ServerError`` for files that cannot be read or are not PEM.
    func configuration() throws -> TLSConfiguration {
        let chain: [NIOSSLCertificateSource]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(certificateFile).map { .certificate($0) }
        } catch {
            throw ServerError("The certificate \(certificateFile) cannot be used: \(error)", cause: error)
        }
        do {
            let key = try NIOSSLPrivateKey(file: keyFile, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.cipherSuiteValues = Self.ciphers
            configuration.applicationProtocols = ["http/1.1"]
            return configuration
        } catch {
            throw ServerError("The private key \(keyFile) cannot be used: \(error)", cause: error)
        }
    }
}

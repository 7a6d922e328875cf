import NIOSSL
import TestSupport

extension TestCertificate {
    static func parsed() throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)
    }

    /// For a server that shows it.
    static func server() throws -> TLSConfiguration {
        let key = try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
        return .makeServerConfiguration(certificateChain: [.certificate(try parsed())], privateKey: .privateKey(key))
    }
}

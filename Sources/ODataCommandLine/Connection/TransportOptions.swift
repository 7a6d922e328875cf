import ArgumentParser
import AsyncHTTPTransport
import Foundation
import OData

/// How long a service is waited for, and which certificates are used.
struct TransportOptions: ParsableArguments {
    @Option(help: "Seconds that the service may be silent until an attempt times out; 60 by default.")
    var timeout: Int?

    @Option(help: "Seconds that fetching a service's metadata may take in all, retries included; 120 without it.")
    var metadataTimeout: Int?

    @Option(
        help: "Elements that a metadata document may have, each about 1300 bytes of memory; 300000 without it.")
    var maxMetadataElements: Int?

    @Option(help: "A PEM file of certificates to trust instead of the system's.", completion: .file())
    var cacert: String?

    @Option(
        help: "A PEM file with the certificate that is shown to the service, for --client-key.", completion: .file())
    var clientCert: String?

    @Option(help: "A PEM file with the private key of --client-cert, not encrypted.", completion: .file())
    var clientKey: String?

    func validate() throws {
        if let timeout, timeout < 1 { throw ValidationError("--timeout takes a number of seconds above zero.") }
        if let metadataTimeout, metadataTimeout < 1 {
            throw ValidationError("--metadata-timeout takes a number of seconds above zero.")
        }
        if let maxMetadataElements, maxMetadataElements < 1 {
            throw ValidationError("--max-metadata-elements takes a number above zero.")
        }
        guard (clientCert == nil) == (clientKey == nil) else {
            throw ValidationError("--client-cert and --client-key require each other.")
        }
    }

    /// - Throws: ``Failure`` that names a file which cannot be read: the transport reads them with its first request.
    func configuration() throws -> AsyncHTTPTransport.Configuration {
        for file in [cacert, clientCert, clientKey].compactMap({ $0 }) { _ = try Data(named: file) }
        var configuration = AsyncHTTPTransport.Configuration()
        if let timeout {
            let limit = Duration.seconds(timeout)
            configuration.connectTimeout = min(limit, configuration.connectTimeout)
            (configuration.readTimeout, configuration.writeTimeout) = (limit, limit)
        }
        configuration.trustedCertificates = cacert
        if let clientCert, let clientKey {
            configuration.clientCertificate = .init(chain: clientCert, privateKey: clientKey)
        }
        return configuration
    }
}

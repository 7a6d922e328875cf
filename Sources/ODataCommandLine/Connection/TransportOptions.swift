import ArgumentParser
import AsyncHTTPTransport
import Foundation
import OData

/// How long a service is waited for, and which certificates are used.
extension ConnectionOptions {
    func validateTransport() throws {
        if let timeout, timeout < 1 { throw ValidationError("--timeout takes a number of seconds above zero.") }
        if let retries, !(0...100).contains(retries) {
            throw ValidationError("--retries takes a number from 0 to 100.")
        }
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

    var retryPolicy: RetryMiddleware.Policy {
        var policy = RetryMiddleware.Policy()
        if let retries { policy.attempts = retries + 1 }
        return policy
    }

    /// - Throws: ``Failure`` that names a file which cannot be read: the transport reads them with its first request.
    func transportConfiguration() throws -> AsyncHTTPTransport.Configuration {
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

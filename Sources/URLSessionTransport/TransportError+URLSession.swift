import ByteStreams
import Foundation
import ODataTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// What `error` of a session means; errors of bodies stay what they are.
    static func wrap(_ error: any Error, host: String) -> any Error {
        if error is ByteStreamError || error is TransportError { return error }
        if error is CancellationError { return TransportError(.cancelled, "The request was cancelled.") }
        guard let failure = error as? URLError else {
            return TransportError(.interrupted, "The connection to \(host) failed: \(error)", cause: error)
        }
        let code: Code =
            switch failure.code {
            case .badURL, .unsupportedURL: .invalidURL
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
                .internationalRoamingOff, .dataNotAllowed, .callIsActive:
                .unreachable
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
                .clientCertificateRequired:
                .insecure
            case .timedOut: .timeout
            case .cancelled: .cancelled
            default: .interrupted
            }
        return TransportError(code, "The connection to \(host) failed: \(failure.localizedDescription)", cause: error)
    }
}

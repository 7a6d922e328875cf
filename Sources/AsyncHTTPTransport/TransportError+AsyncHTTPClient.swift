import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import ODataTransport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension TransportError {
    /// What `error` of the client means.
    static func wrap(_ error: any Error, request: HTTPRequest) -> TransportError {
        let host = request.authority ?? ""
        switch error {
        case let error as TransportError: return error
        case is CancellationError: return TransportError(.cancelled, "The request was cancelled.")
        case let error as HTTPClientError: return wrap(error, host: host)
        case let error as NIOConnectionError: return unreachable(error, host: host)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            return insecure(error, host: host)
        case is HTTPParserError:
            return TransportError(.interrupted, "What \(host) sent is not complete HTTP: \(error)", cause: error)
        default: return wrapPlatform(error, host: host)
        }
    }

    private static func wrap(_ error: HTTPClientError, host: String) -> TransportError {
        switch error {
        case .invalidURL, .emptyHost, .emptyScheme, .missingSocketPath:
            TransportError(.invalidURL, "The URL cannot be used: \(error.shortDescription).", cause: error)
        case .connectTimeout, .getConnectionFromPoolTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
            TransportError(.unreachable, "No connection to \(host) in time.", cause: error)
        case .proxyAuthenticationRequired:
            TransportError(.credentials, "The proxy rejects the name or the password.", cause: error)
        case .invalidProxyResponse:
            TransportError(.unreachable, "The proxy gave no way to \(host).", cause: error)
        case .tlsHandshakeTimeout:
            TransportError(.insecure, "No secure connection to \(host) in time.", cause: error)
        case .readTimeout, .writeTimeout, .deadlineExceeded:
            TransportError(.timeout, "\(host) did not respond in time.", cause: error)
        case .cancelled, .alreadyShutdown, .requestStreamCancelled:
            TransportError(.cancelled, "The request was cancelled, or its transport shut down.", cause: error)
        case .bodyLengthMismatch:
            TransportError(.interrupted, "The request's body has not the length that was announced.", cause: error)
        default:
            TransportError(.interrupted, "The connection to \(host) ended: \(error.shortDescription).", cause: error)
        }
    }

    private static func unreachable(_ error: NIOConnectionError, host: String) -> TransportError {
        let reason: String =
            if let first = error.connectionErrors.first {
                words(first.error)
            } else {
                "its name is not known"
            }
        return TransportError(.unreachable, "No connection to \(host): \(reason).", cause: error)
    }

    private static func wrapPlatform(_ error: any Error, host: String) -> TransportError {
        if let error = error as? IOError, beforeConnection.contains(error.errnoCode) {
            return TransportError(.unreachable, "No connection to \(host): \(words(error)).", cause: error)
        }
        if let error = error as? ChannelError, case .connectTimeout = error {
            return TransportError(.unreachable, "No connection to \(host) in time.", cause: error)
        }
        #if canImport(Network)
            if error is HTTPClient.NWTLSError {
                return TransportError(.insecure, "No secure connection to \(host): \(error)", cause: error)
            }
            if let error = error as? HTTPClient.NWPOSIXError,
                beforeConnection.contains(error.errorCode.rawValue)
            {
                return TransportError(.unreachable, "No connection to \(host): \(error)", cause: error)
            }
        #endif
        return TransportError(.interrupted, "The connection to \(host) failed: \(error)", cause: error)
    }

    /// `Connection refused`
    private static func words(_ error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }

    private static let beforeConnection: Set<CInt> = [
        ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL,
    ]
}

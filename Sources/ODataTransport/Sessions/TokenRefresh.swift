import Synchronization

/// Tokens of a provider: one new token for all requests whose token was refused.
package final class TokenRefresh: Sendable {
    private let provider: BearerAuthentication.Provider
    private let fetch = SharedFetch<String>()
    private let last = Mutex<(rejected: String, fresh: String)?>(nil)

    package init(_ provider: @escaping BearerAuthentication.Provider) {
        self.provider = provider
    }

    /// - Throws: ``TransportError`` `credentials` if none can be had, `unreachable` if its issuer does not respond,
    ///   `cancelled`. The request that needs it was not sent.
    package func token() async throws -> String {
        // A caller leaves at once, though the provider passes its cancellation over.
        try await Self.asked { try await SharedFetch().value { [provider] in try await provider(nil) } }
    }

    /// - Throws: As ``token()``.
    package func token(replacing rejected: String) async throws -> String {
        if let fresh = known(rejected) { return fresh }
        return try await Self.asked {
            try await fetch.value { [self] in
                // Another fetch may have ended meanwhile.
                if let fresh = known(rejected) { return fresh }
                let fresh = try await provider(rejected)
                last.withLock { $0 = (rejected, fresh) }
                return fresh
            }
        }
    }

    private func known(_ rejected: String) -> String? {
        last.withLock { $0?.rejected == rejected && $0?.fresh != rejected ? $0?.fresh : nil }
    }

    private static func asked(_ token: () async throws -> String) async throws -> String {
        do {
            return try await token()
        } catch is CancellationError {
            throw TransportError(.cancelled, "The request was cancelled while its token was fetched.")
        } catch let error as TransportError where error.code == .cancelled {
            throw error
        } catch let error as TransportError where error.code.isOfConnection {
            throw TransportError(.unreachable, "No token was received for the service: \(error)", cause: error)
        } catch {
            throw TransportError(.credentials, "No token could be had for the service: \(error)", cause: error)
        }
    }
}

extension TransportError.Code {
    /// Whether the same request may succeed later: the credentials were not refused.
    fileprivate var isOfConnection: Bool { [.unreachable, .timeout, .interrupted, .truncated].contains(self) }
}

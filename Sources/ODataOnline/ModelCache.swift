import ODataFormats
import ODataModel
import ODataStores
import ODataTransport
import Synchronization

/// What a service says of itself.
struct ServiceMetadata: Sendable {
    var model: EdmModel
    var diagnostics: [DocumentDiagnostic] = []
    /// How requests to it are written.
    var dialect: ProtocolDialect
    /// Of the metadata document.
    var etag: String?
}

/// Fetches the model once, for all who wait for it.
final class ModelCache: Sendable {
    private let known: Mutex<ServiceMetadata?>
    private let shared = SharedFetch<ServiceMetadata>()
    private let fetch: @Sendable (CacheUse, _ known: ServiceMetadata?) async throws -> ServiceMetadata

    /// - Parameter fetch: Gives back what is known where it still holds.
    init(
        _ metadata: ServiceMetadata?,
        fetch: @escaping @Sendable (CacheUse, _ known: ServiceMetadata?) async throws -> ServiceMetadata
    ) {
        known = Mutex(metadata)
        self.fetch = fetch
    }

    var diagnostics: [DocumentDiagnostic] { known.withLock { $0?.diagnostics ?? [] } }

    /// - Parameter cacheUse: Where the metadata come from if they are not known.
    func metadata(_ cacheUse: CacheUse = .askingFirst) async throws -> ServiceMetadata {
        if let metadata = known.withLock({ $0 }) { return metadata }
        // A request for what is in the cache only does not wait.
        if cacheUse == .only { return try await fetched(.only) }
        return try await Self.value(of: shared) { [self] in try await fetched(cacheUse) }
    }

    private static func value(
        of fetch: SharedFetch<ServiceMetadata>, _ body: @escaping @Sendable () async throws -> ServiceMetadata
    ) async throws -> ServiceMetadata {
        do { return try await fetch.value(body) } catch is CancellationError {
            throw ODataError(.cancelled, "The request was cancelled while the service's metadata were fetched.")
        }
    }

    private func fetched(_ cacheUse: CacheUse) async throws -> ServiceMetadata {
        if let metadata = known.withLock({ $0 }) { return metadata }
        let metadata = try await fetch(cacheUse, nil)
        return known.withLock { known in
            known = known ?? metadata
            return known ?? metadata
        }
    }

    /// Asks the service whether what is known still holds.
    func renewed() async throws -> ServiceMetadata {
        try await Self.value(of: SharedFetch()) { [self] in
            let metadata = try await fetch(.asking, known.withLock { $0 })
            known.withLock { $0 = metadata }
            return metadata
        }
    }
}

import ODataFormats
import ODataModel
import Synchronization

/// What a service says of itself.
struct ServiceMetadata: Sendable {
    var model: Model
    var diagnostics: [Diagnostic] = []
    /// How requests to it are written.
    var dialect: ProtocolDialect
    /// Of the metadata document.
    var etag: String?
}

/// Fetches the model once, for all who wait for it.
final class ModelCache: Sendable {
    private enum State {
        case empty
        case fetching(Task<ServiceMetadata, any Error>, number: Int)
        case known(ServiceMetadata)
    }

    private let state: Mutex<(current: State, fetches: Int)>
    private let fetch: @Sendable (CacheUse, _ known: ServiceMetadata?) async throws -> ServiceMetadata

    /// - Parameter fetch: Gives back what is known where it still holds.
    init(
        _ metadata: ServiceMetadata?,
        fetch: @escaping @Sendable (CacheUse, _ known: ServiceMetadata?) async throws -> ServiceMetadata
    ) {
        state = Mutex((metadata.map { .known($0) } ?? .empty, 0))
        self.fetch = fetch
    }

    var diagnostics: [Diagnostic] {
        state.withLock { state in
            if case .known(let metadata) = state.current { metadata.diagnostics } else { [] }
        }
    }

    /// - Parameter cacheUse: Where the metadata come from if they are not known.
    func metadata(_ cacheUse: CacheUse = .askingFirst) async throws -> ServiceMetadata {
        if cacheUse == .only { return try await fetchedAside() }
        let task: Task<ServiceMetadata, any Error>? = state.withLock { state in
            switch state.current {
            case .known: return nil
            case .fetching(let task, _): return task
            case .empty:
                state.fetches += 1
                let number = state.fetches
                let task = Task { try await self.fetched(number, cacheUse) }
                state.current = .fetching(task, number: number)
                return task
            }
        }
        if let task { return try await task.value }
        return try state.withLock { state in
            guard case .known(let metadata) = state.current else { throw CancellationError() }
            return metadata
        }
    }

    /// What is known, or what the cache of answers has: nobody else waits for that.
    private func fetchedAside() async throws -> ServiceMetadata {
        let known: ServiceMetadata? = state.withLock { state in
            if case .known(let metadata) = state.current { metadata } else { nil }
        }
        if let known { return known }
        let metadata = try await fetch(.only, nil)
        state.withLock { state in
            if case .empty = state.current { state.current = .known(metadata) }
        }
        return metadata
    }

    /// Asks the service whether what is known still holds.
    func renewed() async throws -> ServiceMetadata {
        let known: ServiceMetadata? = state.withLock { state in
            if case .known(let metadata) = state.current { metadata } else { nil }
        }
        guard let known else { return try await metadata() }
        let metadata = try await fetch(.askingFirst, known)
        state.withLock { $0.current = .known(metadata) }
        return metadata
    }

    private func fetched(_ number: Int, _ cacheUse: CacheUse) async throws -> ServiceMetadata {
        do {
            let metadata = try await fetch(cacheUse, nil)
            state.withLock { $0.current = .known(metadata) }
            return metadata
        } catch {
            state.withLock { state in
                if case .fetching(_, number) = state.current { state.current = .empty }
            }
            throw error
        }
    }
}

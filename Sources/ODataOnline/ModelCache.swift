import ODataModel
import Synchronization

/// Fetches the model once, for all who wait for it.
final class ModelCache: Sendable {
    typealias Metadata = (model: Model, diagnostics: [Diagnostic])

    private enum State {
        case empty
        case fetching(Task<Model, any Error>, number: Int)
        case known(Model, [Diagnostic])
    }

    private let state: Mutex<(current: State, fetches: Int)>
    private let fetch: @Sendable () async throws -> Metadata

    init(_ model: Model?, fetch: @escaping @Sendable () async throws -> Metadata) {
        state = Mutex((model.map { .known($0, []) } ?? .empty, 0))
        self.fetch = fetch
    }

    var diagnostics: [Diagnostic] {
        state.withLock { state in
            if case .known(_, let diagnostics) = state.current { diagnostics } else { [] }
        }
    }

    func model() async throws -> Model {
        let task: Task<Model, any Error>? = state.withLock { state in
            switch state.current {
            case .known: return nil
            case .fetching(let task, _): return task
            case .empty:
                state.fetches += 1
                let number = state.fetches
                let task = Task { try await self.fetched(number) }
                state.current = .fetching(task, number: number)
                return task
            }
        }
        if let task { return try await task.value }
        return try state.withLock { state in
            guard case .known(let model, _) = state.current else { throw CancellationError() }
            return model
        }
    }

    private func fetched(_ number: Int) async throws -> Model {
        do {
            let (model, diagnostics) = try await fetch()
            state.withLock { $0.current = .known(model, diagnostics) }
            return model
        } catch {
            state.withLock { state in
                if case .fetching(_, number) = state.current { state.current = .empty }
            }
            throw error
        }
    }
}

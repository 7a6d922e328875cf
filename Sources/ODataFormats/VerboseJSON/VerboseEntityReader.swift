import ByteStreams
import ODataModel
import Synchronization

/// Reads entities of V1 to V3 in verbose JSON as the bytes arrive.
///
/// Values come out as those of the V4 model. Deferred links are passed over; what a closed type
/// does not have is passed over and noted. `d` may be missing.
/// [OData-JSON-Verbose-Format V3]
package final class VerboseEntityReader: EntityReader {
    package let shape: RowShape
    private let content: ByteContent
    private let state: Mutex<State>

    private struct State {
        var machine: VerboseMachine
        var chunks: ByteChunks?
        var isEnd = false
        var isOver = false
    }

    /// - Parameters:
    ///   - shape: What the entities of depth 0 look like.
    ///   - kind: Whether the payload is `{"d":{"results":[…]}}` (or `{"d":[…]}`) or one entity.
    package init(
        _ content: ByteContent, shape: RowShape, kind: PayloadKind, limits: PayloadLimits = .default
    ) {
        self.content = content
        self.shape = shape
        state = Mutex(State(machine: VerboseMachine(shape: shape, kind: kind, limits: limits)))
    }

    /// - Throws: ``FormatError`` with the byte where the payload is broken, ends too early or holds a value of a
    ///   wrong type; what reading the content throws.
    package func next() async throws -> RowBlock? {
        while true {
            switch try advance() {
            case .block(let block): return block
            case .end: return nil
            case .needsBytes:
                let chunks = try chunks()
                do {
                    let chunk = try await chunks.makeAsyncIterator().next()
                    state.withLock { state in
                        if let chunk { state.machine.feed(chunk) } else { state.isEnd = true }
                    }
                } catch {
                    state.withLock { $0.isOver = true }
                    throw error
                }
            }
        }
    }

    private func chunks() throws -> ByteChunks {
        try state.withLock { state in
            if let chunks = state.chunks { return chunks }
            let chunks = try content.chunks()
            state.chunks = chunks
            return chunks
        }
    }

    private func advance() throws -> VerboseMachine.Step {
        try state.withLock { state in
            guard !state.isOver else { return .end }
            do {
                return try state.machine.advance(isEnd: state.isEnd)
            } catch {
                state.isOver = true
                throw error
            }
        }
    }
}

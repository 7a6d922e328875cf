import ByteStreams
import ODataModel
import Synchronization

/// Reads a V4 JSON payload of entities as its bytes arrive.
///
/// A block holds the entities that are complete in about one chunk of bytes; its text is that chunk, so almost
/// nothing is copied. `value` may stand before or after control information, members may come in any order, unknown
/// ones are passed over.
/// [OData-JSON, sections 6 to 15]
package final class JSONEntityReader: EntityReader {
    package let shape: RowShape
    private let content: ByteContent
    private let state: Mutex<State>

    private struct State {
        var machine: PayloadMachine
        var chunks: ByteChunks?
        var isEnd = false
        var isOver = false
    }

    /// - Parameters:
    ///   - shape: What the entities of depth 0 look like.
    ///   - kind: Whether the payload is `{"value":[…]}` (delta payloads too) or one entity.
    package init(
        _ content: ByteContent, shape: RowShape, kind: PayloadKind, limits: PayloadLimits = .default
    ) {
        self.content = content
        self.shape = shape
        state = Mutex(State(machine: PayloadMachine(shape: shape, kind: kind, limits: limits)))
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
                let chunk: [UInt8]?
                do {
                    chunk = try await chunks.makeAsyncIterator().next()
                } catch {
                    state.withLock { $0.isOver = true }
                    throw error
                }
                feed(chunk)
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

    private func feed(_ chunk: [UInt8]?) {
        state.withLock { state in
            if let chunk { state.machine.feed(chunk) } else { state.isEnd = true }
        }
    }

    private func advance() throws -> PayloadMachine.Step {
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

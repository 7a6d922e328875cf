import ByteStreams
import ODataModel
import Synchronization

/// Reads a feed or an entry of V2 or V3 in Atom as its bytes arrive.
///
/// Values come out as those of the V4 model: `Edm.DateTime` as a date with the offset zero, `Edm.Time` as a time of
/// day. Unknown elements are passed over.
/// [OData V3 Atom Format; RFC 4287]
package final class AtomEntityReader: EntityReader {
    package let shape: RowShape
    private let content: ByteContent
    private let state: Mutex<State>

    private struct State {
        let scanner: XMLScanner<AtomHandler>
        var chunks: ByteChunks?
        var isOver = false
    }

    /// - Parameters:
    ///   - shape: What the entities of depth 0 look like.
    ///   - kind: Whether the payload is a feed or an entry.
    package init(
        _ content: ByteContent, shape: RowShape, kind: PayloadKind, limits: PayloadLimits = .default
    ) {
        self.content = content
        self.shape = shape
        let scanner = XMLScanner(
            AtomHandler(shape: shape, kind: kind, limits: limits), limits: XMLLimits(depth: limits.depth * 4))
        state = Mutex(State(scanner: scanner))
    }

    /// - Throws: ``FormatError`` with line and column where the payload is broken, ends too early or holds a value of
    ///   a wrong type; what reading the content throws.
    package func next() async throws -> RowBlock? {
        while true {
            if let block = state.withLock({ $0.scanner.handler.takeReady() }) { return block }
            guard !state.withLock({ $0.isOver }) else { return nil }
            let chunks = try chunks()
            let chunk: [UInt8]?
            do {
                chunk = try await chunks.makeAsyncIterator().next()
            } catch {
                state.withLock { $0.isOver = true }
                throw error
            }
            try feed(chunk)
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

    private func feed(_ chunk: [UInt8]?) throws {
        try state.withLock { state in
            do {
                if let chunk {
                    try state.scanner.feed(chunk)
                } else {
                    state.isOver = true
                    try state.scanner.finish()
                    try state.scanner.handler.finish()
                }
            } catch {
                state.isOver = true
                state.scanner.handler.dropReady()
                throw error
            }
        }
    }
}

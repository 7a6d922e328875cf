import ByteStreams
import ODataMetadata
import ODataModel
import Synchronization

/// Parses the bytes of a payload, given in pieces, into blocks of rows.
package protocol PayloadParser {
    /// - Parameters:
    ///   - shape: What the entities of depth 0 look like.
    ///   - kind: Whether the payload is a collection (a delta too) or one entity.
    /// - Returns: A parser that the caller alone has, which a reader keeps behind its lock.
    static func parser(shape: RowShape, kind: PayloadKind, limits: PayloadLimits) -> sending Self

    mutating func feed(_ chunk: [UInt8]) throws(FormatError)

    /// - Parameter isEnd: Whether no more bytes will come.
    mutating func advance(isEnd: Bool) throws(FormatError) -> PayloadStep
}

/// The result of ``PayloadParser/advance(isEnd:)``.
package enum PayloadStep: Sendable {
    case block(RowBlock)
    case needsBytes
    case end
}

/// Reads a V4 JSON payload of entities.
///
/// A block holds the entities that are complete in about one chunk of bytes; its text is that chunk, so almost
/// nothing is copied. `value` may stand before or after control information, members may come in any order, unknown
/// ones are ignored.
/// [OData-JSON, sections 6 to 15]
package typealias JSONEntityReader = PayloadReader<PayloadMachine>

/// Reads entities of V1 to V3 in verbose JSON.
///
/// Values come out as those of the V4 model. Deferred links are ignored; what a closed type
/// does not have is ignored and noted. `d` may be missing.
/// [OData-JSON-Verbose-Format V3]
package typealias VerboseEntityReader = PayloadReader<VerboseMachine>

/// Reads a feed or an entry of V2 or V3 in Atom.
///
/// Values come out as those of the V4 model: `Edm.DateTime` as a date with the offset zero, `Edm.Time` as a time of
/// day. Unknown elements are ignored.
/// [OData V3 Atom Format; RFC 4287]
package typealias AtomEntityReader = PayloadReader<AtomMachine>

/// Reads a payload of entities as its bytes arrive.
package final class PayloadReader<Parser: PayloadParser>: EntityReader {
    package let shape: RowShape
    private let content: ByteContent
    private let state: Mutex<State>

    private struct State {
        var parser: Parser
        var chunks: ByteChunks?
        var isEnd = false
        var isOver = false
    }

    /// - Parameters:
    ///   - shape: What the entities of depth 0 look like.
    ///   - kind: Whether the payload is a collection (a delta too) or one entity.
    package init(_ content: ByteContent, shape: RowShape, kind: PayloadKind, limits: PayloadLimits = .default) {
        self.content = content
        self.shape = shape
        state = Mutex(State(parser: Parser.parser(shape: shape, kind: kind, limits: limits)))
    }

    /// - Throws: ``FormatError`` with the place where the payload is broken, ends too early or holds a value of a wrong
    ///   type; what reading the content throws.
    package func next() async throws -> RowBlock? {
        while true {
            switch try step() {
            case .block(let block): return block
            case .end: return nil
            case .needsBytes:
                let chunks = try chunks()
                let chunk: [UInt8]?
                do { chunk = try await chunks.makeAsyncIterator().next() } catch {
                    state.withLock { $0.isOver = true }
                    throw error
                }
                try feed(chunk)
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

    private func step() throws -> PayloadStep {
        try parse { state in
            guard !state.isOver else { return .end }
            return try state.parser.advance(isEnd: state.isEnd)
        }
    }

    private func feed(_ chunk: [UInt8]?) throws {
        try parse { state in
            guard let chunk else {
                state.isEnd = true
                return
            }
            try state.parser.feed(chunk)
        }
    }

    /// After an error there is nothing more.
    private func parse<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            do { return try body(&state) } catch {
                state.isOver = true
                throw error
            }
        }
    }
}

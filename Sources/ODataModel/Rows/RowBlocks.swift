import Synchronization

/// A reader of rows that are in memory already.
public final class RowBlocks: EntityReader {
    public let shape: RowShape
    private let blocks: Mutex<ArraySlice<RowBlock>>

    /// A reader that gives `blocks` one after the other.
    public init(_ blocks: [RowBlock], shape: RowShape) {
        self.shape = shape
        self.blocks = Mutex(blocks[...])
    }

    public func next() async throws -> RowBlock? { blocks.withLock { $0.popFirst() } }

    public var isAtHand: Bool { true }
}

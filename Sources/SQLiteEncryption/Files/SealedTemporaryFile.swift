import Crypto

/// A file that only its writer reads: sorted runs, temporary tables, statement journals. Its key is random and
/// nowhere else. A crash makes it worthless, so a block may be rewritten for a part of it.
final class SealedTemporaryFile: SealedFile {
    private static let blockSize = Int64(BlockStore.blockSize)
    private let blocks: BlockStore
    private let block = Scratch(byteCount: BlockStore.blockSize)
    private var byteCount: Int64 = 0

    init(file: SystemFile) {
        blocks = BlockStore(file: file, start: 0, key: SymmetricKey(size: .bits256))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileFailure) -> Bool {
        let available = Int(max(0, min(Int64(buffer.count), byteCount - offset)))
        try forEachBlock(offset, available) { (number, start, range) throws(FileFailure) in
            try load(number)
            buffer[from: range.lowerBound, count: range.count].copyMemory(
                from: UnsafeRawBufferPointer(block.bytes[from: start, count: range.count]))
        }
        buffer[from: available, count: buffer.count - available].zero()
        return available == buffer.count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileFailure) {
        try blocks.fill(upTo: offset / Self.blockSize)
        try forEachBlock(offset, bytes.count) { (number, start, range) throws(FileFailure) in
            if range.count < BlockStore.blockSize { try load(number) }
            block.bytes[from: start, count: range.count].copyMemory(
                from: bytes[from: range.lowerBound, count: range.count])
            try blocks.write(number, UnsafeRawBufferPointer(block.bytes))
        }
        byteCount = max(byteCount, offset + Int64(bytes.count))
    }

    func truncate(to size: Int64) throws(FileFailure) {
        let (count, rest) = size.quotientAndRemainder(dividingBy: Self.blockSize)
        if rest > 0, size < byteCount {
            // What comes after the end must be zeros if the file grows again.
            try load(count)
            block.bytes[from: Int(rest), count: BlockStore.blockSize - Int(rest)].zero()
            try blocks.write(count, UnsafeRawBufferPointer(block.bytes))
        }
        let whole = rest > 0 ? count + 1 : count
        try blocks.fill(upTo: whole)
        try blocks.truncate(toBlocks: whole)
        byteCount = size
    }

    func size() throws(FileFailure) -> Int64 { byteCount }

    /// Reads a block; zeros if it has not been written yet.
    private func load(_ number: Int64) throws(FileFailure) {
        switch try blocks.read(number, into: block.bytes) {
        case .block: return
        case .missing: block.bytes.zero()
        case .damaged: throw .damaged
        }
    }

    /// Calls `body` with the number of each block, the offset in it, and the range of the bytes that are concerned.
    private func forEachBlock(
        _ offset: Int64, _ count: Int, _ body: (Int64, Int, Range<Int>) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        var done = 0
        while done < count {
            let (number, start) = (offset + Int64(done)).quotientAndRemainder(dividingBy: Self.blockSize)
            let length = min(BlockStore.blockSize - Int(start), count - done)
            try body(number, Int(start), done..<done + length)
            done += length
        }
    }
}

import Crypto
import EncryptionKeys

/// A main database: the header, then blocks. SQLite writes whole pages, and a page is one block or several, so no write
/// touches a block that holds something else.
final class DatabaseFile: SealedFile {
    private static let blockSize = Int64(BlockStore.blockSize)
    private let blocks: BlockStore
    private let page = Scratch(byteCount: BlockStore.blockSize)

    init(file: SystemFile, key: SymmetricKey) {
        blocks = BlockStore(file: file, start: Int64(SealedHeader.byteCount), key: key)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileFailure) -> Bool {
        guard offset % Self.blockSize == 0, buffer.count % BlockStore.blockSize == 0 else {
            return try peek(into: buffer, at: offset)
        }
        for start in stride(from: 0, to: buffer.count, by: BlockStore.blockSize) {
            let target = buffer[from: start, count: BlockStore.blockSize]
            switch try blocks.read((offset + Int64(start)) / Self.blockSize, into: target) {
            case .block: continue
            case .damaged: throw .damaged
            case .missing:
                buffer[from: start, count: buffer.count - start].zero()
                return false
            }
        }
        return true
    }

    /// Reads a part of the first page, as SQLite does before it has a lock: another connection may be writing the page
    /// at this moment, or a crash may have cut it and the journal has it. SQLite reads it again when it has a lock.
    private func peek(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileFailure) -> Bool {
        let start = Int(offset % Self.blockSize)
        guard start + buffer.count <= BlockStore.blockSize else { throw .read }
        guard try blocks.read(offset / Self.blockSize, into: page.bytes) == .block else {
            buffer.zero()
            return false
        }
        buffer.copyMemory(from: UnsafeRawBufferPointer(page.bytes[from: start, count: buffer.count]))
        return true
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileFailure) {
        guard offset % Self.blockSize == 0, bytes.count % BlockStore.blockSize == 0 else { throw .write }
        try blocks.fill(upTo: offset / Self.blockSize)
        for start in stride(from: 0, to: bytes.count, by: BlockStore.blockSize) {
            let block = (offset + Int64(start)) / Self.blockSize
            try blocks.write(block, bytes[from: start, count: BlockStore.blockSize])
        }
    }

    func truncate(to size: Int64) throws(FileFailure) {
        let count = size / Self.blockSize
        try blocks.fill(upTo: count)
        try blocks.truncate(toBlocks: count)
    }

    func size() throws(FileFailure) -> Int64 { try blocks.count() * Self.blockSize }
}

import Crypto
import EncryptionKeys

/// Blocks of 4096 bytes, each sealed for its number: block *n* is at `start + n · 4124`.
final class BlockStore {
    static let blockSize = 4096
    static let recordSize = blockSize + Sealer.overhead

    enum Reading {
        case block
        /// The file ends before the block's end.
        case missing
        case damaged
    }

    private let file: SystemFile
    private let start: Int64
    private var sealer: Sealer
    private let record = Scratch(byteCount: recordSize)

    init(file: SystemFile, start: Int64, key: SymmetricKey) {
        self.file = file
        self.start = start
        sealer = Sealer(key: key)
    }

    private func offset(of block: Int64) -> Int64 { start + block * Int64(Self.recordSize) }

    /// How many whole blocks there are.
    func count() throws(FileFailure) -> Int64 { max(0, try file.length() - start) / Int64(Self.recordSize) }

    /// - Parameter plain: Of the size of a block.
    func read(_ block: Int64, into plain: UnsafeMutableRawBufferPointer) throws(FileFailure) -> Reading {
        guard try file.read(into: record.bytes, at: offset(of: block)) else { return .missing }
        return sealer.open(UnsafeRawBufferPointer(record.bytes), for: Sealer.Place(block), into: plain)
            ? .block : .damaged
    }

    func write(_ block: Int64, _ plain: UnsafeRawBufferPointer) throws(FileFailure) {
        do { try sealer.seal(plain, for: Sealer.Place(block), into: record.bytes) } catch { throw .write }
        try file.write(UnsafeRawBufferPointer(record.bytes), at: offset(of: block))
    }

    /// Appends blocks of zeros until there are `count`: on the device, zeros are not a block.
    func fill(upTo count: Int64) throws(FileFailure) {
        let first = try self.count()
        guard first < count else { return }
        let zeros = Scratch(byteCount: Self.blockSize)
        for block in first..<count { try write(block, UnsafeRawBufferPointer(zeros.bytes)) }
    }

    func truncate(toBlocks count: Int64) throws(FileFailure) { try file.truncate(to: offset(of: count)) }
}

import Crypto
import EncryptionKeys

/// A write-ahead log: a header of 32 bytes, then frames of 24 bytes and a page. The header and each frame are a record
/// of their own, so that nothing already written is rewritten when the log grows.
///
///     0    32  a header that any SQLite understands as a log of a version it must not touch
///     32   60  the header, sealed
///     92   …   frames, sealed: the length of a page + 52 each
///
/// SQLite ends the log at the first frame that does not fit when it recovers one, as after a crash; the same happens
/// here with a frame that does not open. A page that the running log leads to and that does not open is an error.
final class WriteAheadLog: SealedFile {
    private static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let start = Int64(headerSize + headerSize + Sealer.overhead)

    private enum Reading {
        case frame
        case missing
        case damaged
    }

    /// The buffers for a page size, which the header reports.
    private struct Frames {
        let pageSize: Int
        let frame: Scratch
        let record: Scratch

        init(pageSize: Int) {
            self.pageSize = pageSize
            frame = Scratch(byteCount: frameHeaderSize + pageSize)
            record = Scratch(byteCount: frameHeaderSize + pageSize + Sealer.overhead)
        }
    }

    private let file: SystemFile
    private var sealer: Sealer
    private var frames: Frames?
    /// A frame's header that waits for its page, which SQLite writes next: both are one record.
    private var pending: (frame: Int64, header: [UInt8])?

    init(file: SystemFile, key: SymmetricKey) {
        self.file = file
        sealer = Sealer(key: key)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileFailure) -> Bool {
        try flush()
        if offset < Self.headerSize { return try readHeader(into: buffer, at: Int(offset)) }
        guard let frames = try knownFrames() else {
            buffer.zero()
            return false
        }
        let (number, start) = Self.place(of: offset, frames)
        guard start + buffer.count <= frames.frame.bytes.count else { throw .read }
        switch try readFrame(number, frames) {
        case .frame:
            buffer.copyMemory(from: UnsafeRawBufferPointer(frames.frame.bytes[from: start, count: buffer.count]))
            return true
        case .missing:
            buffer.zero()
            return false
        case .damaged:
            // Whole frames are read to recover a log, pages to use it.
            guard start == 0 else { throw .damaged }
            buffer.zero()
            return true
        }
    }

    private func readHeader(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Bool {
        guard offset + buffer.count <= Self.headerSize else { throw .read }
        buffer.zero()
        guard try file.length() > 0 else { return false }
        if let header = try header() { buffer.copyBytes(from: header[offset..<offset + buffer.count]) }
        return true
    }

    /// The opened header; nil if there is none that opens.
    private func header() throws(FileFailure) -> [UInt8]? {
        let record = Scratch(byteCount: Self.headerSize + Sealer.overhead)
        guard try file.read(into: record.bytes, at: Int64(Self.headerSize)) else { return nil }
        return sealer.open(Array(record.bytes), for: Sealer.Place(-1))
    }

    private func knownFrames() throws(FileFailure) -> Frames? {
        if frames == nil, let header = try header() { learn(header) }
        return frames
    }

    private func learn(_ header: [UInt8]) {
        let pageSize = header[8..<12].reduce(0) { $0 << 8 | Int($1) }
        guard (512...65_536).contains(pageSize), pageSize != frames?.pageSize else { return }
        frames = Frames(pageSize: pageSize)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileFailure) {
        if offset == 0, bytes.count == Self.headerSize { return try writeHeader(Array(bytes)) }
        guard let frames = try knownFrames(), offset >= Self.headerSize else { throw .write }
        let (number, start) = Self.place(of: offset, frames)
        switch (start, bytes.count) {
        case (0, Self.frameHeaderSize):
            try flush()
            pending = (number, Array(bytes))
        case (Self.frameHeaderSize, frames.pageSize):
            if let pending, pending.frame == number {
                frames.frame.bytes.copyBytes(from: pending.header)
                self.pending = nil
            } else {
                try flush()
                try load(number, frames)
            }
            frames.frame.bytes[from: start, count: bytes.count].copyMemory(from: bytes)
            try writeFrame(number, frames)
        default: throw .write
        }
    }

    private func writeHeader(_ header: [UInt8]) throws(FileFailure) {
        pending = nil
        let sealed: [UInt8]
        do { sealed = try sealer.seal(header, for: Sealer.Place(-1)) } catch { throw .write }
        try file.write(ForeignHeader.log + sealed, at: 0)
        learn(header)
    }

    func truncate(to size: Int64) throws(FileFailure) {
        pending = nil
        guard size > 0, let frames = try knownFrames() else {
            frames = nil
            return try file.truncate(to: 0)
        }
        try file.truncate(to: Self.offset(of: Self.place(of: size, frames).frame, frames))
    }

    func size() throws(FileFailure) -> Int64 {
        let length = try file.length()
        guard length >= Self.start else { return 0 }
        guard let frames = try knownFrames() else { return Int64(Self.headerSize) }
        let count = (length - Self.start) / Int64(frames.record.bytes.count)
        return Int64(Self.headerSize) + count * Int64(frames.frame.bytes.count)
    }

    /// Writes a frame's header without its page, as SQLite does to mend the checksums of a transaction's own frames.
    func flush() throws(FileFailure) {
        guard let pending, let frames else { return }
        self.pending = nil
        try load(pending.frame, frames)
        frames.frame.bytes.copyBytes(from: pending.header)
        try writeFrame(pending.frame, frames)
    }

    private func load(_ number: Int64, _ frames: Frames) throws(FileFailure) {
        switch try readFrame(number, frames) {
        case .frame: return
        case .missing: frames.frame.bytes.zero()
        case .damaged: throw .damaged
        }
    }

    private func readFrame(_ number: Int64, _ frames: Frames) throws(FileFailure) -> Reading {
        guard try file.read(into: frames.record.bytes, at: Self.offset(of: number, frames)) else { return .missing }
        let record = UnsafeRawBufferPointer(frames.record.bytes)
        return sealer.open(record, for: Sealer.Place(number), into: frames.frame.bytes) ? .frame : .damaged
    }

    private func writeFrame(_ number: Int64, _ frames: Frames) throws(FileFailure) {
        let frame = UnsafeRawBufferPointer(frames.frame.bytes)
        do { try sealer.seal(frame, for: Sealer.Place(number), into: frames.record.bytes) } catch { throw .write }
        try file.write(UnsafeRawBufferPointer(frames.record.bytes), at: Self.offset(of: number, frames))
    }

    private static func place(of offset: Int64, _ frames: Frames) -> (frame: Int64, start: Int) {
        let size = Int64(frames.frame.bytes.count)
        let (frame, start) = (offset - Int64(headerSize)).quotientAndRemainder(dividingBy: size)
        return (frame, Int(start))
    }

    private static func offset(of frame: Int64, _ frames: Frames) -> Int64 {
        start + frame * Int64(frames.record.bytes.count)
    }
}

import Crypto
import EncryptionKeys

/// A rollback journal or super-journal: SQLite writes it in small pieces, and goes back to write a count into its
/// header. Synchronised bytes must survive every crash, so each write is appended as a record, and later
/// records overrule earlier ones.
///
///     0    16  see ``ForeignHeader``
///     16   8   number of this journal: random, new whenever the file begins again
///     24   …   records: length of the plain text (4, little endian), sealed: offset (8, little endian), bytes
///
/// A record is sealed for its position and the number of the journal, so that none can be left out, repeated, moved or
/// left over from an earlier journal. A record without bytes ends the journal at its offset.
final class JournalFile: SealedFile {
    private static let numberSize = 8
    private static let start = Int64(ForeignHeader.journal.count + numberSize)
    private static let lengthSize = 4
    private static let offsetSize = 8
    /// SQLite writes a page, a header, or the names of databases at a time.
    private static let longestWrite = 1 << 20

    private let file: SystemFile
    private var sealer: Sealer
    private var number: Int64 = 0
    private var map = JournalMap()
    /// The offset of the next record, 0 at the beginning; nil until the records that are there have been read.
    private var end: Int64?
    /// Whether there is nothing behind `end`.
    private var isTrimmed = false
    private var lastRead: (position: Int64, bytes: [UInt8])?

    init(file: SystemFile, key: SymmetricKey) {
        self.file = file
        sealer = Sealer(key: key)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileFailure) -> Bool {
        try load()
        let available = Int(max(0, min(Int64(buffer.count), map.size - offset)))
        buffer.zero()
        for piece in map.pieces(in: offset..<offset + Int64(available)) {
            guard let bytes = try record(at: piece.record) else { throw .damaged }
            let start = Self.offsetSize + piece.start
            buffer[from: Int(piece.range.lowerBound - offset), count: piece.range.count].copyBytes(
                from: bytes[start..<start + piece.range.count])
        }
        return available == buffer.count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileFailure) {
        try load()
        // SQLite ends a transaction by zeros over the header where it keeps the file. Nothing of it counts then.
        if offset == 0, bytes.allSatisfy({ $0 == 0 }) { return try truncate(to: 0) }
        let position = try append(offset: offset, bytes)
        map.insert(offset..<offset + Int64(bytes.count), record: position)
    }

    func truncate(to size: Int64) throws(FileFailure) {
        guard size > 0 else {
            try file.truncate(to: 0)
            (map, end, isTrimmed, lastRead) = (JournalMap(), 0, true, nil)
            return
        }
        try load()
        try append(offset: size, UnsafeRawBufferPointer(start: nil, count: 0))
        map.truncate(to: size)
    }

    func size() throws(FileFailure) -> Int64 {
        try load()
        return map.size
    }

    /// Reads what is there, up to the first record that is not whole: after a crash, that was not synchronised.
    private func load() throws(FileFailure) {
        guard end == nil else { return }
        let numberBytes = Scratch(byteCount: Self.numberSize)
        if try file.read(into: numberBytes.bytes, at: Int64(ForeignHeader.journal.count)) {
            number = numberBytes.bytes.load(as: Int64.self)
        }
        var position = Self.start
        while let bytes = try record(at: position) {
            let offset = bytes.prefix(Self.offsetSize).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
            let count = Int64(bytes.count - Self.offsetSize)
            if count > 0 { map.insert(offset..<offset + count, record: position) } else { map.truncate(to: offset) }
            position += Int64(Self.lengthSize + bytes.count + Sealer.overhead)
        }
        end = map.size == 0 ? 0 : position
    }

    /// The offset and bytes of the record at a position of the file; nil if there is none that opens.
    private func record(at position: Int64) throws(FileFailure) -> [UInt8]? {
        if let lastRead, lastRead.position == position { return lastRead.bytes }
        let prefix = Scratch(byteCount: Self.lengthSize)
        guard try file.read(into: prefix.bytes, at: position) else { return nil }
        let start = position + Int64(Self.lengthSize)
        // Until the record opens, its length may be anything.
        guard let length = Int(exactly: prefix.bytes.loadUnaligned(as: UInt32.self).littleEndian),
            (Self.offsetSize...Self.offsetSize + Self.longestWrite).contains(length),
            start + Int64(length + Sealer.overhead) <= (try file.length())
        else { return nil }
        let record = Scratch(byteCount: length + Sealer.overhead)
        guard try file.read(into: record.bytes, at: start) else { return nil }
        guard let bytes = sealer.open(Array(record.bytes), for: Sealer.Place(position, mark: number)) else {
            return nil
        }
        lastRead = (position, bytes)
        return bytes
    }

    @discardableResult
    private func append(offset: Int64, _ bytes: UnsafeRawBufferPointer) throws(FileFailure) -> Int64 {
        guard bytes.count <= Self.longestWrite else { throw .write }
        let end = self.end ?? 0
        if !isTrimmed, try file.length() > end { try file.truncate(to: end) }
        isTrimmed = true
        var output: [UInt8] = []
        if end == 0 {
            number = Int64.random(in: .min ... .max)
            output = ForeignHeader.journal
            withUnsafeBytes(of: number) { output += Array($0) }
        }
        let position = end + Int64(output.count)
        let plain = withUnsafeBytes(of: offset.littleEndian) { Array($0) } + Array(bytes)
        withUnsafeBytes(of: UInt32(plain.count).littleEndian) { output += Array($0) }
        do { output += try sealer.seal(plain, for: Sealer.Place(position, mark: number)) } catch { throw .write }
        try file.write(output, at: end)
        self.end = end + Int64(output.count)
        return position
    }
}

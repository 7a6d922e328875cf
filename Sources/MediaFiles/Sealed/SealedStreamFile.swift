import EncryptionKeys
import Synchronization

/// A stream that is written encrypted.
///
/// The end of a partial stream is sealed anew with each append, under a new nonce. A crash in the middle of that loses
/// this one chunk.
final class SealedStreamFile: StreamFile {
    private let file: WritableFile
    private let key: EncryptionKey
    /// Whether the stream is to be continued after a crash.
    private let isPartial: Bool
    private let state: Mutex<State?>

    private struct State {
        var sealer: Sealer
        /// How many chunks are complete.
        var count: Int64 = 0
        /// What comes after them: up to one chunk.
        var end: [UInt8] = []

        var length: Int64 { count * Int64(ChunkLayout.chunkSize) + Int64(end.count) }
    }

    /// What is there already can be used after ``lock()``.
    init(path: String, _ opening: WritableFile.Opening, key: EncryptionKey) throws(MediaFileError) {
        file = try WritableFile(path: path, opening == .new ? .new : .rewritable)
        self.key = key
        isPartial = opening != .new
        state = Mutex(nil)
    }

    var path: String { file.path }

    /// - Throws: ``MediaFileError``, `EncryptionError` with code `wrongKey`.
    func lock() throws {
        try file.lock()
        try state.withLock { $0 = try Self.load(file, key) }
    }

    func length() -> Int64 { state.withLock { $0?.length ?? 0 } }

    func synchronise() throws { try file.synchronise() }

    func truncate() throws {
        try state.withLock { state in
            try file.truncate()
            state = nil
        }
    }

    /// What is there, without an end that does not open, which is removed: the next bytes may be fewer. Bytes that no
    /// reader can use are as none.
    private static func load(_ file: WritableFile, _ key: EncryptionKey) throws -> State? {
        let bytes = try file.read(SealedHeader.byteCount, at: 0)
        let header: SealedHeader
        do { header = try SealedHeader(.media, key: key, bytes: bytes, path: file.path) } catch let error
            as EncryptionError
        {
            guard error.code != .wrongKey, error.code != .unsupportedVersion else { throw error }
            return nil
        }
        var state = State(sealer: Sealer(key: header.key(for: "chunks")))
        let length = try file.length()
        guard let (count, last) = ChunkLayout.chunks(fileLength: length) else {
            let whole = max(0, length - Int64(SealedHeader.byteCount)) / Int64(ChunkLayout.recordSize)
            state.count = whole
            try file.truncate(to: ChunkLayout.offset(of: whole))
            return state
        }
        state.count = count - 1
        let record = try file.read(last, at: ChunkLayout.offset(of: state.count))
        for mark in [ChunkLayout.Mark.unfinished, .last, .middle] {
            guard let end = state.sealer.open(record, for: Sealer.Place(state.count, mark: mark.rawValue)) else {
                continue
            }
            state.end = end
            return state
        }
        try file.truncate(to: ChunkLayout.offset(of: state.count))
        return state
    }

    func append(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            do {
                try append(bytes[...], to: &state)
            } catch {
                // A part may have been written before the disk was full.
                state = try Self.load(file, key)
                throw error
            }
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, to state: inout State?) throws {
        var writing = try state ?? begin()
        var rest = bytes
        while !rest.isEmpty {
            if writing.end.count == ChunkLayout.chunkSize {
                try writeLastChunk(&writing, .middle)
                writing.count += 1
                writing.end.removeAll(keepingCapacity: true)
            }
            let piece = rest.prefix(ChunkLayout.chunkSize - writing.end.count)
            writing.end += piece
            rest = rest.dropFirst(piece.count)
        }
        if isPartial { try writeLastChunk(&writing, .unfinished) }
        state = writing
    }

    func complete() throws {
        try state.withLock { state in
            var writing = try state ?? begin()
            try writeLastChunk(&writing, .last)
            state = writing
        }
    }

    private func begin() throws -> State {
        try file.truncate()
        let header = SealedHeader(.media, key: key)
        try file.overwrite(header.bytes, at: 0)
        return State(sealer: Sealer(key: header.key(for: "chunks")))
    }

    private func writeLastChunk(_ state: inout State, _ mark: ChunkLayout.Mark) throws {
        let record = try state.sealer.seal(state.end, for: Sealer.Place(state.count, mark: mark.rawValue))
        try file.overwrite(record, at: ChunkLayout.offset(of: state.count))
    }

    func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
        try state.withLock { state in
            guard let state, offset < state.length else { return [] }
            let (chunk, start) = offset.quotientAndRemainder(dividingBy: Int64(ChunkLayout.chunkSize))
            guard chunk < state.count else { return Array(state.end[Int(start)...].prefix(count)) }
            let record = try file.read(ChunkLayout.recordSize, at: ChunkLayout.offset(of: chunk))
            let place = Sealer.Place(chunk, mark: ChunkLayout.Mark.middle.rawValue)
            guard let bytes = state.sealer.open(record, for: place) else {
                throw EncryptionError(.damaged, "\(path) has been changed since it was written.")
            }
            return Array(bytes[Int(start)...].prefix(count))
        }
    }
}

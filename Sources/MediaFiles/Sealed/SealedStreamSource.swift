import ByteStreams
import EncryptionKeys
import Synchronization

/// An encrypted stream that is complete. A read at an offset opens the chunk there, not those before.
struct SealedStreamSource: ByteSource {
    private let path: String
    private let key: EncryptionKey
    private let byteCount: Int64

    /// - Throws: `ByteStreamError` with code `notFound`, `unreadable`, or `changed` if the stream has been cut or
    ///   changed; `EncryptionError` with code `wrongKey`.
    init(path: String, key: EncryptionKey) throws {
        self.path = path
        self.key = key
        byteCount = try OpenStream(path: path, key: key).byteCount
    }

    var length: Int64? { byteCount }

    func open(at offset: Int64) throws -> ByteChunks {
        guard (0...byteCount).contains(offset) else {
            throw ByteStreamError(.pastEnd, "Offset \(offset) is outside the \(byteCount) bytes of \(path).")
        }
        let stream = try OpenStream(path: path, key: key)
        guard stream.byteCount == byteCount else { throw OpenStream.changed(path) }
        let position = Mutex(offset)
        return ByteChunks {
            try position.withLock { position in
                guard position < stream.byteCount else { return nil }
                let (chunk, start) = position.quotientAndRemainder(dividingBy: Int64(ChunkLayout.chunkSize))
                let bytes = try stream.read(chunk)
                position += Int64(bytes.count) - start
                return start == 0 ? bytes : Array(bytes[Int(start)...])
            }
        }
    }
}

/// An encrypted stream whose end has been found to be its end.
private struct OpenStream: Sendable {
    private let file: WritableFile
    private let sealer: Sealer
    private let count: Int64
    private let lastRecord: Int
    let byteCount: Int64

    init(path: String, key: EncryptionKey) throws {
        do { file = try WritableFile(path: path, .reading) } catch {
            throw ByteStreamError(error.code == .notFound ? .notFound : .unreadable, error.message)
        }
        let fileLength = try file.length()
        guard let (count, lastRecord) = ChunkLayout.chunks(fileLength: fileLength),
            let byteCount = ChunkLayout.streamLength(fileLength: fileLength)
        else { throw Self.changed(path) }
        do {
            let bytes = try file.read(SealedHeader.byteCount, at: 0)
            let header = try SealedHeader(.media, key: key, bytes: bytes, path: path)
            sealer = Sealer(key: header.key(for: "chunks"))
        } catch let error as EncryptionError where error.code != .wrongKey { throw Self.changed(path) }
        (self.count, self.lastRecord, self.byteCount) = (count, lastRecord, byteCount)
        _ = try read(count - 1)
    }

    func read(_ chunk: Int64) throws -> [UInt8] {
        let isLast = chunk == count - 1
        let record = try file.read(isLast ? lastRecord : ChunkLayout.recordSize, at: ChunkLayout.offset(of: chunk))
        let mark = isLast ? ChunkLayout.Mark.last : .middle
        guard let bytes = sealer.open(record, for: Sealer.Place(chunk, mark: mark.rawValue)) else {
            throw Self.changed(file.path)
        }
        return bytes
    }

    static func changed(_ path: String) -> ByteStreamError {
        ByteStreamError(.changed, "\(path) has been changed or cut since it was written.")
    }
}

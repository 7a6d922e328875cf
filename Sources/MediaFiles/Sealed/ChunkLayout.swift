import EncryptionKeys

/// The layout of an encrypted stream in its file.
///
///     0     128    the header with the salt that makes the file's key
///     128   …      chunks of 65,536 bytes, the last one shorter, each sealed: 28 bytes longer
///
/// A chunk is sealed for its number and for being the last, so that none can be left out, repeated, moved or taken from
/// another file. An empty stream has one empty chunk.
enum ChunkLayout {
    static let chunkSize = 65_536
    static let recordSize = chunkSize + Sealer.overhead

    /// What a chunk is; part of what it is sealed for.
    enum Mark: Int64 {
        case middle = 0
        case last = 1
        /// The end of a stream that is not complete.
        case unfinished = 2
    }

    static func offset(of chunk: Int64) -> Int64 { Int64(SealedHeader.byteCount) + chunk * Int64(recordSize) }

    /// How many chunks a file of this length has, and how long the record of the last one is; nil if no file that is
    /// complete is so long.
    static func chunks(fileLength: Int64) -> (count: Int64, lastRecord: Int)? {
        let body = fileLength - Int64(SealedHeader.byteCount)
        guard body >= Int64(Sealer.overhead) else { return nil }
        let count = (body - 1) / Int64(recordSize) + 1
        let last = Int(body - (count - 1) * Int64(recordSize))
        guard last > Sealer.overhead || count == 1 else { return nil }
        return (count, last)
    }

    /// The length of the stream in a file of this length; nil if no file that is complete is so long.
    static func streamLength(fileLength: Int64) -> Int64? {
        chunks(fileLength: fileLength).map { count, last in
            (count - 1) * Int64(chunkSize) + Int64(last - Sealer.overhead)
        }
    }
}

import ByteStreams
import Foundation
import GRDB
import MediaFiles

/// The value of a stream's column if its bytes are in the media folder.
///
///     0     16   `odata-stream-1`, in NULs
///     16    16   the mark of the database
///     32    32   the SHA-256 of the stream
///     64    8    its length, the high byte first
///     72    …    its first bytes, up to 56, or other bytes that identify its media type
struct StreamReference: Hashable, Sendable {
    static let maximalLength = 128
    static let minimalLength = 72
    private static let headLength = maximalLength - minimalLength
    fileprivate static let magic: [UInt8] = [0] + Array("odata-stream-1".utf8) + [0]

    let mark: StreamMark
    let media: StoredMedia
    let head: [UInt8]

    init(_ incoming: IncomingMedia, mark: StreamMark) {
        self.mark = mark
        media = incoming.media
        head = ZipContent.telling(incoming.head) ?? Array(incoming.head.prefix(Self.headLength))
    }

    /// Nil for other bytes than a reference of the database with this mark: the content of a stream.
    init?(record: Data, mark: StreamMark) {
        let bytes = Array(record)
        guard (Self.minimalLength...Self.maximalLength).contains(bytes.count), bytes.starts(with: mark.prefix) else {
            return nil
        }
        let length = bytes[64..<72].reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        self.mark = mark
        media = StoredMedia(digestBytes: bytes[32..<64], length: Int64(bitPattern: length))
        head = Array(bytes[72...])
    }

    var record: Data {
        let length = withUnsafeBytes(of: media.length.bigEndian) { Array($0) }
        return Data(mark.prefix + media.digestBytes + length + head)
    }

    /// The first bytes of the stream, if the bytes are a reference of any database.
    static func head(inRecord bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= minimalLength, bytes.starts(with: magic) else { return nil }
        return Array(bytes[minimalLength...])
    }
}

/// Distinguishes the references of a database from content: secret random bytes, so that no client can send a stream
/// that is read as a reference.
struct StreamMark: Hashable, Sendable {
    private static let length = 16
    private let bytes: [UInt8]

    /// The mark of a database; nil if it has had no media folder yet.
    init?(of db: Database) throws {
        guard try db.tableExists(Bookkeeping.media),
            let found = try Data.fetchOne(db, sql: "SELECT mark FROM \(Bookkeeping.media)"), found.count == Self.length
        else { return nil }
        bytes = Array(found)
    }

    /// The mark of a database, which is created if it is missing.
    static func made(in db: Database) throws -> StreamMark? {
        if let mark = try StreamMark(of: db) { return mark }
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(Bookkeeping.media) (mark BLOB NOT NULL);
                DELETE FROM \(Bookkeeping.media);
                INSERT INTO \(Bookkeeping.media) VALUES (randomblob(\(length)));
                """)
        return try StreamMark(of: db)
    }

    /// What all references begin with.
    fileprivate var prefix: [UInt8] { StreamReference.magic + bytes }

    /// `00ff…`, 32 digits.
    var text: String { SourceDigest.hexadecimal(bytes) }

    /// An SQL condition: whether the value of a column is a reference. Only the type and length of other values are
    /// read.
    func condition(_ column: String) -> String {
        let lengths = "\(StreamReference.minimalLength) AND \(StreamReference.maximalLength)"
        return """
            CASE WHEN typeof(\(column)) = 'blob' AND length(\(column)) BETWEEN \(lengths) \
            THEN substr(\(column), 1, \(prefix.count)) = x'\(SourceDigest.hexadecimal(prefix))' ELSE 0 END
            """
    }
}

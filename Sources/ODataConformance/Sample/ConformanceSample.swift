import Foundation
import GRDB

/// The data that the checks are about: a small trade, and tables of numbers, instants and texts.
///
/// To be served with the column `Content` of `Photos` as its media stream, and other BLOB columns as stream
/// properties.
public enum ConformanceSample {
    /// The set of media entities.
    public static let mediaSet = "Photos"
    /// The column with their streams.
    public static let mediaColumn = "Content"

    /// Writes the sample into a new SQLite file.
    ///
    /// - Throws: `DatabaseError` if the file cannot be written.
    public static func create(at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(sql: schema)
            try db.execute(sql: trade)
            try db.execute(sql: values)
            for (number, bytes) in photos.enumerated() {
                try db.execute(
                    sql: "UPDATE Photos SET Content = ? WHERE PhotoID = ?", arguments: [Data(bytes), number + 1])
            }
            try db.execute(sql: "UPDATE Categories SET Image = ? WHERE CategoryID = 1", arguments: [Data(image)])
        }
        try queue.close()
    }

    /// The streams of Photos(1) to Photos(4): a kind of PNG, a kind of JPEG, text, nothing.
    static let photos: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<992).map { UInt8(truncatingIfNeeded: $0 * 7) },
        [0xFF, 0xD8, 0xFF, 0xE0] + (0..<296).map { UInt8(truncatingIfNeeded: $0 * 11) },
        Array("plain pears".utf8),
        [],
    ]

    /// The stream property Image of Categories(1).
    static let image: [UInt8] = Array("GIF89a".utf8) + (0..<94).map { UInt8($0) }
}

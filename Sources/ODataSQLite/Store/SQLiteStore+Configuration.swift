import Foundation
import ODataModel

/// A BLOB column with the media streams of its set's entities.
///
/// Streams are read and written in pieces of 256 KiB. SQLite itself, however, holds a whole row in memory when it
/// writes a row whose BLOB column is followed by others, or other columns of a row with a BLOB. A table for very large
/// streams should therefore have the BLOB as its last column, and other data in another table. Tables declared `WITHOUT
/// ROWID` do not allow access in pieces.
public struct MediaColumn: Hashable, Sendable {
    /// The name of the entity set or of the table.
    public var set: String
    /// The name of the column or of its property.
    public var column: String
    /// `image/jpeg`; nil: detected from the first bytes of each stream.
    public var contentType: String?
    /// The column with the media type of each stream, by its name or its property's; received streams set it.
    /// ``contentType`` applies if it does not contain a media type. Nil for none.
    public var typeColumn: String?
    /// The column with the file name of each stream; the `Slug` of a new media entity sets it. Nil for none.
    public var nameColumn: String?

    /// The values are not checked here: opening the file throws if there is no such column, or if it cannot be a
    /// stream.
    public init(
        set: String, column: String, contentType: String? = nil, typeColumn: String? = nil, nameColumn: String? = nil
    ) {
        self.set = set
        self.column = column
        self.contentType = contentType
        self.typeColumn = typeColumn
        self.nameColumn = nameColumn
    }
}

extension SQLiteStore {
    /// How a file is published.
    public struct Configuration: Sendable {
        /// The columns with media streams: their sets have media entities.
        public var media: [MediaColumn] = []
        /// Keys of views, and of tables without one, by table or set name. These are published read-only.
        public var keys: [String: [String]] = [:]
        /// Whether triggers log all changes, which delta links require.
        public var tracksChanges = false
        /// Whether full-text tables for `$search`, maintained by triggers, are added to the file: one for each table
        /// with an `INTEGER PRIMARY KEY`. Existing ones are used in any case; other tables are searched row by row.
        public var indexesText = false
        /// Whether missing indexes of foreign keys are added to the file. Without an index, following a foreign key in
        /// reverse reads the whole table; ``SQLiteStore/notices`` names such foreign keys.
        public var createsIndexes = false
        /// Whether the file is never written: no change, no conversion of its journal, no table of the store.
        public var isReadOnly = false
        /// Entities per page; nil for results without pages.
        public var pageSize: Int?
        /// The number of changed entities that the log keeps; older delta tokens result in `gone`.
        public var changeLogLimit = 1_000_000
        /// Seconds for which the result of a repeatable request is kept. A request that was first sent earlier is
        /// refused, since it is unknown whether it was executed; devices may be offline for long.
        public var repeatabilityLifetime: Int64 = 90 * 86_400
        /// The maximum length of a stream in bytes. Nil for 1,000,000,000 in the file, SQLite's limit of a row, and any
        /// length in ``mediaFolder``.
        public var streamLimit: Int64?
        /// A folder for streams that are received from now on, each a file named by its SHA-256. They may have any
        /// length, and a stream in several rows is stored once. The folder is created if it does not exist, and belongs
        /// to this file: a copy of the file needs a copy of the folder, and streams in the folder cannot be read
        /// without it. Streams in the file, and those of ``SQLiteStore/load(_:replacesAll:)``, stay in the file until
        /// they are replaced.
        public var mediaFolder: String?

        /// Receives the notices after the file was opened: see ``SQLiteStore/notices``.
        public var onNotice: (@Sendable (String) -> Void)?

        /// The clock: seconds after 1970.
        package var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
        /// How long changes may share a transaction: once they have taken so long, it is committed.
        package var sharedTransactionTime = Duration.milliseconds(10)
        /// Generates the keys of new entities without a key.
        package var newGuid: @Sendable () -> EdmGuid = {
            var generator = SystemRandomNumberGenerator()
            return .random(using: &generator)
        }

        /// Published for reading and writing, with pages of any length, no change log and streams in the file.
        public init() {}
    }
}

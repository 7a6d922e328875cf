import Foundation
import ODataModel

/// Names a BLOB column that is the stream of its set's entities.
///
/// Streams go in and out in pieces of 256 KiB. But SQLite itself takes a whole row into memory where it writes one
/// whose BLOB column is followed by others, or writes other columns of a row that has a BLOB; so tables for very
/// large streams have the BLOB as their last column, and their other data elsewhere. Tables declared
/// `WITHOUT ROWID` have no access in pieces.
public struct MediaColumn: Hashable, Sendable {
    /// The entity set, or the table by its own name.
    public var set: String
    /// The column or its property name.
    public var column: String
    /// `image/jpeg`; nil: detected from the first bytes of each stream.
    public var contentType: String?
    /// The column that has the media type of each stream, by its name or its property's; streams that come set it. Where
    /// it has no media type, ``contentType`` holds. Nil for none.
    public var typeColumn: String?
    /// The column that has the name under which each stream is saved as a file; a `Slug` that is sent with a new media
    /// entity sets it. Nil for none.
    public var nameColumn: String?

    /// Checks nothing: opening the file throws if there is no such column, or if it cannot be a stream.
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
        /// Columns that make their sets sets of media entities.
        public var media: [MediaColumn] = []
        /// Keys of views, and of tables without one, by table or set name. These are published read-only.
        public var keys: [String: [String]] = [:]
        /// Whether triggers log all changes, so that delta links can be given.
        public var tracksChanges = false
        /// Whether full-text tables for `$search` are added to the file, kept up by triggers: one for each table with an
        /// `INTEGER PRIMARY KEY`. Those that a file has already are used in any case; other tables are searched row by
        /// row.
        public var indexesText = false
        /// Whether indexes are added to the file for foreign keys that have none. Without one, following a foreign key from
        /// the entities that it refers to reads a whole table; ``SQLiteStore/notices`` names those.
        public var createsIndexes = false
        /// Nothing is ever written to the file: no change, no conversion of its journal, no table of our own.
        public var isReadOnly = false
        /// Entities per page; nil: results come whole.
        public var pageSize: Int?
        /// How many changed entities the log keeps; older delta tokens are answered with `gone`.
        public var changeLogLimit = 1_000_000
        /// Seconds for which the result of a repeatable request is kept. One that was first sent earlier is refused,
        /// for it is unknown whether it was executed: devices may be away for long.
        public var repeatabilityLifetime: Int64 = 90 * 86_400
        /// The longest stream taken, in bytes; nil: what can be kept, which is 1,000,000,000 in the file, where SQLite
        /// ends a row, and any length in ``mediaFolder``.
        public var streamLimit: Int64?
        /// A folder for the streams that come from now on, each a file under its SHA-256: they may have any length, and
        /// one that is in several rows is kept once. It is made if there is none, and belongs to this file: a copy of
        /// the file needs a copy of the folder, and a store of a file that has streams there cannot read them without
        /// it. Streams that are in the file, or come by ``SQLiteStore/load(_:replacesAll:)``, stay there until they are
        /// replaced.
        public var mediaFolder: String?

        /// Receives the notices after the file was opened: see ``SQLiteStore/notices``.
        public var onNotice: (@Sendable (String) -> Void)?

        /// The clock: seconds after 1970.
        package var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
        /// Keys of new entities that come without.
        package var newGuid: @Sendable () -> EdmGuid = {
            var generator = SystemRandomNumberGenerator()
            return .random(using: &generator)
        }

        /// Published for reading and writing, with pages of any length, no change log and streams in the file.
        public init() {}
    }
}

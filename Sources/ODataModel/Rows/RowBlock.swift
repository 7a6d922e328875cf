/// One value of a row.
///
/// Text and bytes are in the block's buffer, in the lexical form that the V4 JSON format uses, without quotes and
/// escapes: a GUID is its 36 characters, a decimal its digits. Binary is decoded. Complex values, collections and
/// geo values are JSON text.
public struct RowSlot: Hashable, Sendable {
    /// What the bits of a slot stand for.
    public enum Kind: UInt8, Sendable {
        /// The payload did not have the property, which differs from `null`.
        case absent
        /// The value is null.
        case null
        /// `Edm.Boolean`: 1 for true, 0 for false.
        case boolean
        /// The integer types.
        case integer
        /// `Edm.Double` and `Edm.Single`.
        case double
        /// String, decimal, enumeration, GUID and the temporal types.
        case text
        /// `Edm.Binary`.
        case bytes
        /// Complex values, collections, geography and geometry.
        case json
    }

    /// What ``bits`` stand for.
    public let kind: Kind
    /// The integer, the bits of the double, 0 or 1, or offset << 32 | length.
    public let bits: Int64

    /// A slot of the given bits, which are not checked against the kind.
    public init(kind: Kind, bits: Int64) {
        self.kind = kind
        self.bits = bits
    }

    /// The slot of a property that the payload did not have.
    public static let absent = RowSlot(kind: .absent, bits: 0)
    /// The slot of a property that is null.
    public static let null = RowSlot(kind: .null, bits: 0)
    /// A truth value.
    public static func boolean(_ value: Bool) -> RowSlot { RowSlot(kind: .boolean, bits: value ? 1 : 0) }
    /// A whole number.
    public static func integer(_ value: Int64) -> RowSlot { RowSlot(kind: .integer, bits: value) }
    /// A floating-point number, by its bits.
    public static func double(_ value: Double) -> RowSlot {
        RowSlot(kind: .double, bits: Int64(bitPattern: value.bitPattern))
    }
    /// A value whose bytes are in the block's buffer.
    public static func span(_ kind: Kind, _ span: RowSpan) -> RowSlot {
        RowSlot(kind: kind, bits: Int64(span.offset) << 32 | Int64(span.length))
    }

    /// The number of a slot of the kind `double`; means nothing for others.
    public var doubleValue: Double { Double(bitPattern: UInt64(bitPattern: bits)) }
    /// Where the bytes of `text`, `bytes` and `json` lie.
    public var span: RowSpan {
        RowSpan(offset: UInt32(truncatingIfNeeded: bits >> 32), length: UInt32(truncatingIfNeeded: bits))
    }
}

/// A range of a block's buffer; offset `.max` stands for none.
public struct RowSpan: Hashable, Sendable {
    /// The position of the first byte in ``RowBlock/buffer``.
    public let offset: UInt32
    /// The number of bytes.
    public let length: UInt32

    /// A range that is not checked against any buffer.
    public init(offset: UInt32, length: UInt32) {
        self.offset = offset
        self.length = length
    }

    /// Stands for text that is not there, such as the ETag of an entity without one.
    public static let none = RowSpan(offset: .max, length: 0)
    /// Whether this is ``none``; an empty text is not.
    public var isNone: Bool { offset == .max }
    /// The positions in ``RowBlock/buffer``. That of ``none`` is outside any buffer.
    public var range: Range<Int> { Int(offset)..<Int(offset) + Int(length) }
}

/// The part of a row that is not a property value.
public struct RowHeader: Sendable {
    /// What a row says of its entity.
    public enum Change: UInt8, Sendable {
        /// An entity, in a delta payload an added or changed one.
        case entity
        /// `@removed` with reason `deleted`, or a 4.0 `$deletedEntity`.
        case deleted
        /// `@removed` with reason `changed`: it left the result but may still exist.
        case left
        /// An added link (`$link`): ``RowHeader/id`` is the source, see ``RowHeader/link``.
        case addedLink
        /// A removed link (`$deletedLink`).
        case deletedLink
        /// An entity of a related set that is at the top level of a 4.0 delta payload: ``RowHeader/child`` is a
        /// position in the shapes of all related sets, or -1 for an entity of a set that the query does not lead to,
        /// whose values are not there. What it expands follows it.
        case relatedEntity
    }

    /// Whether the row is an entity, its removal or a link. Outside delta payloads all rows are entities.
    public var change: Change = .entity
    /// 0 for entities of the result, 1 for what they expand, ...
    public var depth: UInt8 = 0
    /// Which of the parent's ``RowShape/children`` the row belongs to.
    public var child: Int16 = -1
    /// The row's type, as a position in ``RowShape/types``.
    public var type: UInt16 = 0
    /// The position in ``RowBlock/slots`` of the row's first value; one follows for each of ``RowShape/properties``.
    public var firstSlot: Int32 = 0
    /// Bit n: the payload had child n, be it empty. Children from 63 on share the last bit.
    public var presentChildren: UInt64 = 0
    /// `@odata.id`, relative or absolute as sent.
    public var id: RowSpan = .none
    /// The id that the entity had first on this device: see ``EdmEntity/firstID``.
    package var firstID: RowSpan = .none
    /// `@odata.etag` as sent, with quotes and `W/`; ``RowSpan/none`` where the payload has none.
    public var etag: RowSpan = .none
    /// `@odata.editLink`, relative or absolute as sent; ``RowSpan/none`` where the payload has none, or where it is that of
    /// convention. [OData-JSON, section 4.5.8]
    public var editLink: RowSpan = .none
    /// For links: the navigation property's name.
    public var link: RowSpan = .none
    /// For links: the target's id, relative or absolute as sent.
    public var linkTarget: RowSpan = .none
    /// Position in ``RowBlock/media`` plus one; 0 for rows without media information.
    public var media: Int32 = 0
    /// Two bits for each of ``RowBlock/annotationTerms``, the first of them lowest: whether the row has the annotation,
    /// then its value.
    public var annotations: UInt32 = 0
    /// The capacity for terms.
    package static let annotationLimit = UInt32.bitWidth / 2

    /// The number of the row in its table, which a store never gives again; 0 for what is not a row of a table.
    package var rowID: Int64 = 0

    /// The header of an entity of depth 0 of which nothing is known yet.
    public init() {}

    /// Notes that the row has the annotation at `index` of ``RowBlock/annotationTerms``.
    package mutating func annotate(_ index: Int, _ value: Bool) {
        annotations |= (value ? 3 : 1) << UInt32(2 * index)
    }
}

/// Control information of a row's media stream and stream properties.
public struct RowMedia: Sendable {
    /// One stream of an entity, as a payload describes it.
    public struct Stream: Sendable {
        /// Where the stream is read, as sent; nil where the payload does not say. [OData-JSON, section 4.5.12]
        public var readLink: String?
        /// Where the stream is written, as sent; nil where the payload does not say.
        public var editLink: String?
        /// The media type of the stream: `image/png`; nil where it is not known.
        public var contentType: String?
        /// The ETag of the stream, which is not that of the entity; nil where the payload has none.
        public var etag: String?
        /// The bytes, where the query expands the stream.
        public var content: [UInt8]?

        /// What is known of a stream. Without arguments it is nothing but that there is one.
        public init(
            readLink: String? = nil, editLink: String? = nil, contentType: String? = nil, etag: String? = nil,
            content: [UInt8]? = nil
        ) {
            self.readLink = readLink
            self.editLink = editLink
            self.contentType = contentType
            self.etag = etag
            self.content = content
        }
    }

    /// The media entity's own stream.
    public var entity: Stream?
    /// Named stream properties that have control information.
    public var properties: [String: Stream] = [:]

    /// The streams of one row.
    public init(entity: Stream? = nil, properties: [String: Stream] = [:]) {
        self.entity = entity
        self.properties = properties
    }
}

/// A count or next link that a payload gives for one expanded collection of one row.
public struct RowExpansion: Sendable {
    /// The parent's position in ``RowBlock/rows``.
    public var row: Int
    /// The position in ``RowShape/children`` of the parent's shape.
    public var child: Int
    /// `Items@odata.count`: how many related entities there are, also if only some are expanded; nil where it is not
    /// given.
    public var count: Int64?
    /// `Items@odata.nextLink`: where those that did not come can be read; nil where none are left out.
    public var nextLink: String?
    /// `Items@delta`: the rows report what changed in the navigation property, and not all that belongs to it.
    public var isDelta: Bool

    /// What a payload describes the expanded collection `child` of the row at position `row`.
    public init(row: Int, child: Int, count: Int64? = nil, nextLink: String? = nil, isDelta: Bool = false) {
        self.row = row
        self.child = child
        self.count = count
        self.nextLink = nextLink
        self.isDelta = isDelta
    }
}

/// What was odd in a payload but did not keep it from being read.
public struct RowDiagnostic: Hashable, Sendable {
    /// What is odd, as a sentence for the user.
    public var message: String
    /// The position in ``RowBlock/rows`` of the row where it was met first.
    public var row: Int
    /// The type that the payload names, where that is what is odd.
    public var type: EdmQualifiedName?

    /// Something odd in the row at position `row`.
    public init(_ message: String, row: Int, type: EdmQualifiedName? = nil) {
        self.message = message
        self.row = row
        self.type = type
    }
}

/// A run of complete rows: values in flat arrays over one buffer.
///
/// An entity is followed by the entities it expands, in the order of its shape's children, each followed by its own
/// (preorder). A row of depth 0 and all below it are always in the same block.
public struct RowBlock: Sendable {
    /// The bytes that slots and spans point into: parts of a payload, and what was decoded or unescaped.
    public var buffer: [UInt8] = []
    /// The entities, removals and links, each with its place in the tree of what is expanded.
    public var rows: [RowHeader] = []
    /// The values of all rows, one row's after the other: see ``RowHeader/firstSlot``.
    public var slots: [RowSlot] = []
    /// The streams of those rows that have any: see ``RowHeader/media``.
    public var media: [RowMedia] = []
    /// What payloads say about expanded collections beside their rows. One about which they say nothing is not here.
    public var expansions: [RowExpansion] = []
    /// What was odd in the rows of this block. A JSON payload reports each thing once, and at most 20.
    public var diagnostics: [RowDiagnostic] = []
    /// The terms of instance annotations that are true or false, at most 16: `OfflineStore.isLocal`. Empty unless the
    /// store was asked for them.
    public var annotationTerms: [String] = []
    /// The context URL of the payload, on its first block, where the format has one.
    public var context: String?
    /// `@odata.count`, on the first block if the source knows it by then, else on the last.
    public var count: Int64?
    /// `@odata.nextLink`, on the last block of a page.
    public var nextLink: String?
    /// `@odata.deltaLink`, on the last block.
    public var deltaLink: String?

    /// A block without rows.
    public init() {}

    /// Whether there are no rows. A block without rows may still have a count and links.
    public var isEmpty: Bool { rows.isEmpty }

    /// The position behind a row and all that is below it.
    package func end(of row: Int) -> Int {
        rows[(row + 1)...].firstIndex { $0.depth <= rows[row].depth } ?? rows.count
    }

    /// The text that is in the buffer; nil for ``RowSpan/none``.
    public func text(_ span: RowSpan) -> String? {
        span.isNone ? nil : String(decoding: buffer[span.range], as: UTF8.self)
    }
}

/// A source of rows: a payload being read, a database cursor.
///
/// A reader is used by one consumer at a time and once.
public protocol EntityReader: AnyObject, Sendable {
    /// What the rows of depth 0 look like; expanded rows follow its children.
    var shape: RowShape { get }

    /// The next rows; nil at the end. After an error the reader gives no more.
    func next() async throws -> RowBlock?

    /// Whether ``next()`` returns without suspension, because the rows are in memory or all rows have been read. The
    /// default is false.
    var isAtHand: Bool { get }
}

extension EntityReader {
    public var isAtHand: Bool { false }
}

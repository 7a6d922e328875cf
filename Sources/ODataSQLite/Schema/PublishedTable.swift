import ODataModel
import ODataSQL

/// How one table or view of the file is published.
struct PublishedTable: Sendable {
    /// The entity set's and the entity type's name.
    var set: String
    var description: TableDescription
    var columns: [PublishedColumn]
    /// The columns of the key, in its order.
    var key: [PublishedColumn]
    /// The column with the stream of a media entity.
    var media: PublishedStream?
    /// Stream properties, in the order of their columns.
    var streams: [PublishedStream]
    /// To-one relations by navigation property.
    var isReadOnly: Bool
    /// Whether rows have been found whose key is null: they cannot be addressed and are not shown.
    var hidesNullKeys = false
    /// What a declared model says of the table; nil for tables of somebody else's file.
    var declared: DeclaredTable?

    var name: String { description.name }
    var rowID: String? { description.rowID }
    /// Media stream and stream properties.
    var allStreams: [PublishedStream] { (media.map { [$0] } ?? []) + streams }

    func column(ofProperty property: String) -> PublishedColumn? { columns.first { $0.property == property } }

    func column(named name: String) -> PublishedColumn? {
        columns.first { $0.description.name.lowercased() == name.lowercased() }
    }

    /// Whether an index leads from values of `columns` to rows.
    func hasIndex(of columns: [PublishedColumn]) -> Bool {
        let names = Set(columns.map { $0.name.lowercased() })
        if columns.count == 1, columns.first?.name == description.rowIDAlias { return true }
        return description.indexes.contains { names == Set($0.prefix(names.count).map { $0.lowercased() }) }
    }

    func stream(ofProperty property: String) -> PublishedStream? { streams.first { $0.property == property } }
}

/// A column that is a structural property.
struct PublishedColumn: Sendable, Hashable {
    var property: String
    var description: ColumnDescription
    var type: PrimitiveType
    var codec: ColumnCodec
    var maxLength: Int?
    var precision: Int?
    var scale: Property.Scale?
    /// Whether values of other kinds are shown as text: see `ShownText`.
    var isShown = false
    /// The service makes the value if none is given: the rowid's alias.
    var isServiceMade: Bool
    var isKey: Bool
    /// The property of a declared model; nil in somebody else's file.
    var declaration: Property?
    /// How the store makes the value, where clients do not.
    var computed: ComputedValue?

    var name: String { description.name }
    var affinity: ColumnAffinity { ColumnAffinity(declaredType: description.declaredType) }
    var isNullable: Bool { !description.isNotNull && !isKey }
}

/// A column that is the stream of its entity, or a stream property.
struct PublishedStream: Sendable, Hashable {
    /// Nil for the media stream of the entity.
    var property: String?
    var description: ColumnDescription
    /// The configured media type; nil: told from the first bytes.
    var contentType: String?
    /// The column with the media type of each stream.
    var typeColumn: String?
    /// The column with the name of each stream as a file.
    var nameColumn: String?

    var column: String { description.name }
}

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
    /// To-one navigation properties by navigation property.
    var isReadOnly: Bool
    /// Whether there are rows whose key is null, which cannot be addressed and are not shown.
    var hidesNullKeys = false
    /// The facts of a declared model about the table; nil for tables of another program's file.
    var declared: DeclaredTable?

    var name: String { description.name }
    var rowID: String? { description.rowID }
    /// Media stream and stream properties.
    var allStreams: [PublishedStream] { (media.map { [$0] } ?? []) + streams }

    func column(ofProperty property: String) -> PublishedColumn? { columns.first { $0.property == property } }

    func column(named name: String) -> PublishedColumn? {
        columns.first { $0.description.name.lowercased() == name.lowercased() }
    }

    /// Whether SQLite finds rows by an index when columns are compared with others.
    func hasIndex(for comparisons: [ColumnComparison]) -> Bool {
        guard comparisons.allSatisfy(\.canUseIndex) else { return false }
        if comparisons.count == 1, comparisons.first?.column.name == description.rowIDAlias { return true }
        let wanted = Set(comparisons.map { IndexColumn(name: $0.column.name, collation: $0.collation) })
        return description.indexes.contains { wanted == Set($0.prefix(wanted.count)) }
    }

    func stream(ofProperty property: String) -> PublishedStream? { streams.first { $0.property == property } }
}

/// A column that is a structural property.
struct PublishedColumn: Sendable, Hashable {
    var property: String
    var description: ColumnDescription
    var type: EdmPrimitiveType
    var codec: ColumnCodec
    var maxLength: Int?
    var precision: Int?
    var scale: EdmProperty.Scale?
    /// Whether values of other types are shown as text: see `ShownText`.
    var isShown = false
    /// The service generates an omitted value: the alias of the rowid.
    var isServiceMade: Bool
    var isKey: Bool
    /// The property of a declared model; nil in another program's file.
    var declaration: EdmProperty?
    /// How the store computes the value if clients do not set it.
    var computed: ComputedValue?

    var name: String { description.name }
    var affinity: ColumnAffinity { ColumnAffinity(declaredType: description.declaredType) }
    var isNullable: Bool { !description.isNotNull && !isKey }
}

/// How a column is compared with one of another table.
struct ColumnComparison: Sendable {
    var column: PublishedColumn
    var other: PublishedColumn
    var collation: String

    /// Whether an index of the column can be used. It cannot if SQLite converts the column's values first.
    var canUseIndex: Bool { !column.affinity.isConverted(comparedWith: other.affinity) }
}

/// A column that is the stream of its entity, or a stream property.
struct PublishedStream: Sendable, Hashable {
    /// Nil for the media stream of the entity.
    var property: String?
    var description: ColumnDescription
    /// The configured media type; nil: detected from the first bytes.
    var contentType: String?
    /// The column with the media type of each stream.
    var typeColumn: String?
    /// The column with the name of each stream as a file.
    var nameColumn: String?

    var column: String { description.name }
}

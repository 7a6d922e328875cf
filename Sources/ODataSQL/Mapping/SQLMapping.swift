import ODataModel

/// Maps the entity sets of a model to the tables of a database. A published file and an offline store each have their
/// own.
package protocol SQLMapping: Sendable {
    /// Where the entities of `set` are.
    func rows(of set: EdmEntitySet) throws -> RowSource

    /// The set of contained entities, which the model does not declare. Navigation properties refer to it by name; nil
    /// if there is none.
    func hiddenSet(named name: String) -> EdmEntitySet?

    /// Whether columns of doubles may have the text `NaN`, since SQLite has no such number.
    var keepsNaN: Bool { get }

    /// The SQL of a function that expressions call; nil if it has none.
    func function(_ operation: EdmOperationDeclaration) -> FunctionMapping?
}

extension SQLMapping {
    package var keepsNaN: Bool { false }

    package func function(_ operation: EdmOperationDeclaration) -> FunctionMapping? { nil }

    package func hiddenSet(named name: String) -> EdmEntitySet? { nil }
}

/// A table or view with the entities of one set. Expressions about one of its rows use ``SQLFragment/row`` as the
/// alias.
package struct RowSource: Sendable {
    /// The table's or view's name, not quoted.
    package var table: String
    /// A column that names a row for as long as it lives: `rowid`, `id`. Nil for views.
    package var rowID: String?
    /// Columns by property name, or by path for flattened members of complex values (`Address/City`). Other complex
    /// values and collections have a column with JSON text.
    package var columns: [String: ColumnMapping]
    /// Navigation properties by navigation property name.
    package var navigation: [String: NavigationMapping]
    /// Whether names of ``navigation`` include a type: see `BoundNavigation`.
    package var hasTypedNavigation = false
    /// A condition that hides rows: deleted here, not published. `"\(SQLFragment.row("state")) & 8 = 0"`.
    package var condition: SQLFragment?
    /// An expression for the entity's ETag as text. Nil: none.
    package var etag: SQLFragment?
    /// An expression for the entity's id (`@odata.id`); the canonical path is used for null and nil.
    package var entityID: SQLFragment?
    /// An expression for the qualified name of the entity's type; nil: all are of the set's type.
    package var typeName: SQLFragment?
    /// A column with the dynamic properties of open types: a JSON object.
    package var dynamicColumn: String?
    /// A full-text table whose `rowid` is ``rowID``, for `$search`; nil: text is searched without an index.
    package var searchTable: String?
    /// Columns that are 0 if a row lacks the property of that name, by property name: for rows that `$apply` combined
    /// from different types.
    package var presence: [String: String] = [:]
    /// Text columns that also contain values of other types: see ``ShownText``.
    package var shownColumns: Set<String> = []
    /// Expressions that are 0 if the value of the property of that name is unknown; the property is then absent.
    package var knowledge: [String: SQLFragment] = [:]
    /// The stream of a media entity, and stream properties by name.
    package var media: StreamMapping?
    package var streams: [String: StreamMapping]
    /// The control information of entities besides their properties; nil for none.
    package var annotations: RowAnnotations?
    /// The SQL of a function about a row or one of its stream properties; nil if the rows do not support it.
    package var function: (@Sendable (_ operation: EdmOperationDeclaration, _ stream: String?) -> RowFunction?)?

    package init(
        table: String, rowID: String?, columns: [String: ColumnMapping], navigation: [String: NavigationMapping] = [:],
        condition: SQLFragment? = nil, etag: SQLFragment? = nil, entityID: SQLFragment? = nil,
        typeName: SQLFragment? = nil,
        dynamicColumn: String? = nil, searchTable: String? = nil, media: StreamMapping? = nil,
        streams: [String: StreamMapping] = [:]
    ) {
        self.table = table
        self.rowID = rowID
        self.columns = columns
        self.navigation = navigation
        self.condition = condition
        self.etag = etag
        self.entityID = entityID
        self.typeName = typeName
        self.dynamicColumn = dynamicColumn
        self.searchTable = searchTable
        self.media = media
        self.streams = streams
    }
}

/// Instance annotations with Boolean values.
package struct RowAnnotations: Sendable {
    package var terms: [String]
    /// An integer with two bits for each term, as in ``RowHeader/annotations``.
    package var expression: SQLFragment

    package init(terms: [String], expression: SQLFragment) {
        self.terms = terms
        self.expression = expression
    }
}

/// Expressions for the control information of a stream; null for no value.
package struct StreamMapping: Sendable {
    package var contentType: SQLFragment?
    package var etag: SQLFragment?
    package var readLink: SQLFragment?
    package var editLink: SQLFragment?

    package init(
        contentType: SQLFragment? = nil, etag: SQLFragment? = nil, readLink: SQLFragment? = nil,
        editLink: SQLFragment? = nil
    ) {
        self.contentType = contentType
        self.etag = etag
        self.readLink = readLink
        self.editLink = editLink
    }
}

/// A column and how its values are stored.
package struct ColumnMapping: Sendable, Hashable {
    package var column: String
    package var codec: ColumnCodec

    package init(column: String, codec: ColumnCodec) {
        self.column = column
        self.codec = codec
    }
}

/// How values of a type are stored in a column.
package enum ColumnCodec: Sendable, Hashable {
    /// SQLite integer.
    case integer
    /// 0 and 1.
    case boolean
    /// SQLite real, or integer in a column of numeric affinity.
    case real
    case text
    case blob
    /// A decimal as any SQLite number, compared as a number; for the columns of a published file.
    case decimalNumber
    /// A decimal as canonical text with the collation `ODATA_DECIMAL`; for the store's own tables.
    case decimalText
    /// 36 characters, compared without regard to case.
    case guidText
    /// 16 bytes.
    case guidBlob
    /// `2024-01-02`
    case date
    /// An instant in a format that the file uses.
    case instant(InstantFormat)
    /// An instant in the store's own tables: `2024-01-02T03:04:05.6` in UTC, followed by a space and the offset if the
    /// value has another offset (` +02:00`). The collation `ODATA_INSTANT` compares up to the space.
    case instantText
    /// `07:59:59.5`
    case timeOfDay
    /// A duration as text `PT1H`, compared through the function `odata_duration`, which returns seconds.
    case durationText
    /// The number of an enumeration value; of flags the sum of their numbers.
    case enumeration(EdmEnumType)
    /// JSON text of a complex value, a collection, a geography or geometry value.
    case json
}

/// How a column of a foreign file stores instants. Values without a time zone are UTC.
package enum InstantFormat: Sendable, Hashable {
    /// `2024-01-02 03:04:05`: the separator (`T` or space), the number of fractional digits, and whether a `Z` follows.
    case text(separator: String, fractionDigits: Int, zone: Bool)
    /// `2024-01-02` for midnight; other instants as `2024-01-02 03:04:05`.
    case dateText
    /// Text in several forms, whose order is not that of the instants. Written as `text`.
    case mixedText(separator: String, fractionDigits: Int, zone: Bool)
    /// Seconds after 1970.
    case unixSeconds
    /// Milliseconds after 1970.
    case unixMilliseconds
    /// Julian day numbers.
    case julianDay
}

/// How a navigation property is stored.
package enum NavigationMapping: Sendable, Hashable {
    /// Columns that equal columns of the target.
    case columns([ColumnPair], target: String)
    /// A table of pairs of row ids; `condition` restricts its rows.
    case linkTable(table: String, source: String, target: String, targetSet: String, condition: SQLFragment?)

    package struct ColumnPair: Sendable, Hashable {
        package var source: String
        package var target: String
        /// The collation to compare with, if the columns have different ones: that of the referenced column.
        package var collation: String?
        /// Whether SQLite converts the value of one column to the other's type when it compares them. Values without
        /// their columns are then compared differently.
        package var comparesColumns = false
        /// Whether no index finds the target's rows by a value.
        package var isUnindexed = false
        /// Whether SQLite converts the source's texts to numbers to compare them with the target's numbers.
        package var convertsSource = false
        /// Whether SQLite converts the target's texts to numbers to compare them with the source's numbers.
        package var convertsTarget = false

        package init(source: String, target: String, collation: String? = nil) {
            self.source = source
            self.target = target
            self.collation = collation
        }

        /// The mapping of the opposite direction.
        package var turned: Self {
            var turned = self
            (turned.source, turned.target) = (target, source)
            (turned.convertsSource, turned.convertsTarget) = (convertsTarget, convertsSource)
            return turned
        }
    }

    /// The name of the target entity set.
    package var targetSet: String {
        switch self {
        case .columns(_, let target): target
        case .linkTable(_, _, _, let target, _): target
        }
    }
}

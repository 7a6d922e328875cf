import ODataModel

/// Tells the translator where the entities of a model lie in a database. The caller supplies it: one for the tables
/// of a published file, one for the tables of an offline store.
package protocol SQLMapping: Sendable {
    /// Where the entities of `set` are.
    func rows(of set: EdmEntitySet) throws -> RowSource

    /// A set that the model does not know: that of contained entities. Navigation properties name it; nil if there is
    /// none.
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

/// A table or view with the entities of one set. Expressions about a row of it have ``SQLFragment/row`` for its alias.
package struct RowSource: Sendable {
    /// The table's or view's name, not quoted.
    package var table: String
    /// A column that names a row for as long as it lives: `rowid`, `id`. Nil for views.
    package var rowID: String?
    /// Columns by property name; flattened members of complex values by path (`Address/City`). Other complex values and collections have a JSON text column.
    package var columns: [String: ColumnMapping]
    /// Navigation properties by navigation property name.
    package var relations: [String: RelationMapping]
    /// Whether ``relations`` has names with a type: see `BoundNavigation`.
    package var hasTypedRelations = false
    /// A condition that hides rows: deleted here, not published. `"\(SQLFragment.row("state")) & 8 = 0"`.
    package var condition: SQLFragment?
    /// An expression for the entity's ETag as text. Nil: none.
    package var etag: SQLFragment?
    /// An expression for the entity's id (`@odata.id`); null or nil: the canonical path is taken.
    package var entityID: SQLFragment?
    /// An expression for the qualified name of the entity's type; nil: all are of the set's type.
    package var typeName: SQLFragment?
    /// A column with the dynamic properties of open types: a JSON object.
    package var dynamicColumn: String?
    /// A full-text table whose `rowid` is ``rowID``, for `$search`; nil: text is searched without an index.
    package var searchTable: String?
    /// Columns that are 0 where a row has not the property of that name: rows that `$apply` made of different ones.
    package var presence: [String: String] = [:]
    /// Columns of texts that hold values of other kinds too: see ``ShownText``.
    package var shownColumns: Set<String> = []
    /// Expressions that are 0 where nothing is known of the property of that name: it is absent then.
    package var knowledge: [String: SQLFragment] = [:]
    /// The stream of a media entity, and stream properties by name.
    package var media: StreamMapping?
    package var streams: [String: StreamMapping]
    /// What entities carry besides their properties; nil: nothing.
    package var annotations: RowAnnotations?
    /// The SQL of a function that asks about a row, or about a stream property of it; nil if the rows have none for it.
    package var function: (@Sendable (_ operation: EdmOperationDeclaration, _ stream: String?) -> RowFunction?)?

    package init(
        table: String, rowID: String?, columns: [String: ColumnMapping], relations: [String: RelationMapping] = [:],
        condition: SQLFragment? = nil, etag: SQLFragment? = nil, entityID: SQLFragment? = nil,
        typeName: SQLFragment? = nil,
        dynamicColumn: String? = nil, searchTable: String? = nil, media: StreamMapping? = nil,
        streams: [String: StreamMapping] = [:]
    ) {
        self.table = table
        self.rowID = rowID
        self.columns = columns
        self.relations = relations
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

/// Instance annotations that are true or false.
package struct RowAnnotations: Sendable {
    package var terms: [String]
    /// An integer with two bits for each term, as in ``RowHeader/annotations``.
    package var expression: SQLFragment

    package init(terms: [String], expression: SQLFragment) {
        self.terms = terms
        self.expression = expression
    }
}

/// Expressions for the control information of a stream; null: no value.
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
    /// A decimal as any SQLite number, compared as a number: the columns of a published file.
    case decimalNumber
    /// A decimal as canonical text under the collation `ODATA_DECIMAL`: our own tables.
    case decimalText
    /// 36 characters, compared without regard to case.
    case guidText
    /// 16 bytes.
    case guidBlob
    /// `2024-01-02`
    case date
    /// An instant in a format of the file's own.
    case instant(InstantFormat)
    /// An instant in our own tables: `2024-01-02T03:04:05.6` in UTC; if the value came with another offset, a space
    /// and that offset follow (` +02:00`). Compared under the collation `ODATA_INSTANT`, which ends at the space.
    case instantText
    /// `07:59:59.5`
    case timeOfDay
    /// A duration as text `PT1H`, compared through the function `odata_duration`, which gives seconds.
    case durationText
    /// The number of an enumeration value; of flags the sum of their numbers.
    case enumeration(EdmEnumType)
    /// JSON text of a complex value, a collection, a geography or geometry value.
    case json
}

/// How a column of somebody else's file holds instants. Values without a zone are UTC.
package enum InstantFormat: Sendable, Hashable {
    /// `2024-01-02 03:04:05`: the separator (`T` or space), how many digits of fraction are written, and whether
    /// `Z` is.
    case text(separator: String, fractionDigits: Int, zone: Bool)
    /// `2024-01-02`, taken as midnight; an instant that is not midnight as `2024-01-02 03:04:05`.
    case dateText
    /// Text of more than one form, which orders by what it stands for only. Written as `text` is.
    case mixedText(separator: String, fractionDigits: Int, zone: Bool)
    /// Seconds after 1970.
    case unixSeconds
    /// Milliseconds after 1970.
    case unixMilliseconds
    /// Julian day numbers.
    case julianDay
}

/// How a navigation property is stored.
package enum RelationMapping: Sendable, Hashable {
    /// Columns that equal columns of the target.
    case columns([ColumnPair], target: String)
    /// A table of pairs of row ids. `condition` is about a row of it.
    case linkTable(table: String, source: String, target: String, targetSet: String, condition: SQLFragment?)

    package struct ColumnPair: Sendable, Hashable {
        package var source: String
        package var target: String
        /// The collation to compare with, where the columns have not the same: that of the referenced column.
        package var collation: String?
        /// Whether SQLite brings the value of one column to the other's type when it compares them: then values alone,
        /// without their columns, are compared otherwise.
        package var comparesColumns = false
        /// Whether no index leads from a value to the target's rows.
        package var isUnindexed = false
        /// Whether SQLite makes numbers of the source's texts when it compares them with the target's numbers.
        package var convertsSource = false
        /// Whether SQLite makes numbers of the target's texts when it compares them with the source's numbers.
        package var convertsTarget = false

        package init(source: String, target: String, collation: String? = nil) {
            self.source = source
            self.target = target
            self.collation = collation
        }

        /// The same from the other side.
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

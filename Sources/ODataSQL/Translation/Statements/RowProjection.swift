import ODataModel
import ODataQuery

/// The meaning of the columns of a statement that reads rows. The first columns are the slots of the shape, in order.
package struct RowProjection: Sendable {
    package struct SlotColumn: Sendable {
        /// Nil if the property has no column; its value is then absent.
        package var codec: ColumnCodec?
        package var type: EdmTypeReference
        /// A column that is not 0 if the row has the property.
        package var presence: Int?
    }

    /// The columns with control information of a stream.
    package struct StreamColumns: Sendable {
        /// The stream property; nil for the stream of a media entity.
        package var property: String?
        package var contentType: Int?
        package var etag: Int?
        package var readLink: Int?
        package var editLink: Int?
    }

    /// How the rows of an expanded navigation property refer to their parent.
    package enum Anchor: Sendable, Hashable {
        /// By the parent's row id.
        case rowID
        /// By the values of these columns of the parent's statement.
        case columns([Int])
    }

    package fileprivate(set) var slots: [SlotColumn] = []
    package fileprivate(set) var rowID: Int?
    package fileprivate(set) var etag: Int?
    package fileprivate(set) var entityID: Int?
    /// The qualified name of the row's type.
    package fileprivate(set) var typeName: Int?
    package fileprivate(set) var streams: [StreamColumns] = []
    /// The terms of annotations and the column with their bits.
    package fileprivate(set) var annotations: (terms: [String], column: Int)?
    /// One for each child of the shape.
    package fileprivate(set) var anchors: [Anchor] = []
    /// Columns with the order values, if they were requested.
    package fileprivate(set) var order: [Int] = []
    /// The position of the parent in the bound list, for rows of an expanded navigation property.
    package fileprivate(set) var parent: Int?
    fileprivate(set) var columns: [SQLFragment] = []

    /// The position of `column`, which is appended if it is missing.
    @discardableResult
    fileprivate mutating func position(of column: SQLFragment) -> Int {
        if let position = columns.firstIndex(of: column) { return position }
        columns.append(column)
        return columns.count - 1
    }
}

extension RowProjection {
    /// The columns that the rows of `shape` need.
    init(
        shape: RowShape, rows: RowSet, options: QueryOptions, order: [OrderTerm] = [], parent: SQLFragment? = nil
    ) throws {
        let scope = rows.scope
        let selection = SelectedMembers(options.select)
        for (index, property) in shape.properties.enumerated() {
            let slot = index == shape.dynamicSlot ? scope.dynamicObject : try Self.slot(property, scope, selection)
            columns.append(slot?.sql ?? "NULL")
            slots.append(SlotColumn(codec: slot?.codec, type: property.type))
        }
        for (index, property) in shape.properties.enumerated() {
            if let flag = scope.source.presence[property.name] {
                slots[index].presence = position(of: scope.column(flag))
            } else if let condition = scope.source.knowledge[property.name] {
                slots[index].presence = position(ofExpression: condition, alias: scope.alias)
            }
        }
        if rows.isEntities { appendControl(of: scope, types: shape.types) }
        for item in options.expand.prefix(shape.children.count) { try append(item, of: rows) }
        self.order = order.map { position(of: $0.expression.withoutCollation) }
        self.parent = parent.map { position(of: $0) }
    }

    private static func slot(_ property: EdmProperty, _ scope: TableScope, _ selection: SelectedMembers) throws -> Term?
    {
        // In a shape for several sets, the name may be another property here.
        if let own = scope.type.property(named: property.name), own.type != property.type { return nil }
        guard let column = scope.source.columns[property.name] else {
            return scope.dynamicValue(of: property)
        }
        let term = Term(scope.column(column.column), column.codec, isColumn: true)
        guard column.codec == .json, let members = selection[property.name] else { return term }
        return try members.trim(term, type: property.type, scope: scope)
    }

    private mutating func appendControl(of scope: TableScope, types: [EdmStructuredType]) {
        let alias = scope.alias
        rowID = scope.source.rowID.map { position(of: scope.stored($0)) }
        etag = position(ofExpression: scope.source.etag, alias: alias)
        entityID = position(ofExpression: scope.source.entityID, alias: alias)
        if types.count > 1 { typeName = position(ofExpression: scope.source.typeName, alias: alias) }
        if let asked = scope.source.annotations {
            annotations = (asked.terms, position(of: asked.expression.of(row: alias)))
        }
        if let media = scope.source.media { append(media, property: nil, alias: alias) }
        for (name, mapping) in scope.source.streams.sorted(by: { $0.key < $1.key }) {
            append(mapping, property: name, alias: alias)
        }
    }

    private mutating func position(ofExpression expression: SQLFragment?, alias: String) -> Int? {
        expression.map { position(of: $0.of(row: alias)) }
    }

    private mutating func append(_ mapping: StreamMapping, property: String?, alias: String) {
        streams.append(
            StreamColumns(
                property: property, contentType: position(ofExpression: mapping.contentType, alias: alias),
                etag: position(ofExpression: mapping.etag, alias: alias),
                readLink: position(ofExpression: mapping.readLink, alias: alias),
                editLink: position(ofExpression: mapping.editLink, alias: alias)))
    }

    // MARK: Anchors

    private mutating func append(_ item: ExpandItem, of rows: RowSet) throws {
        let scope = rows.scope
        let resource = item.usesResource ? try rows.resourceIdentity(for: item).map { position(of: $0) } : []
        if let member = scope.members[item.navigation.name] {
            anchors.append(.columns(try member.identityColumns().map { position(of: member.stored($0)) }))
            return
        }
        let name = try item.navigationName(in: scope.source, of: scope.type, scope.set, scope.context)
        guard let mapping = scope.source.navigation[name] else {
            throw QueryError.noTable(forNavigation: "\(scope.set.name)/\(item.navigationPath)")
        }
        switch Self.anchorColumns(of: mapping, source: scope.source) {
        case let names?: anchors.append(.columns(names.map { position(of: scope.stored($0)) } + resource))
        case nil where scope.source.rowID != nil && resource.isEmpty: anchors.append(.rowID)
        case nil:
            let identity = try scope.identityColumns().map { position(of: scope.stored($0)) }
            anchors.append(.columns(identity + resource))
        }
    }

    /// The source columns of a navigation property. Nil if the row's identity is used instead: with link tables, for
    /// BLOBs, which are longer, and if the columns themselves must be compared.
    static func anchorColumns(of mapping: NavigationMapping, source: RowSource) -> [String]? {
        guard case .columns(let pairs, _) = mapping else { return nil }
        guard !pairs.contains(where: { $0.comparesColumns || $0.isUnindexed }) else { return nil }
        guard source.rowID != nil, pairs.contains(where: { source.isBinary($0.source) }) else {
            return pairs.map(\.source)
        }
        return nil
    }
}

extension ExpandItem {
    /// The path of complex properties before the navigation property, and its name.
    var navigationPath: String {
        (prefix.compactMap(\.property?.name) + [navigation.name]).joined(separator: "/")
    }

    /// The name of the navigation property in ``RowSource/navigation`` for entities of `type`, or of the type that they
    /// are cast to.
    func navigationName(
        in source: RowSource, of type: EdmStructuredType, _ set: EdmEntitySet, _ context: StatementContext
    ) throws -> String {
        try context.navigationName(navigationPath, in: source, of: castType ?? type, set)
    }
}

extension TableScope {
    /// The columns that identify a row: its id, else its key.
    func identityColumns() throws -> [String] { try source.rowID.map { [$0] } ?? keyColumns() }

    /// The columns of the key.
    func keyColumns() throws -> [String] {
        try set.type.key.map { name in
            guard let column = source.columns[name]?.column else {
                throw QueryError(.notImplemented, "The key property \(name) has no column.")
            }
            return column
        }
    }
}

extension TableScope {
    /// A value of the list of anchors as a value of a column: BLOBs are base64url in JSON.
    func anchor(_ value: SQLFragment, for column: String) -> SQLFragment {
        source.isBinary(column) ? .call("odata_as", [value, "'Binary'"]) : value
    }
}

extension RowSource {
    /// Whether a column holds BLOBs.
    fileprivate func isBinary(_ column: String) -> Bool {
        columns.values.contains { $0.column == column && [.blob, .guidBlob].contains($0.codec) }
    }
}

import ODataModel
import ODataSQL

/// Builds the table of one set of a declared model.
///
/// All types of the set share the table. Complex values and collections are JSON text, enumeration values numbers, and
/// streams BLOBs, which are the last columns.
struct DeclaredTableBuilder {
    let model: EdmModel
    let rules: TableRules
    let set: EdmEntitySet
    var container: DeclaredTable.Container?

    private var types: [EdmStructuredType] { [set.type] + model.derivedTypes(of: set.type) }

    func table(named name: String) -> PublishedTable {
        var names = LocalNames()
        for hidden in hiddenColumns.map(\.name) { _ = names.name(for: hidden) }
        let properties = allProperties
        var columns: [PublishedColumn] = []
        for property in properties where !property.isStream {
            columns.append(column(of: property, name: names.name(for: property.name)))
        }
        let media = types.contains(where: \.hasStream) ? stream(nil, name: DeclaredTable.mediaColumn) : nil
        let streams = properties.filter(\.isStream).map { stream($0, name: names.name(for: $0.name)) }
        let streamColumns = (media.map { [$0] } ?? []) + streams
        let description = TableDescription(
            name: name, kind: .table, isWithoutRowID: false,
            columns: hiddenColumns + columns.map(\.description) + streamColumns.map(\.description), foreignKeys: [],
            uniqueIndexes: [], hasPrimaryKeyIndex: false)
        let key = set.type.key.compactMap { name in columns.first { $0.property == name } }
        var table = PublishedTable(
            set: set.name, description: description, columns: columns, key: key, media: media, streams: streams,
            isReadOnly: false)
        table.declared = declared(columns)
        return table
    }

    /// The properties of all types, each once.
    private var allProperties: [EdmProperty] {
        var names: Set<String> = []
        return types.flatMap(\.properties).filter { names.insert($0.name).inserted }
    }

    private var hiddenColumns: [ColumnDescription] {
        var columns = [Self.description(DeclaredTable.rowID, "INTEGER", keyPosition: 1)]
        if container != nil { columns.append(Self.description(DeclaredTable.parentColumn, "INTEGER")) }
        if types.count > 1 { columns.append(Self.description(DeclaredTable.typeColumn, "TEXT")) }
        if types.contains(where: \.isOpen) {
            columns.append(Self.description(DeclaredTable.dynamicColumn, "TEXT", isNotNull: false))
        }
        return columns
    }

    private static func description(
        _ name: String, _ type: String, isNotNull: Bool = true, keyPosition: Int = 0
    ) -> ColumnDescription {
        ColumnDescription(
            name: name, declaredType: type, isNotNull: isNotNull, defaultSQL: nil, keyPosition: keyPosition,
            isGenerated: false, collation: "BINARY")
    }

    private func column(of property: EdmProperty, name: String) -> PublishedColumn {
        let codec = codec(of: property.type)
        let isKey = set.type.key.contains(property.name)
        var column = PublishedColumn(
            property: property.name,
            description: Self.description(
                name, codec.localDeclaration, isNotNull: !property.isNullable || property.type.isCollection),
            type: property.type.primitive ?? .untyped, codec: codec, maxLength: property.maxLength,
            precision: property.precision, scale: property.scale, isServiceMade: isKey && isGenerated(property),
            isKey: isKey)
        column.declaration = property
        column.computed = computed(property)
        return column
    }

    private func codec(of type: EdmTypeReference) -> ColumnCodec {
        if case .enumeration(let name) = type, let type = model.enumType(named: name) { return .enumeration(type) }
        return ColumnCodec(local: type)
    }

    /// The store generates an omitted key that is one GUID or integer, unless it refers to another entity.
    private func isGenerated(_ property: EdmProperty) -> Bool {
        let isDependent = types.flatMap(\.navigationProperties).contains { navigation in
            navigation.constraints.contains { $0.property == property.name }
        }
        guard !isDependent, set.type.key.count == 1, property.defaultValue == nil else { return false }
        return property.type.primitive == .guid || property.type.primitive?.integerRange != nil
    }

    private func stream(_ property: EdmProperty?, name: String) -> PublishedStream {
        PublishedStream(
            property: property?.name, description: Self.description(name, "BLOB", isNotNull: false),
            contentType: nil)
    }
}

extension DeclaredTableBuilder {
    private func computed(_ property: EdmProperty) -> ComputedValue? {
        if let rule = rules.computed["\(set.name)/\(property.name)"] { return rule }
        if property.isTagged(EdmAnnotation.computed), property.type.primitive?.integerRange != nil,
            concurrency.contains(property.name)
        {
            return .version
        }
        guard property.isTagged(EdmAnnotation.computed), property.type.primitive == .dateTimeOffset else { return nil }
        return .creationTime
    }

    /// The properties that determine the set's ETags.
    private var concurrency: [String] {
        self.set.annotation(EdmAnnotation.optimisticConcurrency)?.elements?.compactMap { $0.path ?? $0.string } ?? []
    }

    private func declared(_ columns: [PublishedColumn]) -> DeclaredTable {
        let names = Dictionary(columns.map { ($0.property, $0.name) }) { first, _ in first }
        return DeclaredTable(
            entitySet: set, types: types, navigations: model.navigations(of: set, types: types), container: container,
            searchable: searchable,
            unique: (rules.unique[set.name] ?? []).map { $0.compactMap { names[$0] } },
            etagColumns: columns.filter { $0.computed == .version || concurrency.contains($0.property) }.map(\.name))
    }

    private var searchable: [String] {
        rules.searchable[set.name] ?? allProperties.filter { $0.type == .string }.map(\.name)
    }
}

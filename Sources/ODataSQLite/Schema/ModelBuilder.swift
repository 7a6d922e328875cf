import ODataModel

/// Writes published tables as a schema.
struct ModelBuilder {
    static let container = "Container"

    let namespace: String
    let tables: [PublishedTable]
    let relations: [String: [PublishedRelation]]
    let tracksChanges: Bool

    func schema() -> Schema {
        Schema(
            namespace: namespace, types: tables.map(type), container: Self.container,
            entitySets: tables.map(entitySet))
    }

    private func name(_ set: String) -> QualifiedName { QualifiedName(namespace: namespace, name: set) }

    private func type(_ table: PublishedTable) -> StructuredTypeDeclaration {
        let structural = table.columns.map(property)
        let streams = table.streams.compactMap { stream in
            stream.property.map {
                Property(name: $0, type: .stream, isNullable: true)
            }
        }
        return StructuredTypeDeclaration(
            name: name(table.set), hasStream: table.media != nil, key: table.key.map(\.property),
            properties: structural + streams, navigationProperties: (relations[table.set] ?? []).map(navigation),
            annotations: hierarchies(table))
    }

    /// A foreign key to the key of the same table makes a hierarchy of the name of its relation.
    private func hierarchies(_ table: PublishedTable) -> [Annotation] {
        guard table.key.count == 1, let key = table.key.first?.property else { return [] }
        return (relations[table.set] ?? []).filter { relation in
            !relation.isCollection && relation.isNullable && relation.targetSet == table.set
                && relation.constraints.map(\.referencedProperty) == [key]
        }.map { relation in
            Annotation(
                term: "\(Annotation.recursiveHierarchy)#\(relation.name)",
                value: .record([
                    "NodeProperty": .path(.property, key),
                    "ParentNavigationProperty": .path(.navigationProperty, relation.name),
                ]))
        }
    }

    private func property(_ column: PublishedColumn) -> Property {
        Property(
            name: column.property, type: .primitive(column.type), isNullable: column.isNullable,
            maxLength: column.maxLength, precision: column.precision ?? precision(of: column), scale: column.scale,
            defaultValue: DefaultLiteral(column)?.lexical, annotations: annotations(column))
    }

    /// Digits of fractional seconds.
    private func precision(of column: PublishedColumn) -> Int? {
        switch column.codec {
        case .instant(.text(_, let digits, true)): digits
        case .instant(.text), .instant(.mixedText), .instant(.dateText): 12
        case .instant(.unixSeconds): 6
        case .instant(.unixMilliseconds): 3
        case .instant(.julianDay): 3
        case .timeOfDay: 12
        default: nil
        }
    }

    private func annotations(_ column: PublishedColumn) -> [Annotation] {
        if column.description.isGenerated { return [Annotation(term: Annotation.computed)] }
        let isMade = column.isServiceMade || DefaultLiteral.isExpression(column.description.defaultSQL)
        return isMade ? [Annotation(term: Annotation.computedDefaultValue)] : []
    }

    private func navigation(_ relation: PublishedRelation) -> NavigationProperty {
        NavigationProperty(
            name: relation.name, target: name(relation.targetSet), isCollection: relation.isCollection,
            isNullable: relation.isNullable, partner: relation.partner, constraints: relation.constraints)
    }

    private func entitySet(_ table: PublishedTable) -> EntitySetDeclaration {
        let bindings = (relations[table.set] ?? []).map { ($0.name, $0.targetSet) }
        var annotations: [Annotation] = []
        if table.isReadOnly {
            annotations = [
                Annotation(term: Annotation.insertable, value: .record(["Insertable": .bool(false)])),
                Annotation(term: Annotation.updatable, value: .record(["Updatable": .bool(false)])),
                Annotation(term: Annotation.deletable, value: .record(["Deletable": .bool(false)])),
            ]
        } else if tracksChanges {
            annotations = [Annotation(term: Annotation.changeTracking, value: .record(["Supported": .bool(true)]))]
        }
        return EntitySetDeclaration(
            name: table.set, type: name(table.set), bindings: Dictionary(uniqueKeysWithValues: bindings),
            annotations: annotations)
    }
}

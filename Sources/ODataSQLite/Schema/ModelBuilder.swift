import ODataModel

/// Builds a schema from published tables.
struct ModelBuilder {
    static let container = "Container"

    let namespace: String
    let tables: [PublishedTable]
    let relations: [String: [PublishedNavigation]]
    let tracksChanges: Bool

    func schema() -> EdmSchema {
        EdmSchema(
            namespace: namespace, types: tables.map(type), container: Self.container,
            entitySets: tables.map(entitySet))
    }

    private func name(_ set: String) -> EdmQualifiedName { EdmQualifiedName(namespace: namespace, name: set) }

    private func type(_ table: PublishedTable) -> EdmStructuredTypeDeclaration {
        let structural = table.columns.map(property)
        let streams = table.streams.compactMap { stream in
            stream.property.map {
                EdmProperty(name: $0, type: .stream, isNullable: true)
            }
        }
        return EdmStructuredTypeDeclaration(
            name: name(table.set), hasStream: table.media != nil, key: table.key.map(\.property),
            properties: structural + streams, navigationProperties: (relations[table.set] ?? []).map(navigation),
            annotations: hierarchies(table))
    }

    /// A foreign key to the key of the same table defines a hierarchy with the name of its navigation property.
    private func hierarchies(_ table: PublishedTable) -> [EdmAnnotation] {
        guard table.key.count == 1, let key = table.key.first?.property else { return [] }
        return (relations[table.set] ?? []).filter { relation in
            !relation.isCollection && relation.isNullable && relation.targetSet == table.set
                && relation.constraints.map(\.referencedProperty) == [key]
        }.map { relation in
            EdmAnnotation(
                term: "\(EdmAnnotation.recursiveHierarchy)#\(relation.name)",
                value: .record([
                    "NodeProperty": .path(.property, key),
                    "ParentNavigationProperty": .path(.navigationProperty, relation.name),
                ]))
        }
    }

    private func property(_ column: PublishedColumn) -> EdmProperty {
        EdmProperty(
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

    private func annotations(_ column: PublishedColumn) -> [EdmAnnotation] {
        if column.description.isGenerated { return [EdmAnnotation(term: EdmAnnotation.computed)] }
        let isMade = column.isServiceMade || DefaultLiteral.isExpression(column.description.defaultSQL)
        return isMade ? [EdmAnnotation(term: EdmAnnotation.computedDefaultValue)] : []
    }

    private func navigation(_ relation: PublishedNavigation) -> EdmNavigationProperty {
        EdmNavigationProperty(
            name: relation.name, target: name(relation.targetSet), isCollection: relation.isCollection,
            isNullable: relation.isNullable, partner: relation.partner, constraints: relation.constraints)
    }

    private func entitySet(_ table: PublishedTable) -> EdmEntitySetDeclaration {
        let bindings = (relations[table.set] ?? []).map { ($0.name, $0.targetSet) }
        var annotations: [EdmAnnotation] = []
        if table.isReadOnly {
            annotations = [
                EdmAnnotation(term: EdmAnnotation.insertable, value: .record(["Insertable": .bool(false)])),
                EdmAnnotation(term: EdmAnnotation.updatable, value: .record(["Updatable": .bool(false)])),
                EdmAnnotation(term: EdmAnnotation.deletable, value: .record(["Deletable": .bool(false)])),
            ]
        } else if tracksChanges {
            annotations = [
                EdmAnnotation(term: EdmAnnotation.changeTracking, value: .record(["Supported": .bool(true)]))
            ]
        }
        return EdmEntitySetDeclaration(
            name: table.set, type: name(table.set), bindings: Dictionary(uniqueKeysWithValues: bindings),
            annotations: annotations)
    }
}

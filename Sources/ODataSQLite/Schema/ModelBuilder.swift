import ODataModel

/// Builds a schema from published tables.
struct ModelBuilder {
    static let container = "Container"

    let namespace: String
    let tables: [PublishedTable]
    let navigation: [String: [PublishedNavigation]]
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
            properties: structural + streams,
            navigationProperties: (navigation[table.set] ?? []).map(navigationProperty),
            annotations: hierarchies(table))
    }

    /// A foreign key to the key of the same table defines a hierarchy with the name of its navigation property.
    private func hierarchies(_ table: PublishedTable) -> [EdmAnnotation] {
        guard table.key.count == 1, let key = table.key.first?.property else { return [] }
        return (navigation[table.set] ?? []).filter { published in
            !published.isCollection && published.isNullable && published.targetSet == table.set
                && published.constraints.map(\.referencedProperty) == [key]
        }.map { published in
            EdmAnnotation(
                term: "\(EdmAnnotation.recursiveHierarchy)#\(published.name)",
                value: .record([
                    "NodeProperty": .path(.property, key),
                    "ParentNavigationProperty": .path(.navigationProperty, published.name),
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

    private func navigationProperty(_ published: PublishedNavigation) -> EdmNavigationProperty {
        EdmNavigationProperty(
            name: published.name, target: name(published.targetSet), isCollection: published.isCollection,
            isNullable: published.isNullable, partner: published.partner, constraints: published.constraints)
    }

    private func entitySet(_ table: PublishedTable) -> EdmEntitySetDeclaration {
        let bindings = (navigation[table.set] ?? []).map { ($0.name, $0.targetSet) }
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

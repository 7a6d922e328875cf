import ODataModel

/// Makes schemas out of the elements of a metadata document.
struct CSDLReader {
    let names: CSDLNames
    private(set) var diagnostics: [Diagnostic] = []

    init(names: CSDLNames) {
        self.names = names
    }

    mutating func note(_ message: String, at element: XMLTree) {
        diagnostics.append(Diagnostic(message: message, line: element.line, column: element.column))
    }

    mutating func schemas(_ elements: [XMLTree]) -> [Schema] {
        var schemas: [Schema] = []
        for element in elements { schemas.append(schema(element)) }
        for annotations in elements.flatMap({ $0.children(named: "Annotations") }) {
            apply(annotations, to: &schemas)
        }
        return schemas
    }

    private mutating func schema(_ element: XMLTree) -> Schema {
        var schema = Schema(namespace: element["Namespace"] ?? "", alias: element["Alias"])
        for child in element.children {
            switch child.name {
            case "EntityType": schema.types.append(structuredType(child, kind: .entity, in: schema.namespace))
            case "ComplexType": schema.types.append(structuredType(child, kind: .complex, in: schema.namespace))
            case "EnumType": schema.enumTypes.append(enumType(child, in: schema.namespace))
            case "EntityContainer": container(child, into: &schema)
            case "TypeDefinition", "Action", "Function", "Term", "Annotations", "Annotation": break
            default: note("The element \(child.name) is not known in a schema.", at: child)
            }
        }
        return schema
    }

    /// The value of a required attribute; tells where it is missing.
    mutating func name(of element: XMLTree, _ attribute: String = "Name") -> String {
        if let name = element[attribute], !name.isEmpty { return name }
        note("\(element.name) has no \(attribute).", at: element)
        return ""
    }

    private mutating func enumType(_ element: XMLTree, in namespace: String) -> EnumType {
        var members: [EnumType.Member] = []
        for child in element.children(named: "Member") {
            let next = (members.last?.value ?? -1).addingReportingOverflow(1).partialValue
            members.append(.init(name: name(of: child), value: child["Value"].flatMap { Int64($0) } ?? next))
        }
        let underlying = element["UnderlyingType"].flatMap { PrimitiveType(rawValue: QualifiedName($0).name) }
        return EnumType(
            name: QualifiedName(namespace: namespace, name: name(of: element)),
            underlyingType: underlying ?? .int32, isFlags: element.flag("IsFlags") ?? false, members: members)
    }

    private mutating func container(_ element: XMLTree, into schema: inout Schema) {
        schema.container = name(of: element)
        if let base = element["Extends"] {
            note("The container extends \(base), which is left out.", at: element)
        }
        for child in element.children {
            switch child.name {
            case "EntitySet": append(child, kind: .entitySet, typeAttribute: "EntityType", to: &schema)
            case "Singleton": append(child, kind: .singleton, typeAttribute: "Type", to: &schema)
            case "ActionImport", "FunctionImport", "Annotation": break
            default: note("The element \(child.name) is not known in a container.", at: child)
            }
        }
    }

    private mutating func append(
        _ element: XMLTree, kind: EntitySetDeclaration.Kind, typeAttribute: String, to schema: inout Schema
    ) {
        let type = names.qualified(name(of: element, typeAttribute))
        guard case .entity = names.kind(of: type) else {
            note("\(element["Name"] ?? "An entity set") is of the type \(type), which is not declared.", at: element)
            return
        }
        var set = EntitySetDeclaration(kind: kind, name: name(of: element), type: type)
        for child in element.children {
            switch child.name {
            case "NavigationPropertyBinding":
                set.bindings[names.path(name(of: child, "Path"))] = target(name(of: child, "Target"))
            case "Annotation": set.annotations.append(annotation(child))
            default: note("The element \(child.name) is not known in an entity set.", at: child)
            }
        }
        schema.entitySets.append(set)
    }

    /// `Products` of `Products`, `Container/Products` and `NS.Container/Products`; longer paths stay.
    private func target(_ text: String) -> String {
        let segments = text.split(separator: "/")
        guard segments.count == 2 else { return text }
        let first = names.qualified(String(segments[0]))
        let isContainer =
            names.containers.contains(first)
            || (first.namespace.isEmpty && names.containers.contains { $0.name == first.name })
        return isContainer ? String(segments[1]) : text
    }
}

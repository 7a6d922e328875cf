import ODataModel

extension CSDLReader {
    /// `<Annotation Term="Core.Description" String="…"/>`; a qualifier becomes part of the term: `Core.Description#Short`.
    mutating func annotation(_ element: XMLTree) -> Annotation {
        var term = names.qualified(name(of: element, "Term")).description
        if let qualifier = element["Qualifier"] { term += "#\(qualifier)" }
        return Annotation(term: term, value: value(of: element) ?? .bool(true))
    }

    /// The value that an annotation or property value element holds in an attribute or a child element.
    private func value(of element: XMLTree) -> Annotation.Value? {
        for (name, text) in element.attributes.sorted(by: { $0.key < $1.key }) {
            if let value = constant(name, text) { return value }
        }
        return element.children.first { $0.name != "Annotation" }.map(expression)
    }

    private func constant(_ name: String, _ text: String) -> Annotation.Value? {
        switch name {
        case "String": .string(text)
        case "Bool": text == "true" ? .bool(true) : text == "false" ? .bool(false) : .other(#"Bool="\#(text)""#)
        case "Int": Int64(text).map { .int($0) } ?? .other(#"Int="\#(text)""#)
        case _ where CSDL.constantNames.contains(name): .other("\(name)=\"\(text)\"")
        default: nil
        }
    }

    private func expression(_ element: XMLTree) -> Annotation.Value {
        switch element.name {
        case "Collection": return .collection(element.children.map(expression))
        case "Record":
            var members: [String: Annotation.Value] = [:]
            for child in element.children(named: "PropertyValue") {
                members[child["Property"] ?? ""] = value(of: child) ?? .bool(true)
            }
            return .record(members)
        case "String": return .string(element.text)
        default:
            if element.children.isEmpty, element.attributes.isEmpty, let value = constant(element.name, element.text) {
                return value
            }
            return .other(element.xml)
        }
    }

    /// `<Annotations Target="Model.Product/Name">`: of a type, a property, an entity set; other targets are passed
    /// over.
    mutating func apply(_ element: XMLTree, to schemas: inout [Schema]) {
        let segments = names.path(name(of: element, "Target")).split(separator: "/").map(String.init)
        guard let first = segments.first, segments.count <= 2 else { return }
        let added = element.children(named: "Annotation").map { child in
            var annotation = annotation(child)
            if let qualifier = element["Qualifier"] { annotation.term += "#\(qualifier)" }
            return annotation
        }
        let name = QualifiedName(first)
        for index in schemas.indices where schemas[index].namespace == name.namespace {
            if schemas[index].container == name.name {
                for set in schemas[index].entitySets.indices
                where schemas[index].entitySets[set].name == segments.dropFirst().first {
                    schemas[index].entitySets[set].annotations += added
                }
            }
            for type in schemas[index].types.indices where schemas[index].types[type].name == name {
                Self.add(added, to: &schemas[index].types[type], member: segments.dropFirst().first)
            }
        }
    }

    private static func add(
        _ annotations: [Annotation], to type: inout StructuredTypeDeclaration, member: String?
    ) {
        guard let member else {
            type.annotations += annotations
            return
        }
        for index in type.properties.indices where type.properties[index].name == member {
            type.properties[index].annotations += annotations
        }
        for index in type.navigationProperties.indices where type.navigationProperties[index].name == member {
            type.navigationProperties[index].annotations += annotations
        }
    }
}

extension CSDL {
    /// The attributes and elements that hold constants and paths, besides `String`, `Bool` and `Int`.
    static let constantNames: Set<String> = [
        "AnnotationPath", "AnyPropertyPath", "Binary", "Bool", "Date", "DateTimeOffset", "Decimal", "Duration",
        "EnumMember", "Float", "Guid", "Int", "ModelElementPath", "NavigationPropertyPath", "Path", "PropertyPath",
        "TimeOfDay", "UrlRef",
    ]
}

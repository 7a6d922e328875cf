import ODataModel

/// Writes a model as CSDL XML, an element per line.
struct CSDLWriter {
    typealias Attributes = [(String, String?)]

    let model: EdmModel
    let version: ODataVersion
    private(set) var bytes: [UInt8] = []
    private var depth = 0
    /// What distinguishes the children of the open elements: `EntityType Product`, `Term Core.Description#Q`.
    private var identities: [Set<String>] = []
    /// Why the document cannot be read again as the model: the first reason.
    private(set) var failure: String?

    init(model: EdmModel, version: ODataVersion) {
        self.model = model
        self.version = version
    }

    mutating func write(references: [EdmReference]) {
        declaration()
        let attributes = [("xmlns:edmx", XMLTree.oasis + "edmx"), ("Version", version.rawValue)]
        element("edmx:Edmx", attributes) { writer in
            for reference in references { writer.write(reference) }
            writer.element("edmx:DataServices") { writer in
                for schema in writer.model.schemas { writer.write(schema) }
            }
        }
    }

    mutating func declaration() {
        bytes.append(contentsOf: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8)
    }

    /// Writes `<name a="b"/>`, or with content `<name a="b">` … `</name>`. Attributes that are nil are left out.
    mutating func element(
        _ name: String, _ attributes: Attributes = [], content: ((inout CSDLWriter) -> Void)? = nil
    ) {
        open(name, attributes)
        guard let content else { return append("/>\n") }
        append(">\n")
        let start = bytes.count
        depth += 1
        identities.append([])
        content(&self)
        identities.removeLast()
        depth -= 1
        if bytes.count == start {
            bytes.removeLast(2)
            append("/>\n")
        } else {
            indent()
            append("</\(name)>\n")
        }
    }

    /// Writes `<name>text</name>`.
    mutating func element(_ name: String, text: String) {
        open(name, [])
        append(">")
        append(escaped(text))
        append("</\(name)>\n")
    }

    private mutating func open(_ name: String, _ attributes: Attributes) {
        indent()
        identify(name, attributes)
        append("<")
        append(name)
        for case (let name, let value?) in attributes {
            append(" ")
            append(name)
            append("=\"")
            append(escaped(value))
            append("\"")
        }
    }

    /// Notes a failure where an element lacks the name that it needs, or has that of another one beside it.
    private mutating func identify(_ name: String, _ attributes: Attributes) {
        guard let (group, keys) = Self.keys[name], let last = identities.indices.last else { return }
        let parts = keys.map { key in attributes.first { $0.0 == key }?.1 ?? "" }
        guard parts[0] != "" || name == "Schema" else { return fail("\(name) has no \(keys[0]).") }
        guard identities[last].insert("\(group) \(parts.joined(separator: "#"))").inserted else {
            return fail("\(name) \(parts.filter { !$0.isEmpty }.joined(separator: "#")) occurs twice in one place.")
        }
    }

    /// By elements: what shares its names with others of the group, and the attributes that make them up. Overloads of
    /// operations share theirs.
    private static let keys: [String: (group: String, attributes: [String])] = [
        "Schema": ("Schema", ["Namespace"]), "EntityType": ("Type", ["Name"]), "ComplexType": ("Type", ["Name"]),
        "EnumType": ("Type", ["Name"]), "TypeDefinition": ("Type", ["Name"]), "Term": ("Type", ["Name"]),
        "Property": ("Member", ["Name"]), "NavigationProperty": ("Member", ["Name"]), "Member": ("Member", ["Name"]),
        "EntitySet": ("Set", ["Name"]), "Singleton": ("Set", ["Name"]), "ActionImport": ("Set", ["Name"]),
        "FunctionImport": ("Set", ["Name"]), "Annotations": ("Target", ["Target"]),
        "Annotation": ("Term", ["Term", "Qualifier"]), "PropertyValue": ("Value", ["Property"]),
    ]

    /// Notes why nothing can be written; the first reason stays.
    mutating func fail(_ reason: String) { failure = failure ?? reason }

    private mutating func escaped(_ text: String) -> String {
        if let scalar = XMLTree.firstImpossible(in: text) {
            fail(
                "“\(text.prefix(40))” has U+\(String(scalar.value, radix: 16, uppercase: true)), which XML cannot say.")
        }
        return XMLTree.escaped(text)
    }

    private mutating func indent() { bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2)) }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(_ reference: EdmReference) {
        element("edmx:Reference", [("Uri", reference.url)]) { writer in
            for include in reference.includes {
                let attributes = [("Namespace", include.namespace), ("Alias", include.alias)]
                writer.element("edmx:Include", attributes) { $0.write(include.annotations, isInSchema: false) }
            }
            for included in reference.includedAnnotations {
                writer.element(
                    "edmx:IncludeAnnotations",
                    [
                        ("TermNamespace", included.termNamespace), ("Qualifier", included.qualifier),
                        ("TargetNamespace", included.targetNamespace),
                    ])
            }
            writer.write(reference.annotations, isInSchema: false)
        }
    }

    private mutating func write(_ schema: EdmSchema) {
        let attributes = [
            ("xmlns", XMLTree.oasis + "edm"), ("Namespace", schema.namespace), ("Alias", schema.alias),
        ]
        element("Schema", attributes) { writer in
            for type in schema.enumTypes { writer.write(type) }
            for type in schema.typeDefinitions { writer.write(type) }
            for type in schema.types { writer.write(type) }
            for operation in schema.operations { writer.write(operation) }
            for term in schema.terms { writer.write(term) }
            writer.writeContainer(of: schema)
            for group in schema.targetedAnnotations {
                writer.element("Annotations", [("Target", group.target)]) { $0.write(group.annotations) }
            }
            writer.write(schema.annotations)
        }
    }

    private mutating func writeContainer(of schema: EdmSchema) {
        guard let container = schema.container else { return }
        let attributes = [("Name", container), ("Extends", schema.baseContainer?.description)]
        element("EntityContainer", attributes) { writer in
            for set in schema.entitySets { writer.write(set) }
            for operationImport in schema.operationImports { writer.write(operationImport) }
            writer.write(schema.containerAnnotations)
        }
    }

    private mutating func write(_ set: EdmEntitySetDeclaration) {
        let isSingleton = set.kind == .singleton
        let attributes: Attributes = [
            ("Name", set.name), (isSingleton ? "Type" : "EntityType", "\(set.type)"),
            ("Nullable", isSingleton && set.isNullable && version == .v401 ? "true" : nil),
            ("IncludeInServiceDocument", set.isInServiceDocument ? nil : "false"),
        ]
        element(isSingleton ? "Singleton" : "EntitySet", attributes) { writer in
            for (path, target) in set.bindings.sorted(by: { $0.key < $1.key }) {
                writer.element("NavigationPropertyBinding", [("Path", path), ("Target", target)])
            }
            writer.write(set.annotations)
        }
    }

    private mutating func write(_ operationImport: EdmOperationImport) {
        let isAction = operationImport.kind == .action
        let attributes: Attributes = [
            ("Name", operationImport.name), (isAction ? "Action" : "Function", "\(operationImport.operation)"),
            ("EntitySet", operationImport.entitySet),
            ("IncludeInServiceDocument", operationImport.isInServiceDocument ? "true" : nil),
        ]
        element(isAction ? "ActionImport" : "FunctionImport", attributes) { writer in
            writer.write(operationImport.writtenAnnotations)
        }
    }
}

extension EdmOperationImport {
    /// The annotations with the HTTP method among them, which V4 has no attribute for.
    var writtenAnnotations: [EdmAnnotation] {
        guard let httpMethod, annotation(EdmAnnotation.httpMethod) == nil else { return annotations }
        return annotations + [EdmAnnotation(term: EdmAnnotation.httpMethod, value: .string(httpMethod))]
    }
}

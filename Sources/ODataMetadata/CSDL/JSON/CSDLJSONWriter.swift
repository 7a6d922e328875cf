import ODataModel

/// Writes a model as CSDL JSON.
///
/// [OData-CSDLJSON]
struct CSDLJSONWriter {
    let model: EdmModel
    var json = IndentedJSON()

    init(model: EdmModel) {
        self.model = model
    }

    var bytes: [UInt8] { json.bytes + [UInt8(ascii: "\n")] }

    /// Writes `{…}`.
    mutating func object(_ content: (inout CSDLJSONWriter) -> Void) {
        var writer = self
        json = IndentedJSON()
        writer.json.object { json in
            var inner = CSDLJSONWriter(model: writer.model)
            swap(&inner.json, &json)
            content(&inner)
            swap(&inner.json, &json)
        }
        swap(&self, &writer)
    }

    mutating func write(version: ODataVersion, references: [EdmReference]) {
        object { writer in
            writer.json.member("$Version", version.rawValue)
            if let schema = writer.model.schemas.first(where: { $0.container != nil }), let container = schema.container
            {
                writer.json.member("$EntityContainer", "\(schema.namespace).\(container)")
            }
            writer.write(references)
            for schema in writer.model.schemas {
                writer.json.declared(name: schema.namespace)
                writer.write(schema)
            }
        }
    }

    private mutating func write(_ references: [EdmReference]) {
        guard !references.isEmpty else { return }
        json.name("$Reference")
        object { writer in
            for reference in references {
                writer.json.name(reference.url)
                writer.write(reference)
            }
        }
    }

    private mutating func write(_ reference: EdmReference) {
        object { writer in
            if !reference.includes.isEmpty {
                writer.json.name("$Include")
                writer.array(reference.includes) { writer, include in
                    writer.object { writer in
                        writer.json.member("$Namespace", include.namespace)
                        writer.json.member("$Alias", include.alias)
                        writer.write(include.annotations)
                    }
                }
            }
            if !reference.includedAnnotations.isEmpty {
                writer.json.name("$IncludeAnnotations")
                writer.array(reference.includedAnnotations) { writer, included in
                    writer.object { writer in
                        writer.json.member("$TermNamespace", included.termNamespace)
                        writer.json.member("$TargetNamespace", included.targetNamespace)
                        writer.json.member("$Qualifier", included.qualifier)
                    }
                }
            }
            writer.write(reference.annotations)
        }
    }

    /// Writes `[…]`, an element for each item.
    mutating func array<Item>(_ items: [Item], _ content: (inout CSDLJSONWriter, Item) -> Void) {
        var writer = self
        json = IndentedJSON()
        writer.json.array { json in
            var inner = CSDLJSONWriter(model: writer.model)
            swap(&inner.json, &json)
            for item in items { content(&inner, item) }
            swap(&inner.json, &json)
        }
        swap(&self, &writer)
    }

    private mutating func write(_ schema: EdmSchema) {
        object { writer in
            writer.json.member("$Alias", schema.alias)
            for type in schema.enumTypes { writer.declare(type.name.name) { $0.write(type) } }
            for type in schema.typeDefinitions { writer.declare(type.name.name) { $0.write(type) } }
            for type in schema.types { writer.declare(type.name.name) { $0.write(type) } }
            writer.write(schema.operations)
            for term in schema.terms { writer.declare(term.name.name) { $0.write(term) } }
            writer.writeContainer(of: schema)
            if !schema.targetedAnnotations.isEmpty {
                writer.json.name("$Annotations")
                writer.object { writer in
                    for group in schema.targetedAnnotations {
                        writer.member(group.target) { $0.write(group.annotations) }
                    }
                }
            }
            writer.write(schema.annotations)
        }
    }

    /// Writes `"name": {…}`.
    mutating func member(_ name: String, _ content: (inout CSDLJSONWriter) -> Void) {
        json.name(name)
        object(content)
    }

    /// Writes `"name": {…}` for something that the model declares.
    mutating func declare(_ name: String, _ content: (inout CSDLJSONWriter) -> Void) {
        json.declared(name: name)
        object(content)
    }

    private mutating func writeContainer(of schema: EdmSchema) {
        guard let container = schema.container else { return }
        declare(container) { writer in
            writer.json.member("$Kind", "EntityContainer")
            writer.json.member("$Extends", schema.baseContainer?.description)
            for set in schema.entitySets { writer.declare(set.name) { $0.write(set) } }
            for operationImport in schema.operationImports {
                writer.declare(operationImport.name) { $0.write(operationImport) }
            }
            writer.write(schema.containerAnnotations)
        }
    }

    private mutating func write(_ set: EdmEntitySetDeclaration) {
        if set.kind == .entitySet { json.member("$Collection", true) }
        json.member("$Type", "\(set.type)")
        if set.kind == .singleton, set.isNullable { json.member("$Nullable", true) }
        if !set.isInServiceDocument { json.member("$IncludeInServiceDocument", false) }
        if !set.bindings.isEmpty {
            member("$NavigationPropertyBinding") { writer in
                for (path, target) in set.bindings.sorted(by: { $0.key < $1.key }) {
                    writer.json.member(path, target)
                }
            }
        }
        write(set.annotations)
    }

    private mutating func write(_ operationImport: EdmOperationImport) {
        let kind = operationImport.kind == .action ? "$Action" : "$Function"
        json.member(kind, "\(operationImport.operation)")
        json.member("$EntitySet", operationImport.entitySet)
        if operationImport.isInServiceDocument { json.member("$IncludeInServiceDocument", true) }
        write(operationImport.writtenAnnotations)
    }
}

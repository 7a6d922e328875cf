import ODataModel

/// Puts annotations that stand apart from what they annotate where they belong.
struct AnnotationTargets {
    private enum Element {
        case type(Int)
        case enumeration(Int)
        case definition(Int)
        case term(Int)
        case operations([Int])
        case container
    }

    private(set) var schemas: [Schema]
    private var elements: [QualifiedName: (schema: Int, element: Element)] = [:]

    /// Takes the schemas away from the caller, so that they are changed in place.
    init(taking schemas: inout [Schema]) {
        self.schemas = []
        swap(&self.schemas, &schemas)
        for (position, schema) in self.schemas.enumerated() { index(schema, at: position) }
    }

    private mutating func index(_ schema: Schema, at position: Int) {
        func add(_ name: QualifiedName, _ element: Element, to elements: inout [QualifiedName: (Int, Element)]) {
            if elements[name] == nil { elements[name] = (position, element) }
        }
        var found: [QualifiedName: (Int, Element)] = [:]
        for (index, type) in schema.types.enumerated() { add(type.name, .type(index), to: &found) }
        for (index, type) in schema.enumTypes.enumerated() { add(type.name, .enumeration(index), to: &found) }
        for (index, type) in schema.typeDefinitions.enumerated() { add(type.name, .definition(index), to: &found) }
        for (index, term) in schema.terms.enumerated() { add(term.name, .term(index), to: &found) }
        for (name, group) in Dictionary(grouping: schema.operations.indices, by: { schema.operations[$0].name }) {
            add(name, .operations(group.sorted()), to: &found)
        }
        if let container = schema.container {
            add(QualifiedName(namespace: schema.namespace, name: container), .container, to: &found)
        }
        elements.merge(found) { first, _ in first }
    }

    /// Adds `annotations` to what `target` names, a path with full names: `Model.Product/Name`.
    ///
    /// - Returns: Whether the document declares it.
    mutating func add(_ annotations: [Annotation], to target: String) -> Bool {
        let segments = target.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard let first = segments.first, segments.count <= 2 else { return false }
        let open = first.utf8.firstIndex(of: UInt8(ascii: "(")) ?? first.endIndex
        let signature = open < first.endIndex ? String(first[open...]) : nil
        let name = QualifiedName(String(first[..<open]))
        guard let (schema, element) = elements[name] else { return false }
        let member = segments.dropFirst().first
        switch element {
        case .type(let index): return Self.add(annotations, to: &schemas[schema].types[index], member)
        case .enumeration(let index): return Self.add(annotations, to: &schemas[schema].enumTypes[index], member)
        case .definition(let index) where member == nil:
            schemas[schema].typeDefinitions[index].annotations.add(annotations)
        case .term(let index) where member == nil: schemas[schema].terms[index].annotations.add(annotations)
        case .operations(let indices):
            return add(annotations, schema: schema, operations: indices, signature: signature, member)
        case .container: return Self.add(annotations, to: &schemas[schema], member)
        case .definition, .term: return false
        }
        return true
    }

    private static func add(
        _ annotations: [Annotation], to type: inout StructuredTypeDeclaration, _ member: String?
    ) -> Bool {
        guard let member else {
            type.annotations.add(annotations)
            return true
        }
        if let index = type.properties.firstIndex(where: { $0.name == member }) {
            type.properties[index].annotations.add(annotations)
        } else if let index = type.navigationProperties.firstIndex(where: { $0.name == member }) {
            type.navigationProperties[index].annotations.add(annotations)
        } else {
            return false
        }
        return true
    }

    private static func add(_ annotations: [Annotation], to type: inout EnumType, _ member: String?) -> Bool {
        guard let member else {
            type.annotations.add(annotations)
            return true
        }
        guard let index = type.members.firstIndex(where: { $0.name == member }) else { return false }
        type.members[index].annotations.add(annotations)
        return true
    }

    private static func add(_ annotations: [Annotation], to schema: inout Schema, _ member: String?) -> Bool {
        guard let member else {
            schema.containerAnnotations.add(annotations)
            return true
        }
        if let index = schema.entitySets.firstIndex(where: { $0.name == member }) {
            schema.entitySets[index].annotations.add(annotations)
            return true
        }
        let imports = schema.operationImports.indices.filter { schema.operationImports[$0].name == member }
        for index in imports { schema.operationImports[index].annotations.add(annotations) }
        return !imports.isEmpty
    }

    /// All overloads, or the one with `signature`: the parameter types in parentheses.
    private mutating func add(
        _ annotations: [Annotation], schema: Int, operations: [Int], signature: String?, _ member: String?
    ) -> Bool {
        let chosen = operations.filter { signature == nil || schemas[schema].operations[$0].hasSignature(signature) }
        var isAdded = false
        for index in chosen {
            isAdded = Self.add(annotations, to: &schemas[schema].operations[index], member) || isAdded
        }
        return isAdded
    }

    private static func add(_ annotations: [Annotation], to operation: inout OperationDeclaration, _ member: String?)
        -> Bool
    {
        switch member {
        case nil: operation.annotations.add(annotations)
        case "$ReturnType":
            guard operation.result != nil else { return false }
            operation.result?.annotations.add(annotations)
        case let member?:
            guard let index = operation.parameters.firstIndex(where: { $0.name == member }) else { return false }
            operation.parameters[index].annotations.add(annotations)
        }
        return true
    }
}

extension OperationDeclaration {
    /// Whether `(Model.Product,Edm.Int32)` names this overload. An action is known by its binding parameter alone, a
    /// bound function by all.
    fileprivate func hasSignature(_ signature: String?) -> Bool {
        func text(_ parameters: some Sequence<Parameter>) -> String {
            "(" + parameters.map { CSDLTypeName.text($0.type, name: $0.namedType) }.joined(separator: ",") + ")"
        }
        return signature == text(kind == .action ? parameters.prefix(isBound ? 1 : 0) : parameters[...])
    }
}

extension [Annotation] {
    /// Adds those whose term and qualifier are not here yet.
    mutating func add(_ annotations: [Annotation]) {
        for annotation in annotations where !contains(where: { $0.term == annotation.term }) { append(annotation) }
    }
}

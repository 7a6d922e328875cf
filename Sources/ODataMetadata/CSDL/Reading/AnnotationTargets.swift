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

    private(set) var schemas: [EdmSchema]
    private var elements: [EdmQualifiedName: (Int, Element)] = [:]
    private var operations: [EdmQualifiedName: (Int, Element)] = [:]

    /// Takes the schemas away from the caller, so that they are changed in place.
    init(taking schemas: inout [EdmSchema]) {
        self.schemas = []
        swap(&self.schemas, &schemas)
        for (position, schema) in self.schemas.enumerated() { index(schema, at: position) }
    }

    private mutating func index(_ schema: EdmSchema, at position: Int) {
        func add(_ name: EdmQualifiedName, _ element: Element, to elements: inout [EdmQualifiedName: (Int, Element)]) {
            if elements[name] == nil { elements[name] = (position, element) }
        }
        var found: [EdmQualifiedName: (Int, Element)] = [:]
        for (index, type) in schema.types.enumerated() { add(type.name, .type(index), to: &found) }
        for (index, type) in schema.enumTypes.enumerated() { add(type.name, .enumeration(index), to: &found) }
        for (index, type) in schema.typeDefinitions.enumerated() { add(type.name, .definition(index), to: &found) }
        for (index, term) in schema.terms.enumerated() { add(term.name, .term(index), to: &found) }
        for (name, group) in Dictionary(grouping: schema.operations.indices, by: { schema.operations[$0].name }) {
            add(name, .operations(group.sorted()), to: &found)
            add(name, .operations(group.sorted()), to: &operations)
        }
        if let container = schema.container {
            add(EdmQualifiedName(namespace: schema.namespace, name: container), .container, to: &found)
        }
        elements.merge(found) { first, _ in first }
    }

    /// Adds `annotations` to what `target` names, a path with full names: `Model.Product/Name`.
    ///
    /// - Returns: The terms that are there already and were left out; nil if the document does not declare the target.
    mutating func add(_ annotations: [EdmAnnotation], to target: String) -> [String]? {
        let segments = target.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard let first = segments.first, segments.count <= 2 else { return nil }
        let open = first.utf8.firstIndex(of: UInt8(ascii: "(")) ?? first.endIndex
        let signature = open < first.endIndex ? String(first[open...]) : nil
        let name = EdmQualifiedName(String(first[..<open]))
        // A type may have the name of an operation: parentheses show which is meant.
        let named = signature == nil ? elements[name] : operations[name]
        guard let (schema, element) = named else { return nil }
        let member = segments.dropFirst().first
        switch element {
        case .type(let index): return Self.add(annotations, to: &schemas[schema].types[index], member)
        case .enumeration(let index): return Self.add(annotations, to: &schemas[schema].enumTypes[index], member)
        case .definition(let index) where member == nil:
            return schemas[schema].typeDefinitions[index].annotations.add(annotations)
        case .term(let index) where member == nil: return schemas[schema].terms[index].annotations.add(annotations)
        case .operations(let indices):
            return add(annotations, schema: schema, operations: indices, signature: signature, member)
        case .container: return Self.add(annotations, to: &schemas[schema], member)
        case .definition, .term: return nil
        }
    }

    private static func add(
        _ annotations: [EdmAnnotation], to type: inout EdmStructuredTypeDeclaration, _ member: String?
    ) -> [String]? {
        guard let member else { return type.annotations.add(annotations) }
        if let index = type.properties.firstIndex(where: { $0.name == member }) {
            return type.properties[index].annotations.add(annotations)
        }
        return type.navigationProperties.firstIndex { $0.name == member }
            .map { type.navigationProperties[$0].annotations.add(annotations) }
    }

    private static func add(_ annotations: [EdmAnnotation], to type: inout EdmEnumType, _ member: String?) -> [String]?
    {
        guard let member else { return type.annotations.add(annotations) }
        return type.members.firstIndex { $0.name == member }.map { type.members[$0].annotations.add(annotations) }
    }

    private static func add(_ annotations: [EdmAnnotation], to schema: inout EdmSchema, _ member: String?) -> [String]?
    {
        guard let member else { return schema.containerAnnotations.add(annotations) }
        if let index = schema.entitySets.firstIndex(where: { $0.name == member }) {
            return schema.entitySets[index].annotations.add(annotations)
        }
        return schema.operationImports.firstIndex { $0.name == member }
            .map { schema.operationImports[$0].annotations.add(annotations) }
    }

    /// All overloads, or the one with `signature`: the parameter types in parentheses.
    private mutating func add(
        _ annotations: [EdmAnnotation], schema: Int, operations: [Int], signature: String?, _ member: String?
    ) -> [String]? {
        var leftOut: [String]?
        for index in operations where signature == nil || schemas[schema].operations[index].hasSignature(signature) {
            let terms = Self.add(annotations, to: &schemas[schema].operations[index], member)
            if let terms { leftOut = (leftOut ?? []) + terms.filter { leftOut?.contains($0) != true } }
        }
        return leftOut
    }

    private static func add(
        _ annotations: [EdmAnnotation], to operation: inout EdmOperationDeclaration, _ member: String?
    )
        -> [String]?
    {
        switch member {
        case nil: operation.annotations.add(annotations)
        case "$ReturnType": operation.result?.annotations.add(annotations)
        case let member?:
            operation.parameters.firstIndex { $0.name == member }
                .map { operation.parameters[$0].annotations.add(annotations) }
        }
    }
}

extension EdmOperationDeclaration {
    /// Whether `(Model.Product,Edm.Int32)` names this overload. An action is known by its binding parameter alone, a
    /// bound function by all.
    fileprivate func hasSignature(_ signature: String?) -> Bool {
        func text(_ parameters: some Sequence<Parameter>) -> String {
            "(" + parameters.map { CSDLTypeName.text($0.type, name: $0.namedType) }.joined(separator: ",") + ")"
        }
        return signature == text(kind == .action ? parameters.prefix(isBound ? 1 : 0) : parameters[...])
    }
}

extension [EdmAnnotation] {
    /// Adds those whose term and qualifier are not here yet.
    ///
    /// - Returns: The terms, with qualifiers, of those that were left out.
    @discardableResult
    mutating func add(_ annotations: [EdmAnnotation]) -> [String] {
        var leftOut: [String] = []
        for annotation in annotations {
            if contains(where: { $0.term == annotation.term }) {
                leftOut.append(annotation.term)
            } else {
                append(annotation)
            }
        }
        return leftOut
    }
}

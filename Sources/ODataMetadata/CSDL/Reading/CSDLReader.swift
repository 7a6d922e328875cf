import ODataModel

/// Reads CSDL XML of any version.
struct CSDLReader {
    var names = CSDLNames()
    var notes = CSDLNotes()
    let version: ODataVersion
    private var cut: FormatError?
    /// Of V1–V3.
    var associations = Associations()
    var legacyNavigations: [LegacyNavigation] = []
    var legacyNavigationsByAssociation: [EdmQualifiedName: [LegacyNavigation]] = [:]
    var legacyBases: [EdmQualifiedName: EdmQualifiedName] = [:]

    /// `<edmx:Edmx Version="4.01">`, or a `<Schema>` that is alone.
    static func document(_ bytes: [UInt8], limits: PayloadLimits) throws(FormatError) -> CSDLDocument {
        var scanned = XMLLimits()
        scanned.elements = limits.metadataElements
        let (root, cut) = try XMLTreeParser.parsePart(bytes, limits: scanned)
        let schemas: [XMLTree]
        switch root.name {
        case "Edmx":
            // Some documents leave DataServices out; designers' files have the schemas deeper still.
            let found = root.children(named: "DataServices").flatMap { $0.children(named: "Schema") }
            schemas = found.isEmpty ? root.descendants(named: "Schema", depth: 3).filter(\.isCSDL) : found
        case "DataServices": schemas = root.children(named: "Schema")
        case "Schema": schemas = [root]
        default: throw FormatError("The document is not metadata: its root is “\(root.name)”, not “Edmx”.")
        }
        let isEmpty = schemas.isEmpty && references(of: root).isEmpty
        guard !isEmpty else { throw cut?.ofCut ?? FormatError("The metadata has no schema.") }
        var reader = CSDLReader(version: Self.version(root: root, schemas: schemas))
        reader.cut = cut
        if XMLDeclaration.falseEncoding(in: bytes) != nil {
            let place = CSDLPlace(line: 1, column: 1)
            reader.notes.add("The document says that it is UTF-16, and is not: it is read as UTF-8.", at: place)
        }
        if let cut {
            let place = CSDLPlace(line: cut.line ?? 1, column: cut.column ?? 1)
            reader.notes.add("The document is cut off here, so what follows is missing: \(cut.message)", at: place)
        }
        return reader.document(root, schemas)
    }

    init(version: ODataVersion) {
        self.version = version
    }

    private static func references(of root: XMLTree) -> [XMLTree] {
        root.children.filter { $0.name == "Reference" && ($0["Uri"] ?? $0["Url"]) != nil }
    }

    private mutating func document(_ root: XMLTree, _ elements: [XMLTree]) -> CSDLDocument {
        let references = Self.references(of: root)
        collectNames(references, elements)
        if version.isLegacy { associations.add(elements, names: names) }
        var schemas: [EdmSchema] = []
        for element in elements { merge(schema(element), from: element, into: &schemas) }
        if !version.isLegacy {
            checkWrapper(root)
            for element in elements { checkForm(element) }
        }
        if version.isLegacy { completeLegacy(&schemas, elements) }
        applyTargets(elements, to: &schemas)
        if version.isLegacy { describeCapabilities(&schemas) }
        for index in schemas.indices { schemas[index].operations = schemas[index].operations.groupedByName() }
        var read: [EdmReference] = []
        for element in references {
            tell(read.merge(reference(element)), appliedTwiceTo: "the reference", at: element.place)
        }
        let (model, problems) = EdmModel.lenient(schemas: schemas, references: read)
        notes.add(problems)
        return CSDLDocument(
            format: .xml, version: version, model: model, diagnostics: notes.diagnostics, cut: cut)
    }

    mutating func note(_ message: String, at element: XMLTree) { notes.add(message, at: element.place) }

    /// `note` for an element that is not expected; those of other namespaces are not errors.
    mutating func unexpected(_ element: XMLTree, in what: String) {
        guard element.isCSDL else { return }
        note("The element \(element.name) is not known in \(what).", at: element)
    }

    private mutating func collectNames(_ references: [XMLTree], _ schemas: [XMLTree]) {
        for reference in references {
            for include in reference.children(named: "Include") {
                names.include(include["Namespace"] ?? "", alias: include["Alias"])
            }
        }
        for schema in schemas {
            let namespace = schema["Namespace"] ?? ""
            names.add(alias: schema["Alias"], for: namespace)
            for using in schema.children where using.name == "Using" {
                names.add(alias: using["Alias"], for: using["Namespace"] ?? "")
            }
        }
        for schema in schemas { collectTypes(schema) }
        names.settleDefinitions()
    }

    private mutating func collectTypes(_ schema: XMLTree) {
        let namespace = schema["Namespace"] ?? ""
        for child in schema.children {
            guard let declared = child["Name"], !declared.isEmpty else { continue }
            let name = EdmQualifiedName(namespace: namespace, name: declared)
            switch child.name {
            case "EntityType": names.add(.entity, named: name)
            case "ComplexType": names.add(.complex, named: name)
            case "EnumType": names.add(.enumeration, named: name)
            case "TypeDefinition": names.add(declaredDefinition(child, named: name))
            case "EntityContainer": names.add(container: name)
            default: break
            }
        }
    }

    private mutating func schema(_ element: XMLTree) -> EdmSchema {
        if element["Namespace"]?.isEmpty ?? true { note("A schema has no Namespace.", at: element) }
        var schema = EdmSchema(namespace: element["Namespace"] ?? "", alias: element["Alias"])
        schema.annotations = annotations(of: element)
        for child in element.children {
            if Self.isNamed(child), !hasName(child) { continue }
            if Self.isDeclaration(child),
                !notes.declare("\(schema.namespace).\(name(of: child))", at: child.place)
            {
                continue
            }
            switch child.name {
            case "EntityType": schema.types.append(structuredType(child, kind: .entity, in: schema.namespace))
            case "ComplexType": schema.types.append(structuredType(child, kind: .complex, in: schema.namespace))
            case "EnumType": schema.enumTypes.append(enumType(child, in: schema.namespace))
            case "TypeDefinition": schema.typeDefinitions.append(typeDefinition(child, in: schema.namespace))
            case "Term", "ValueTerm": schema.terms.append(term(child, in: schema.namespace))
            case "Action", "Function":
                if let operation = operation(child, in: schema.namespace) { schema.operations.append(operation) }
            case "EntityContainer": container(child, into: &schema)
            case "Annotations", "Annotation", "ValueAnnotation", "TypeAnnotation", "Documentation": break
            case "Association" where version.isLegacy, "Using": break
            default: unexpected(child, in: "a schema")
            }
        }
        return schema
    }

    /// What has a name of its own in a schema; operations have overloads.
    private static func isDeclaration(_ element: XMLTree) -> Bool {
        switch element.name {
        case "EntityType", "ComplexType", "EnumType", "TypeDefinition", "Term", "ValueTerm": true
        default: false
        }
    }

    /// What has a name in a schema, and is left out where it is missing.
    private static func isNamed(_ element: XMLTree) -> Bool {
        switch element.name {
        case "Action", "Function", "EntityContainer": true
        default: isDeclaration(element)
        }
    }

    /// Schemas of one namespace become one.
    private mutating func merge(_ schema: EdmSchema, from element: XMLTree, into schemas: inout [EdmSchema]) {
        guard let index = schemas.firstIndex(where: { $0.namespace == schema.namespace }) else {
            return schemas.append(schema)
        }
        for message in schemas[index].merge(schema) { note(message, at: element) }
    }

    /// Reports terms that were left out, since their target has them already.
    mutating func tell(_ terms: [String], appliedTwiceTo target: String, at place: CSDLPlace) {
        for term in terms { notes.add("\(term) is applied twice to \(target).", at: place) }
    }

    /// The value of a required attribute; reports where it is missing.
    mutating func name(of element: XMLTree, _ attribute: String = "Name") -> String {
        if let name = element[attribute], !name.isEmpty { return name }
        note("\(element.name) has no \(attribute).", at: element)
        return ""
    }

    /// Whether a required attribute is there; reports where it is missing.
    mutating func hasName(_ element: XMLTree, _ attribute: String = "Name") -> Bool {
        !name(of: element, attribute).isEmpty
    }

    private mutating func applyTargets(_ elements: [XMLTree], to schemas: inout [EdmSchema]) {
        let groups = elements.flatMap { schema in
            schema.children.filter { $0.name == "Annotations" }.map { (schema["Namespace"] ?? "", $0) }
        }
        guard !groups.isEmpty else { return }
        var targets = AnnotationTargets(taking: &schemas)
        var others: [String: [EdmTargetedAnnotations]] = [:]
        for (namespace, element) in groups where hasName(element, "Target") {
            let target = names.path(name(of: element, "Target"))
            let added = annotations(of: element, qualifier: element["Qualifier"])
            guard !added.isEmpty else { continue }
            let leftOut = targets.add(added, to: target) ?? others[namespace, default: []].add(added, to: target)
            tell(leftOut, appliedTwiceTo: target, at: element.place)
        }
        schemas = targets.schemas
        for index in schemas.indices {
            schemas[index].targetedAnnotations += others[schemas[index].namespace] ?? []
        }
    }

    private mutating func reference(_ element: XMLTree) -> EdmReference {
        var reference = EdmReference(url: element["Uri"] ?? element["Url"] ?? "")
        reference.annotations = annotations(of: element)
        for child in element.children {
            switch child.name {
            case "Include":
                reference.includes.append(
                    .init(
                        namespace: name(of: child, "Namespace"), alias: child["Alias"],
                        annotations: annotations(of: child)))
            case "IncludeAnnotations":
                reference.includedAnnotations.append(
                    .init(
                        termNamespace: name(of: child, "TermNamespace"), targetNamespace: child["TargetNamespace"],
                        qualifier: child["Qualifier"]))
            case "Annotation": break
            default: unexpected(child, in: "a reference")
            }
        }
        return reference
    }
}

extension [EdmReference] {
    /// Adds one; those to one document are one.
    ///
    /// - Returns: The terms that were left out, since the reference has them already.
    @discardableResult
    mutating func merge(_ reference: EdmReference) -> [String] {
        guard let index = firstIndex(where: { $0.url == reference.url }) else {
            append(reference)
            return []
        }
        self[index].includes += reference.includes
        self[index].includedAnnotations += reference.includedAnnotations
        return self[index].annotations.add(reference.annotations)
    }
}

extension [EdmTargetedAnnotations] {
    /// Adds to what `target` has already.
    ///
    /// - Returns: The terms that were left out, since the target has them already.
    @discardableResult
    mutating func add(_ annotations: [EdmAnnotation], to target: String) -> [String] {
        if let index = firstIndex(where: { $0.target == target }) { return self[index].annotations.add(annotations) }
        append(EdmTargetedAnnotations(target: target, annotations: annotations))
        return []
    }
}

extension [EdmOperationDeclaration] {
    /// The overloads of each name one after the other, as JSON has them.
    func groupedByName() -> [EdmOperationDeclaration] {
        var names: [EdmQualifiedName] = []
        var groups: [EdmQualifiedName: [EdmOperationDeclaration]] = [:]
        for operation in self {
            if groups[operation.name] == nil { names.append(operation.name) }
            groups[operation.name, default: []].append(operation)
        }
        return names.flatMap { groups[$0] ?? [] }
    }
}

extension EdmSchema {
    /// Adds what `other` has, which is of the same namespace.
    ///
    /// - Returns: What has no place beside what is here, as sentences.
    mutating func merge(_ other: EdmSchema) -> [String] {
        var leftOut: [String] = []
        func single<Item: Equatable>(_ own: inout Item?, _ new: Item?, _ what: String) {
            if let own, let new, own != new { leftOut.append("\(namespace) has a second \(what), \(new).") }
            own = own ?? new
        }
        single(&alias, other.alias, "alias")
        single(&container, other.container, "container")
        single(&baseContainer, other.baseContainer, "container to extend")
        types += other.types
        enumTypes += other.enumTypes
        typeDefinitions += other.typeDefinitions
        terms += other.terms
        operations += other.operations
        entitySets += other.entitySets
        operationImports += other.operationImports
        var terms = containerAnnotations.add(other.containerAnnotations) + annotations.add(other.annotations)
        for group in other.targetedAnnotations { terms += targetedAnnotations.add(group.annotations, to: group.target) }
        return leftOut + terms.map { "\($0) is applied twice in \(namespace)." }
    }
}

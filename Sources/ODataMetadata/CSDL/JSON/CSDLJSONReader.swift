import ODataModel

/// Reads CSDL JSON.
///
/// [OData-CSDLJSON]
struct CSDLJSONReader {
    var names = CSDLNames()
    var notes = CSDLNotes()
    let lines: LineTable

    static func document(_ bytes: [UInt8], limits: PayloadLimits) throws(FormatError) -> CSDLDocument {
        let lines = LineTable(bytes)
        let root: JSONNode
        do {
            root = try JSONParser.parse(
                bytes[...], maxDepth: 100, maxValues: min(limits.metadataElements, Int.max / 4) * 3)
        } catch {
            var failure = FormatError("The JSON is broken: \(error.message)", offset: error.offset)
            let place = lines.place(error.offset)
            (failure.line, failure.column) = (place.line, place.column)
            throw failure
        }
        guard let object = CSDLJSONObject(root) else {
            throw FormatError("The metadata is not a JSON object.", offset: 0)
        }
        let isMetadata =
            object["$Version"] != nil || object["$Reference"] != nil
            || object.children.contains {
                $0.node["$Kind"] != nil || $0.node.members?.contains { $0.node["$Kind"] != nil } == true
            }
        guard isMetadata else { throw FormatError("The document is not metadata: it has no $Version.", offset: 0) }
        var reader = CSDLJSONReader(lines: lines)
        reader.checkForm(of: root)
        return try reader.document(object)
    }

    private init(lines: LineTable) {
        self.lines = lines
    }

    func place(_ offset: Int) -> CSDLPlace { lines.place(offset) }

    mutating func note(_ message: String, at offset: Int) { notes.add(message, at: lines.place(offset)) }

    /// The members that declare something. A member without a name is reported and left out.
    mutating func declarations(of object: CSDLJSONObject) -> [JSONNode.Member] {
        var named: [JSONNode.Member] = []
        for child in object.children {
            if child.name.isEmpty { note("A declaration has no name.", at: child.offset) } else { named.append(child) }
        }
        return named
    }

    private mutating func document(_ root: CSDLJSONObject) throws(FormatError) -> CSDLDocument {
        collectNames(root)
        check(root, as: .document)
        var schemas: [EdmSchema] = []
        var groups: [(namespace: String, groups: [JSONNode.Member])] = []
        for member in root.children {
            guard let object = CSDLJSONObject(member.node) else {
                note("\(member.name) is not a schema.", at: member.offset)
                continue
            }
            let schema = schema(object, namespace: member.name)
            if let index = schemas.firstIndex(where: { $0.namespace == schema.namespace }) {
                for message in schemas[index].merge(schema) { note(message, at: member.offset) }
            } else {
                schemas.append(schema)
            }
            if let targets = object["$Annotations"]?.members {
                groups.append((member.name, targets))
            }
        }
        checkContainer(of: root, in: schemas)
        applyTargets(groups, to: &schemas)
        let references = references(root)
        guard !schemas.isEmpty || !references.isEmpty else { throw FormatError("The metadata has no schema.") }
        let (model, problems) = EdmModel.lenient(schemas: schemas, references: references)
        notes.add(problems)
        let version = root.string("$Version").flatMap { ODataVersion(header: $0) } ?? .v401
        return CSDLDocument(
            format: .json, version: version.isLegacy ? .v401 : version, model: model, diagnostics: notes.diagnostics)
    }

    private mutating func collectNames(_ root: CSDLJSONObject) {
        for reference in root["$Reference"]?.members ?? [] {
            for include in reference.node["$Include"]?.elements ?? [] {
                names.include(include["$Namespace"]?.string ?? "", alias: include["$Alias"]?.string)
            }
        }
        for schema in root.children { names.add(alias: schema.node["$Alias"]?.string, for: schema.name) }
        for schema in root.children {
            for child in schema.node.members ?? [] where !child.name.hasPrefix("$") && !child.name.contains("@") {
                collect(child, in: schema.name)
            }
        }
        names.settleDefinitions()
    }

    private mutating func collect(_ child: JSONNode.Member, in namespace: String) {
        let name = EdmQualifiedName(namespace: namespace, name: child.name)
        switch child.node["$Kind"]?.string {
        case "EntityType": names.add(.entity, named: name)
        case "ComplexType": names.add(.complex, named: name)
        case "EnumType": names.add(.enumeration, named: name)
        case "EntityContainer": names.add(container: name)
        case "TypeDefinition":
            guard let object = CSDLJSONObject(child.node) else { return }
            names.add(declaredDefinition(object, named: name))
        default: break
        }
    }

    private mutating func references(_ root: CSDLJSONObject) -> [EdmReference] {
        var references: [EdmReference] = []
        for member in root["$Reference"]?.members ?? [] {
            guard let object = CSDLJSONObject(member.node) else {
                note("The reference to \(member.name) is not an object.", at: member.offset)
                continue
            }
            check(object, as: .reference)
            var reference = EdmReference(url: member.name, annotations: annotations(of: object))
            for include in object["$Include"]?.elements ?? [] {
                guard let include = CSDLJSONObject(include) else { continue }
                check(include, as: .include)
                reference.includes.append(
                    .init(
                        namespace: include.string("$Namespace") ?? "", alias: include.string("$Alias"),
                        annotations: annotations(of: include)))
            }
            for included in object["$IncludeAnnotations"]?.elements ?? [] {
                checkIncludedAnnotations(included)
                reference.includedAnnotations.append(
                    .init(
                        termNamespace: included["$TermNamespace"]?.string ?? "",
                        targetNamespace: included["$TargetNamespace"]?.string,
                        qualifier: included["$Qualifier"]?.string))
            }
            references.append(reference)
        }
        return references
    }

    private mutating func applyTargets(
        _ groups: [(namespace: String, groups: [JSONNode.Member])], to schemas: inout [EdmSchema]
    ) {
        guard !groups.isEmpty else { return }
        var targets = AnnotationTargets(taking: &schemas)
        var others: [String: [EdmTargetedAnnotations]] = [:]
        for (namespace, group) in groups {
            // Annotated elements may be annotations themselves: "Model.Product/@Core.Description".
            for member in group {
                guard let object = CSDLJSONObject(member.node) else {
                    note("The annotations of \(member.name) are not an object.", at: member.offset)
                    continue
                }
                check(object, as: .annotations)
                let target = names.path(member.name)
                let added = annotations(of: object)
                guard !added.isEmpty else { continue }
                let leftOut = targets.add(added, to: target) ?? others[namespace, default: []].add(added, to: target)
                for term in leftOut { note("\(term) is applied twice to \(target).", at: member.offset) }
            }
        }
        schemas = targets.schemas
        for index in schemas.indices {
            schemas[index].targetedAnnotations += others[schemas[index].namespace] ?? []
        }
    }
}

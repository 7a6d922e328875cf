import OData

/// All declarations of a model with certain names: types, entity sets, operations.
struct ModelDetails {
    private let model: EdmModel
    private let names: ModelNames
    private let operations: ModelOperations
    private(set) var lines: [StyledLine] = []
    /// A set and its type often share a name.
    private var shown: Set<EdmQualifiedName> = []

    /// - Parameter wanted: Names with or without namespaces.
    /// - Throws: ``Failure`` if the model has nothing of one of these names.
    init(_ model: EdmModel, of wanted: [String]) throws {
        self.model = model
        names = ModelNames(model)
        operations = ModelOperations(model)
        for name in wanted { try add(name) }
    }

    private mutating func add(_ name: String) throws {
        func isMeant(_ full: EdmQualifiedName) -> Bool { full.name == name || full.description == name }
        let count = lines.count
        let schemas = model.schemas
        for set in schemas.flatMap(\.entitySets) where set.name == name { add(set) }
        for type in schemas.flatMap(\.types) where isMeant(type.name) { add(type.name) }
        for type in schemas.flatMap(\.enumTypes) where isMeant(type.name) { add(type) }
        for type in schemas.flatMap(\.typeDefinitions) where isMeant(type.name) { add(type) }
        for operationImport in schemas.flatMap(\.operationImports) where operationImport.name == name {
            add(operationImport)
        }
        for operation in schemas.flatMap(\.operations) where isMeant(operation.name) { add(operation) }
        guard lines.count == count, !shown.contains(where: isMeant) else { return }
        let hint = nearestName(to: name, in: known).map { " Did you mean \($0)?" } ?? ""
        throw Failure("Nothing in the metadata has the name \(name.brief).\(hint)")
    }

    private var known: [String] {
        model.schemas.flatMap { schema in
            let operations = schema.operations.map(\.name.name) + schema.operationImports.map(\.name)
            return schema.entitySets.map(\.name) + schema.declaredTypeNames.map(\.name) + operations
        }
    }

    private mutating func begin(
        _ kind: String, _ name: String, _ marks: [String], _ element: some EdmAnnotated
    ) {
        if !lines.isEmpty { lines.append(StyledLine()) }
        var head = StyledLine("\(kind) ")
        head.add(name, .bold)
        if !marks.isEmpty { head.add(" (\(marks.joined(separator: ", ")))") }
        lines.append(head)
        add([element.label].compactMap { $0 })
    }

    private mutating func add(_ facts: [String]) { lines += facts.map { StyledLine("  \($0)") } }

    // MARK: Sets and operations

    private mutating func add(_ set: EdmEntitySetDeclaration) {
        begin(set.kind == .singleton ? "Singleton" : "Entity set", set.name, ["of \(names.name(set.type))"], set)
        add(set.bindings.sorted { $0.key < $1.key }.map { "\(path($0.key)) leads to \($0.value)" })
        add(set.type)
    }

    /// `Flight/Airline`: a path through derived types, with their names as they are written elsewhere.
    private func path(_ text: String) -> String {
        text.split(separator: "/").map { names.name(EdmQualifiedName(String($0))) }.joined(separator: "/")
    }

    private mutating func add(_ operationImport: EdmOperationImport) {
        let kind = operationImport.kind == .action ? "Action import" : "Function import"
        begin(kind, operationImport.name, [operationImport.httpMethod].compactMap { $0 }, operationImport)
        add(operations.overloads(of: operationImport).map { names.text($0, as: operationImport.name) })
        if let set = operationImport.entitySet { add(["of entities of \(set)"]) }
    }

    private mutating func add(_ operation: EdmOperationDeclaration) {
        begin(operation.kind == .action ? "Action" : "Function", operation.name.description, [], operation)
        if let first = operation.parameters.first, operation.isBound { add(["bound to \(names.text(first))"]) }
        add([names.text(operation)])
        let labels = operation.arguments.compactMap { parameter in
            parameter.label.map { "\(parameter.name): \($0)" }
        }
        add(labels)
    }

    // MARK: Types

    private mutating func add(_ type: EdmEnumType) {
        let marks = [names.text(.primitive(type.underlyingType), nil, EdmFacets(), isNullable: false)]
        begin("Enumeration type", type.name.description, marks + (type.isFlags ? ["flags"] : []), type)
        lines += ModelTable(type.members.map { ["\($0.value)", $0.name, $0.label ?? ""] }).lines
    }

    private mutating func add(_ type: EdmTypeDefinition) {
        let underlying = names.text(.primitive(type.underlyingType), nil, type.facets, isNullable: false)
        begin("Type definition", type.name.description, [underlying], type)
    }

    private mutating func add(_ name: EdmQualifiedName) {
        guard shown.insert(name).inserted, let type = model.structuredType(named: name) else { return }
        let kind = type.kind == .entity ? "Entity type" : "Complex type"
        begin(kind, name.description, type.declaration.marks(names), type)
        let derived = model.derivedTypes(of: type).map { names.name($0.name) }
        if !derived.isEmpty { add(["derived types: \(derived.joined(separator: ", "))"]) }
        let sets = model.schemas.flatMap(\.entitySets).filter { $0.type == name }.map(\.name)
        if !sets.isEmpty { add(["in \(sets.joined(separator: ", "))"]) }
        let keys = type.keyProperties
        let properties = keys + type.properties.filter { type.keyName(of: $0.name) == nil }
        let rows = properties.map { row($0, of: type) } + type.navigationProperties.map { row($0, of: type) }
        lines += ModelTable(rows, boldRows: keys.count).lines
        add(type.lineage.flatMap(operations.bound).map { operations.text($0, names) })
    }

    private func row(_ property: EdmProperty, of type: EdmStructuredType) -> [String] {
        let notes = [
            property.label, property.defaultValue.map { "default \($0)" },
            property.isTagged(EdmAnnotation.computed) ? "computed" : nil,
            property.isTagged(EdmAnnotation.immutable) ? "immutable" : nil, property.legacyType.map { "\($0) in V2" },
            origin(of: property.name, type) { $0.properties.map(\.name) },
        ]
        let mark = type.key.contains(property.name) ? "key" : ""
        return [mark, property.name, names.text(property), notes.compactMap { $0 }.joined(separator: "; ")]
    }

    private func row(_ navigation: EdmNavigationProperty, of type: EdmStructuredType) -> [String] {
        let constraints = navigation.constraints.map { "\($0.property) = \($0.referencedProperty)" }
        let notes = [
            navigation.label, navigation.containsTarget ? "contained" : nil,
            navigation.partner.map { "partner \($0)" },
            constraints.isEmpty ? nil : constraints.joined(separator: " and "),
            navigation.onDelete.map { "on delete \($0.action)" },
            origin(of: navigation.name, type) { $0.navigationProperties.map(\.name) },
        ]
        return ["→", navigation.name, names.text(navigation), notes.compactMap { $0 }.joined(separator: "; ")]
    }

    /// `from Party`, where a base type declares the member.
    private func origin(
        of member: String, _ type: EdmStructuredType, _ members: (EdmStructuredTypeDeclaration) -> [String]
    ) -> String? {
        guard !members(type.declaration).contains(member) else { return nil }
        let base = type.lineage.dropFirst().first { name in
            model.structuredType(named: name).map { members($0.declaration).contains(member) } ?? false
        }
        return base.map { "from \(names.name($0))" }
    }
}

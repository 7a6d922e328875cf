import OData

/// The overview of a model: the numbers of its elements, then the elements.
struct ModelSummary {
    /// The descriptions of members are cut after so many columns.
    private static let labelColumns = 60

    private let model: EdmModel
    private let names: ModelNames
    private var operations: ModelOperations
    private(set) var lines: [StyledLine] = []

    /// - Parameter title: What the model is of: `OData 4.0 (XML)`
    init(_ model: EdmModel, title: String) {
        self.model = model
        names = ModelNames(model)
        operations = ModelOperations(model)
        lines = [StyledLine(title), StyledLine(Self.counts(model))]
        for schema in model.schemas { addSchema(schema) }
    }

    /// `9 entity types, 1 singleton`: of what there is.
    private static func counts(_ model: EdmModel) -> String {
        let schemas = model.schemas
        func count(_ one: String, _ many: String? = nil, _ count: (EdmSchema) -> Int) -> String? {
            let sum = schemas.reduce(0) { $0 + count($1) }
            return sum == 0 ? nil : sum == 1 ? "1 \(one)" : "\(sum) \(many ?? one + "s")"
        }
        let counts = [
            schemas.count > 1 ? "\(schemas.count) schemas" : nil,
            count("entity set") { $0.entitySets.count { $0.kind == .entitySet } },
            count("singleton") { $0.entitySets.count { $0.kind == .singleton } },
            count("operation import") { $0.operationImports.count },
            count("entity type") { $0.types.count { $0.kind == .entity } },
            count("complex type") { $0.types.count { $0.kind == .complex } },
            count("enumeration type") { $0.enumTypes.count },
            count("type definition") { $0.typeDefinitions.count },
            count("action") { $0.operations.count { $0.kind == .action } },
            count("function") { $0.operations.count { $0.kind == .function } }, count("term") { $0.terms.count },
        ].compactMap { $0 }
        return counts.isEmpty ? "nothing is declared" : counts.joined(separator: ", ")
    }

    private mutating func addSchema(_ schema: EdmSchema) {
        lines += [
            StyledLine(), StyledLine("Schema \(schema.namespace)" + (schema.alias.map { " (\($0))" } ?? ""), .bold),
        ]
        addSection("Entity sets", schema.entitySets.filter { $0.kind == .entitySet }.map(line))
        addSection("Singletons", schema.entitySets.filter { $0.kind == .singleton }.map(line))
        addSection("Operation imports", schema.operationImports.flatMap(lines))
        addSection("Entity types", schema.types.filter { $0.kind == .entity }.flatMap(lines))
        addSection("Complex types", schema.types.filter { $0.kind == .complex }.flatMap(lines))
        addSection("Enumeration types", schema.enumTypes.map(line))
        addSection(
            "Type definitions",
            schema.typeDefinitions.map { definition in
                let type = names.text(.primitive(definition.underlyingType), nil, definition.facets, isNullable: false)
                return described("\(definition.name.name): \(type)", definition)
            })
        let others = schema.operations.filter { operations.standsAlone($0) }
        addSection("Actions", others.filter { $0.kind == .action }.map(line))
        addSection("Functions", others.filter { $0.kind == .function }.map(line))
        addSection(
            "Terms",
            schema.terms.map { term in
                let type = names.text(term.type, term.namedType, term.facets, isNullable: term.isNullable)
                return described("\(term.name.name): \(type)", term)
            })
    }

    private mutating func addSection(_ title: String, _ members: [StyledLine]) {
        guard !members.isEmpty else { return }
        lines.append(StyledLine("  \(title)", .cyan))
        lines += members.map { $0.indented(by: 4) }
    }

    /// Appends the description, if it differs from the name.
    private func described(_ text: String, _ element: some EdmAnnotated, style: TextStyle? = nil) -> StyledLine {
        var line = StyledLine(text, style)
        if let label = element.label, !text.hasPrefix("\(label):") {
            line.add("  \(label.singleLine.fitted(to: Self.labelColumns))", .dim)
        }
        return line
    }

    private func line(_ set: EdmEntitySetDeclaration) -> StyledLine {
        let type = model.structuredType(named: set.type)
        return described("\(set.name)\(type?.hasStream == true ? " (media)" : ""): \(names.name(set.type))", set)
    }

    /// One for each overload.
    private func lines(_ operationImport: EdmOperationImport) -> [StyledLine] {
        let kind = (operationImport.kind == .action ? "action" : "function")
        let how = kind + (operationImport.httpMethod.map { ", \($0)" } ?? "")
        let overloads = operations.overloads(of: operationImport)
        guard !overloads.isEmpty else {
            return [described("\(operationImport.name): \(how) \(operationImport.operation)", operationImport)]
        }
        return overloads.map { described("\(names.text($0, as: operationImport.name)) (\(how))", operationImport) }
    }

    private func lines(_ type: EdmStructuredTypeDeclaration) -> [StyledLine] {
        var head = StyledLine(type.name.name, .bold)
        let marks = type.marks(names)
        if !marks.isEmpty { head.add(" (\(marks.joined(separator: ", ")))") }
        if let label = type.label { head.add("  \(label.singleLine.fitted(to: Self.labelColumns))", .dim) }
        let properties = type.propertiesKeysFirst.map { property in
            let isKey = type.key.contains(property.name)
            let text = "\(property.name): \(names.text(property))"
            return described(isKey ? "\(text) key" : text, property, style: isKey ? .bold : nil)
        }
        let navigations = type.navigationProperties.map { navigation in
            let contained = navigation.containsTarget ? " contained" : ""
            return described("→ \(navigation.name): \(names.text(navigation))\(contained)", navigation)
        }
        let bound = operations.bound(to: type.name).map(line)
        return [head] + (properties + navigations + bound).map { $0.indented(by: 2) }
    }

    private func line(_ type: EdmEnumType) -> StyledLine {
        let members = type.members.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
        return StyledLine("\(type.name.name)\(type.isFlags ? " (flags)" : ""): \(members)")
    }

    private func line(_ operation: EdmOperationDeclaration) -> StyledLine {
        described(operations.text(operation, names), operation)
    }
}

extension EdmStructuredTypeDeclaration {
    /// In the order of the key, then of the declaration.
    var propertiesKeysFirst: [EdmProperty] {
        let keys = key.compactMap { name in properties.first { $0.name == name } }
        return keys + properties.filter { !key.contains($0.name) }
    }

    /// `is a PlanItem`, `abstract`, `open`, `media`
    func marks(_ names: ModelNames) -> [String] {
        [
            baseType.map { "is a \(names.name($0))" }, isAbstract ? "abstract" : nil, isOpen ? "open" : nil,
            hasStream ? "media" : nil,
        ].compactMap { $0 }
    }
}

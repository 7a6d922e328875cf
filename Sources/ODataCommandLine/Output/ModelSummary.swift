import OData

/// A metadata document as a person wants to see it: what there is, and how much.
struct ModelSummary {
    private let document: CSDLDocument
    private var lines: [String] = []

    init(_ document: CSDLDocument) {
        self.document = document
        lines = Self.counts(document)
        for schema in document.model.schemas { add(schema) }
    }

    var text: String { lines.joined(separator: "\n") }

    private static func counts(_ document: CSDLDocument) -> [String] {
        let schemas = document.model.schemas
        func count(_ name: String, _ count: (Schema) -> Int) -> String {
            "\(name): \(schemas.reduce(0) { $0 + count($1) })"
        }
        let kinds: [(String, OperationDeclaration.Kind)] = [("actions", .action), ("functions", .function)]
        let counts =
            [
                "schemas: \(schemas.count)",
                count("entity types") { $0.types.count { $0.kind == .entity } },
                count("complex types") { $0.types.count { $0.kind == .complex } },
                count("enumeration types") { $0.enumTypes.count },
                count("type definitions") { $0.typeDefinitions.count },
                count("entity sets") { $0.entitySets.count { $0.kind == .entitySet } },
                count("singletons") { $0.entitySets.count { $0.kind == .singleton } },
            ]
            + kinds.map { name, kind in count(name) { $0.operations.count { $0.kind == kind } } }
            + [
                count("operation imports") { $0.operationImports.count }, count("terms") { $0.terms.count },
                "diagnostics: \(document.diagnostics.count)",
            ]
        let format = document.format == .json ? "JSON" : "XML"
        return ["OData \(document.version) (\(format))"] + counts
    }

    private mutating func add(_ schema: Schema) {
        lines += ["", "Schema \(schema.namespace)" + (schema.alias.map { " (\($0))" } ?? "")]
        add("Entity sets", schema.entitySets.filter { $0.kind == .entitySet }.map(line))
        add("Singletons", schema.entitySets.filter { $0.kind == .singleton }.map(line))
        add("Operation imports", schema.operationImports.map(line))
        add("Entity types", schema.types.filter { $0.kind == .entity }.flatMap(lines))
        add("Complex types", schema.types.filter { $0.kind == .complex }.flatMap(lines))
        add("Enumeration types", schema.enumTypes.map(line))
        add("Type definitions", schema.typeDefinitions.map { "\($0.name.name): Edm.\($0.underlyingType.rawValue)" })
        add("Actions", schema.operations.filter { $0.kind == .action }.map(line))
        add("Functions", schema.operations.filter { $0.kind == .function }.map(line))
        add("Terms", schema.terms.map { "\($0.name.name): \(Self.name($0.type, $0.namedType))" })
    }

    private mutating func add(_ title: String, _ members: [String]) {
        guard !members.isEmpty else { return }
        lines.append("  \(title)")
        lines += members.map { "    \($0)" }
    }

    private func line(_ set: EntitySetDeclaration) -> String {
        let type = document.model.structuredType(named: set.type)
        return "\(set.name)\(type?.hasStream == true ? " (media)" : ""): \(set.type)"
    }

    private func line(_ operationImport: OperationImport) -> String {
        let kind = operationImport.kind == .action ? "action" : "function"
        return "\(operationImport.name): \(kind) \(operationImport.operation)"
            + (operationImport.httpMethod.map { ", \($0)" } ?? "")
    }

    private func lines(_ type: StructuredTypeDeclaration) -> [String] {
        let marks = [
            type.baseType.map { "is a \($0)" }, type.isAbstract ? "abstract" : nil, type.isOpen ? "open" : nil,
            type.hasStream ? "media" : nil,
        ].compactMap { $0 }
        var lines = [type.name.name + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")]
        for property in type.properties {
            let key = type.key.contains(property.name) ? " key" : ""
            let name = Self.name(property.type, property.namedType)
            lines.append("  \(property.name): \(name)\(property.isNullable ? "?" : "")\(key)")
        }
        for navigation in type.navigationProperties {
            let contained = navigation.containsTarget ? " contained" : ""
            lines.append(
                "  → \(navigation.name): \(navigation.target)\(navigation.isCollection ? "[]" : "")\(contained)")
        }
        return lines
    }

    private func line(_ type: EnumType) -> String {
        let members = type.members.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
        return "\(type.name.name)\(type.isFlags ? " (flags)" : ""): \(members)"
    }

    private func line(_ operation: OperationDeclaration) -> String {
        let parameters = operation.parameters.map { "\($0.name): \(Self.name($0.type, $0.namedType))" }
        let result = operation.result.map { " → \(Self.name($0.type, $0.namedType))" } ?? ""
        return "\(operation.name.name)(\(parameters.joined(separator: ", ")))\(result)"
            + (operation.isBound ? " bound" : "")
    }

    private static func name(_ type: TypeReference, _ name: QualifiedName?) -> String {
        guard let name else { return type.description }
        return type.isCollection ? "Collection(\(name))" : name.description
    }
}

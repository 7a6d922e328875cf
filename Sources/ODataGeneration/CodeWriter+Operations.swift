import ODataModel

extension CodeWriter {
    /// Functions and actions that are bound to the type or to one of its base types, or to collections of them.
    func boundOperations(_ type: EdmStructuredType, _ text: inout SwiftText) {
        var scope = MethodScope(reserved: ReservedNames.collectionMembers)
        var methods: [OperationMethod] = []
        var overloads: Set<Overload> = []
        for base in type.lineage {
            for operation in model.schemas.flatMap(\.operations)
            where operation.bindingType?.element == .entity(base) && selection.includes(operation) {
                // That of a base type, where a nearer one has its own.
                guard overloads.insert(Overload(operation)).inserted else { continue }
                let isCollection = operation.bindingType?.isCollection == true
                let subject = isCollection ? OperationMethod.Subject.collection : .entity(type: names[type.name])
                scope.addMethod(operation, path: "\(operation.name)", subject: subject, names, to: &methods)
            }
        }
        guard !methods.isEmpty else { return }
        text.gap()
        text.block("extension EntityCollection where Element == \(names[type.name])") { text in
            for method in methods { write(method, Documentation(method.operation).paragraphs, &text) }
        }
    }

    /// One method for each overload of each imported operation.
    func importedOperations(_ scope: inout MethodScope, _ text: inout SwiftText) {
        for declared in model.schemas.flatMap(\.operationImports) {
            var methods: [OperationMethod] = []
            for operation in model.operations(named: declared.operation)
            where !operation.isBound && operation.kind == declared.kind && selection.includes(operation) {
                scope.addMethod(operation, path: declared.name, subject: .service, names, to: &methods)
            }
            for method in methods {
                let own = Documentation(declared).paragraphs
                write(method, own.isEmpty ? Documentation(method.operation).paragraphs : own, &text)
            }
        }
    }

    private func write(_ method: OperationMethod, _ documentation: [String], _ text: inout SwiftText) {
        text.gap()
        let isLater = method.operation.kind == .action && method.resultType != nil
        text.documentation(
            documentation + ["`\(method.path)`"] + described(method.parameters)
                + returned(method.operation.result, isLater: isLater))
        if isLater { text.line("@discardableResult") }
        text.function("\(access)func \(SwiftName.escaped(method.name))", method.parameterTexts, method.ending) { text in
            body(method, &text)
        }
    }

    /// What the metadata say about the parameters.
    private func described(_ parameters: [OperationMethod.Parameter]) -> [String] {
        parameters.compactMap { parameter in
            let texts = Documentation(parameter.declaration).paragraphs
            let name = parameter.name.filter { $0 != "`" }
            return texts.isEmpty ? nil : "- Parameter \(name): \(texts.joined(separator: " "))"
        }
    }

    private func returned(_ result: EdmOperationDeclaration.Result?, isLater: Bool) -> [String] {
        let later = isLater ? ["Nil, too, where the store sends changes later."] : []
        let texts = (result.map { Documentation($0).paragraphs } ?? []) + later
        return texts.isEmpty ? [] : ["- Returns: \(texts.joined(separator: " "))"]
    }

    private func body(_ method: OperationMethod, _ text: inout SwiftText) {
        let arguments = method.parameters.map { "\(literal($0.declaration.name)): \($0.argument)" }
        let short = arguments.isEmpty ? "" : "[\(arguments.joined(separator: ", "))]"
        let call = "\(method.function)(\(method.callArguments(short).joined(separator: ", ")))"
        let line = method.effects + call + method.result
        guard !text.fits(line) else { return text.line(line) }
        if !arguments.isEmpty { text.list("let arguments: KeyValuePairs<String, EdmValue?> = [", arguments) }
        let values = method.callArguments(arguments.isEmpty ? "" : "arguments")
        guard !method.result.isEmpty else { return text.call(method.effects + method.function, values) }
        text.call("let result = \(method.callEffects)\(method.function)", values)
        text.line("return \(method.resultEffects)result\(method.result)")
    }
}

/// What distinguishes calls of bound operations, whatever type they are bound to.
private struct Overload: Hashable {
    let name: EdmQualifiedName
    let isOfCollection: Bool
    let names: [String]
    let types: [EdmTypeReference]

    init(_ operation: EdmOperationDeclaration) {
        name = operation.name
        isOfCollection = operation.bindingType?.isCollection == true
        names = operation.arguments.map(\.name)
        types = operation.arguments.map(\.type)
    }
}

/// Methods of one type, with names that differ where their parameters do not.
struct MethodScope {
    private var scope: NameScope
    private var taken: Set<[String]> = []
    private let reserved: Set<String>

    init(reserved: Set<String>) {
        self.reserved = reserved
        scope = NameScope(reserved: reserved, suffix: "Operation")
    }

    /// A name for a property, which no method may have.
    mutating func property(_ wanted: String, suffix: String) -> String {
        let name = scope.name(wanted, suffix: suffix)
        taken.insert([name])
        return name
    }

    /// Adds a method, under another name if there is one with the same parameters.
    mutating func addMethod(
        _ operation: EdmOperationDeclaration, path: String, subject: OperationMethod.Subject, _ names: TypeNames,
        to methods: inout [OperationMethod]
    ) {
        let wanted = SwiftName.member(of: path.split(separator: ".").last.map(String.init) ?? path)
        let base = reserved.contains(wanted) ? wanted + "Operation" : wanted
        var (name, number) = (base, 1)
        while true {
            let method = OperationMethod(operation, path: path, name: name, subject: subject, names: names)
            if !taken.contains([name]), taken.insert([name] + method.signature).inserted {
                return methods.append(method)
            }
            number += 1
            name = base + "\(number)"
        }
    }
}

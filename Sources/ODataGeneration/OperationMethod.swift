import ODataModel

/// An operation as a method.
struct OperationMethod {
    /// The type that has the method, and the call that the method makes.
    enum Subject: Hashable {
        /// In the service.
        case service
        /// Beside the methods of a collection, about all its entities.
        case collection
        /// The same, about one of them.
        case entity(type: String)
    }

    let operation: EdmOperationDeclaration
    /// The name of the operation in the call: `TopProducts`, `Shop.Approve`.
    let path: String
    let name: String
    let subject: Subject
    /// The Swift name of the entity that the operation is bound to.
    let entityName: String
    let parameters: [Parameter]
    let names: TypeNames

    struct Parameter {
        let declaration: EdmOperationDeclaration.Parameter
        let name: String
        let type: String

        var isOptional: Bool { declaration.isOptional || declaration.isNullable && !declaration.type.isCollection }
        var isEntity: Bool { if case .entity = declaration.type.element { true } else { false } }

        /// `count: Int32`, `note: String? = nil`
        var text: String { isOptional ? "\(name): \(type)? = nil" : "\(name): \(type)" }

        /// `"note": note?.edm ?? .null`; nil is left out where that is allowed.
        var argument: String {
            let missing = declaration.isOptional ? "" : " ?? .null"
            guard declaration.type.isCollection, isEntity else {
                let member = isEntity ? "argument" : "edm"
                return isOptional ? "\(name)?.\(member)\(missing)" : "\(name).\(member)"
            }
            let value = isOptional ? "\(name).map { EdmValue.collection($0.map(\\.argument)) }" : ""
            return isOptional ? value + missing : "EdmValue.collection(\(name).map(\\.argument))"
        }
    }

    init(
        _ operation: EdmOperationDeclaration, path: String, name: String, subject: Subject, names: TypeNames
    ) {
        (self.operation, self.path, self.name, self.subject, self.names) = (operation, path, name, subject, names)
        var scope = NameScope(reserved: ReservedNames.parameters, suffix: "Value")
        let bound = subject == .service ? nil : operation.parameters.first
        entityName = SwiftName.escaped(scope.name(SwiftName.member(of: bound?.name ?? "entity")))
        parameters = operation.arguments.map { parameter in
            Parameter(
                declaration: parameter,
                name: SwiftName.escaped(scope.name(SwiftName.member(of: parameter.name))),
                type: names.swiftType(parameter.type))
        }
    }

    /// What two methods of one name differ in.
    var signature: [String] {
        let entity = if case .entity(let type) = subject { "_: \(type)" } else { "" }
        return [entity] + parameters.map(\.text)
    }

    /// `_ product: Product`
    private var entityParameter: String? {
        if case .entity(let type) = subject { "_ \(entityName): \(type)" } else { nil }
    }

    var parameterTexts: [String] { (entityParameter.map { [$0] } ?? []) + parameters.map(\.text) }

    /// The type that the method gives; nil where there is nothing.
    var resultType: String? {
        guard let result = operation.result else { return nil }
        let type = names.swiftType(result.type)
        guard operation.kind == .function else { return type + "?" }
        if isEntity, result.type.isCollection { return "EntityCollection<\(names.swiftType(result.type.element))>" }
        return result.isNullable && !result.type.isCollection ? type + "?" : type
    }

    /// `async throws -> Double?`
    var ending: String {
        var effects = ["async", "throws"]
        if isQuery { effects = entityParameter == nil ? [] : ["throws"] }
        return (effects + (resultType.map { ["->", $0] } ?? [])).joined(separator: " ")
    }

    /// Whether the method gives a collection that is asked later.
    private var isQuery: Bool {
        operation.kind == .function && isEntity && operation.result?.type.isCollection == true
    }

    private var isEntity: Bool { if case .entity = operation.result?.type.element { true } else { false } }

    /// The prefix of the whole call: `try await`.
    var effects: String { ending.hasPrefix("async") ? "try await " : ending.hasPrefix("throws") ? "try " : "" }

    /// The same in front of the call without ``result``.
    var callEffects: String {
        operation.kind == .action ? "try await " : entityParameter == nil ? "" : "try "
    }

    /// `collections.function`
    var function: String {
        (subject == .service ? "collections." : "") + (operation.kind == .function ? "function" : "action")
    }

    /// `"TopProducts", ["count": count.edm]`
    ///
    /// - Parameter values: The arguments as a dictionary; empty where there are none.
    func callArguments(_ values: String) -> [String] {
        let entity = entityParameter == nil ? [] : ["of: \(entityName)"]
        return [SwiftName.literal(path)] + entity + (values.isEmpty ? [] : [values])
    }

    /// `.value()`: what takes the result out of the call.
    var result: String {
        guard let result = operation.result else { return "" }
        let isCollection = result.type.isCollection
        guard operation.kind == .function else {
            return isEntity ? isCollection ? ".entities()" : ".entity()" : ".value()"
        }
        let isOptional = result.isNullable && !isCollection
        guard isEntity else { return isOptional ? ".valueIfAny()" : ".value()" }
        let entities = ".entities(of: \(names.swiftType(result.type.element)).self)"
        return isCollection ? entities : entities + (isOptional ? ".oneIfAny()" : ".one()")
    }

    /// The prefix of ``result`` alone.
    var resultEffects: String {
        guard operation.kind == .action else { return isQuery ? "" : "try await " }
        return isEntity ? "try await " : "try "
    }
}

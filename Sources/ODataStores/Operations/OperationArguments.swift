import ODataModel
import ODataQuery

/// Makes the values of a call's arguments.
struct OperationArguments {
    let operation: EdmOperationDeclaration
    let model: EdmModel
    /// Reads `$root/…` arguments.
    let store: any ODataStore

    /// The arguments of a URL.
    func values(of arguments: [OperationCall.Argument]) async throws -> EdmComplexValue {
        var values = EdmComplexValue()
        for argument in arguments { values[argument.name] = try await value(argument.value) }
        return try ArgumentCheck(operation: operation, model: model).checked(values)
    }

    private func value(_ expression: QueryExpression) async throws -> EdmValue {
        switch expression {
        case .literal(let value, _): return value
        case .negate(let operand):
            switch try await value(operand) {
            case .integer(let number) where number > .min: return .integer(-number)
            case .double(let number): return .double(-number)
            case .decimal(let number): return .decimal(EdmDecimal("-\(number)") ?? number)
            default: throw unusable
            }
        case .list(let items):
            var values: [EdmValue] = []
            for item in items { values.append(try await value(item)) }
            return .collection(values)
        case .object(let members, _):
            var object = EdmComplexValue()
            for member in members {
                let value = try await value(member.value)
                object[member.name] = value
            }
            return .complex(object)
        case .root(let path): return try await read(path)
        default: throw unusable
        }
    }

    private var unusable: ODataError {
        ODataError(.notImplemented, "Arguments of \(operation.name) are literals or $root paths.")
    }

    /// `$root/People('Ada')/Name`, `$root/People('Ada')`
    private func read(_ path: ResourcePath) async throws -> EdmValue {
        switch try await store.read(ReadRequest(BoundQuery(path: path))).body {
        case .value(let value, _): return value
        case .count(let count): return .integer(count)
        case .entities:
            let entities = try await store.entities(BoundQuery(path: path)).map { EdmValue.complex($0.properties) }
            if path.target == .collection { return .collection(entities) }
            return entities.first ?? .null
        case .nothing, .notModified: return .null
        }
    }
}

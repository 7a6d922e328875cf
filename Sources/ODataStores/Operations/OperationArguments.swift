import ODataModel
import ODataQuery

/// Makes the values of a call's arguments.
struct OperationArguments {
    let operation: EdmOperationDeclaration
    /// Reads `$root/…` arguments.
    let store: any ODataStore

    /// The arguments of a URL.
    func values(of arguments: [OperationCall.Argument]) async throws -> EdmComplexValue {
        var values = EdmComplexValue()
        for argument in arguments { values[argument.name] = try await value(argument.value) }
        return try checked(values)
    }

    /// `values` with the parameters' types.
    ///
    /// - Throws: ``ODataError`` `badRequest` for a value that is missing, unknown or of another type.
    func checked(_ values: EdmComplexValue) throws -> EdmComplexValue {
        let parameters = operation.arguments
        for name in values.names where !parameters.contains(where: { $0.name == name }) {
            throw ODataError(.badRequest, "\(operation.name) has no parameter \(name).")
        }
        var checked = EdmComplexValue()
        for parameter in parameters {
            guard let value = values[parameter.name] else {
                if parameter.isOptional || (operation.kind == .action && parameter.isNullable) { continue }
                throw ODataError(.badRequest, "\(operation.name) needs its parameter \(parameter.name).")
            }
            if value.isNull, !parameter.isNullable, !parameter.type.isCollection {
                throw ODataError(.badRequest, "The parameter \(parameter.name) of \(operation.name) must not be null.")
            }
            checked[parameter.name] = try fitted(value, to: parameter)
        }
        return checked
    }

    private func fitted(_ value: EdmValue, to parameter: EdmOperationDeclaration.Parameter) throws -> EdmValue {
        guard let fitted = value.fitted(to: parameter.type) else {
            throw ODataError(
                .badRequest,
                "\(value.lexical) is not a value for \(parameter.name), which is of type "
                    + "\(parameter.type).")
        }
        if case .string(let text) = fitted, let limit = parameter.maxLength, text.unicodeScalars.count > limit {
            throw ODataError(.badRequest, "The value of \(parameter.name) is longer than \(limit) characters.")
        }
        return fitted
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

extension EdmValue {
    /// The value as one of `type`: whole numbers become decimals and doubles, text becomes an enumeration member;
    /// nil for other text.
    func fitted(to type: EdmTypeReference) -> EdmValue? {
        switch (self, type) {
        case (.null, _): return .null
        case (.collection(let values), .collection(let element)):
            let fitted = values.compactMap { $0.fitted(to: element) }
            return fitted.count == values.count ? .collection(fitted) : nil
        case (.collection, .primitive(.untyped)): return self
        case (.collection, _), (_, .collection): return nil
        case (.complex, .complex), (.complex, .entity), (.complex, .primitive(.untyped)): return self
        case (.string(let text), .entity): return .complex(["@odata.id": .string(text)])
        case (.enumeration(_, let text), .enumeration(let name)), (.string(let text), .enumeration(let name)):
            return .enumeration(name, text)
        case (_, .primitive(let primitive)): return fitted(to: primitive)
        default: return nil
        }
    }

    private func fitted(to type: EdmPrimitiveType) -> EdmValue? {
        switch (self, type) {
        case (.integer(let number), .double), (.integer(let number), .single): .double(Double(number))
        case (.integer(let number), .decimal): EdmDecimal("\(number)").map(EdmValue.decimal)
        case (.integer(let number), _) where type.integerRange != nil:
            type.integerRange?.contains(number) == true ? self : nil
        case (.decimal(let number), .double), (.decimal(let number), .single):
            number.nearest(in: type).map { _ in .double(number.doubleValue) }
        case (.double(let number), .single): number.nearest(in: type).map { _ in self }
        case (.double, .double), (.decimal, .decimal), (.boolean, .boolean), (.string, .string),
            (.binary, .binary), (.guid, .guid), (.date, .date), (.dateTimeOffset, .dateTimeOffset),
            (.timeOfDay, .timeOfDay), (.duration, .duration), (_, .untyped), (_, .primitiveType):
            self
        case (.geo, _) where type.isGeospatial: self
        case (.double, _), (.decimal, _), (.boolean, _), (.enumeration, _), (.complex, _), (.null, _): nil
        default: EdmValue(lexical: lexical, type: .primitive(type))
        }
    }
}

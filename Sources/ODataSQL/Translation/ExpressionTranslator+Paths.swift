import ODataModel
import ODataQuery

extension ExpressionTranslator {
    /// `Price`, `Category/Name`, `i/Quantity`, `Address/City`
    func term(_ path: PropertyPath) throws -> Term {
        switch try variable(path) {
        case .element(let alias, let type):
            let names = path.steps.compactMap(\.property).map(\.name)
            let last = path.steps.last?.property?.type ?? type
            let value = SQLFragment("\(quoted(alias)).\"value\"")
            return try names.isEmpty ? element(value, type: last) : json(value, names, type: last)
        case .entity(let start):
            let (scope, properties) = try walk(path.steps, from: start)
            guard !properties.isEmpty else { return Term(try presence(of: scope), .integer) }
            return try column(properties, of: scope, isJoined: scope !== start)
        }
    }

    func variable(_ path: PropertyPath) throws -> Variable {
        guard case .lambda(let name) = path.variable else { return .entity(it) }
        guard let variable = variables[name] else { throw Self.unsupported("the variable \(name)") }
        return variable
    }

    /// Follows the to-one steps of a path; what is left are properties.
    func walk(_ steps: [PropertyPath.Step], from start: Scope) throws -> (Scope, [Property]) {
        var scope = start
        var properties: [Property] = []
        for step in steps {
            switch step {
            case .property(let property): properties.append(property)
            case .navigation(let navigation, _, _):
                guard properties.isEmpty else { throw Self.unsupported("a relation of a complex value") }
                guard !navigation.isCollection else { throw Self.unsupported("\(navigation.name) as a value") }
                scope = try scope.joining(navigation)
            case .cast, .key, .filter, .annotation:
                throw Self.unsupported("a cast, key, filter or annotation in a path")
            }
        }
        return (scope, properties)
    }

    /// Something that is null just when the row is not there: for `Category eq null`.
    private func presence(of scope: Scope) throws -> SQLFragment {
        if let id = scope.source.rowID(of: scope.alias) { return SQLFragment(id) }
        guard let key = scope.set.type.key.first, let column = scope.source.columns[key] else {
            throw Self.unsupported("\(scope.set.name) as a value")
        }
        return scope.column(column.column)
    }

    private func column(_ properties: [Property], of scope: Scope, isJoined: Bool) throws -> Term {
        let isNullable = isJoined || properties.contains { $0.isNullable }
        let name = properties.map(\.name).joined(separator: "/")
        if let mapping = scope.source.columns[name] {
            return Term(scope.column(mapping.column), mapping.codec, isNullable: isNullable, isColumn: true)
        }
        guard properties.count > 1, let first = properties.first, let last = properties.last,
            let mapping = scope.source.columns[first.name], mapping.codec == .json
        else { throw Self.unsupported("the property \(name), which has no column") }
        return try json(scope.column(mapping.column), properties.dropFirst().map(\.name), type: last.type)
    }

    private func json(_ value: SQLFragment, _ names: [String], type: TypeReference) throws -> Term {
        let path = "$" + names.map { ".\"\($0)\"" }.joined()
        return try element(.call("json_extract", [value, .bound(.text(path))]), type: type)
    }

    /// A value as SQLite takes it out of JSON.
    private func element(_ value: SQLFragment, type: TypeReference) throws -> Term {
        let codec = try jsonCodec(type)
        return Term(codec == .instantText ? .call("odata_instant", [value, "'text'"]) : value, codec)
    }

    /// How values of `type` stand in JSON; instants once they went through `odata_instant`.
    private func jsonCodec(_ type: TypeReference) throws -> ColumnCodec {
        guard case .primitive(let primitive) = type else {
            if case .enumeration = type { return .text }
            return .json
        }
        switch primitive {
        case .boolean: return .boolean
        case .byte, .sByte, .int16, .int32, .int64: return .integer
        case .double, .single: return .real
        case .decimal: return .decimalNumber
        case .string: return .text
        case .guid: return .guidText
        case .date: return .date
        case .dateTimeOffset: return .instantText
        case .timeOfDay: return .timeOfDay
        case .duration: return .durationText
        default: throw Self.unsupported("\(type) inside a complex value or collection")
        }
    }
}

extension PropertyPath.Step {
    var property: Property? { if case .property(let property) = self { property } else { nil } }
}

import ODataModel
import ODataQuery

/// [OData-URL, section 5.1.1.15]
extension ExpressionTranslator {
    /// `Price`, `Category/Name`, `i/Quantity`, `Address/City`, `Model.Manager/Budget`, `Orders(1)/Freight`
    func term(_ path: PropertyPath) throws -> Term {
        if path.steps.isEmpty, path.variable != .these, case .element(let alias, let type) = try variable(path) {
            return try element(alias, type)
        }
        return try walk(path).term()
    }

    func walk(_ path: PropertyPath) throws -> PropertyPathTranslator {
        if path.variable == .it, let name = path.steps.first?.property?.name, let value = computed[name] {
            var walk = PropertyPathTranslator(self, from: .value(value))
            try walk.follow(path.steps.dropFirst())
            return walk
        }
        var walk = PropertyPathTranslator(self, from: try start(of: path))
        try walk.follow(path.steps)
        return walk
    }

    /// Where the steps of a path start.
    func start(of path: PropertyPath) throws -> ExpressionPlace {
        guard path.variable == .these else { return try place(of: try variable(path)) }
        guard let these else { throw Self.unsupported("$these here") }
        return .members(these.members)
    }

    func place(of variable: Variable) throws -> ExpressionPlace {
        switch variable {
        case .entity(let scope): .entity(scope)
        case .element(let alias, let type): .json(SQLFragment.column(alias, "value"), [], type)
        }
    }

    func variable(_ path: PropertyPath) throws -> Variable {
        switch path.variable {
        case .lambda(let name):
            guard let variable = variables[name] else { throw Self.unsupported("the variable \(name)") }
            return variable
        case .it: return this ?? .entity(it)
        case .resource: return .entity(try (outer ?? it).joiningResource())
        case .rollupNode(let position): return .entity(try (outer ?? it).joiningNode(position))
        case .these: throw Self.unsupported("$these as one instance")
        }
    }

    /// The translator for conditions on the members of a collection inside a path.
    func inside(_ members: CollectionMembers) -> ExpressionTranslator {
        var inner = self
        if case .entity(let scope) = members.variable {
            inner = ExpressionTranslator(it: scope)
            inner.variables = variables
        } else {
            inner.this = members.variable
            inner.computed = [:]
        }
        inner.outer = outer ?? it
        inner.these = CurrentCollection(members: members)
        return inner
    }

    /// An entity as a value, which is null exactly if the row does not exist, as for `Category eq null`.
    func entity(_ scope: TableScope) throws -> Term {
        var term = Term(try presence(of: scope), .integer, type: scope.type.reference, isNullable: scope !== it)
        term.entity = scope
        return term
    }

    private func presence(of scope: TableScope) throws -> SQLFragment {
        if let id = scope.source.rowID { return scope.stored(id) }
        guard let key = scope.set.type.key.first, let column = scope.source.columns[key] else {
            throw Self.unsupported("\(scope.set.name) as a value")
        }
        return scope.column(column.column)
    }

    /// The value of a property of an entity, or of a member of one of its complex values.
    func term(_ properties: [EdmProperty], of scope: TableScope) throws -> Term {
        guard let first = properties.first, let last = properties.last else { return try entity(scope) }
        let name = properties.count == 1 ? first.name : properties.map(\.name).joined(separator: "/")
        if let mapping = scope.source.columns[name] {
            let isNullable = scope !== it || properties.contains { $0.isNullable }
            var term = Term(
                scope.column(mapping.column), mapping.codec, type: last.type, isNullable: isNullable, isColumn: true)
            term.isNeverNaN = !scope.mayHaveNaN
            return term
        }
        for count in (1..<max(1, properties.count)).reversed() {
            let lead = properties.prefix(count).map(\.name).joined(separator: "/")
            guard let mapping = scope.source.columns[lead], mapping.codec == .json else { continue }
            return try json(scope.column(mapping.column), properties.dropFirst(count).map(\.name), type: last.type)
        }
        if last.isStream, let stream = scope.source.streams[name] { return presence(of: stream, scope) }
        if let value = try flattened(name, last.type, of: scope) { return value }
        if scope.source.columns[first.name] == nil, let column = scope.source.dynamicColumn {
            return try json(scope.column(column), properties.map(\.name), type: last.type)
        }
        // Only some of the entities of all sets have it.
        if !scope.declares(first.name) { return .nothing(.text, type: last.type) }
        throw Self.unsupported("the property \(name), for which \(scope.set.name) has no column")
    }

    /// Null if a stream property has no stream; conditions cannot test more.
    private func presence(of stream: StreamMapping, _ scope: TableScope) -> Term {
        let known = [stream.contentType, stream.etag].compactMap { $0 }.map { scope.value($0).parenthesised }
        return Term(.call("coalesce", known + ["NULL", "NULL"]), .text, type: .primitive(.stream))
    }

    /// A complex value whose members have separate columns, as JSON; null if all members are null.
    private func flattened(_ name: String, _ type: EdmTypeReference, of scope: TableScope) throws -> Term? {
        guard case .complex(let typeName) = type, let declared = context.model.structuredType(named: typeName) else {
            return nil
        }
        var members: [SQLFragment] = []
        var columns: [SQLFragment] = []
        for property in declared.properties {
            let path = "\(name)/\(property.name)"
            let value: Term
            if let mapping = scope.source.columns[path] {
                value = Term(scope.column(mapping.column), mapping.codec, type: property.type, isColumn: true)
            } else if let nested = try flattened(path, property.type, of: scope) {
                value = nested
            } else {
                continue
            }
            columns.append(value.sql)
            members += [.bound(.text(property.name)), try json(value)]
        }
        guard let first = columns.first else { return nil }
        let present = columns.count == 1 ? first : SQLFragment.call("coalesce", columns)
        let object = SQLFragment.call("json_object", members)
        return Term("CASE WHEN " + present + " IS NOT NULL THEN " + object + " END", .json, type: type)
    }
}

extension PropertyPath.Step {
    var property: EdmProperty? { if case .property(let property) = self { property } else { nil } }

    /// Whether it is a collection of values.
    var isCollection: Bool { property?.type.isCollection == true }
}

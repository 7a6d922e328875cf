import ODataModel

/// Paths inside expressions.
///
/// [OData-URL, sections 5.1.1.13 to 5.1.1.15]
extension Binder {
    func path(_ syntax: PathSyntax, in scope: BindingScope) throws(QueryError) -> Typed {
        switch syntax.start {
        case .these: return try follow(syntax.segments[...], these(at: syntax.offset, in: scope))
        case .root: return try rootPath(syntax, in: scope)
        case .alias(let name):
            let value = try alias(name, in: scope)
            guard !syntax.segments.isEmpty else { return value }
            return try follow(syntax.segments[...], PropertyPathBinder(binder: self, scope: scope, subject: value))
        case .it: return try follow(syntax.segments[...], it(in: scope))
        case .this: return try follow(syntax.segments[...], this(at: syntax.offset, in: scope))
        case .relative:
            if let property = property(syntax, in: scope) { return property }
            if let test = try hierarchyTest(syntax, in: scope) { return test }
            if let node = try rollupNode(syntax, in: scope) { return try follow(syntax.segments.dropFirst(), node) }
            if let first = syntax.segments.first, case .name = first.kind, first.parentheses.isEmpty,
                let variable = scope.variable(named: first.name.text)
            {
                let walk = PropertyPathBinder(binder: self, scope: scope, variable: variable)
                return try follow(syntax.segments.dropFirst(), walk)
            }
            return try follow(syntax.segments[...], PropertyPathBinder(binder: self, scope: scope))
        }
    }

    /// The commonest path: a property of the instance.
    private func property(_ syntax: PathSyntax, in scope: BindingScope) -> Typed? {
        guard let type = scope.type, syntax.segments.count == 1, case .name = syntax.segments[0].kind,
            syntax.segments[0].parentheses.isEmpty, scope.variable(named: syntax.segments[0].name.text) == nil,
            let index = type.index(of: syntax.segments[0].name.text)
        else { return nil }
        let property = type.properties[index]
        let path = PropertyPath(variableSet: scope.set, variableType: type, steps: [.property(property)])
        return (.path(path), property.type)
    }

    private func follow(
        _ segments: ArraySlice<SegmentSyntax>, _ start: PropertyPathBinder
    ) throws(QueryError) -> Typed {
        var walk = start
        for segment in segments { try walk.follow(segment) }
        return try walk.result()
    }

    private func it(in scope: BindingScope) -> PropertyPathBinder {
        guard let resource = scope.resource else { return PropertyPathBinder(binder: self, scope: scope) }
        return PropertyPathBinder(binder: self, scope: scope, resource: resource)
    }

    private func this(at offset: Int, in scope: BindingScope) throws(QueryError) -> PropertyPathBinder {
        guard scope.isMember else {
            throw error(.syntax, "$this stands for the members of a collection only.", at: offset)
        }
        return PropertyPathBinder(binder: self, scope: scope)
    }

    private func these(at offset: Int, in scope: BindingScope) throws(QueryError) -> PropertyPathBinder {
        guard scope.hasCollection else {
            throw error(.typeMismatch, "$these stands for a collection, and there is none here.", at: offset)
        }
        return PropertyPathBinder(binder: self, collectionOf: scope)
    }

    /// `$root/Products(1)/Name`, `$root/Products(1)/Name/@Core.Description`
    private func rootPath(_ syntax: PathSyntax, in scope: BindingScope) throws(QueryError) -> Typed {
        if let index = syntax.segments.firstIndex(where: { $0.kind == .annotation }), index > 0 {
            let path = try resourcePath(syntax.segments[..<index], in: scope)
            let walk = PropertyPathBinder(binder: self, scope: scope, subject: (.root(path), path.valueType))
            return try follow(syntax.segments[index...], walk)
        }
        let path = try resourcePath(syntax.segments[...], in: scope)
        if path.suffix == .count { return (.root(path), .int64) }
        return (.root(path), path.valueType)
    }
}

import ODataModel

/// `isdefined`
///
/// [OData-Aggregation, section 3.6.2]
extension Binder {
    /// `isdefined(Product)`: false as such where `$apply` has left no property of that name.
    func isDefined(_ syntax: ExpressionSyntax, in scope: BindingScope) throws(QueryError) -> QueryExpression {
        guard case .path(let path) = syntax.kind else { throw notSingle(syntax) }
        if let group = group(path, in: scope) { return .isDefined(group) }
        let bound: Typed
        do throws(QueryError) {
            bound = try self.path(path, in: scope)
        } catch {
            guard error.code == .unknownName, let before = scope.beforeApply(in: model) else { throw error }
            _ = try isDefined(syntax, in: before)
            return .literal(.boolean(false), .boolean)
        }
        guard case .path(let property) = bound.expression, property.type?.isCollection != true else {
            throw notSingle(syntax)
        }
        return .isDefined(property)
    }

    private func notSingle(_ syntax: ExpressionSyntax) -> QueryError {
        error(.typeMismatch, "isdefined is for properties.", at: syntax.offset, expected: "a path to a single value")
    }

    /// `Customer` where `groupby` has made `Customer/Country`.
    private func group(_ syntax: PathSyntax, in scope: BindingScope) -> PropertyPath? {
        guard let type = scope.type, syntax.start == .relative,
            syntax.segments.allSatisfy({ $0.kind == .name && $0.parentheses.isEmpty })
        else { return nil }
        let name = syntax.segments.map(\.name.text).joined(separator: "/")
        guard type.properties.contains(where: { $0.name.hasPrefix(name + "/") }) else { return nil }
        let property = EdmProperty(name: name, type: .untyped)
        return PropertyPath(variableSet: scope.set, variableType: type, steps: [.property(property)])
    }
}

extension BindingScope {
    /// The scope of the instances that `$apply` started with; nil where there was none.
    fileprivate func beforeApply(in model: EdmModel) -> BindingScope? {
        guard let type, let declared = model.structuredType(named: type.name), declared != type else { return nil }
        var scope = self
        scope.type = declared
        return scope
    }
}

import ODataModel

/// `case`, `cast`, and values in JSON form.
///
/// [OData-URL, sections 5.1.1.9, 5.1.1.10 and 5.1.1.14]
extension Binder {
    func conditional(_ branches: [BranchSyntax], in scope: BindingScope) throws(QueryError) -> Typed {
        var bound: [(condition: QueryExpression, value: Typed)] = []
        for branch in branches {
            bound.append((try boolean(branch.condition, in: scope), try expression(branch.value, in: scope)))
        }
        let type = bound.reduce(nil as EdmTypeReference?) { common($0, $1.value.type) }
        let result = bound.map { branch in
            guard let type, case .literal(let value, _) = branch.value.expression, !value.isNull,
                let converted = coerced(value, to: type)
            else { return QueryExpression.Branch(condition: branch.condition, value: branch.value.expression) }
            return QueryExpression.Branch(condition: branch.condition, value: .literal(converted, type))
        }
        return (.conditional(result), type)
    }

    /// The type of a value that is of one type or the other.
    func common(_ left: EdmTypeReference?, _ right: EdmTypeReference?) -> EdmTypeReference? {
        guard let left else { return right }
        guard let right, left != right else { return left }
        if let left = left.primitive, let right = right.primitive, let promoted = left.promoted(with: right) {
            return .primitive(promoted)
        }
        return .untyped
    }

    func cast(
        _ syntax: ExpressionSyntax?, _ name: TypeNameSyntax, in scope: BindingScope
    ) throws(QueryError) -> Typed {
        let type = try type(name)
        guard let syntax else {
            guard let cast = structuredType(type), let own = scope.type else { return (.cast(nil, type), type) }
            _ = try checkedCast(cast, of: own, at: name.name.offset)
            return (.cast(nil, type), type)
        }
        let inner = try expression(syntax, in: scope)
        if let cast = structuredType(type), let own = structuredType(inner.type) {
            _ = try checkedCast(cast, of: own, at: name.name.offset)
        }
        return (.cast(inner.expression, type), type)
    }

    /// Values of a property that is declared with a type definition are of it and of what it stands for; those of other
    /// properties are not of it.
    func isOf(
        _ syntax: ExpressionSyntax?, _ name: TypeNameSyntax, in scope: BindingScope
    ) throws(QueryError) -> QueryExpression {
        let type = try type(name)
        guard let syntax else { return .isOf(nil, type) }
        let inner = try operand(syntax, in: scope).expression
        if let definition = model.typeDefinition(named: resolved(EdmQualifiedName(name.name.text))),
            let property = inner.lastProperty, property.type != .untyped, property.namedType != definition.name
        {
            return .literal(.boolean(false), .boolean)
        }
        return .isOf(inner, type)
    }

    // MARK: JSON

    /// `[1,2]`; a constant if all members are.
    func array(_ items: [ExpressionSyntax], in scope: BindingScope) throws(QueryError) -> Typed {
        var bound: [Typed] = []
        for item in items { bound.append(try expression(item, in: scope)) }
        let values = bound.compactMap { item in
            if case .literal(let value, _) = item.expression { value } else { nil }
        }
        let element = bound.reduce(nil as EdmTypeReference?) { common($0, $1.type) }
        let type = EdmTypeReference.collection(element ?? .untyped)
        guard values.count == bound.count else { return (.list(bound.map(\.expression)), type) }
        return (.literal(.collection(values), type), type)
    }

    /// `{"City":"Berlin","Zip":Code}`; a constant if all members are.
    func object(_ members: [MemberSyntax], in scope: BindingScope) throws(QueryError) -> Typed {
        var bound: [QueryExpression.ObjectMember] = []
        var type: EdmTypeReference = .untyped
        for member in members {
            let value = try expression(member.value, in: scope).expression
            if ["@type", "@odata.type"].contains(member.name.text), case .literal(.string(let name), _) = value {
                let name = NameSyntax(text: String(name.drop { $0 == "#" }), offset: member.name.offset)
                type = try self.type(TypeNameSyntax(name: name, isCollection: false))
                continue
            }
            bound.removeAll { $0.name == member.name.text }
            bound.append(.init(name: member.name.text, value: value))
        }
        var constant = EdmComplexValue()
        for member in bound {
            guard case .literal(let value, _) = member.value else { return (.object(bound, type), type) }
            constant[member.name] = value
        }
        return (.literal(.complex(constant), type), type)
    }
}

extension QueryExpression {
    /// The property that a path ends with; nil for what is not a path, and for one that ends otherwise.
    fileprivate var lastProperty: EdmProperty? {
        switch self {
        case .path(let path): path.steps.last?.property
        case .member(_, let steps): steps.last?.property
        default: nil
        }
    }
}

extension PropertyPath.Step {
    fileprivate var property: EdmProperty? { if case .property(let property) = self { property } else { nil } }
}

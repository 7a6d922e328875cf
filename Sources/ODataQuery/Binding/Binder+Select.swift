import ODataModel

/// `$select`
///
/// [OData-URL, section 5.1.4]
extension Binder {
    func select(
        _ items: [SelectSyntax]?, of type: EdmStructuredType, in scope: BindingScope
    ) throws(QueryError) -> [SelectItem]? {
        guard let items else { return nil }
        var bound: [SelectItem] = []
        bound.reserveCapacity(items.count)
        for item in items { try select(item, of: type, in: scope, into: &bound) }
        return bound
    }

    private func select(
        _ item: SelectSyntax, of type: EdmStructuredType, in scope: BindingScope, into bound: inout [SelectItem]
    ) throws(QueryError) {
        switch item.kind {
        case .all: bound.append(.all)
        case .operations(let namespace):
            let known = model.schemas.flatMap { [$0.namespace, $0.alias].compactMap(\.self) }
            guard known.contains(namespace.text) else {
                throw unknown("namespace \(namespace.text)", namespace, among: known)
            }
            bound.append(.operation(namespace.text + ".*"))
        case .path(let names):
            if names.count == 1, item.options == nil, let property = type.property(named: names[0].text) {
                return bound.append(.property([property]))
            }
            if let names = groupedNames(names, in: type) {
                bound += names.map { .property([EdmProperty(name: $0.name, type: $0.type)]) }
                return
            }
            var walk = SelectWalk(binder: self, scope: scope, type: type)
            for name in names {
                try walk.follow(name)
            }
            bound.append(try walk.item(options: item.options))
        }
    }

    /// The properties whose name is a path, as `groupby` makes them, that `names` select; nil if there are none.
    private func groupedNames(_ names: [NameSyntax], in type: EdmStructuredType) -> [EdmProperty]? {
        let path = names.map(\.text).joined(separator: "/")
        let found = type.properties.filter {
            $0.name == path && names.count > 1 || $0.name.hasPrefix(path + "/")
        }
        return found.isEmpty ? nil : found
    }
}

/// Follows the path of one part of `$select`.
private struct SelectWalk {
    let binder: Binder
    let scope: BindingScope
    private var type: EdmStructuredType?
    private var value: EdmTypeReference?
    private var set: EdmEntitySet?
    private var complex = ComplexPath()
    private var steps: [PropertyPath.Step] = []
    private var operation: String?
    private var isDeclared = true
    /// A navigation property, after which nothing may come.
    private var passedNavigation: EdmNavigationProperty?

    init(binder: Binder, scope: BindingScope, type: EdmStructuredType) {
        self.binder = binder
        self.scope = scope
        self.type = type
        set = scope.set
    }

    mutating func follow(_ name: NameSyntax) throws(QueryError) {
        if let passedNavigation {
            throw binder.error(
                .typeMismatch, "$select does not lead through navigation properties.", at: name.offset,
                expected: "$expand=\(passedNavigation.name)($select=\(name.text))")
        }
        if name.text.hasPrefix("@") { return append(.annotation(name.text), .untyped) }
        guard let owner = type else {
            throw binder.error(
                .typeMismatch, "What comes before \(name.text) has no properties.", at: name.offset)
        }
        if let cast = binder.structuredType(named: name) {
            return append(.cast(try binder.checkedCast(cast, of: owner, at: name.offset)), cast.reference)
        }
        if let property = owner.property(named: name.text) {
            complex.follow(property, of: owner)
            steps.append(.property(property))
            value = property.type
            type = binder.structuredType(property.type)
        } else if let navigation = owner.navigationProperty(named: name.text) {
            try follow(navigation, name)
        } else if steps.isEmpty, let alias = scope.computed(named: name.text) {
            append(.property(alias), alias.type)
        } else {
            try other(name, of: owner)
        }
    }

    private mutating func append(_ step: PropertyPath.Step, _ value: EdmTypeReference) {
        steps.append(step)
        isDeclared = false
        self.value = value
        type = binder.structuredType(value)
    }

    private mutating func follow(_ navigation: EdmNavigationProperty, _ name: NameSyntax) throws(QueryError) {
        guard let target = binder.model.target(of: navigation) else {
            throw binder.error(.unknownName, "The type \(navigation.target) is not in the model.", at: name.offset)
        }
        set = complex.follow(navigation, of: type, from: set, in: binder.model)
        append(.navigation(navigation, set, target), target.reference)
        passedNavigation = navigation
    }

    private mutating func other(_ name: NameSyntax, of owner: EdmStructuredType) throws(QueryError) {
        let operations = binder.model.operations(named: binder.resolved(EdmQualifiedName(name.text)))
        if !operations.isEmpty
            || !binder.operations(
                named: name, on: .init(type: owner.reference, set: set)
            ).isEmpty
        {
            operation = (steps.map(\.text) + [name.text]).joined(separator: "/")
        } else if owner.isOpen, !name.isQualified {
            append(.property(EdmProperty(name: name.text, type: .untyped)), .untyped)
        } else {
            throw binder.unknownMember(name, of: owner)
        }
    }

    /// [OData-ABNF, `selectItem`: options are for collections and complex values]
    private func checkOptions(_ syntax: OptionsSyntax) throws(QueryError) {
        guard let value, value != .untyped, !value.isCollection, let first = syntax.given.first else { return }
        if let passedNavigation {
            throw binder.error(
                .typeMismatch, "$select does not take options for the navigation property \(passedNavigation.name).",
                at: first.offset,
                expected: "$expand=\(passedNavigation.name)(…)")
        }
        let wrong = type == nil ? first : syntax.given.first { $0.option.needsCollection }
        guard let wrong else { return }
        throw binder.error(
            .typeMismatch,
            "The query option \(wrong.option.name) does not apply to a single \(binder.describe(value)).",
            at: wrong.offset)
    }

    func item(options syntax: OptionsSyntax?) throws(QueryError) -> SelectItem {
        if let operation { return .operation(operation) }
        guard let syntax else {
            if steps.count == 1, case .navigation(let navigation, _, _)? = steps.first {
                return .navigation(navigation)
            }
            let properties = steps.compactMap { step in
                if case .property(let property) = step { property } else { nil }
            }
            return isDeclared ? .property(properties) : .path(steps, nil)
        }
        try checkOptions(syntax)
        var inner = scope.nested(type, value: type == nil ? value?.element ?? value : nil, set: set)
        inner.isMember = true
        return .path(steps, try binder.nested(syntax, in: inner))
    }
}

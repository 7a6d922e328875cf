import ODataModel

/// `$select` and `$expand`.
///
/// [OData-URL, sections 5.1.3 and 5.1.4]
extension Binder {
    // MARK: $select

    func select(
        _ items: [SelectSyntax]?, of type: StructuredType
    ) throws(QueryError) -> [SelectItem]? {
        guard let items else { return nil }
        var bound: [SelectItem] = []
        for item in items { bound.append(try selectItem(item, of: type)) }
        return bound
    }

    private func selectItem(
        _ item: SelectSyntax, of type: StructuredType
    ) throws(QueryError) -> SelectItem {
        guard item.kind != .all else { return .all }
        guard case .path(let path) = item.kind, let first = path.first, item.options == nil, item.parameters == nil
        else { throw notImplemented("Operations or options in $select", at: item.offset) }
        if let navigation = type.navigationProperty(named: first.text) {
            guard path.count == 1 else {
                throw error(
                    .typeMismatch, "$select does not lead through relations.", at: path[1].offset,
                    expected: "$expand=\(first.text)($select=\(path[1].text))")
            }
            return .navigation(navigation)
        }
        var properties: [Property] = []
        var current: StructuredType? = type
        for name in path {
            guard let owner = current else {
                throw error(.typeMismatch, "What comes before \(name.text) has no properties.", at: name.offset)
            }
            guard let property = owner.property(named: name.text) else {
                if owner.navigationProperty(named: name.text) != nil {
                    throw notImplemented("A relation of a complex value in $select", at: name.offset)
                }
                throw unknownMember(name, of: owner)
            }
            properties.append(property)
            current = structuredType(property.type)
        }
        return .property(properties)
    }

    // MARK: $expand

    func expand(
        _ items: [ExpandSyntax], in scope: Scope
    ) throws(QueryError) -> [ExpandItem] {
        var bound: [ExpandItem] = []
        for item in items {
            let expanded = try expandItem(item, in: scope)
            if let name = item.path.first, bound.contains(where: { $0.navigation.name == name.text }) {
                throw error(.syntax, "\(name.text) is expanded twice.", at: name.offset)
            }
            bound.append(expanded)
        }
        return bound
    }

    private func expandItem(
        _ item: ExpandSyntax, in scope: Scope
    ) throws(QueryError) -> ExpandItem {
        guard item.kind == .path, let name = item.path.first else {
            throw notImplemented("* or $value in $expand", at: item.offset)
        }
        guard let navigation = scope.type.navigationProperty(named: name.text),
            let target = model.target(of: navigation)
        else { throw notExpandable(name, of: scope.type) }
        if item.path.count > 1 {
            throw notImplemented("A path (\(name.text)/\(item.path[1].text)) in $expand", at: item.path[1].offset)
        }
        try checkOptions(item, navigation, at: name)
        let set = model.targetSet(of: navigation, from: scope.set)
        let options = try options(item.options, in: Scope(type: target, set: set, isExpanded: true))
        return ExpandItem(
            navigation: navigation, targetSet: set, targetType: target, form: item.form, options: options)
    }

    private func checkOptions(
        _ item: ExpandSyntax, _ navigation: NavigationProperty, at name: NameSyntax
    ) throws(QueryError) {
        if item.form == .count, !navigation.isCollection {
            throw error(.typeMismatch, "\(name.text) is not a collection: it has no count.", at: name.offset)
        }
        for given in item.options.given {
            let option = given.option
            let offset = given.offset
            guard navigation.isCollection || !option.needsCollection else {
                throw error(.typeMismatch, "The query option \(option.name) does not apply here.", at: offset)
            }
        }
    }

    private func notExpandable(_ name: NameSyntax, of type: StructuredType) -> QueryError {
        if let property = type.property(named: name.text) {
            if property.isStream || structuredType(property.type) != nil {
                return notImplemented("Expanding the property \(name.text)", at: name.offset)
            }
            return error(
                .typeMismatch, "\(name.text) is not a navigation property.", at: name.offset,
                expected: "$select=\(name.text)")
        }
        if name.isQualified { return notImplemented("The type segment \(name.text) in $expand", at: name.offset) }
        return unknown(
            "navigation property \(name.text) in \(type.name)", name, among: type.navigationProperties.map(\.name))
    }
}

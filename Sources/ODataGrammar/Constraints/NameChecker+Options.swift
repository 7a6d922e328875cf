import ODataQuery

/// Query options.
///
/// [OData-ABNF, section 2]
extension NameChecker {
    func check(_ options: OptionsSyntax) throws(QueryError) {
        if let apply = options.apply { try check(apply) }
        try check(options.compute)
        if let filter = options.filter { try check(filter) }
        for item in options.select ?? [] { try check(item) }
        for item in options.expand { try check(item) }
        try check(options.orderBy)
        if let format = options.format { try check(format: format, options) }
        for alias in options.aliases { try check(alias.value) }
        for custom in options.custom { try check(custom) }
    }

    func check(_ items: [OptionsSyntax.OrderItem]) throws(QueryError) { try check(items.map(\.expression)) }

    func check(_ items: [ComputeSyntax]) throws(QueryError) {
        for item in items {
            try check(item.expression)
            try expect(.computedProperty, item.alias, "the name of a computed property")
        }
    }

    /// `format`
    private func check(format: String, _ options: OptionsSyntax) throws(QueryError) {
        if ["atom", "json", "xml"].contains(format.lowercased()) { return }
        let parts = format.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let offset = options.given.first { $0.option == .format }?.offset ?? 0
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 } }) else {
            throw error("atom, json, xml or a media type", at: offset)
        }
    }

    /// `customQueryOption` or `nameAndValue`
    private func check(_ custom: CustomSyntax) throws(QueryError) {
        if names.allows(.customName, custom.name.text) { return }
        guard let range = custom.value, names.allows(.parameterName, custom.name.text) else {
            throw unknown(custom.name, "a query option or parameter", [.customName, .parameterName])
        }
        try check(try SyntaxParser.parameterValue(range, of: source, limits: .default))
    }

    // MARK: $select

    func check(_ item: SelectSyntax) throws(QueryError) {
        switch item.kind {
        case .all: break
        case .operations(let namespace):
            for part in namespace.text.split(separator: ".") where !names.allows(.namespacePart, String(part)) {
                throw unknown(namespace, "a namespace", [.namespacePart])
            }
        case .path(let path): try check(path, item)
        }
        if let options = item.options { try check(options) }
    }

    private func check(_ path: [NameSyntax], _ item: SelectSyntax) throws(QueryError) {
        guard let first = path.first else { return }
        if isOperation(path[...], item) { return }
        var furthest = 0
        var fits = isSelectProperty(path[...], item, &furthest)
        if !fits, names.allows([.entityTypeName, .complexTypeName], qualified: first.text), path.count > 1 {
            fits = isOperation(path.dropFirst(), item)
            if !fits {
                furthest = max(furthest, 1)
                fits = isSelectProperty(path.dropFirst(), item, &furthest)
            }
        }
        guard !fits else { return }
        let name = path[min(furthest, path.count - 1)]
        if let option = item.options?.given.first(where: { !Self.optionsOfValues.contains($0.option) }),
            names.allows(.primitiveColProperty, name.text)
        {
            let expected = Self.optionsOfValues.map(\.name).joined(separator: ", ")
            throw error(expected, at: option.offset)
        }
        throw unknown(name, "a property, a type or an operation", NameConstraints.properties.map(\.0))
    }

    /// `optionallyQualifiedActionName`, `optionallyQualifiedFunctionName`
    private func isOperation(_ path: ArraySlice<NameSyntax>, _ item: SelectSyntax) -> Bool {
        guard path.count == 1, let name = path.first?.text, item.options == nil else { return false }
        if item.parameters == nil, names.allows([.action], qualified: name) { return true }
        return !names.functions(name).isEmpty
            && (item.parameters ?? []).allSatisfy { names.allows(.parameterName, $0.text) }
    }

    /// `selectProperty`
    private func isSelectProperty(_ path: ArraySlice<NameSyntax>, _ item: SelectSyntax, _ furthest: inout Int) -> Bool {
        guard let name = path.first?.text, item.parameters == nil else { return false }
        furthest = max(furthest, path.startIndex)
        let rest = path.dropFirst()
        if rest.isEmpty, isEndOfSelect(name, item.options) { return true }
        guard isComplex(name) else { return false }
        if rest.isEmpty { return true }
        if isSelectProperty(rest, item, &furthest) { return true }
        guard let cast = rest.first?.text, names.allows([.complexTypeName], qualified: cast) else { return false }
        return rest.count == 1 || isSelectProperty(rest.dropFirst(), item, &furthest)
    }

    private func isEndOfSelect(_ name: String, _ options: OptionsSyntax?) -> Bool {
        let hasOptions = options != nil
        let areOfValues = options.map(Self.areOfValues) ?? true
        if name.hasPrefix("@") {
            return (!hasOptions && names.allows(.primitiveAnnotationInQuery, name))
                || (areOfValues && names.allows(.primitiveColAnnotationInQuery, name))
        }
        if areOfValues, names.allows(.primitiveColProperty, name) { return true }
        let kinds: [NameKind] = [
            .primitiveKeyProperty, .primitiveNonKeyProperty, .customAggregate, .entityNavigationProperty,
            .entityColNavigationProperty,
        ]
        return !hasOptions && kinds.contains { names.allows($0, name) }
    }

    /// `selectOptionPC`: what a collection of primitive values can have.
    private static let optionsOfValues: [SystemOption] = [.filter, .search, .count, .orderby, .skip, .top]

    private static func areOfValues(_ options: OptionsSyntax) -> Bool {
        options.aliases.isEmpty && options.given.allSatisfy { optionsOfValues.contains($0.option) }
    }

    private func isComplex(_ name: String) -> Bool {
        if name.hasPrefix("@") { return names.allows(.complexAnnotationInQuery, name) }
        return names.allows(.complexProperty, name) || names.allows(.complexColProperty, name)
    }

    // MARK: $expand

    func check(_ item: ExpandSyntax) throws(QueryError) {
        try check(item.options)
        guard item.kind != .value, let first = item.path.first else { return }
        var furthest = 0
        var fits = isExpandPath(item.path[...], item, &furthest)
        if !fits, names.allows([.entityTypeName], qualified: first.text), item.path.count > 1 || item.kind == .all {
            furthest = max(furthest, 1)
            fits = isExpandPath(item.path.dropFirst(), item, &furthest)
        }
        guard !fits else { return }
        let name = item.path[min(furthest, item.path.count - 1)]
        throw unknown(name, "a navigation property", [.entityNavigationProperty, .entityColNavigationProperty])
    }

    /// `expandPath`
    private func isExpandPath(_ path: ArraySlice<NameSyntax>, _ item: ExpandSyntax, _ furthest: inout Int) -> Bool {
        furthest = max(furthest, path.startIndex)
        guard let name = path.first?.text else { return item.kind == .all }
        let rest = path.dropFirst()
        if item.kind == .path, isExpandable(name) {
            if rest.isEmpty { return true }
            if rest.count == 1, let cast = rest.first?.text, names.allows([.entityTypeName], qualified: cast) {
                return true
            }
        }
        if item.kind == .path, rest.isEmpty, item.form == .entities, item.options == OptionsSyntax(),
            names.allows(.streamProperty, name)
        {
            return true
        }
        let leads = isComplex(name) || names.allows([.complexTypeName], qualified: name)
        return leads && (!rest.isEmpty || item.kind == .all) && isExpandPath(rest, item, &furthest)
    }

    private func isExpandable(_ name: String) -> Bool {
        if name.hasPrefix("@") { return names.allows(.entityAnnotationInQuery, name) }
        return names.allows(.entityNavigationProperty, name) || names.allows(.entityColNavigationProperty, name)
    }
}

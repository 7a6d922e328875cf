import ODataModel

extension QueryOptions {
    /// The options as V2 has them, not percent-encoded.
    func legacyItems() throws(QueryError) -> [(name: String, value: String)] {
        if apply != nil { throw .legacy("$apply") }
        if !compute.isEmpty { throw .legacy("$compute") }
        if search != nil { throw .legacy("$search") }
        if index != nil { throw .legacy("$index") }
        var items: [(name: String, value: String)] = []
        func appendOption(_ name: String, _ value: String?) { if let value { items.append((name, value)) } }
        if let filter { appendOption("$filter", try LegacyExpression().text(filter)) }
        let expanded = try expandedPaths()
        let selected = try selectedPaths(prefix: "")
        if selected != ["*"], !selected.isEmpty { appendOption("$select", selected.joined(separator: ",")) }
        if !expanded.isEmpty { appendOption("$expand", expanded.joined(separator: ",")) }
        if !orderBy.isEmpty {
            var parts: [String] = []
            for item in orderBy {
                parts.append(try LegacyExpression().text(item.expression) + (item.isDescending ? " desc" : ""))
            }
            appendOption("$orderby", parts.joined(separator: ","))
        }
        appendOption("$top", top.map { "\($0)" })
        appendOption("$skip", skip.map { "\($0)" })
        appendOption("$inlinecount", count ? "allpages" : nil)
        appendOption("$skiptoken", skipToken)
        appendOption("!deltatoken", deltaToken)
        appendOption("$format", format)
        return items + custom.map { ($0.name, $0.value) }
    }

    // MARK: $expand

    /// `Items/Product` for each chain of expanded navigation properties.
    private func expandedPaths() throws(QueryError) -> [String] {
        if let stream = streams.first { throw .legacy("$expand=\(stream.text)") }
        var paths: [String] = []
        for item in expand {
            try item.checkLegacy()
            let inner = try item.options.expandedPaths()
            paths += inner.isEmpty ? [item.navigation.name] : inner.map { item.navigation.name + "/" + $0 }
        }
        return paths
    }

    // MARK: $select

    private var selectsAll: Bool { (select ?? []).isEmpty || select == [.all] }

    /// Whether neither these options nor those of what is expanded select anything.
    private var isUnselective: Bool { selectsAll && expand.allSatisfy { $0.options.isUnselective } }

    /// Selections of expanded entities stand beside those of the outer ones: `Name,Items/Quantity`
    private func selectedPaths(prefix: String) throws(QueryError) -> [String] {
        guard !isUnselective else { return prefix.isEmpty ? [] : [String(prefix.dropLast())] }
        var paths: [String] = selectsAll ? [prefix + "*"] : []
        for item in select ?? [] {
            switch item {
            case .all: if !selectsAll { paths.append(prefix + "*") }
            case .property(let properties): if let first = properties.first { paths.append(prefix + first.name) }
            case .navigation(let navigation):
                if !expand.contains(where: { $0.navigation.name == navigation.name }) {
                    paths.append(prefix + navigation.name)
                }
            case .path(let steps, _): throw .legacy("$select=\(BoundQuery.text(of: steps))")
            case .operation(let name): throw .legacy("$select=\(name)")
            }
        }
        for item in expand { paths += try item.options.selectedPaths(prefix: prefix + item.navigation.name + "/") }
        return paths
    }
}

extension ExpandItem {
    fileprivate func checkLegacy() throws(QueryError) {
        let name = navigation.name
        if form != .entities { throw .legacy("$expand=\(name)/\(form == .count ? "$count" : "$ref")") }
        if !prefix.isEmpty || targetType.name != navigation.target { throw .legacy("A path or type in $expand") }
        if levels != nil { throw .legacy("$levels") }
        let plain = options.filter == nil && options.orderBy.isEmpty && options.top == nil && options.skip == nil
        guard plain, !options.count, options.search == nil, options.compute.isEmpty, options.apply == nil else {
            throw .legacy("An option other than $select and $expand inside $expand=\(name)")
        }
    }
}

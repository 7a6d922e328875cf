import ODataModel

/// System query options.
///
/// [OData-URL, section 5.1]
extension Binder {
    /// The options of a request for `path`.
    func options(_ syntax: OptionsSyntax, of path: ResourcePath) throws(QueryError) -> QueryOptions {
        guard !syntax.given.isEmpty else { return QueryOptions() }
        let isCollection = path.resource.target == .collection
        for given in syntax.given {
            let option = given.option
            let offset = given.offset
            if option == .id, path.suffix != .ref { throw notImplemented("The query option $id here", at: offset) }
            guard option != .format, option != .id else { continue }
            try check(option, at: offset, of: path, isCollection: isCollection)
        }
        guard let type = entityType(of: path) else {
            var options = QueryOptions()
            options.format = syntax.format
            return options
        }
        return try options(syntax, in: Scope(type: type, set: path.entitySet))
    }

    private func check(
        _ option: SystemOption, at offset: Int, of path: ResourcePath, isCollection: Bool
    ) throws(QueryError) {
        switch path.resource.target {
        case .collection: return
        case .entity:
            guard option.needsCollection else { return }
            throw error(.typeMismatch, "The query option \(option.name) is for collections.", at: offset)
        case .property(let property) where property.type.isCollection || structuredType(property.type) != nil:
            throw notImplemented("The query option \(option.name) on the value of a property", at: offset)
        case .property, .stream, .value, .nothing:
            throw error(.typeMismatch, "The query option \(option.name) does not apply to a value.", at: offset)
        }
    }

    /// The entity type at the end of the path; nil where it ends in a property.
    private func entityType(of path: ResourcePath) -> StructuredType? {
        var type: StructuredType? = path.rootSet?.type
        for segment in path.segments {
            switch segment {
            case .navigation(let navigation, _): type = model.target(of: navigation)
            case .cast(let cast): type = cast
            case .property: type = nil
            case .operation(let call): type = structuredType(call.operation.result?.type)
            case .key, .count, .value, .ref, .filter, .each, .index: break
            }
        }
        return type
    }

    func options(_ syntax: OptionsSyntax, in scope: Scope) throws(QueryError) -> QueryOptions {
        try checkGiven(syntax)
        var options = QueryOptions()
        if let filter = syntax.filter { options.filter = try boolean(filter, in: scope) }
        options.select = try select(syntax.select, of: scope.type)
        options.expand = try expand(syntax.expand, in: scope)
        options.orderBy = try orderBy(syntax.orderBy, in: scope)
        options.top = syntax.top
        options.skip = syntax.skip
        options.count = syntax.count ?? false
        options.skipToken = syntax.skipToken
        options.deltaToken = syntax.deltaToken
        options.format = syntax.format
        options.id = syntax.id
        return options
    }

    private func checkGiven(_ syntax: OptionsSyntax) throws(QueryError) {
        for (index, given) in syntax.given.enumerated() {
            if syntax.given[..<index].contains(given) {
                throw error(.syntax, "The option \(given.option.name) is given twice.", at: given.offset)
            }
            switch given.option {
            case .apply, .compute, .index, .levels, .schemaversion, .search:
                throw notImplemented("The query option \(given.option.name)", at: given.offset)
            default: break
            }
        }
    }

    private func orderBy(
        _ items: [OptionsSyntax.OrderItem], in scope: Scope
    ) throws(QueryError) -> [OrderItem] {
        var bound: [OrderItem] = []
        for item in items {
            let expression = try expression(item.expression, in: scope)
            if let type = expression.type, !type.isSortable {
                throw error(
                    .typeMismatch, "Values of \(type) have no order.", at: item.expression.offset,
                    expected: "a primitive value")
            }
            bound.append(OrderItem(expression: expression.expression, isDescending: item.isDescending))
        }
        return bound
    }
}

extension TypeReference {
    fileprivate var isSortable: Bool {
        switch self {
        case .primitive(let type): !type.isGeospatial && type != .stream
        case .enumeration: true
        case .complex, .entity, .collection: false
        }
    }
}

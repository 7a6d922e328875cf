import ODataModel
import ODataQuery

extension RowShape {
    /// The shape of the entities that `query` asks `model` for: selected properties, hidden keys, expanded children.
    ///
    /// - Throws: ``ODataError`` of code `badRequest` where the path leads to no entities, or `$levels` too deep.
    public static func shape(of query: BoundQuery, model: EdmModel) throws -> RowShape {
        try shape(ofUnrolled: try query.unrolled(model: model), model: model)
    }

    /// The shape for a query that `BoundQuery.unrolled(model:limit:)` gave.
    package static func shape(ofUnrolled query: BoundQuery, model: EdmModel) throws -> RowShape {
        let path = query.path
        switch path.root {
        case .crossjoin:
            let type = EdmStructuredType(
                declaration: .init(kind: .complex, name: EdmQualifiedName("Edm.ComplexType"), properties: []))
            return shape(type: type, set: nil, options: query.options, model: model)
        case .all where path.resource.segments.isEmpty: return shape(ofAll: query.options, model: model)
        default:
            guard let type = path.entityType(in: model) else {
                throw ODataError.notEntities()
            }
            return shape(type: type, set: path.entitySet, options: query.options, model: model)
        }
    }

    /// The shape of entities of a type, and of those derived from it, with their dynamic properties.
    ///
    /// - Parameter children: Instead of what `options` expand.
    package static func shape(
        type declared: EdmStructuredType, set: EdmEntitySet?, options: QueryOptions = QueryOptions(), model: EdmModel,
        children: [Child]? = nil
    ) -> RowShape {
        let type = options.apply?.type ?? declared
        let types = [type] + (type == declared ? model.derivedTypes(of: type) : [])
        let selection = Selection(options)
        let all =
            allProperties(of: types) + options.compute.map { EdmProperty(name: $0.alias, type: $0.propertyType) }
        let visible = selection.isAll ? all : all.filter { selection.names.contains($0.name) }
        let dynamic = selection.dynamic.filter { item in !all.contains { $0.name == item.name } }
        var hidden = type.keyHolders.filter { key in !visible.contains { $0.name == key.name } }
        let isOpen = selection.isAll && types.contains(where: \.isOpen)
        if isOpen { hidden.append(EdmProperty(name: "", type: .primitive(.untyped))) }
        let properties = visible + dynamic + hidden
        return RowShape(
            model: model, entitySet: set, type: type, properties: properties,
            hiddenFrom: visible.count + dynamic.count,
            children: children ?? options.expand.map { child($0, model: model) },
            streams: selection.isAll ? nil : selection.streams, types: types,
            dynamicSlot: isOpen ? properties.count - 1 : nil)
    }

    private static func child(_ item: ExpandItem, model: EdmModel) -> RowShape.Child {
        var navigation = item.navigation
        let path = item.prefix.compactMap { step in
            if case .property(let property) = step { property.name } else { nil }
        }
        if !path.isEmpty { navigation.name = (path + [navigation.name]).joined(separator: "/") }
        var options = item.options
        if item.form != .entities {
            options.select = item.targetType.keyHolders.map { .property([$0]) }
            options.expand = []
            options.apply = nil
        }
        return RowShape.Child(
            navigation: navigation,
            shape: shape(type: item.targetType, set: item.targetSet, options: options, model: model),
            wantsCount: item.options.count || item.form == .count,
            isReference: item.form == .references && !item.isLink, isLink: item.isLink,
            isCountOnly: item.form == .count, cast: item.castType)
    }

    /// `$all`: everything that an entity of any type can have.
    private static func shape(ofAll options: QueryOptions, model: EdmModel) -> RowShape {
        let type = EdmStructuredType(
            declaration: .init(name: EdmQualifiedName("Edm.EntityType"), isAbstract: true, properties: []))
        var types = [type]
        for set in model.entitySets {
            for candidate in [set.type] + model.derivedTypes(of: set.type) where !types.contains(candidate) {
                types.append(candidate)
            }
        }
        return RowShape(
            model: model, entitySet: nil, type: type, properties: allProperties(of: types, isByType: true),
            types: types)
    }

    /// The properties of all `types` that are not streams, each once.
    ///
    /// - Parameter isByType: whether properties of the same name and different types are distinguished.
    private static func allProperties(of types: [EdmStructuredType], isByType: Bool = false) -> [EdmProperty] {
        var names: Set<String> = []
        return types.flatMap(\.properties).filter { property in
            guard !property.isStream else { return false }
            return names.insert(isByType ? "\(property.name) \(property.type)" : property.name).inserted
        }
    }
}

/// What `$select` says of the properties of one level.
private struct Selection {
    let isAll: Bool
    /// The properties at the start of what is selected.
    private(set) var names: Set<String> = []
    /// The same, for those that no type declares.
    private(set) var dynamic: [EdmProperty] = []
    /// The stream properties that are selected by name.
    private(set) var streams: Set<String> = []

    init(_ options: QueryOptions) {
        let items = options.select ?? []
        isAll = items.isEmpty || items.contains(.all)
        for item in items {
            switch item {
            case .property(let path): if let first = path.first { add(first) }
            case .path(let steps, _):
                if case .property(let property)? = steps.first(where: { !$0.isCast }) { add(property) }
            case .all, .navigation, .operation: break
            }
        }
    }

    private mutating func add(_ property: EdmProperty) {
        guard names.insert(property.name).inserted else { return }
        if property.isStream { streams.insert(property.name) } else { dynamic.append(property) }
    }
}

extension ResourcePath {
    /// The entity type at the end of the navigation of this path; nil where it ends in a property.
    public func entityType(in model: EdmModel) -> EdmStructuredType? {
        var type: EdmStructuredType? = rootSet?.type
        if case .operation(let call) = root { type = call.entityType(in: model) }
        for segment in segments {
            switch segment {
            case .navigation(let navigation, _): type = model.target(of: navigation)
            case .cast(let cast): type = cast
            case .property: type = nil
            case .operation(let call): type = call.entityType(in: model)
            case .key, .count, .value, .ref, .filter, .each, .index: break
            }
        }
        return type
    }
}

extension OperationCall {
    /// The type of the entities that the operation gives.
    public func entityType(in model: EdmModel) -> EdmStructuredType? {
        switch operation.result?.type {
        case .entity(let name), .collection(.entity(let name)): model.structuredType(named: name)
        default: nil
        }
    }
}

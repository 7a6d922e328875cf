import ODataModel
import ODataQuery

extension RowShape {
    /// The shape of the entities that `query` asks `model` for: selected properties, hidden keys, expanded children.
    public static func shape(of query: BoundQuery, model: Model) throws -> RowShape {
        let path = query.path
        guard let type = path.entityType(in: model) else {
            throw ODataError(.badRequest, "The path does not lead to entities.")
        }
        return shape(type: type, set: path.entitySet, options: query.options, model: model)
    }

    private static func shape(
        type: StructuredType, set: EntitySet?, options: QueryOptions, model: Model
    ) -> RowShape {
        let type = options.apply?.type ?? type
        let types = [type] + (options.apply == nil ? model.derivedTypes(of: type) : [])
        let names = selectedNames(of: options)
        let takesAll = (options.select ?? []).isEmpty || options.select?.contains(.all) == true
        let all = allProperties(of: types) + options.compute.map { Property(name: $0.alias, type: $0.propertyType) }
        let visible = takesAll ? all : all.filter { names.contains($0.name) }
        var hidden = type.keyProperties.filter { key in !visible.contains { $0.name == key.name } }
        let isOpen = types.contains(where: \.isOpen)
        if isOpen { hidden.append(Property(name: "", type: .primitive(.untyped))) }
        let children = options.expand.filter { $0.form != .count }.map { item in
            RowShape.Child(
                navigation: item.navigation,
                shape: shape(type: item.targetType, set: item.targetSet, options: item.options, model: model),
                wantsCount: item.options.count, isReference: item.form == .references)
        }
        return RowShape(
            model: model, entitySet: set, type: type, properties: visible + hidden, hiddenFrom: visible.count,
            children: children, streams: takesAll ? nil : streams(in: options), types: types,
            dynamicSlot: isOpen ? visible.count + hidden.count - 1 : nil)
    }

    /// The properties of all `types` that are no streams, each once.
    private static func allProperties(of types: [StructuredType]) -> [Property] {
        var names: Set<String> = []
        return types.flatMap(\.properties).filter { !$0.isStream && names.insert($0.name).inserted }
    }

    /// The properties at the start of what is selected.
    private static func selectedNames(of options: QueryOptions) -> Set<String> {
        var names: Set<String> = []
        for item in options.select ?? [] {
            switch item {
            case .property(let path): if let first = path.first { names.insert(first.name) }
            case .path(let steps, _):
                for case .property(let property) in steps {
                    names.insert(property.name)
                    break
                }
            case .all, .navigation, .operation: break
            }
        }
        return names
    }

    /// The stream properties that are selected by name.
    private static func streams(in options: QueryOptions) -> Set<String> {
        var names: Set<String> = []
        for case .property(let path) in options.select ?? [] {
            if let first = path.first, first.isStream { names.insert(first.name) }
        }
        return names
    }
}

extension ResourcePath {
    /// The entity type at the end of the navigation of this path; nil where it ends in a property.
    public func entityType(in model: Model) -> StructuredType? {
        var type: StructuredType? = rootSet?.type
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
    public func entityType(in model: Model) -> StructuredType? {
        switch operation.result?.type {
        case .entity(let name), .collection(.entity(let name)): model.structuredType(named: name)
        default: nil
        }
    }
}

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
        var names: [String] = []
        for case .property(let path) in options.select ?? [] {
            if let first = path.first, !first.isStream, !names.contains(first.name) { names.append(first.name) }
        }
        let takesAll = (options.select ?? []).isEmpty || options.select?.contains(.all) == true
        let all = type.properties.filter { !$0.isStream }
        let visible = takesAll ? all : all.filter { names.contains($0.name) }
        let hidden = type.keyProperties.filter { key in !visible.contains { $0.name == key.name } }
        let children = options.expand.filter { $0.form != .count }.map { item in
            RowShape.Child(
                navigation: item.navigation,
                shape: shape(type: item.targetType, set: item.targetSet, options: item.options, model: model),
                wantsCount: item.options.count, isReference: item.form == .references)
        }
        return RowShape(
            model: model, entitySet: set, type: type, properties: visible + hidden, hiddenFrom: visible.count,
            children: children, streams: takesAll ? nil : streams(in: options))
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
        var type: StructuredType? = rootSet.type
        for segment in segments {
            switch segment {
            case .navigation(let navigation, _): type = model.target(of: navigation)
            case .cast(let cast): type = cast
            case .property: type = nil
            case .key, .count, .value, .ref: break
            }
        }
        return type
    }
}

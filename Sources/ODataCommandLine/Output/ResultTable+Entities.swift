import OData

extension ResultTable {
    /// A column per property and expanded navigation property.
    init(_ entities: [EdmEntity], shape: RowShape, model: EdmModel, nested: Nested) {
        let properties = shape.properties[..<shape.hiddenFrom]
        let names = properties.map(\.name)
        self.init(
            columns: names + shape.children.map(\.navigation.name),
            rows: entities.map { entity in
                names.map { name in entity[name].flatMap { $0.isNull ? nil : $0.lexical } }
                    + shape.children.map { child in
                        entity.expanded[child.navigation.name].flatMap {
                            nested == .json && !child.isCountOnly ? Self.json($0, model) : Self.summary($0)
                        }
                    }
            }, numbers: Set(properties.filter { $0.type.primitive?.isNumeric == true }.map(\.name)),
            keys: Set(shape.type.keyHolders.map(\.name)))
    }

    private static func summary(_ expanded: EdmEntity.Expanded) -> String? {
        switch expanded {
        case .many(let entities, let count): "\(count ?? Int64(entities.count)) entities"
        case .one(let entity?): entity.key?.urlText ?? "1 entity"
        case .one(nil): nil
        }
    }

    private static func json(_ expanded: EdmEntity.Expanded, _ model: EdmModel) -> String? {
        switch expanded {
        case .many(let entities, _): "[" + entities.map { json($0, model) }.joined(separator: ",") + "]"
        case .one(let entity): entity.map { json($0, model) }
        }
    }

    private static func json(_ entity: EdmEntity, _ model: EdmModel) -> String {
        var options = JSONWriterOptions()
        options.metadata = .none
        options.writesIDs = false
        return String(decoding: JSONPayload.bytes(entity: entity, model: model, options: options), as: UTF8.self)
    }
}

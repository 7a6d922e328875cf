/// Makes rows out of entities, so that what writes rows writes entities too.
package struct EntityRows {
    package let shape: RowShape
    package private(set) var block = RowBlock()

    /// Rows of a shape that is given; what it has no slot for is left out.
    package init(_ entities: [EdmEntity], shape: RowShape, count: Int64? = nil) {
        self.shape = shape
        block.count = count
        for entity in entities { append(entity, shape: shape, depth: 0, child: -1) }
    }

    /// - Parameter type: The declared type; nil for that of the set, or of the first entity.
    package init(_ entities: [EdmEntity], type: EdmStructuredType? = nil, model: EdmModel) {
        shape = Self.shape(of: entities, type: type, model: model)
        for entity in entities { append(entity, shape: shape, depth: 0, child: -1) }
    }

    /// A shape with everything that one of `entities` has.
    private static func shape(of entities: [EdmEntity], type: EdmStructuredType?, model: EdmModel) -> RowShape {
        let first = entities.first?.type
        let declared =
            type ?? entities.first?.entitySet?.type ?? first
            ?? EdmStructuredType(declaration: .init(name: EdmQualifiedName(""), properties: []))
        var types = [declared]
        var properties: [EdmProperty] = []
        var names: Set<String> = []
        for entity in entities {
            if !types.contains(entity.type) { types.append(entity.type) }
            for member in entity.properties.members where !names.contains(member.name) {
                guard let property = entity.type.property(named: member.name) else { continue }
                names.insert(member.name)
                properties.append(property)
            }
        }
        let visible = properties.count
        let dynamic = EdmProperty(name: "", type: .primitive(.untyped))
        return RowShape(
            model: model, entitySet: entities.first?.entitySet, type: declared, properties: properties + [dynamic],
            hiddenFrom: visible, children: children(of: entities, model: model), types: types, dynamicSlot: visible)
    }

    private static func children(of entities: [EdmEntity], model: EdmModel) -> [RowShape.Child] {
        var names: [String] = []
        for entity in entities {
            let known = entity.type.navigationProperties.map(\.name)
            let inside = entity.expanded.keys.filter { $0.contains("/") }.sorted()
            for name in known + inside where entity.expanded[name] != nil && !names.contains(name) {
                names.append(name)
            }
        }
        return names.compactMap { name in
            guard let navigation = entities.lazy.compactMap({ Self.navigation(name, of: $0.type, model: model) }).first
            else { return nil }
            let targets = entities.flatMap { $0.expanded[name]?.entities ?? [] }
            let shape = shape(of: targets, type: model.target(of: navigation), model: model)
            return RowShape.Child(navigation: navigation, shape: shape)
        }
    }

    /// The navigation property at a path through complex properties (`Address/Country`), which is its name in a shape.
    private static func navigation(_ path: String, of type: EdmStructuredType, model: EdmModel)
        -> EdmNavigationProperty?
    {
        var steps = path.split(separator: "/").map(String.init)
        let name = steps.popLast() ?? path
        let owner = steps.reduce(type as EdmStructuredType?) { type, step in
            switch type?.property(named: step)?.type {
            case .complex(let name), .collection(.complex(let name)): model.structuredType(named: name)
            default: nil
            }
        }
        var navigation = owner?.navigationProperty(named: name)
        navigation?.name = path
        return navigation
    }

    private mutating func append(_ entity: EdmEntity, shape: RowShape, depth: UInt8, child: Int16) {
        let row = block.rows.count
        var header = RowHeader()
        header.depth = depth
        header.child = child
        header.firstSlot = Int32(truncatingIfNeeded: block.slots.count)
        header.type = UInt16(truncatingIfNeeded: shape.types.firstIndex(of: entity.type) ?? 0)
        if let id = entity.id { header.id = block.append(text: id) }
        if let id = entity.firstID { header.firstID = block.append(text: id) }
        if let etag = entity.etag { header.etag = block.append(text: etag) }
        if let link = entity.editLink { header.editLink = block.append(text: link) }
        annotate(&header, entity.annotations)
        if entity.media != nil || !entity.streams.isEmpty {
            block.media.append(
                RowMedia(
                    entity: entity.media.map(RowMedia.Stream.init),
                    properties: entity.streams.mapValues(RowMedia.Stream.init)))
            header.media = Int32(truncatingIfNeeded: block.media.count)
        }
        block.rows.append(header)
        appendSlots(of: entity, shape: shape)
        for (index, item) in shape.children.enumerated() {
            guard let expanded = entity.expanded[item.navigation.name], item.cast.map(entity.type.isKind) ?? true
            else { continue }
            block.rows[row].presentChildren |= 1 << UInt64(min(index, 63))
            if case .many(_, let count?) = expanded {
                block.expansions.append(RowExpansion(row: row, child: index, count: count))
            }
            for target in expanded.entities {
                append(target, shape: item.shape, depth: depth &+ 1, child: Int16(truncatingIfNeeded: index))
            }
        }
    }

    /// Those that are true or false, as rows have them.
    private mutating func annotate(_ header: inout RowHeader, _ annotations: [String: EdmValue]) {
        for (term, value) in annotations.sorted(by: { $0.key < $1.key }) {
            guard case .boolean(let value) = value else { continue }
            let index = block.annotationTerms.firstIndex(of: term) ?? block.annotationTerms.count
            guard index < RowHeader.annotationLimit else { continue }
            if index == block.annotationTerms.count { block.annotationTerms.append(term) }
            header.annotate(index, value)
        }
    }

    private mutating func appendSlots(of entity: EdmEntity, shape: RowShape) {
        for (slot, property) in shape.properties.enumerated() {
            if slot == shape.dynamicSlot {
                appendDynamicSlot(of: entity, shape: shape)
            } else if let value = entity.properties[property.name] {
                block.append(value, type: property.type, model: shape.model)
            } else {
                block.slots.append(.absent)
            }
        }
    }

    private mutating func appendDynamicSlot(of entity: EdmEntity, shape: RowShape) {
        let dynamic = entity.properties.members.filter {
            entity.type.property(named: $0.name) == nil && shape.slot(of: $0.name) == nil
        }
        guard !dynamic.isEmpty else { return block.slots.append(.absent) }
        let writer = JSONValueWriter(model: shape.model)
        var text: [UInt8] = [UInt8(ascii: "{")]
        for member in dynamic { writer.append(member, property: nil, to: &text) }
        text[text.count - 1] = UInt8(ascii: "}")
        block.slots.append(.span(.json, block.append(bytes: text)))
    }
}

extension EdmEntity.Expanded {
    fileprivate var entities: [EdmEntity] {
        switch self {
        case .one(let entity): entity.map { [$0] } ?? []
        case .many(let entities, _): entities
        }
    }
}

extension RowMedia.Stream {
    fileprivate init(_ info: EdmEntity.StreamInfo) {
        self.init(
            readLink: info.readLink, editLink: info.editLink, contentType: info.contentType, etag: info.etag,
            content: info.content)
    }
}

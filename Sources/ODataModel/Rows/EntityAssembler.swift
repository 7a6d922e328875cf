/// Makes entities out of rows.
public struct EntityAssembler: Sendable {
    /// What the rows of depth 0 look like; the shapes of expanded rows follow from its children.
    public let shape: RowShape

    /// An assembler for blocks of this shape: that of the reader they come from.
    public init(shape: RowShape) {
        self.shape = shape
    }

    /// The entities of depth 0 in `block`, with what they expand. Rows that are not entities of the shape are passed
    /// over, with all below them.
    public func entities(in block: RowBlock) -> [EdmEntity] {
        var entities: [EdmEntity] = []
        var position = 0
        while position < block.rows.count {
            guard block.rows[position].change == .entity else {
                position = block.end(of: position)
                continue
            }
            entities.append(entity(at: &position, in: block, shape: shape))
        }
        return entities
    }

    private func entity(at position: inout Int, in block: RowBlock, shape: RowShape) -> EdmEntity {
        let row = position
        let header = block.rows[row]
        position += 1
        var entity = EdmEntity(type: shape.type(of: header), entitySet: shape.entitySet)
        entity.id = block.text(header.id)
        entity.firstID = block.text(header.firstID)
        entity.etag = block.text(header.etag)
        entity.editLink = block.text(header.editLink)
        entity.properties = block.properties(row: row, shape: shape)
        for (term, value) in block.annotations(of: header) { entity.annotations[term] = .boolean(value) }
        if header.media > 0 {
            let media = block.media[Int(header.media) - 1]
            entity.media = media.entity.map(EdmEntity.StreamInfo.init)
            entity.streams = media.properties.mapValues(EdmEntity.StreamInfo.init)
        }
        var found: [[EdmEntity]] = Array(repeating: [], count: shape.children.count)
        while position < block.rows.count, block.rows[position].depth > header.depth {
            let child = Int(block.rows[position].child)
            guard block.rows[position].change == .entity, found.indices.contains(child) else {
                position = block.end(of: position)
                continue
            }
            found[child].append(self.entity(at: &position, in: block, shape: shape.children[child].shape))
        }
        let counts = block.expansions.filter { $0.row == row }
        for (index, child) in shape.children.enumerated() {
            guard child.cast.map(entity.type.isKind) ?? true else { continue }
            if child.isCountOnly, let count = counts.first(where: { $0.child == index })?.count {
                entity.expanded[child.navigation.name] = .many([], count: count)
                continue
            }
            guard header.presentChildren & (1 << min(index, 63)) != 0 else { continue }
            entity.expanded[child.navigation.name] =
                child.navigation.isCollection
                ? .many(found[index], count: counts.first { $0.child == index }?.count) : .one(found[index].first)
        }
        return entity
    }
}

extension RowBlock {
    /// The properties of an entity: what was selected, with `Customer/Country` as a member of a complex value
    /// `Customer`, then the dynamic ones.
    package func properties(row: Int, shape: RowShape) -> EdmComplexValue {
        var members: [EdmComplexValue.Member] = []
        var nested: [(path: [String], value: EdmValue)] = []
        for slot in shape.properties[..<shape.hiddenFrom].indices where slot != shape.dynamicSlot {
            guard let value = value(row: row, slot: slot, shape: shape) else { continue }
            if shape.properties[slot].name.contains("/") {
                nested.append((shape.path(of: slot), value))
            } else {
                members.append(EdmComplexValue.Member(name: shape.properties[slot].name, value: value))
            }
        }
        var properties = EdmComplexValue(members)
        for (path, value) in nested { properties.set(value, at: path[...]) }
        for member in dynamicMembers(row: row, shape: shape) { properties[member.name] = member.value }
        return properties
    }

    /// The dynamic properties of a row.
    package func dynamicMembers(row: Int, shape: RowShape) -> [EdmComplexValue.Member] {
        guard let dynamic = shape.dynamicSlot, !shape.properties.isEmpty else { return [] }
        let slot = slots[Int(rows[row].firstSlot) + dynamic]
        guard slot.kind == .json else { return [] }
        let text = buffer[slot.span.range]
        guard let node = try? JSONParser.parse(text) else { return [] }
        return (try? ValueDecoder(model: shape.model, source: text).dynamicMembers(of: node)) ?? []
    }
}

extension EdmComplexValue {
    /// Sets a member of a member, complex values made on the way.
    fileprivate mutating func set(_ value: EdmValue, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            self[name] = value
            return
        }
        var inner = EdmComplexValue()
        if case .complex(let known) = self[name] { inner = known }
        inner.set(value, at: path.dropFirst())
        self[name] = .complex(inner)
    }
}

/// Makes entities out of rows.
public struct EntityAssembler: Sendable {
    public let shape: RowShape

    public init(shape: RowShape) {
        self.shape = shape
    }

    /// The entities of depth 0 in `block`, with what they expand. Rows that are not entities are passed over.
    public func entities(in block: RowBlock) -> [Entity] {
        var entities: [Entity] = []
        var position = 0
        while position < block.rows.count {
            guard block.rows[position].change == .entity else {
                position += 1
                continue
            }
            entities.append(entity(at: &position, in: block, shape: shape))
        }
        return entities
    }

    private func entity(at position: inout Int, in block: RowBlock, shape: RowShape) -> Entity {
        let row = position
        let header = block.rows[row]
        position += 1
        let type = Int(header.type) < shape.types.count ? shape.types[Int(header.type)] : shape.type
        var entity = Entity(type: type, entitySet: shape.entitySet)
        entity.id = block.text(header.id)
        entity.etag = block.text(header.etag)
        entity.properties = properties(row: row, in: block, shape: shape)
        if header.media > 0 {
            let media = block.media[Int(header.media) - 1]
            entity.media = media.entity.map(Entity.StreamInfo.init)
            entity.streams = media.properties.mapValues(Entity.StreamInfo.init)
        }
        var found: [[Entity]] = Array(repeating: [], count: shape.children.count)
        while position < block.rows.count, block.rows[position].depth > header.depth {
            let child = Int(block.rows[position].child)
            found[child].append(self.entity(at: &position, in: block, shape: shape.children[child].shape))
        }
        let counts = block.expansions.filter { $0.row == row }
        for (index, child) in shape.children.enumerated() {
            guard header.presentChildren & (1 << min(index, 63)) != 0 else { continue }
            entity.expanded[child.navigation.name] =
                child.navigation.isCollection
                ? .many(found[index], count: counts.first { $0.child == index }?.count) : .one(found[index].first)
        }
        return entity
    }

    private func properties(row: Int, in block: RowBlock, shape: RowShape) -> ComplexValue {
        let members: [ComplexValue.Member] = shape.properties[..<shape.hiddenFrom].indices.compactMap { slot in
            guard let value = block.value(row: row, slot: slot, shape: shape) else { return nil }
            return ComplexValue.Member(name: shape.properties[slot].name, value: value)
        }
        return ComplexValue(members)
    }
}

import ODataModel
import Synchronization

/// Gives entities that are in memory as rows.
package final class EntityListReader: EntityReader {
    package let shape: RowShape
    private let block: Mutex<RowBlock?>

    package init(_ entities: [Entity], shape: RowShape, count: Int64? = nil) {
        self.shape = shape
        var block = RowBlock()
        block.count = count
        for entity in entities { Self.append(entity, depth: 0, child: -1, shape: shape, to: &block) }
        self.block = Mutex(block)
    }

    package func next() async throws -> RowBlock? {
        block.withLock { block in
            defer { block = nil }
            return block
        }
    }

    private static func append(_ entity: Entity, depth: UInt8, child: Int16, shape: RowShape, to block: inout RowBlock)
    {
        var header = RowHeader()
        header.depth = depth
        header.child = child
        header.type = UInt16(shape.types.firstIndex(of: entity.type) ?? 0)
        header.firstSlot = Int32(block.slots.count)
        if let id = entity.id { header.id = block.append(text: id) }
        if let etag = entity.etag { header.etag = block.append(text: etag) }
        if entity.media != nil || !entity.streams.isEmpty {
            block.media.append(RowMedia(entity))
            header.media = Int32(block.media.count)
        }
        for property in shape.properties { block.append(entity.properties[property.name]) }
        let row = block.rows.count
        block.rows.append(header)
        for (index, expanded) in shape.children.enumerated() {
            let members: [Entity]
            switch entity.expanded[expanded.navigation.name] {
            case .one(let one): members = one.map { [$0] } ?? []
            case .many(let many, let count):
                members = many
                if let count { block.expansions.append(RowExpansion(row: row, child: index, count: count)) }
            case nil: continue
            }
            block.rows[row].presentChildren |= 1 << UInt64(min(index, 63))
            for member in members {
                append(member, depth: depth + 1, child: Int16(index), shape: expanded.shape, to: &block)
            }
        }
    }
}

extension RowMedia {
    fileprivate init(_ entity: Entity) {
        self.init(entity: entity.media.map(Stream.init), properties: entity.streams.mapValues(Stream.init))
    }
}

extension RowMedia.Stream {
    fileprivate init(_ info: Entity.StreamInfo) {
        self.init(
            readLink: info.readLink, editLink: info.editLink, contentType: info.contentType, etag: info.etag)
    }
}

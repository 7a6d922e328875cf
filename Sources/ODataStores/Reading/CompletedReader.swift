import ODataModel
import ODataQuery

/// Rows with all that belongs to what they expand: where a service sends only a part of an expanded collection, the rest
/// is read through its next link.
///
/// [OData-Protocol, section 11.2.6.7; OData-JSON, section 4.5.5]
package final class CompletedReader: EntityReader {
    private let base: any EntityReader
    private let request: ReadRequest
    private let store: any ODataStore

    package var shape: RowShape { base.shape }

    /// - Parameter request: The request of `base`.
    package init(_ base: any EntityReader, of request: ReadRequest, from store: any ODataStore) {
        (self.base, self.request, self.store) = (base, request, store)
    }

    package func next() async throws -> RowBlock? {
        guard let block = try await base.next() else { return nil }
        let cut = block.expansions.filter { $0.nextLink != nil && !$0.isDelta }
        guard !cut.isEmpty else { return block }
        let query = try request.query.unrolled(model: shape.model)
        var splice = RowSplice(block)
        for expansion in cut {
            guard let link = expansion.nextLink, let place = Place(of: expansion, in: block, shape, query) else {
                continue
            }
            splice.insert(try await rest(link, at: place), below: expansion.row, child: expansion.child)
        }
        return splice.result
    }

    private func rest(_ link: String, at place: Place) async throws -> [RowBlock] {
        var request = request
        (request.query, request.continuation) = (place.query, link)
        (request.ifMatch, request.ifNoneMatch, request.tracksChanges) = (nil, nil, false)
        var (blocks, trail) = ([RowBlock](), NextLinkTrail())
        while let link = request.continuation {
            try trail.follow(link)
            guard case .entities(let reader) = try await store.read(request).body,
                reader.shape.properties.map(\.name) == place.shape.properties.map(\.name)
            else { throw ODataError(.invalidResponse, "The service did not respond with entities: \(link)") }
            request.continuation = nil
            let completed = CompletedReader(reader, of: request, from: store)
            while let block = try await completed.next() {
                trail.note(block, reader.shape)
                blocks.append(block)
                request.continuation = block.nextLink ?? request.continuation
            }
        }
        return blocks
    }
}

/// What is asked of an expanded collection, as a query of its own.
private struct Place {
    let query: BoundQuery
    let shape: RowShape

    /// Nil where only references are asked for.
    init?(of expansion: RowExpansion, in block: RowBlock, _ shape: RowShape, _ query: BoundQuery) {
        var steps = [expansion.child]
        var row = expansion.row
        while block.rows.indices.contains(row), block.rows[row].depth > 0 {
            steps.append(Int(block.rows[row].child))
            guard let parent = block.rows[..<row].lastIndex(where: { $0.depth < block.rows[row].depth }) else {
                return nil
            }
            row = parent
        }
        var (path, options, shape) = (query.path.resource, query.options, shape)
        for step in steps.reversed() {
            guard options.expand.indices.contains(step), shape.children.indices.contains(step),
                options.expand[step].form == .entities
            else { return nil }
            let item = options.expand[step]
            for case .cast(let type) in item.prefix { path = path.appending(.cast(type)) }
            path = path.appending(.navigation(item.navigation, item.targetSet))
            if item.targetType.name != item.navigation.target { path = path.appending(.cast(item.targetType)) }
            (options, shape) = (item.options, shape.children[step].shape)
        }
        (self.query, self.shape) = (BoundQuery(path: path, options: options), shape)
    }
}

/// Puts the rows of other blocks below rows of a block.
private struct RowSplice {
    private struct Piece {
        var position: Int
        var depth: UInt8
        var child: Int
        var blocks: [RowBlock]
    }

    private let block: RowBlock
    private var pieces: [Piece] = []

    init(_ block: RowBlock) { self.block = block }

    /// After what the row has of this child already.
    mutating func insert(_ blocks: [RowBlock], below row: Int, child: Int) {
        let depth = block.rows[row].depth + 1
        let end = block.end(of: row)
        let next = block.rows[row..<end].indices.first { index in
            index > row && block.rows[index].depth == depth && Int(block.rows[index].child) > child
        }
        pieces.append(Piece(position: next ?? end, depth: depth, child: child, blocks: blocks))
    }

    var result: RowBlock {
        var result = block
        (result.rows, result.expansions, result.diagnostics) = ([], [], [])
        result.rows.reserveCapacity(
            block.rows.count + pieces.reduce(0) { $0 + $1.blocks.reduce(0) { $0 + $1.rows.count } })
        // What ends at the same place stands from the inside to the outside, and in the order of the children.
        var open = pieces.sorted { ($0.position, $1.depth, $0.child) < ($1.position, $0.depth, $1.child) }[...]
        var places: [Int] = []
        for index in 0...block.rows.count {
            while let piece = open.first, piece.position == index {
                open = open.dropFirst()
                for block in piece.blocks { result.append(block, depth: piece.depth, child: piece.child) }
            }
            places.append(result.rows.count)
            if index < block.rows.count { result.rows.append(block.rows[index]) }
        }
        result.expansions += block.expansions.map { expansion in
            var expansion = expansion
            expansion.row = places[expansion.row]
            // A service may send the link alone.
            result.rows[expansion.row].presentChildren |= 1 << UInt64(min(expansion.child, 63))
            if !expansion.isDelta { expansion.nextLink = nil }
            return expansion
        }
        result.diagnostics += block.diagnostics.map { RowDiagnostic($0.message, row: places[$0.row], type: $0.type) }
        return result
    }
}

extension RowBlock {
    /// Gives the first row the ETag of a header, where it has none.
    package mutating func setETag(_ etag: String) {
        guard let first = rows.first, first.etag.isNone else { return }
        let text = Array(etag.utf8)
        rows[0].etag = RowSpan(offset: UInt32(buffer.count), length: UInt32(text.count))
        buffer += text
    }

    /// The rows of another block, one to many levels further down.
    fileprivate mutating func append(_ block: RowBlock, depth: UInt8, child: Int) {
        let (bytes, firstSlot, firstMedia) = (UInt32(buffer.count), Int32(slots.count), Int32(media.count))
        let firstRow = rows.count
        buffer += block.buffer
        slots += block.slots.map { $0.moved(by: bytes) }
        media += block.media
        rows += block.rows.map { row in
            var row = row
            if row.depth == 0 { row.child = Int16(truncatingIfNeeded: child) }
            row.depth += depth
            row.firstSlot += firstSlot
            if row.media > 0 { row.media += firstMedia }
            (row.id, row.etag) = (row.id.moved(by: bytes), row.etag.moved(by: bytes))
            (row.link, row.linkTarget) = (row.link.moved(by: bytes), row.linkTarget.moved(by: bytes))
            if block.annotationTerms != annotationTerms { row.annotations = 0 }
            return row
        }
        expansions += block.expansions.map { expansion in
            var expansion = expansion
            expansion.row += firstRow
            return expansion
        }
        diagnostics += block.diagnostics.map { RowDiagnostic($0.message, row: $0.row + firstRow, type: $0.type) }
    }
}

extension RowSlot {
    fileprivate func moved(by bytes: UInt32) -> RowSlot {
        switch kind {
        case .text, .bytes, .json: .span(kind, span.moved(by: bytes))
        case .absent, .null, .boolean, .integer, .double: self
        }
    }
}

extension RowSpan {
    fileprivate func moved(by bytes: UInt32) -> RowSpan {
        isNone ? self : RowSpan(offset: offset + bytes, length: length)
    }
}

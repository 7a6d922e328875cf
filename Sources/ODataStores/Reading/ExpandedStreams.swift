import ByteStreams
import ODataModel
import ODataQuery

extension ODataStore {
    /// A result with the content of the streams that the query expands. All of it is read before the first row is
    /// given, so that a stream that is too long is reported in time.
    ///
    /// A stream that the store does not have is returned without content.
    /// - Throws: ``ODataError`` of code `badRequest` where the streams are longer than
    ///   ``ReadRequest/expandedStreamSize``.
    package func withStreams(_ result: ReadResult, of request: ReadRequest) async throws -> ReadResult {
        guard request.query.options.expandsStreams, case .entities(let reader) = result.body else { return result }
        let model = try await model()
        var filler = StreamFiller(
            store: self, parser: QueryParser(model: model), options: try request.query.unrolled(model: model).options,
            size: request.expandedStreamSize, scope: request.scope)
        var blocks: [RowBlock] = []
        while var block = try await reader.next() {
            try await filler.fill(&block, shape: reader.shape)
            blocks.append(block)
        }
        var result = result
        result.body = .entities(RowBlocks(blocks, shape: reader.shape))
        return result
    }
}

/// Reads the streams of rows.
private struct StreamFiller<Store: ODataStore> {
    /// What the rows of one level have.
    typealias Level = (options: QueryOptions, shape: RowShape)

    let store: Store
    let parser: QueryParser
    let options: QueryOptions
    let size: Int
    let scope: WorkScope
    private var rest: Int

    init(store: Store, parser: QueryParser, options: QueryOptions, size: Int, scope: WorkScope) {
        self.scope = scope
        self.store = store
        self.parser = parser
        self.options = options
        self.size = size
        rest = size
    }

    mutating func fill(_ block: inout RowBlock, shape: RowShape) async throws {
        // The options and shapes of the rows above, outermost first.
        var above: [Level] = []
        for row in block.rows.indices {
            let header = block.rows[row]
            above.removeLast(max(0, above.count - Int(header.depth)))
            guard let place = Self.place(header, above: above, root: (options: options, shape: shape)) else { continue }
            above.append(place)
            guard header.change == .entity, !place.options.streams.isEmpty, let id = block.text(header.id) else {
                continue
            }
            let type = place.shape.type(of: header)
            for stream in place.options.streams where stream.isOf(type) {
                guard let content = try await content(of: "\(id)/\(stream.text)") else { continue }
                block.setContent(content, of: stream, row: row)
            }
        }
    }

    private static func place(
        _ header: RowHeader, above: [Level], root: Level
    ) -> Level? {
        guard header.depth > 0 else { return root }
        let child = Int(header.child)
        guard let parent = above.last, parent.options.expand.indices.contains(child),
            parent.shape.children.indices.contains(child)
        else { return nil }
        return (parent.options.expand[child].options, parent.shape.children[child].shape)
    }

    /// Nil where the store has no such stream.
    private mutating func content(of path: String) async throws -> RowMedia.Stream? {
        do {
            var request = StreamRequest(try parser.path(path))
            request.scope = scope
            let result = try await store.readStream(request)
            guard !result.isNull else { return nil }
            if let length = result.totalLength, length > rest { throw tooLong }
            let bytes = try await result.content.collect(upTo: rest)
            rest -= bytes.count
            return RowMedia.Stream(contentType: result.contentType, etag: result.etag, content: bytes)
        } catch let error as ODataError where error.code == .notFound || error.code == .mediaNotInStore {
            return nil
        } catch let error as ByteStreamError where error.code == .tooLong {
            throw tooLong
        }
    }

    private var tooLong: ODataError {
        ODataError(
            .badRequest,
            "The streams that $expand names have more than \(size) bytes together: read them one by one.")
    }
}

extension QueryOptions {
    /// Whether these or nested options expand streams.
    package var expandsStreams: Bool { !streams.isEmpty || expand.contains { $0.options.expandsStreams } }
}

extension ExpandedStream {
    fileprivate func isOf(_ type: EdmStructuredType) -> Bool {
        switch self {
        case .media: type.hasStream
        case .property(let casts, let property):
            casts.allSatisfy { type.isKind(of: $0) } && type.property(named: property.name) != nil
        }
    }
}

extension RowBlock {
    fileprivate mutating func setContent(_ content: RowMedia.Stream, of stream: ExpandedStream, row: Int) {
        if rows[row].media == 0 {
            media.append(RowMedia())
            rows[row].media = Int32(truncatingIfNeeded: media.count)
        }
        let position = Int(rows[row].media) - 1
        switch stream {
        case .media: media[position].entity = content.linked(like: media[position].entity)
        case .property(_, let property):
            media[position].properties[property.name] = content.linked(like: media[position].properties[property.name])
        }
    }
}

extension RowMedia.Stream {
    /// The content with the links, and with what else is not known of it, of the stream in the row.
    fileprivate func linked(like stream: RowMedia.Stream?) -> RowMedia.Stream {
        RowMedia.Stream(
            readLink: stream?.readLink, editLink: stream?.editLink, contentType: contentType ?? stream?.contentType,
            etag: etag ?? stream?.etag, content: content)
    }
}

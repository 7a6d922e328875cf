import ODataModel
import ODataStores

extension ReadResult {
    /// The same from a service that has no ETags.
    var withoutETags: ReadResult {
        var result = self
        result.etag = nil
        if case .entities(let reader) = body { result.body = .entities(ReaderWithoutETags(reader)) }
        return result
    }
}

extension ChangeResult {
    /// The same from a service that has no ETags.
    var withoutETags: ChangeResult {
        var result = self
        result.etag = nil
        result.entity?.etag = nil
        return result
    }
}

private final class ReaderWithoutETags: EntityReader {
    private let reader: any EntityReader

    init(_ reader: any EntityReader) {
        self.reader = reader
    }

    var shape: RowShape { reader.shape }

    func next() async throws -> RowBlock? {
        guard var block = try await reader.next() else { return nil }
        for index in block.rows.indices { block.rows[index].etag = .none }
        for index in block.media.indices {
            block.media[index].entity?.etag = nil
            for name in block.media[index].properties.keys { block.media[index].properties[name]?.etag = nil }
        }
        return block
    }
}

import ODataFormats
import ODataModel
import ODataQuery
import ODataStores

extension OnlineStore {
    /// Reads the response to `GET Categories(1)/$links/Products` as entities that have only an id.
    func references(
        _ response: OnlineResponse, format: LegacyFormat, query: BoundQuery, model: EdmModel
    ) async throws -> ReadResult.Body {
        try response.checkEncoding()
        let bytes = try await response.bytes(upTo: configuration.maxResponseBytes)
        let shape = try RowShape.shape(of: query, model: model)
        do {
            let found = try format.references(bytes)
            var block = RowBlock()
            for reference in found.references {
                var header = RowHeader()
                header.firstSlot = Int32(truncatingIfNeeded: block.slots.count)
                header.id = block.append(text: reference)
                block.rows.append(header)
                for _ in shape.properties { block.slots.append(.absent) }
            }
            block.count = found.count
            if let link = found.nextLink, !link.allSatisfy(\.isWhitespace) {
                block.nextLink = try service.address.link(link, from: response.request.url, model: model).description
            }
            return .entities(RowBlocks([block], shape: shape))
        } catch {
            throw ODataError(reading: error, of: response.request)
        }
    }
}

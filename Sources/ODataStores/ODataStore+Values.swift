import ODataModel
import ODataQuery

extension ODataStore {
    /// All entities of `query`, over all pages, in memory.
    ///
    /// - Throws: ``ODataError`` with code `invalidResponse` if the next links go round in a circle.
    public func entities(_ query: BoundQuery) async throws -> [Entity] {
        var entities: [Entity] = []
        var request = ReadRequest(query)
        var trail = NextLinkTrail()
        repeat {
            guard case .entities(let reader) = try await read(request).body else { break }
            request.continuation = nil
            let assembler = EntityAssembler(shape: reader.shape)
            while let block = try await reader.next() {
                entities += assembler.entities(in: block)
                request.continuation = block.nextLink ?? request.continuation
            }
            if let link = request.continuation { try trail.follow(link) }
        } while request.continuation != nil
        return entities
    }
}

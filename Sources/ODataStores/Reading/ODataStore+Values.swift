import ODataModel
import ODataQuery

extension ODataStore {
    /// All entities of `query`, over all pages, in memory.
    ///
    /// - Throws: ``ODataError`` with code `invalidResponse` if the next links go round in a cycle, or on
    ///   without end.
    public func entities(_ query: BoundQuery) async throws -> [EdmEntity] { try await entities(ReadRequest(query)) }

    /// All entities of a read, over all pages that follow, in memory. What a service sends of expanded collections in
    /// pages is read whole too.
    ///
    /// - Throws: ``ODataError`` with code `invalidResponse` if the next links go round in a cycle, or on
    ///   without end.
    public func entities(_ request: ReadRequest) async throws -> [EdmEntity] {
        var entities: [EdmEntity] = []
        var request = request
        var trail = NextLinkTrail()
        repeat {
            guard case .entities(let base) = try await read(request).body else { break }
            let reader = CompletedReader(base, of: request, from: self)
            request.continuation = nil
            let assembler = EntityAssembler(shape: reader.shape)
            while let block = try await reader.next() {
                trail.note(block, reader.shape)
                entities += assembler.entities(in: block)
                request.continuation = block.nextLink ?? request.continuation
            }
            if let link = request.continuation { try trail.follow(link) }
        } while request.continuation != nil
        return entities
    }
}

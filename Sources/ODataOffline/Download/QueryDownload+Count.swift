import ODataModel
import ODataQuery
import ODataStores

/// The number of entities, which a download requests itself.
extension QueryDownload {
    /// The response to the request for the first page of the whole result, with a count. If the service refuses the
    /// count, the request is repeated without it, and this download does not request a count again.
    ///
    ///     GET Orders?$filter=Status eq 'open'&$count=true
    mutating func countedResponse(to request: ReadRequest) async throws -> ReadResult {
        guard asksForCount else { return try await remote.read(request) }
        var counting = request
        counting.query.options.count = true
        counting.isTentative = true
        do { return try await remote.read(counting) } catch let error as ODataError
            where counting.mayBeRefusedForExtra(error)
        {
            asksForCount = false
            return try await remote.read(request)
        }
    }

    /// The number of entities of a result that has `count` entities without `$skip` and `$top`.
    func expected(_ count: Int64) -> Int64 {
        let rest = max(0, count - Int64(bound.options.skip ?? 0))
        return bound.options.top.map { min(rest, Int64($0)) } ?? rest
    }
}

extension BoundQuery {
    /// Whether the count may be requested and the query does not request it itself.
    var isCountable: Bool {
        guard path.target == .collection, !options.count else { return false }
        return path.entitySet?.annotation(EdmAnnotation.countRestrictions)?["Countable"]?.bool != false
    }
}

import ODataModel
import ODataQuery
import ODataStores

/// The number of entities that a download asks for itself.
extension QueryDownload {
    /// The response to the request for the first page of the whole result, which asks how many entities there are. A
    /// service that refuses to count is asked again without, and not again for a count by this download.
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

    /// How many entities come of the result that has `count` without `$skip` and `$top`.
    func expected(_ count: Int64) -> Int64 {
        let rest = max(0, count - Int64(bound.options.skip ?? 0))
        return bound.options.top.map { min(rest, Int64($0)) } ?? rest
    }
}

extension BoundQuery {
    /// Whether the number of entities may be asked for, and the query does not do so itself.
    var isCountable: Bool {
        guard path.target == .collection, !options.count else { return false }
        return path.entitySet?.annotation(EdmAnnotation.countRestrictions)?["Countable"]?.bool != false
    }
}

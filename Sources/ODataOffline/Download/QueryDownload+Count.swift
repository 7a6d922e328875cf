import ODataModel
import ODataQuery
import ODataStores

/// The number of entities that a download asks for itself.
extension QueryDownload {
    /// What asks for the next page of the whole result; the first one is asked how many entities there are.
    ///
    ///     GET Orders?$filter=Status eq 'open'&$count=true
    var wholeResult: BoundQuery {
        guard asksForCount, record.continuation == nil else { return bound }
        var query = bound
        query.options.count = true
        return query
    }

    /// The service's answer. A service that refuses to count is asked again without, and not again for a count by this
    /// download.
    mutating func countedAnswer(to request: ReadRequest) async throws -> ReadResult {
        guard record.phase == .full, asksForCount, request.continuation == nil else {
            return try await remote.read(request)
        }
        var counting = request
        counting.isTentative = true
        do { return try await remote.read(counting) } catch let error as ODataError
            where request.mayBeRefusedForExtra(error)
        {
            asksForCount = false
            return try await remote.read(uncounted(request))
        }
    }

    /// The request as it is for all pages but the first.
    func uncounted(_ request: ReadRequest) -> ReadRequest {
        guard record.phase == .full else { return request }
        var request = request
        request.query = bound
        return request
    }
}

extension BoundQuery {
    /// Whether the number of entities may be asked for, and the query does not do so itself.
    var isCountable: Bool {
        guard path.target == .collection, !options.count else { return false }
        return path.entitySet?.annotation(EdmAnnotation.countRestrictions)?["Countable"]?.bool != false
    }
}

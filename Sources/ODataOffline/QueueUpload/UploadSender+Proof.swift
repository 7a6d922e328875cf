import GRDB
import ODataStores

/// Successes that may not be the service's: it reports its version with other responses.
extension UploadSender {
    /// What the service shows after such a success; nil unless that is what the request makes of it. Then it is not known
    /// whether the request was executed, and the next upload determines it.
    ///
    /// What is surely executed teaches that the service sends such responses.
    func proof(of outgoing: OutgoingUnit, _ error: ODataError) async -> ChangeResult? {
        if let kind = error.facts.unproven {
            try? await store.database.writing { [outgoing] db in
                for record in outgoing.records { try StoreValues(db: db).setUnproven(kind, of: record.id) }
            }
        }
        guard policy.probes, outgoing.requests.count == 1,
            case .executed(let result, let isProof)? = try? await probe.finding(
                on: outgoing.requests[0], of: outgoing.main)
        else { return nil }
        if isProof, let kind = error.facts.unproven {
            (remote as? any LearningStore)?.noteExecuted(unproven: kind)
        }
        return result
    }
}

extension StoreValues {
    private static let unproven = "unproven:"

    /// The kind of the response to a request that may not be the service's.
    func setUnproven(_ kind: String, of request: Int64) throws { try set(Self.unproven + "\(request)", kind) }

    func unproven(of requests: [Int64]) throws -> Set<String> {
        try Set(requests.compactMap { try text(Self.unproven + "\($0)") })
    }

    /// Of requests that are not in the queue any more.
    func removeSettledUnproven() throws {
        try db.execute(
            sql: """
                DELETE FROM \(.store) WHERE "name" GLOB ?
                AND CAST(substr("name", ?) AS INTEGER) NOT IN (SELECT "id" FROM \(.queue))
                """, arguments: [Self.unproven + "*", Self.unproven.count + 1])
    }
}

extension ODataError {
    /// A success that does not show whose it is.
    static func ofUnproven(_ kind: String) -> ODataError {
        var error = ODataError(
            .invalidResponse,
            "The response (\(kind)) does not report the version, which other responses of the service do.")
        error.status = 204
        (error.isOutcomeUnknown, error.facts.unproven) = (true, kind)
        return error
    }
}

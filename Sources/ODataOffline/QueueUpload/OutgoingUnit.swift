import ODataStores

/// A unit as it is sent.
struct OutgoingUnit: Sendable {
    var unit: UploadUnit
    var records: [QueueRecord]
    /// One for each record; of a deep insert one for all.
    var requests: [ChangeRequest] = []
    /// The records are sent as one request.
    var deep: DeepInsert?
    /// It was sent before, and it is not known whether it was executed.
    var isUnconfirmed = false
}

extension OutgoingUnit {
    /// The request at fault.
    func place(of error: ODataError) -> Int {
        deep?.outermost ?? error.requestIndex.flatMap { records.indices.contains($0) ? $0 : nil } ?? 0
    }

    /// What was sent of the request at fault.
    func request(of error: ODataError) -> ChangeRequest { requests[deep == nil ? place(of: error) : 0] }

    /// Of a deep insert the outermost entity's.
    var main: QueueRecord { records[deep?.outermost ?? 0] }

    /// The only request, if it sends a stream.
    var stream: QueueRecord? { records.count == 1 && records[0].operation.hasStream ? records[0] : nil }

    var namesRequests: Bool { records.contains { $0.mechanism?.namesRequests == true } }

    /// 412 to a request without any condition: the service does not take its `Repeatability-First-Sent`, because it is
    /// too long ago by the clock of the service. Nothing was executed.
    ///
    /// [Repeatable Requests 1.0]
    func isRefusedRepetition(_ error: ODataError) -> Bool {
        error.code == .preconditionFailed && records[place(of: error)].mechanism?.namesRequests == true
            && !request(of: error).isConditional
    }

    /// 501 to a request that was sent for the first time, with an id: the service may know no repeated requests of its
    /// target. Nothing was executed.
    ///
    /// [Repeatable Requests 1.0]
    func isRefusedID(_ error: ODataError) -> Bool { error.code == .notImplemented && !isUnconfirmed && namesRequests }

    /// 428 to the first content of a stream property: nothing was executed, and the condition is that there is none.
    func isFirstContent(after error: ODataError) -> Bool {
        requests.count == 1 && requests[0].ofFirstContent(after: error) != nil
    }

    /// With the current rows of the requests: a response may have shown that two rows are the same entity.
    func current(in queue: RequestQueue) throws -> Self {
        var outgoing = self
        outgoing.records = try records.map { try $0.current(in: queue) }
        return outgoing
    }

    /// Whether a request was tied to one that is still in the queue after the plan was made: it must not go first.
    func waits(in queue: RequestQueue) throws -> Bool {
        let own = Set(unit.ids).union(records.map(\.id))
        return try Set(records.flatMap(\.dependsOn)).subtracting(own).contains { try queue.contains($0) }
    }
}

extension QueueRecord {
    func current(in queue: RequestQueue) throws -> Self {
        guard let now = try queue.record(id) else { return self }
        var record = self
        (record.row, record.parent, record.target) = (now.row, now.parent, now.target)
        return record
    }
}

extension ChangeRequest {
    var isConditional: Bool { ifMatch != nil || ifNoneMatch != nil }
}

import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// What a sender keeps in the store before and after it sends.
extension UploadSender {
    /// What is recorded of a unit; nil: it is to be sent.
    typealias Recorded = (outgoing: OutgoingUnit, outcome: UnitOutcome?)

    /// Writes the requests out and notes that they may reach the service from now on: one transaction. What cannot be
    /// written out is refused already, or must be found out if it may have been executed.
    func prepare(_ units: [UploadUnit]) async throws -> [Recorded] {
        try await store.database.writingDurably { [self] db in
            let queue = RequestQueue(db: db)
            let context = self.context(db)
            let known = (
                row: try StoreValues(db: db).counter,
                queries: try Set(Int64.fetchAll(db, sql: #"SELECT "id" FROM \#(.query) WHERE "reads" > 0"#))
            )
            return try units.map { unit in
                // What is not in the queue any more was undone since the plan was made.
                var outgoing = OutgoingUnit(unit: unit, records: try unit.ids.compactMap(queue.record))
                outgoing.isUnconfirmed = outgoing.records.contains { $0.state == .unconfirmed }
                guard !outgoing.records.isEmpty else { return (outgoing, .executed([])) }
                guard try !outgoing.waits(in: queue) else { return (outgoing, .postponed) }
                for index in outgoing.records.indices {
                    try address(&outgoing.records[index], outgoing.isUnconfirmed, context)
                    if !outgoing.isUnconfirmed { outgoing.records[index].known = known }
                }
                do {
                    if let outcome = try writeRequests(of: &outgoing, db) { return (outgoing, outcome) }
                    if let conflict = try conflict(of: outgoing, context) { return (outgoing, .refused(conflict)) }
                } catch let error as ODataError where error.code != .storage {
                    return (outgoing, outgoing.isUnconfirmed ? .forgotten : .refused(error))
                }
                for index in outgoing.records.indices {
                    outgoing.records[index].state = .sending
                    outgoing.records[index].attempts += 1
                    outgoing.records[index].sent = context.time.column
                    try queue.markSending(outgoing.records[index])
                }
                return (outgoing, nil)
            }
        }
    }

    /// Writes the requests out, a deep insert in its form.
    ///
    /// - Returns: What is to be recorded of it instead, where it is not to be sent so.
    private func writeRequests(of outgoing: inout OutgoingUnit, _ db: Database) throws -> UnitOutcome? {
        switch try form(of: outgoing, db) {
        case .parts: return .reformed(.parts)
        case .automatic, .request:
            if let (request, deep) = try writer(db).deepInsert(outgoing.records) {
                (outgoing.requests, outgoing.deep) = ([request], deep)
                return nil
            }
            // The service would not recognise it in another form.
            let isRepeated = outgoing.isUnconfirmed && outgoing.records.contains { policy.repeats($0.mechanism) }
            guard !isRepeated else { return .forgotten }
            guard deepInserts.fallback != .parts else { return .reformed(.parts) }
            try setChangeSet(&outgoing, db)
        case .changeSet: try setChangeSet(&outgoing, db)
        case nil: break
        }
        outgoing.requests = try requests(of: outgoing.records, db)
        return nil
    }

    private func requests(of records: [QueueRecord], _ db: Database) throws -> [ChangeRequest] {
        try zip(records, writer(db).requests(records)).map { record, request in
            repetition.isConditionDemanded(of: record.id) ? request.asFirstContent ?? request : request
        }
    }

    func writer(_ db: Database) -> RequestWriter {
        RequestWriter(db: db, offline: offline, media: store.media)
    }

    func context(_ db: Database) -> StoreTransaction {
        StoreTransaction(db: db, offline: offline, configuration: store.configuration)
    }

    /// A request that is repeated keeps its identity; any other is sent for the first time now.
    private func address(_ record: inout QueueRecord, _ isUnconfirmed: Bool, _ context: StoreTransaction) throws {
        guard !isUnconfirmed || record.mechanism == nil else { return }
        if record.operation.hasStream, record.mechanism != nil,
            try StreamUploadTable(db: context.db).isOpen(record.id)
        {
            return
        }
        record.mechanism =
            repetition.isRefused(for: record.id)
            ? ExactlyOnce.none : policy.mechanism(of: record.operation, promise: promise(record, context))
        if record.attempts > 0 { record.repeatability = context.repeatability() }
        // The clock may have gone back since.
        record.repeatability.firstSent = context.time.notBefore(record.created).instant.httpDate
    }

    /// Whether the metadata say that the service recognises the request if it is repeated.
    private func promise(_ record: QueueRecord, _ context: StoreTransaction) -> Bool? {
        let target: ResourcePath? =
            if record.operation == .call {
                try? RequestLine(db: context.db, offline: offline).call(of: record).path
            } else {
                offline.model.entitySet(named: record.set).map { ResourcePath($0) }
            }
        return target.flatMap(offline.model.recognizesRepetition(of:)) ?? offline.model.recognizesRepeatedRequests
    }

    /// Records what became of units, though the task was cancelled.
    func record(_ units: [Recorded], _ sendResult: SendResult) async throws -> SendResult {
        try await store.database.writingDurably { [self] db in
            var sendResult = sendResult
            let context = self.context(db)
            for (outgoing, outcome) in units {
                let outgoing = try outgoing.current(in: context.queue)
                let outcome = try record(outcome ?? .unconfirmed, of: outgoing, context, &sendResult)
                sendResult.outcomes.append((outgoing.unit, outcome))
            }
            return sendResult
        }
    }

    private func record(
        _ outcome: UnitOutcome, of outgoing: OutgoingUnit, _ context: StoreTransaction, _ sendResult: inout SendResult
    ) throws -> UploadPlan.Outcome {
        switch outcome {
        case .executed(let results):
            try record(results, of: outgoing, context, &sendResult)
            return .executed
        case .reformed(let form): return try reform(outgoing, as: form, context, &sendResult)
        case .refused(let error, let earlier):
            try record(error, earlier, of: outgoing, context, &sendResult)
            return .blocked
        case .decided(let decision): return try record(decision, of: outgoing, context, &sendResult)
        case .needless:
            guard let first = outgoing.records.first, try context.queue.isNeedless(first.id) else {
                return try requeue(outgoing, as: outcome, context.queue, &sendResult)
            }
            sendResult.report.givenUp += outgoing.records.map(QueueEntry.init)
            try context.giveUp(first)
            return .executed
        case .open, .postponed, .stopped, .forgotten, .unconfirmed:
            return try requeue(outgoing, as: outcome, context.queue, &sendResult)
        }
    }

    private func record(
        _ told: ODataError, _ earlier: UnitOutcome.EarlierAttempt, of outgoing: OutgoingUnit,
        _ context: StoreTransaction,
        _ sendResult: inout SendResult
    ) throws {
        let queue = context.queue
        for record in outgoing.records {
            switch earlier {
            case .nothing: break
            case .notExecuted: try queue.setNotExecuted(record.id)
            case .unconfirmed: try queue.setState(.unconfirmed, of: record.id)
            }
        }
        let error = withFirstRefusal(told, of: outgoing)
        for record in outgoing.records { sendResult.refusals[record.id] = error }
        let entry = try refuse(outgoing, error, context)
        let open = try outgoing.records.compactMap { try queue.record($0.id) }.filter { $0.state == .unconfirmed }
        sendResult.report.unconfirmed += open.map(QueueEntry.init)
        if open.isEmpty, let entry { sendResult.report.failed.append(entry) }
        try restoreForm(of: outgoing, context)
    }

    private func record(
        _ decision: ConflictHandler.Decision, of outgoing: OutgoingUnit, _ context: StoreTransaction,
        _ sendResult: inout SendResult
    ) throws -> UploadPlan.Outcome {
        sendResult.report.givenUp += decision.givenUp
        sendResult.made += decision.made
        sendResult.changed += decision.changed
        let left = try outgoing.records.compactMap { try context.queue.record($0.id) }
        // The response was definite.
        for record in left where record.state.mayBeExecuted { try context.queue.setState(.waiting, of: record.id) }
        return left.isEmpty ? .executed : .open
    }

    /// Requests that stay in the queue as they are.
    private func requeue(
        _ outgoing: OutgoingUnit, as outcome: UnitOutcome, _ queue: RequestQueue, _ sendResult: inout SendResult
    ) throws -> UploadPlan.Outcome {
        guard let (state, plan) = outcome.requeued(isUnconfirmed: outgoing.isUnconfirmed) else { return .open }
        for var record in outgoing.records {
            if let state {
                try queue.setState(state, of: record.id)
                record.state = state
            }
            switch outcome {
            case .forgotten: try queue.setForgotten(record.id)
            case .postponed: sendResult.changed.append(UploadItem(record))
            case .stopped(isCancelled: true, _): sendResult.report.stoppedStreams.append(QueueEntry(record))
            case .unconfirmed: sendResult.report.unconfirmed.append(QueueEntry(record))
            default: break
            }
        }
        return plan
    }

    /// - Parameter results: Nil of those that are found out as requests of their own.
    private func record(
        _ results: [ChangeResult?], of outgoing: OutgoingUnit, _ context: StoreTransaction,
        _ sendResult: inout SendResult
    ) throws {
        let queue = context.queue
        let left = zip(outgoing.records, results).compactMap { $1 == nil ? $0.id : nil }
        let dependents = try queue.records(behind: Set(left)).map(\.id)
        for (record, result) in zip(outgoing.records, results) {
            guard let result else { continue }
            // The response before may have shown that two rows are the same entity.
            let record = try record.current(in: queue)
            let changed = try ResponseApplication(context: context, record: record).apply(result)
            sendResult.changed += try changed.compactMap(queue.record).map(UploadItem.init)
            sendResult.report.succeeded.append(QueueEntry(record))
        }
        if results.contains(where: { $0?.isRepeatable ?? false }) {
            try StoreValues(db: context.db).set("hasRepeated", 1)
        }
        try keepForm(of: outgoing, results, context, &sendResult)
        try queue.setAlone(left)
        try leave(left, before: dependents, isUnconfirmed: true, context, &sendResult)
    }

    /// The requests of a change set are moved to the error archive together.
    ///
    /// - Returns: The entry of the request at fault.
    private func refuse(_ outgoing: OutgoingUnit, _ error: ODataError, _ context: StoreTransaction) throws
        -> ErrorEntry?
    {
        // What is not there any more has nothing that could be mended.
        let records = try outgoing.records.filter { try context.queue.record($0.id) != nil }
        let fault = outgoing.records[outgoing.place(of: error)]
        guard let record = records.first(where: { $0.id == fault.id }) ?? records.first else { return nil }
        let line = try? RequestLine(db: context.db, offline: offline).line(of: record)
        try ErrorArchive(db: context.db, offline: offline)
            .refuse(record, error, line: line ?? (record.method, record.url), at: context.time.column)
        return try ErrorArchive.entry(of: record.id, in: context.db)
    }

    /// Units that are not sent because what they depend on failed.
    func hold(_ units: [UploadUnit]) async throws -> [QueueEntry] {
        try await store.database.writingDurably { db in
            let queue = RequestQueue(db: db)
            return try units.flatMap(\.ids).compactMap(queue.record).map { record in
                var record = record
                if record.state != .unconfirmed, record.state != .failed {
                    try queue.setState(.held, of: record.id)
                    record.state = .held
                }
                return QueueEntry(record)
            }
        }
    }
}

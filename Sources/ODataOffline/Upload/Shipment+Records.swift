import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// What a shipment keeps in the store before and after it sends.
extension Shipment {
    typealias Answered = (parcel: Parcel, answer: Answer?)

    /// Writes the requests out and notes that they may reach the service from now on: one transaction. What cannot be
    /// written out is refused already, or must be found out if it may have been executed.
    func prepare(_ units: [UploadUnit]) async throws -> [Answered] {
        try await store.database.writingDurably { [self] db in
            let queue = RequestQueue(db: db)
            let context = self.context(db)
            let known = (
                row: try StoreValues(db: db).counter,
                queries: try Set(Int64.fetchAll(db, sql: #"SELECT "id" FROM "$query" WHERE "reads" > 0"#))
            )
            return try units.map { unit in
                // What is not in the queue any more was taken back since the plan was made.
                var parcel = Parcel(unit: unit, records: try unit.ids.compactMap(queue.record))
                parcel.isUnconfirmed = parcel.records.contains { $0.state == .unconfirmed }
                guard !parcel.records.isEmpty else { return (parcel, .executed([])) }
                guard try !parcel.waits(in: queue) else { return (parcel, .postponed) }
                for index in parcel.records.indices {
                    try address(&parcel.records[index], parcel.isUnconfirmed, context)
                    if !parcel.isUnconfirmed { parcel.records[index].known = known }
                }
                do {
                    if let answer = try write(&parcel, db) { return (parcel, answer) }
                    if let conflict = try conflict(of: parcel, context) { return (parcel, .refused(conflict)) }
                } catch let error as ODataError where error.code != .storage {
                    return (parcel, parcel.isUnconfirmed ? .forgotten : .refused(error))
                }
                for index in parcel.records.indices {
                    parcel.records[index].state = .sending
                    parcel.records[index].attempts += 1
                    parcel.records[index].sent = context.time.column
                    try queue.markSending(parcel.records[index])
                }
                return (parcel, nil)
            }
        }
    }

    /// Writes the requests out, a deep insert in its form.
    ///
    /// - Returns: What is to be recorded of it instead, where it is not to be sent so.
    private func write(_ parcel: inout Parcel, _ db: Database) throws -> Answer? {
        switch try form(of: parcel, db) {
        case .parts: return .reformed(.parts)
        case .automatic, .request:
            if let (request, deep) = try writer(db).deepInsert(parcel.records) {
                (parcel.requests, parcel.deep) = ([request], deep)
                return nil
            }
            // The service would not recognise it in another form.
            let isRepeated = parcel.isUnconfirmed && parcel.records.contains { policy.repeats($0.mechanism) }
            guard !isRepeated else { return .forgotten }
            guard deepInserts.fallback != .parts else { return .reformed(.parts) }
            try setChangeSet(&parcel, db)
        case .changeSet: try setChangeSet(&parcel, db)
        case nil: break
        }
        parcel.requests = try requests(of: parcel.records, db)
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

    func context(_ db: Database) -> ChangeContext {
        ChangeContext(db: db, offline: offline, configuration: store.configuration)
    }

    /// A request that is repeated keeps its identity; any other is sent for the first time now.
    private func address(_ record: inout QueueRecord, _ isUnconfirmed: Bool, _ context: ChangeContext) throws {
        guard !isUnconfirmed || record.mechanism == nil else { return }
        if record.operation.hasStream, record.mechanism != nil,
            try TransferTable(db: context.db).isOpen(record.id)
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
    private func promise(_ record: QueueRecord, _ context: ChangeContext) -> Bool? {
        let target: ResourcePath? =
            if record.operation == .call {
                try? RequestLine(db: context.db, offline: offline).call(of: record).path
            } else {
                offline.model.entitySet(named: record.set).map { ResourcePath($0) }
            }
        return target.flatMap(offline.model.recognizesRepetition(of:)) ?? offline.model.recognizesRepeatedRequests
    }

    /// Records what the service has answered, though the task was cancelled.
    func record(_ answers: [Answered], _ shipped: Shipped) async throws -> Shipped {
        try await store.database.writingDurably { [self] db in
            var shipped = shipped
            let context = self.context(db)
            for (parcel, answer) in answers {
                let parcel = try parcel.current(in: context.queue)
                let outcome = try record(answer ?? .unconfirmed, to: parcel, context, &shipped)
                shipped.outcomes.append((parcel.unit, outcome))
            }
            return shipped
        }
    }

    private func record(
        _ answer: Answer, to parcel: Parcel, _ context: ChangeContext, _ shipped: inout Shipped
    ) throws -> UploadPlan.Outcome {
        let queue = context.queue
        switch answer {
        case .executed(let results):
            try record(results, to: parcel, context, &shipped)
            return .executed
        case .parted(let results):
            try record(results, to: parcel, context, &shipped)
            return .executed
        case .reformed(let form): return try reform(parcel, as: form, context, &shipped)
        case .refused(let told):
            let error = withFirstRefusal(told, of: parcel)
            for record in parcel.records { shipped.refusals[record.id] = error }
            let entry = try refuse(parcel, error, context)
            let open = try parcel.records.compactMap { try queue.record($0.id) }.filter { $0.state == .unconfirmed }
            shipped.report.unconfirmed += open.map(QueueEntry.init)
            if open.isEmpty, let entry { shipped.report.failed.append(entry) }
            try restoreForm(of: parcel, context)
            return .blocked
        case .decided(let decision):
            shipped.report.givenUp += decision.givenUp
            shipped.made += decision.made
            shipped.changed += decision.changed
            let left = try parcel.records.compactMap { try queue.record($0.id) }
            // The answer was definite.
            for record in left where record.state.mayBeExecuted { try queue.setState(.waiting, of: record.id) }
            return left.isEmpty ? .executed : .open
        case .needless:
            guard let first = parcel.records.first, try queue.isNeedless(first.id) else {
                return try self.record(.open, to: parcel, context, &shipped)
            }
            shipped.report.givenUp += parcel.records.map(QueueEntry.init)
            try context.giveUp(first)
            return .executed
        case .open:
            let state: QueueEntry.State = parcel.isUnconfirmed ? .unconfirmed : .waiting
            for record in parcel.records { try queue.setState(state, of: record.id) }
            return .open
        case .postponed:
            shipped.changed += parcel.records.map(UploadItem.init)
            return .open
        case .stopped(let isCancelled, let isInDoubt):
            for var record in parcel.records {
                record.state = isInDoubt || parcel.isUnconfirmed ? .unconfirmed : .waiting
                try queue.setState(record.state, of: record.id)
                if isCancelled { shipped.report.stoppedStreams.append(QueueEntry(record)) }
            }
            return isCancelled ? .stopped : isInDoubt ? .doubtful : .open
        case .faulty(let error):
            for record in parcel.records { try queue.setState(.unconfirmed, of: record.id) }
            return try self.record(.refused(error), to: parcel, context, &shipped)
        case .forgotten:
            for record in parcel.records { try queue.setForgotten(record.id) }
            return .doubtful
        case .notExecuted(let error):
            for record in parcel.records { try queue.setNotExecuted(record.id) }
            return try self.record(.refused(error), to: parcel, context, &shipped)
        case .unconfirmed:
            for var record in parcel.records {
                try queue.setState(.unconfirmed, of: record.id)
                record.state = .unconfirmed
                shipped.report.unconfirmed.append(QueueEntry(record))
            }
            return .blocked
        }
    }

    /// - Parameter results: Nil of those that are found out as requests of their own.
    private func record(
        _ results: [ChangeResult?], to parcel: Parcel, _ context: ChangeContext, _ shipped: inout Shipped
    ) throws {
        let queue = context.queue
        let left = zip(parcel.records, results).compactMap { $1 == nil ? $0.id : nil }
        let dependents = try queue.records(behind: Set(left)).map(\.id)
        for (record, result) in zip(parcel.records, results) {
            guard let result else { continue }
            // The answer before may have told that two rows are the same entity.
            let record = try record.current(in: queue)
            let changed = try AnswerApplication(context: context, record: record).apply(result)
            shipped.changed += try changed.compactMap(queue.record).map(UploadItem.init)
            shipped.report.succeeded.append(QueueEntry(record))
        }
        if results.contains(where: { $0?.isRepeatable ?? false }) {
            try StoreValues(db: context.db).set("hasRepeated", 1)
        }
        try keepForm(of: parcel, results, context, &shipped)
        try queue.setAlone(left)
        try leave(left, before: dependents, isUnconfirmed: true, context, &shipped)
    }

    /// A change set goes to the error archive as one.
    ///
    /// - Returns: The entry of the request at fault.
    private func refuse(_ parcel: Parcel, _ error: ODataError, _ context: ChangeContext) throws -> ErrorEntry? {
        // What is not there any more has nothing that could be mended.
        let records = try parcel.records.filter { try context.queue.record($0.id) != nil }
        let fault = parcel.records[parcel.place(of: error)]
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

extension Shipment.Parcel {
    /// With the rows that the requests are of now: an answer may have told that two rows are the same entity.
    func current(in queue: RequestQueue) throws -> Self {
        var parcel = self
        parcel.records = try records.map { try $0.current(in: queue) }
        return parcel
    }

    /// Whether a request was tied to one that is still in the queue after the plan was made: it must not go first.
    fileprivate func waits(in queue: RequestQueue) throws -> Bool {
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

import ByteStreams
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores
import Synchronization

/// What became of units that were sent together.
struct SendResult: Sendable {
    var report = UploadReport()
    var outcomes: [(unit: UploadUnit, outcome: UploadPlan.Outcome)] = []
    /// The reason why nothing more is to be sent.
    var stop: ODataError?
    /// The reason why a request has no response.
    var lost: ODataError?
    /// The number of requests of a batch that the service refused as a whole.
    var refusedCount: Int?
    /// The outcome of a batch; nil if none was sent, or if it does not show whether batches work.
    var batch: BatchReliability.Sign?
    /// Why requests were refused, by id.
    var refusals: [Int64: ODataError] = [:]
    /// In which forms deep inserts were sent, by set.
    var deepInserts: [String: Set<DeepInsertForm>] = [:]
    /// Requests that were made meanwhile and belong to the upload, and those that may depend on others now.
    var made: [UploadItem] = []
    var changed: [UploadItem] = []
}

/// Sends units, and writes the responses of the service to the store: one transaction before, one after.
struct UploadSender: Sendable {
    let store: OfflineStore
    let offline: OfflineModel
    let remote: any ODataStore
    let policy: RepetitionPolicy
    let deepInserts: DeepInsertPolicy
    let meter: UploadMeter
    let repetition = RepetitionState()
    let refusedDeepInserts = RefusedDeepInserts()
    let rounds = ConflictRounds()

    var probe: Probe { Probe(remote: remote, offline: offline, database: store.database) }

    func send(_ units: [UploadUnit]) async throws -> SendResult {
        if let waiting = try await forbidden(units) { return waiting }
        var recorded = try await prepare(units)
        let places = recorded.indices.filter { recorded[$0].outcome == nil }
        let outgoingUnits = places.map { recorded[$0].outgoing }
        var sendResult = SendResult()
        let found = await results(of: outgoingUnits)
        if outgoingUnits.count > 1 { sendResult.batch = BatchReliability.Sign(found) }
        for (place, result) in zip(places, found) {
            recorded[place].outcome = await outcome(
                of: recorded[place].outgoing, result, isAlone: places.count == 1, &sendResult)
        }
        let outcomes = places.compactMap { recorded[$0].outcome }
        if sendResult.stop == nil, !outcomes.isEmpty, outcomes.allSatisfy(\.isOpen) {
            // Smaller batches, so that something is executed or refused.
            sendResult.refusedCount = outgoingUnits.reduce(0) { $0 + $1.requests.count }
        }
        if outcomes.allSatisfy(\.isUnconfirmed) { sendResult.stop = sendResult.stop ?? sendResult.lost }
        return try await record(recorded, refused: places, sendResult)
    }

    /// What was executed is kept before an app is asked about what was refused.
    private func record(_ units: [Recorded], refused places: [Int], _ sendResult: SendResult) async throws -> SendResult
    {
        var refused: [(outgoing: OutgoingUnit, error: ODataError)] = []
        var others = units
        for place in places.reversed() {
            guard case .refused(let error, .nothing)? = units[place].outcome else { continue }
            refused.insert((others.remove(at: place).outgoing, error), at: 0)
        }
        var sendResult = try await record(others, sendResult)
        for (outgoing, error) in refused {
            let outgoing = try await store.database.readingToEnd { try outgoing.current(in: RequestQueue(db: $0)) }
            let outcome = await decision(on: outgoing, error, &sendResult)
            sendResult = try await record([(outgoing, outcome)], sendResult)
        }
        return sendResult
    }

    private func results(of outgoingUnits: [OutgoingUnit]) async -> [Result<[ChangeResult], ODataError>] {
        guard outgoingUnits.count == 1, let outgoing = outgoingUnits.first else {
            return outgoingUnits.isEmpty ? [] : await remote.batch(outgoingUnits.map(\.requests))
        }
        do {
            if outgoing.requests.count == 1 { return [.success([try await sent(outgoing)])] }
            return [.success(try await remote.changeSet(outgoing.requests))]
        } catch {
            let failure = ODataError(ofChange: error)
            return [.failure(loss(of: outgoing, failure) ?? failure)]
        }
    }

    /// A stream that turned out to be damaged, or gone, while it was sent: its last byte did not leave.
    private func loss(of outgoing: OutgoingUnit, _ failure: ODataError) -> ODataError? {
        guard !outgoing.isUnconfirmed else { return nil }
        let code = (failure.cause as? ByteStreamError)?.code
        let streams = outgoing.records.filter { $0.digest != nil }
        if let record = streams.first(where: { $0.digest.map(store.media.folder.isDamaged) ?? false })
            ?? (code == .changed ? streams.first : nil)
        {
            return lost(record, "damaged on this device")
        }
        guard code == .notFound, !failure.isOutcomeUnknown else { return nil }
        return streams.first.map { lost($0, "not on this device any more") }
    }

    private func lost(_ record: QueueRecord, _ problem: String) -> ODataError {
        ODataError(
            .mediaNotInStore,
            "The stream of \(record.method) \(record.url) is \(problem): undo the request or set it again.")
    }

    /// Does what ``UnitResponse`` says.
    private func outcome(
        of outgoing: OutgoingUnit, _ result: Result<[ChangeResult], ODataError>, isAlone: Bool,
        _ sendResult: inout SendResult
    ) async -> UnitOutcome {
        var response = UnitResponse(traits(of: outgoing, isAlone: isAlone))
        var action =
            switch result {
            case .success(let results): response.responded(results)
            case .failure(let error): response.failed(error, isCancelled: Task.isCancelled)
            }
        while true {
            sendResult.stop = sendResult.stop ?? response.stop
            sendResult.lost = sendResult.lost ?? response.lost
            switch action {
            case .record(let outcome): return outcome
            case .complete(let results): return await executed(results, outgoing)
            default: action = await find(action, of: outgoing, &response)
            }
        }
    }

    private func traits(of outgoing: OutgoingUnit, isAlone: Bool) -> UnitResponse.Traits {
        UnitResponse.Traits(
            requests: outgoing.requests.count, isAlone: isAlone, isUnconfirmed: outgoing.isUnconfirmed,
            isDeletion: outgoing.records.count == 1 && outgoing.records[0].operation == .delete,
            isRepeated: outgoing.records.contains { policy.repeats($0.mechanism) },
            canBeForgotten: outgoing.namesRequests
                && (outgoing.requests.count > 1 || outgoing.requests.first?.isConditional == false),
            canBeReformed: outgoing.deep != nil && deepInserts.choice == .automatic)
    }

    private func find(
        _ action: UnitResponse.Action, of outgoing: OutgoingUnit, _ response: inout UnitResponse
    ) async -> UnitResponse.Action {
        do {
            switch action {
            case .findDeletion(let error): return response.foundDeletion(await deletion(ofStreamIn: outgoing, error))
            case .findStop: return response.foundStop(await stop(ofStreamIn: outgoing))
            case .findProof(let error): return response.foundProof(await proof(of: outgoing, error))
            case .findEntity: return response.foundEntity(isGone: try await isGone(outgoing))
            case .findExecution(let error):
                return response.foundExecution(
                    try await probe.confirm(outgoing.requests[0], of: outgoing.main, error))
            case .complete, .record: return action
            }
        } catch { return response.foundNothing(ODataError(any: error)) }
    }

    /// Whether the entity that a deletion did not find really does not exist: 404 and 410 may also be of a proxy or
    /// mean another part of the request, and a deletion is not sent again once it counts as executed. If the service
    /// does not allow its entities to be read, its response is trusted.
    ///
    /// - Throws: ``ODataError`` if nothing can be asked now.
    private func isGone(_ outgoing: OutgoingUnit) async throws -> Bool {
        do { return try await probe.found(outgoing.requests[0].target) == nil } catch {
            let failure = ODataError(any: error)
            guard !failure.endsUpload else { throw failure }
            return [.forbidden, .methodNotAllowed, .notImplemented].contains(failure.code)
        }
    }

    /// What was refused may be a conflict that a resolver decides.
    private func decision(
        on outgoing: OutgoingUnit, _ refusal: ODataError, _ sendResult: inout SendResult
    ) async -> UnitOutcome {
        guard rounds.begin(outgoing.records[outgoing.place(of: refusal)].id) else { return .refused(refusal) }
        do {
            if outgoing.isRefusedID(refusal) {
                repetition.noteRefusal(for: outgoing.records.map(\.id))
                return .open
            }
            if outgoing.isFirstContent(after: refusal) {
                // Sent as another request, since a service may keep its response to this one.
                repetition.noteDemand(of: outgoing.records[0].id)
                return .decided(.init())
            }
            if outgoing.isRefusedRepetition(refusal) { return withoutRepetition(outgoing) }
            if let outcome = try await outcome(ofFormOf: outgoing, refusal) { return outcome }
            let conflicts = ConflictHandler(store: store, offline: offline, remote: remote)
            switch try await conflicts.resolve(outgoing, refusal) {
            case .held(let error): return .refused(error)
            case .unchanged: return withoutRepetition(outgoing)
            case .settled(let decision): return .decided(decision)
            }
        } catch {
            let failure = ODataError(any: error)
            guard failure.endsUpload else { return .refused(refusal) }
            sendResult.stop = sendResult.stop ?? failure
            return .decided(.init())
        }
    }

    /// The request is sent without its id: only that was refused.
    private func withoutRepetition(_ outgoing: OutgoingUnit) -> UnitOutcome {
        repetition.noteRefusal()
        return outgoing.isUnconfirmed ? .forgotten : .open
    }

    /// With what the service did not send.
    func completed(_ outcome: UnitOutcome, _ outgoing: OutgoingUnit) async -> UnitOutcome {
        guard case .executed(let results) = outcome else { return outcome }
        var whole: [ChangeResult?] = []
        for (record, result) in zip(outgoing.records, results) {
            if let result { whole.append(await completed(result, record)) } else { whole.append(nil) }
        }
        return .executed(whole)
    }

    /// The entity is read if the service did not send it: the store must have its ETag and computed values.
    func completed(_ result: ChangeResult, _ record: QueueRecord) async -> ChangeResult {
        guard record.operation != .delete, result.entity == nil else { return result }
        var result = result
        let known = try? await store.database.readingToEnd { [offline] db in
            try RequestLine(db: db, offline: offline).entityPath(.init(set: record.set, row: record.row))
        }
        let set = offline.model.entitySet(named: record.set)
        let given = set.flatMap { set in
            result.entityID.flatMap { offline.key(inID: $0, of: set) }.map { ResourcePath(set, key: $0) }
        }
        let own = record.operation == .call ? nil : result.path
        guard let path = own ?? (record.operation.isCreation ? given : known ?? nil) else { return result }
        result.path = path
        result.entity = await probe.entity(at: path)
        return result
    }
}

/// How often conflicts of a request were decided in an upload: an entity may change again and again.
final class ConflictRounds: Sendable {
    private static let most = 5
    private let counts = Mutex<[Int64: Int]>([:])

    /// False if it was often enough.
    func begin(_ request: Int64) -> Bool {
        counts.withLock { counts in
            counts[request, default: 0] += 1
            return counts[request, default: 0] <= Self.most
        }
    }
}

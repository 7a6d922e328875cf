import ByteStreams
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores
import Synchronization

/// What became of units that were sent together.
struct Shipped: Sendable {
    var report = UploadReport()
    var outcomes: [(unit: UploadUnit, outcome: UploadPlan.Outcome)] = []
    /// Why nothing more is to be sent.
    var stop: ODataError?
    /// Why no answer came to something.
    var unanswered: ODataError?
    /// The number of requests of a batch that the service refused as a whole.
    var refusedCount: Int?
    /// What became of a batch; nil where none was sent, or where it tells nothing of batches.
    var batch: BatchHealth.Sign?
    /// Why requests were refused, by id.
    var refusals: [Int64: ODataError] = [:]
    /// In which forms deep inserts were sent, by set.
    var deepInserts: [String: Set<DeepInsertForm>] = [:]
    /// Requests that were made meanwhile and belong to the upload, and those that may depend on others now.
    var made: [UploadItem] = []
    var changed: [UploadItem] = []
}

/// Sends units, and brings what the service answers into the store: one transaction before, one after.
struct Shipment: Sendable {
    let store: OfflineStore
    let offline: OfflineModel
    let remote: any ODataStore
    let policy: RepetitionPolicy
    let meter: UploadMeter
    let deepInserts: DeepInsertPolicy
    let repetition = RepetitionState()
    let refusedDeepInserts = RefusedDeepInserts()
    private let rounds = ConflictRounds()

    init(
        store: OfflineStore, offline: OfflineModel, remote: any ODataStore, policy: RepetitionPolicy,
        deepInserts: DeepInsertPolicy, meter: UploadMeter
    ) {
        self.store = store
        self.offline = offline
        self.remote = remote
        self.policy = policy
        self.deepInserts = deepInserts
        self.meter = meter
    }

    /// A unit as it is sent.
    struct Parcel: Sendable {
        var unit: UploadUnit
        var records: [QueueRecord]
        /// One for each record; of a deep insert one for all.
        var requests: [ChangeRequest] = []
        /// The records are sent as one request.
        var deep: DeepInsert?
        /// It was sent before, and it is not known whether it was executed.
        var isUnconfirmed = false
    }

    /// What is to be recorded of a parcel.
    enum Answer: Sendable {
        case executed([ChangeResult])
        /// Executed, as far as there are results: of the others it is found out.
        case parted([ChangeResult?])
        /// Not executed, and to be sent in another form.
        case reformed(DeepInsertForm)
        case refused(ODataError)
        /// It was not executed before, and cannot be sent any more.
        case notExecuted(ODataError)
        /// A conflict was decided: what is left of the requests is sent again.
        case decided(ConflictDesk.Decision)
        /// Not executed, and not to be sent if a deletion was made meanwhile; else as ``open``.
        case needless
        /// To be sent again: this time it did not arrive, or was not executed before.
        case open
        /// Not sent: by now it waits for a request that is still in the queue.
        case postponed
        /// The app has stopped the stream, which goes on where it was unless it was cancelled in this upload.
        case stopped(isCancelled: Bool, isInDoubt: Bool)
        /// The answer to its repetition tells nothing of the first attempt: it is repeated by the next upload.
        case faulty(ODataError)
        /// The service does not know any more whether it was executed: it is asked for what it shows.
        case forgotten
        case unconfirmed
    }

    var probe: Probe { Probe(remote: remote, offline: offline, database: store.database) }

    func send(_ units: [UploadUnit]) async throws -> Shipped {
        if let waiting = try await forbidden(units) { return waiting }
        var answers = try await prepare(units)
        let places = answers.indices.filter { answers[$0].answer == nil }
        let parcels = places.map { answers[$0].parcel }
        var shipped = Shipped()
        let found = await results(of: parcels)
        if parcels.count > 1 { shipped.batch = BatchHealth.Sign(found) }
        for (place, result) in zip(places, found) {
            answers[place].answer = await answer(
                to: answers[place].parcel, result, isAlone: places.count == 1, &shipped)
        }
        if shipped.stop == nil, !places.isEmpty,
            places.allSatisfy({ if case .open? = answers[$0].answer { true } else { false } })
        {
            // Smaller batches, so that something is executed or refused.
            shipped.refusedCount = parcels.reduce(0) { $0 + $1.requests.count }
        }
        let isUnanswered = places.allSatisfy { if case .unconfirmed? = answers[$0].answer { true } else { false } }
        if isUnanswered, !places.isEmpty { shipped.stop = shipped.stop ?? shipped.unanswered }
        return try await record(answers, refused: places, shipped)
    }

    /// What was executed is kept before an app is asked about what was refused.
    private func record(_ answers: [Answered], refused places: [Int], _ shipped: Shipped) async throws -> Shipped {
        var refused: [(parcel: Parcel, error: ODataError)] = []
        var others = answers
        for place in places.reversed() {
            guard case .refused(let error)? = answers[place].answer else { continue }
            refused.insert((others.remove(at: place).parcel, error), at: 0)
        }
        var shipped = try await record(others, shipped)
        for (parcel, error) in refused {
            let parcel = try await store.database.writing { db in try parcel.current(in: RequestQueue(db: db)) }
            let answer = await decision(on: parcel, error, &shipped)
            shipped = try await record([(parcel, answer)], shipped)
        }
        return shipped
    }

    private func results(of parcels: [Parcel]) async -> [Result<[ChangeResult], ODataError>] {
        guard parcels.count == 1, let parcel = parcels.first else {
            return parcels.isEmpty ? [] : await remote.batch(parcels.map(\.requests))
        }
        do {
            if parcel.requests.count == 1 { return [.success([try await sent(parcel)])] }
            return [.success(try await remote.changeSet(parcel.requests))]
        } catch {
            let failure = ODataError(ofChange: error)
            return [.failure(loss(of: parcel, failure) ?? failure)]
        }
    }

    /// A stream that turned out to be damaged, or gone, while it was sent: its last byte did not leave.
    private func loss(of parcel: Parcel, _ failure: ODataError) -> ODataError? {
        guard !parcel.isUnconfirmed else { return nil }
        let code = (failure.cause as? ByteStreamError)?.code
        let streams = parcel.records.filter { $0.digest != nil }
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

    private func answer(
        to parcel: Parcel, _ result: Result<[ChangeResult], ODataError>, isAlone: Bool, _ shipped: inout Shipped
    ) async -> Answer {
        switch result {
        case .success(let results):
            guard results.count == parcel.requests.count else { return .unconfirmed }
            guard let kind = results.first(where: { $0.unproven != nil })?.unproven else {
                return await executed(results, parcel)
            }
            return await answer(to: parcel, .ofUnproven(kind), isAlone: isAlone, &shipped)
        case .failure(let error): return await answer(to: parcel, error, isAlone: isAlone, &shipped)
        }
    }

    private func answer(
        to parcel: Parcel, _ error: ODataError, isAlone: Bool, _ shipped: inout Shipped
    ) async -> Answer {
        if error.code == .cancelled, !Task.isCancelled {
            if let answer = await answer(toEnded: parcel, error) { return answer }
            if let answer = await answer(toStopped: parcel) { return answer }
        }
        if error.isOutcomeUnknown {
            if error.unproven != nil, let answer = await answer(toSuccess: error, of: parcel) { return answer }
            shipped.unanswered = shipped.unanswered ?? error
            if error.code == .unreachable || error.code == .cancelled { shipped.stop = shipped.stop ?? error }
            return .unconfirmed
        }
        guard !error.endsUpload else {
            shipped.stop = shipped.stop ?? error
            return .open
        }
        switch error.code {
        case .failedDependency where !isAlone, .batchRefused where !isAlone: return .open
        case .notFound where parcel.isDeletion, .gone where parcel.isDeletion:
            do {
                guard try await isGone(parcel) else { return await answer(toRefused: parcel, error, &shipped) }
                return .executed([ChangeResult(.deleted)])
            } catch {
                shipped.stop = shipped.stop ?? ODataError(any: error)
                return .open
            }
        default: return await answer(toRefused: parcel, error, &shipped)
        }
    }

    /// Whether the entity that a deletion did not find is not there: 404 and 410 may also come from a proxy, or mean
    /// something else of the request, and what is taken for deleted nobody sends again. A service that does not let
    /// its entities be read is believed.
    ///
    /// - Throws: ``ODataError`` if nothing can be asked now.
    private func isGone(_ parcel: Parcel) async throws -> Bool {
        do { return try await probe.found(parcel.requests[0].target) == nil } catch {
            let failure = ODataError(any: error)
            guard !failure.endsUpload else { throw failure }
            return [.forbidden, .methodNotAllowed, .notImplemented].contains(failure.code)
        }
    }

    /// A request that was sent again may have been executed the first time.
    private func answer(toRefused parcel: Parcel, _ error: ODataError, _ shipped: inout Shipped) async -> Answer {
        guard parcel.isUnconfirmed else { return .refused(error) }
        do {
            if parcel.requests.count == 1,
                let result = try await probe.confirm(parcel.requests[0], of: parcel.main, error)
            {
                return await executed([result], parcel)
            }
        } catch {
            shipped.stop = shipped.stop ?? ODataError(any: error)
            return .unconfirmed
        }
        guard parcel.records.contains(where: { policy.repeats($0.mechanism) }) else {
            return parcel.mayBeForgotten(error) ? .forgotten : .refused(error)
        }
        // In another form the service would not recognise it: what it shows decides first.
        if parcel.deep != nil, deepInserts.choice == .automatic, error.isOfForm || error.mayBeOfForm {
            return .forgotten
        }
        // It was repeated without a look at what the service shows.
        if error.code == .gone && !error.isRepeatable || parcel.mayBeForgotten(error) { return .forgotten }
        return error.tellsNothingOfRequest ? .faulty(error) : .refused(error)
    }

    /// What was refused may be a conflict that a resolver decides.
    private func decision(on parcel: Parcel, _ refusal: ODataError, _ shipped: inout Shipped) async -> Answer {
        guard rounds.begin(parcel.records[parcel.place(of: refusal)].id) else { return .refused(refusal) }
        do {
            if parcel.isRefusedID(refusal) {
                repetition.noteRefusal(for: parcel.records.map(\.id))
                return .open
            }
            if parcel.isFirstContent(after: refusal) {
                // Sent as another request, since a service may keep what it has answered to this one.
                repetition.noteDemand(of: parcel.records[0].id)
                return .decided(.init())
            }
            if parcel.isRefusedRepetition(refusal) { return withoutRepetition(parcel) }
            if let answer = try await answer(toForm: parcel, refusal) { return answer }
            switch try await ConflictDesk(store: store, offline: offline, remote: remote).resolve(parcel, refusal) {
            case .held(let error): return .refused(error)
            case .unchanged: return withoutRepetition(parcel)
            case .settled(let decision): return .decided(decision)
            }
        } catch {
            let failure = ODataError(any: error)
            guard failure.endsUpload else { return .refused(refusal) }
            shipped.stop = shipped.stop ?? failure
            return .decided(.init())
        }
    }

    /// The request is sent without its id: only that was refused.
    private func withoutRepetition(_ parcel: Parcel) -> Answer {
        repetition.noteRefusal()
        return parcel.isUnconfirmed ? .forgotten : .open
    }

    /// With what the service did not send.
    func completed(_ answer: Answer, _ parcel: Parcel) async -> Answer {
        switch answer {
        case .executed(let results): .executed(await completed(results, parcel).compactMap(\.self))
        case .parted(let results): .parted(await completed(results, parcel))
        default: answer
        }
    }

    private func completed(_ results: [ChangeResult?], _ parcel: Parcel) async -> [ChangeResult?] {
        var whole: [ChangeResult?] = []
        for (record, result) in zip(parcel.records, results) {
            if let result { whole.append(await completed(result, record)) } else { whole.append(nil) }
        }
        return whole
    }

    /// The entity is read if the service did not send it: the store must have its ETag and computed values.
    func completed(_ result: ChangeResult, _ record: QueueRecord) async -> ChangeResult {
        guard record.operation != .delete, result.entity == nil else { return result }
        var result = result
        let known = try? await store.database.writing { [offline] db in
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

extension Shipment.Parcel {
    /// The request at fault.
    func place(of error: ODataError) -> Int {
        deep?.outermost ?? error.requestIndex.flatMap { records.indices.contains($0) ? $0 : nil } ?? 0
    }

    /// What was sent of the request at fault.
    func request(of error: ODataError) -> ChangeRequest { requests[deep == nil ? place(of: error) : 0] }

    /// Of a deep insert the outermost entity's.
    var main: QueueRecord { records[deep?.outermost ?? 0] }

    fileprivate var isDeletion: Bool { records.count == 1 && records[0].operation == .delete }

    /// 412 to a request without any condition: the service does not take its `Repeatability-First-Sent`, because it is
    /// too long ago by the clock of the service. Nothing was executed.
    ///
    /// [Repeatable Requests 1.0]
    fileprivate func isRefusedRepetition(_ error: ODataError) -> Bool {
        let place = place(of: error)
        return error.code == .preconditionFailed && records[place].mechanism?.namesRequests == true
            && !request(of: error).isConditional
    }

    /// 501 to a request that was sent for the first time, with an id: the service may know no repeated requests of its
    /// target. Nothing was executed.
    ///
    /// [Repeatable Requests 1.0]
    fileprivate func isRefusedID(_ error: ODataError) -> Bool {
        error.code == .notImplemented && !isUnconfirmed && records.contains { $0.mechanism?.namesRequests == true }
    }

    /// 428 to the first content of a stream property: nothing was executed, and the condition is that there is none.
    fileprivate func isFirstContent(after error: ODataError) -> Bool {
        requests.count == 1 && requests[0].ofFirstContent(after: error) != nil
    }

    /// 412 to a request that was sent again: the service may have executed it the first time and not know it any more.
    fileprivate func mayBeForgotten(_ error: ODataError) -> Bool {
        error.code == .preconditionFailed && !error.isRepeatable
            && records.contains { $0.mechanism?.namesRequests == true }
            && (requests.count > 1 || !requests[0].isConditional)
    }
}

extension ChangeRequest {
    fileprivate var isConditional: Bool { ifMatch != nil || ifNoneMatch != nil }
}

extension ODataError {
    /// Whether nothing else can be done in the same upload either.
    var endsUpload: Bool { concernsAll || code == .storage }

    /// Whether what came to a question is no answer of the service, also the page of somebody on the way. That it
    /// cannot answer (501), or cannot be asked that in its version, is one.
    var isNoAnswer: Bool {
        guard let status else { return [.unreachable, .internalError, .invalidResponse].contains(code) }
        return !(400..<500).contains(status) && status != 501
    }

    /// Whether the answer to a repetition is said without a look at what was executed before: a fault, what is refused
    /// before the request is known (403, 413, the batch around it), or a refusal without OData's error, which somebody
    /// on the way may have given. What is said of the state of an entity is believed, and what the service says it
    /// gives to every repetition.
    var tellsNothingOfRequest: Bool {
        guard !isRepeatable else { return false }
        guard let status else { return code == .internalError }
        return status >= 500 || [.batchRefused, .forbidden, .tooLarge].contains(code)
            || service == nil && !Self.ofEntity.contains(status)
    }

    private static let ofEntity: Set<Int> = [404, 409, 410, 412, 428]
}

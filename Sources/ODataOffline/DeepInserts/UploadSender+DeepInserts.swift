import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Synchronization

/// The form that deep inserts are sent in.
extension UploadSender {
    /// The form of a unit that is about to be sent; nil for requests that are not a deep insert, or have a form. What may
    /// have been executed stays as it is.
    func form(of outgoing: OutgoingUnit, _ db: Database) throws -> DeepInsertForm? {
        guard let place = outgoing.records.outermost, outgoing.records[place].isPartOfDeepInsert else { return nil }
        return outgoing.isUnconfirmed ? .request : try deepInserts.form(of: outgoing.records, at: place, db, offline)
    }

    /// A deep insert becomes a change set before it is sent.
    func setChangeSet(_ outgoing: inout OutgoingUnit, _ db: Database) throws {
        guard let number = outgoing.records.first?.changeSet, number < 0 else { return }
        try RequestQueue(db: db).renumber(changeSet: number, to: -number)
        for index in outgoing.records.indices { outgoing.records[index].changeSet = -number }
    }

    /// What becomes of a deep insert that the service has refused for its form, or may have refused for it; nil where it
    /// is refused for something else, or may have been executed.
    func outcome(ofFormOf outgoing: OutgoingUnit, _ refusal: ODataError) async throws -> UnitOutcome? {
        let isRepeated = outgoing.isUnconfirmed && outgoing.records.contains { policy.repeats($0.mechanism) }
        guard deepInserts.choice == .automatic, !isRepeated, let place = outgoing.records.outermost else { return nil }
        guard let deep = outgoing.deep else { return refusal.code == .batchRefused ? .reformed(.parts) : nil }
        if !refusal.isOfForm {
            guard refusal.mayBeOfForm, try await isTried(outgoing.records[place], deep) else { return nil }
            // A service that fails at the nested entities may have kept the outer one.
            switch try await probe.finding(on: outgoing.requests[0], of: outgoing.main) {
            case .executed(let result, _) where policy.probes: return await executed([result], outgoing)
            case .nothing where refusal.code == .internalError: return nil
            case .executed, .notExecuted, .nothing: break
            }
        }
        refusedDeepInserts.note(refusal, of: outgoing.main.row)
        return .reformed(deepInserts.fallback)
    }

    /// Whether nothing tells that the service takes deep inserts into the set.
    private func isTried(_ main: QueueRecord, _ deep: DeepInsert) async throws -> Bool {
        let set = try offline.set(named: main.set)
        let learned = try await store.database.reading { try StoreValues(db: $0).deepInsertForm(of: set.name) }
        let navigations = (deep.members[deep.outermost] ?? []).map(\.navigation.name)
        return deepInserts.form(of: set, below: navigations, learned: learned) == .automatic
    }

    /// Puts a deep insert that was not executed into another form.
    func reform(
        _ outgoing: OutgoingUnit, as form: DeepInsertForm, _ context: StoreTransaction, _ sendResult: inout SendResult
    ) throws -> UploadPlan.Outcome {
        let queue = context.queue
        guard let number = outgoing.records.first?.changeSet, let place = outgoing.records.outermost else {
            return .open
        }
        let ids = outgoing.records.map(\.id)
        for id in ids { try queue.setState(.waiting, of: id) }
        guard form == .parts else {
            try queue.renumber(changeSet: number, to: Int64(number.magnitude))
            return .open
        }
        let main = outgoing.records[place]
        let refusal = refusedDeepInserts.refusal(of: main.row)
        if refusal.map(\.isOfForm) ?? !outgoing.requests.isEmpty {
            try StoreValues(db: context.db).setDeepInsertForm(.parts, of: main.set)
        } else if refusal != nil {
            refusedDeepInserts.watch(Set(ids), of: main.set)
        }
        sendResult.deepInserts[main.set, default: []].insert(.parts)
        let dependents = try queue.records(behind: Set(ids)).map(\.id)
        try queue.renumber(changeSet: number, to: nil)
        try leave(ids, before: dependents, isUnconfirmed: false, context, &sendResult)
        return .executed
    }

    /// Requests of a unit go on by themselves.
    func leave(
        _ ids: [Int64], before dependents: [Int64], isUnconfirmed: Bool, _ context: StoreTransaction,
        _ sendResult: inout SendResult
    ) throws {
        guard !ids.isEmpty else { return }
        sendResult.made += try ids.compactMap(context.queue.record).map { record in
            var item = UploadItem(record)
            item.isUnconfirmed = isUnconfirmed
            return item
        }
        sendResult.changed += try dependents.compactMap(context.queue.record).map(UploadItem.init)
    }

    /// What the service's taking a deep insert tells of others.
    func keepForm(
        of outgoing: OutgoingUnit, _ results: [ChangeResult?], _ context: StoreTransaction,
        _ sendResult: inout SendResult
    ) throws {
        for set in outgoing.unit.ids.flatMap(refusedDeepInserts.noteExecuted) {
            try StoreValues(db: context.db).setDeepInsertForm(.parts, of: set)
        }
        guard let place = outgoing.records.outermost else { return }
        let main = outgoing.records[place]
        sendResult.deepInserts[main.set, default: []].insert(main.isPartOfDeepInsert ? .request : .changeSet)
        guard deepInserts.choice == .automatic else { return }
        let values = StoreValues(db: context.db)
        if refusedDeepInserts.refusal(of: main.row) != nil {
            try values.setDeepInsertForm(.changeSet, of: main.set)
        } else if outgoing.deep != nil, results.allSatisfy({ $0 != nil }) {
            try values.setDeepInsertForm(.request, of: main.set)
        }
    }

    /// A deep insert that is refused as a change set too is tried as one request again by the next upload, unless the
    /// service takes none.
    func restoreForm(of outgoing: OutgoingUnit, _ context: StoreTransaction) throws {
        guard outgoing.deep == nil, let place = outgoing.records.outermost,
            let number = outgoing.records[place].changeSet,
            number > 0, let first = refusedDeepInserts.refusal(of: outgoing.records[place].row)
        else { return }
        if first.isOfForm {
            try StoreValues(db: context.db).setDeepInsertForm(.changeSet, of: outgoing.records[place].set)
        } else {
            try context.queue.renumber(changeSet: number, to: -number)
        }
    }

    /// The error of a change set, with what the service has said of it as one request.
    func withFirstRefusal(_ error: ODataError, of outgoing: OutgoingUnit) -> ODataError {
        guard outgoing.deep == nil, let place = outgoing.records.outermost,
            let first = refusedDeepInserts.refusal(of: outgoing.records[place].row), !first.isOfForm
        else { return error }
        var error = error
        let more = " As one request with nested entities it was refused too: \(first.service?.message ?? first.message)"
        error.service?.message += more
        error.message += more
        return error
    }
}

/// How the response to a deep insert is applied to its entities.
extension UploadSender {
    /// What was executed, with what the service did not send.
    func executed(_ results: [ChangeResult], _ outgoing: OutgoingUnit) async -> UnitOutcome {
        guard let deep = outgoing.deep, let result = results.first else {
            return await completed(.executed(results), outgoing)
        }
        return .executed(await spread(result, over: outgoing, deep))
    }

    /// The results of the nested entities; nil for those that the service does not show: they may be made or not.
    private func spread(_ result: ChangeResult, over outgoing: OutgoingUnit, _ deep: DeepInsert) async
        -> [ChangeResult?]
    {
        var results: [ChangeResult?] = Array(repeating: nil, count: outgoing.records.count)
        guard let request = outgoing.requests.first, case .create(let payload) = request.operation else {
            return results
        }
        let main = await outermost(result, of: request, outgoing.main)
        results[deep.outermost] = main
        var shown = main.entity
        if let path = main.path, shown.map({ deep.isShown(in: $0, at: deep.outermost) }) != true {
            var query = BoundQuery(path: path)
            query.options.expand = deep.expansion(at: deep.outermost, offline.model)
            let found = try? await remote.entities(query).first
            shown = found ?? shown
            if let found, deep.isIgnored(in: found) {
                // It took the entity, and nothing that was nested in it.
                refusedDeepInserts.note(.takesNoDeepInserts, of: outgoing.main.row)
            }
        }
        if let shown { deep.spread(shown, payload, at: deep.outermost, into: &results) }
        return results
    }
}

extension UploadSender {
    /// The outermost entity with its path, which the paths of the nested entities start with.
    private func outermost(_ result: ChangeResult, of request: ChangeRequest, _ record: QueueRecord) async
        -> ChangeResult
    {
        var main = await completed(result, record)
        if main.path == nil, let key = main.entity?.key, let set = offline.model.entitySet(named: record.set) {
            main.path = ResourcePath(set, key: key)
        }
        guard main.path == nil, policy.probes,
            case .executed(let found, _)? = try? await probe.finding(on: request, of: record)
        else { return main }
        return found
    }
}

/// What the service has said of deep inserts in an upload.
final class RefusedDeepInserts: Sendable {
    private struct State {
        /// By the row of the outermost entity.
        var refusals: [Int64: ODataError] = [:]
        /// The parts, not executed yet, of those that were perhaps refused for their form.
        var parts: [(set: String, ids: Set<Int64>)] = []
    }

    private let state = Mutex(State())

    func note(_ refusal: ODataError, of row: Int64) { state.withLock { $0.refusals[row] = refusal } }
    func refusal(of row: Int64) -> ODataError? { state.withLock { $0.refusals[row] } }

    func watch(_ ids: Set<Int64>, of set: String) { state.withLock { $0.parts.append((set, ids)) } }

    /// - Returns: The sets of deep inserts of which all parts are executed with it: they were refused for their form.
    func noteExecuted(_ id: Int64) -> [String] {
        state.withLock { state in
            for index in state.parts.indices { state.parts[index].ids.remove(id) }
            let sets = state.parts.filter(\.ids.isEmpty).map(\.set)
            state.parts.removeAll(where: \.ids.isEmpty)
            return sets
        }
    }
}

extension ODataError {
    /// What a service tells that takes the outer entity and forgets the nested ones.
    fileprivate static let takesNoDeepInserts = ODataError(
        .notImplemented, "The service has made none of the nested entities.")

    /// Whether the service says that it takes no deep inserts, whatever is in them.
    var isOfForm: Bool { code == .notImplemented }

    /// Whether it may mean that: services say so with these, and refuse values with them.
    var mayBeOfForm: Bool {
        [.badRequest, .unsupportedMediaType, .internalError].contains(code)
            || status.map { [400, 415, 422, 500].contains($0) } ?? false
    }
}

extension DeepInsertForm {
    /// `Deep inserts: Orders as change sets.`
    static func notice(_ sent: [String: Set<DeepInsertForm>]) -> String? {
        guard !sent.isEmpty else { return nil }
        let sets = sent.sorted { $0.key < $1.key }.map { set, forms in
            "\(set) as \(forms.map(\.words).sorted().joined(separator: " and "))"
        }
        return "Deep inserts: \(sets.joined(separator: ", "))."
    }

    private var words: String {
        switch self {
        case .automatic, .request: "one request"
        case .changeSet: "a change set"
        case .parts: "single requests"
        }
    }
}

import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Finds out what became of a unit whose answer was lost. If it is to be sent again, its outcome is open.
struct Confirmation: Sendable {
    let shipment: Shipment
    private var store: OfflineStore { shipment.store }

    func run(_ unit: UploadUnit) async throws -> Shipped {
        let (parcel, failure) = try await parcel(unit)
        guard !parcel.records.isEmpty else { return try await record(.executed([]), parcel) }
        let verdict: Verdict
        do { verdict = try await self.verdict(on: parcel, canBeSent: failure == nil) } catch {
            let error = ODataError(any: error)
            guard !error.endsUpload else {
                var shipped = try await record(.unconfirmed, parcel)
                shipped.stop = error
                return shipped
            }
            guard !error.isNoAnswer else { return try await record(.unconfirmed, parcel) }
            // The service does not answer the question.
            verdict = .unknown([])
        }
        switch verdict {
        case .executed(let results): return try await record(.executed(results), parcel)
        case .parted(let results): return try await record(.parted(results), parcel)
        case .notExecuted: return try await record(failure.map(Shipment.Answer.notExecuted) ?? .needless, parcel)
        case .refused(let error): return try await record(.notExecuted(error), parcel)
        case .unknown(let candidates): return try await ask(parcel, candidates, failure)
        }
    }

    private enum Verdict {
        case executed([ChangeResult])
        /// A deep insert of which the outermost entity is there, and others are looked for as if they were alone.
        case parted([ChangeResult?])
        /// Not executed, or sending it again does no harm: it is refused then, or changes nothing.
        case notExecuted
        /// Not executed, because the service does not take it.
        case refused(ODataError)
        case unknown([EdmEntity])
    }

    /// The requests, and why they cannot be sent any more. Those of which only the stream is lost can be asked about.
    private func parcel(_ unit: UploadUnit) async throws -> (Shipment.Parcel, ODataError?) {
        try await store.database.writing { [shipment] db in
            var parcel = Shipment.Parcel(unit: unit, records: try unit.ids.compactMap(RequestQueue(db: db).record))
            parcel.isUnconfirmed = true
            var writer = shipment.writer(db)
            do {
                parcel.requests = try writer.requests(parcel.records)
                return (parcel, nil)
            } catch let error as ODataError where error.code != .storage {
                writer.needsContent = false
                parcel.requests = (try? writer.requests(parcel.records)) ?? []
                return (parcel, error)
            }
        }
    }

    private func verdict(on parcel: Shipment.Parcel, canBeSent: Bool) async throws -> Verdict {
        var isCompleted = false
        switch try await shipment.told(of: parcel) {
        case .executed(let result)?: return .executed([result])
        case .acknowledged?: return .notExecuted
        case .refused(let error)?: return .refused(error)
        case .completed?:
            if parcel.records.first?.operation == .replaceStream { return .executed([ChangeResult(.updated)]) }
            isCompleted = true
        case .gone? where isRecognized(parcel): return .notExecuted
        // A new session would not ask for the version that the stream is to replace.
        case .gone?: return try await state(of: parcel, canBeSent: false)
        // Nothing was begun that could be asked about.
        case .unsupported?, nil: break
        }
        let verdict = try await state(of: parcel, canBeSent: canBeSent)
        // It was executed: what was made is only not found.
        if isCompleted, case .notExecuted = verdict { return .unknown([]) }
        return verdict
    }

    /// Whether the service recognises the request if it is sent again.
    private func isRecognized(_ parcel: Shipment.Parcel) -> Bool {
        let now = Int64(store.configuration.now().timeIntervalSince1970.rounded(.down))
        let horizon = now - Int64(RepetitionPolicy.days) * 86_400
        return parcel.records.allSatisfy { record in
            shipment.policy.repeats(record.mechanism)
                && (EdmDateTimeOffset(httpDate: record.repeatability.firstSent)?.secondsSinceEpoch ?? .min) >= horizon
        }
    }

    /// What the service shows.
    private func state(of parcel: Shipment.Parcel, canBeSent: Bool) async throws -> Verdict {
        guard shipment.policy.probes, !parcel.requests.isEmpty else { return .unknown([]) }
        guard parcel.requests.count == 1, let request = parcel.requests.first, let record = parcel.records.first else {
            return try await verdict(onChangeSet: parcel)
        }
        guard !canBeSent || !request.isSafelyRepeated else { return .notExecuted }
        switch try await shipment.probe.finding(on: request, of: record) {
        case .executed(let result, _): return .executed([result])
        case .notExecuted: return .notExecuted
        // An update that is sent again changes nothing, or its ETag is another one.
        case .nothing where record.operation.hasPayload && !record.operation.isCreation: return .notExecuted
        case .nothing(let candidates): return .unknown(candidates)
        }
    }

    /// A change set was executed as a whole or not at all: what some of its requests show goes for all.
    private func verdict(onChangeSet parcel: Shipment.Parcel) async throws -> Verdict {
        var made = ContentIDs()
        var findings: [Probe.Finding] = []
        for (record, request) in zip(parcel.records, parcel.requests) {
            // What the set itself makes has no key unless it was found.
            guard let known = try? made.resolved(request) else {
                findings.append(.nothing([]))
                continue
            }
            let finding = try await shipment.probe.finding(on: known, of: record)
            if case .executed(let result, _) = finding { made.note(request.contentID, result.path) }
            findings.append(finding)
        }
        if let place = parcel.deepPlace {
            switch findings[place] {
            case .executed: return .parted(findings.map(\.result))
            case .notExecuted: break
            case .nothing(let candidates): return .unknown(candidates)
            }
        }
        switch Self.isExecuted(findings) {
        case true?: return .executed(try await results(of: parcel, findings))
        case false?: return .notExecuted
        case nil: return .unknown(findings.flatMap(\.candidates))
        }
    }

    /// The results of a change set that was executed. A creation whose entity cannot be told by itself has made the one
    /// that it can have made, if there is only one.
    private func results(of parcel: Shipment.Parcel, _ findings: [Probe.Finding]) async throws -> [ChangeResult] {
        var known = Set(findings.compactMap(\.result?.path))
        var results: [ChangeResult] = []
        for (place, finding) in findings.enumerated() {
            let record = parcel.records[place]
            var result = finding.result ?? ChangeResult(record.operation.outcome)
            if finding.result == nil, record.operation.isCreation, finding.candidates.count == 1,
                let entity = finding.candidates.first,
                let path = try await shipment.probe.path(of: entity, madeBy: parcel.requests[place], record),
                known.insert(path).inserted
            {
                (result.entity, result.path, result.etag) = (entity, path, entity.etag)
            }
            results.append(result)
        }
        return results
    }

    /// Proofs decide, if all say the same. Without any, all requests must say the same: then the state of the service
    /// is what the whole set makes of it, or sending the set again does no harm.
    static func isExecuted(_ findings: [Probe.Finding]) -> Bool? {
        let proofs = Set(findings.filter(\.isProof).compactMap(\.isExecuted))
        let signs = Set(findings.map(\.isExecuted))
        let told = proofs.isEmpty ? signs : Set(proofs.map(Optional.some))
        return told.count == 1 ? told.first ?? nil : nil
    }

    /// - Parameter failure: Why the requests cannot be sent any more.
    private func ask(
        _ parcel: Shipment.Parcel, _ candidates: [EdmEntity], _ failure: ODataError?
    ) async throws -> Shipped {
        let asked =
            parcel.deepPlace.map { parcel.records[$0] } ?? parcel.records.first(where: \.operation.isCreation)
            ?? parcel.records[0]
        let question = UnconfirmedRequest(request: QueueEntry(asked), candidates: candidates)
        let decision = await store.configuration.unconfirmed(question)
        switch decision {
        case .sent, .made:
            let results = try await results(of: parcel, as: decision, about: asked.id)
            let unproven = try await store.database.reading { [ids = parcel.records.map(\.id)] db in
                try StoreValues(db: db).unproven(of: ids)
            }
            if results != nil { store.noteExecuted(unproven) }
            return try await record(results ?? .unconfirmed, parcel)
        case .notSent: return try await record(failure.map(Shipment.Answer.notExecuted) ?? .open, parcel)
        case .hold: return try await record(failure.map(Shipment.Answer.refused) ?? .unconfirmed, parcel)
        }
    }

    /// What the decision tells of the answer. It is tried only: the entities are read before the answer is applied.
    ///
    /// - Returns: Nil for a decision that cannot be carried out: it lacks a key that other requests need.
    private func results(
        of parcel: Shipment.Parcel, as decision: UnconfirmedRequest.Decision, about request: Int64
    ) async throws -> Shipment.Answer? {
        try await store.database.writing { [shipment] db in
            var answer: Shipment.Answer?
            // The tables that were made in it are gone, which nothing else tells the connection.
            defer { db.clearSchemaCache() }
            do {
                try db.inSavepoint {
                    answer = try shipment.context(db).answer(decision, about: request, in: parcel.records)
                    return .rollback
                }
            } catch let error as ODataError where error.code == .conflict || error.code == .badRequest {
                return nil
            }
            return answer
        }
    }

    private func record(_ answer: Shipment.Answer, _ parcel: Shipment.Parcel) async throws -> Shipped {
        try await shipment.record([(parcel, await shipment.completed(answer, parcel))], Shipped())
    }
}

extension Shipment.Parcel {
    /// The place of the outermost entity of what was sent as one request.
    fileprivate var deepPlace: Int? {
        records.outermost.flatMap { records[$0].isPartOfDeepInsert ? $0 : nil }
    }
}

extension Probe.Finding {
    fileprivate var isExecuted: Bool? {
        switch self {
        case .executed: true
        case .notExecuted: false
        case .nothing: nil
        }
    }

    fileprivate var isProof: Bool {
        switch self {
        case .executed(_, let isProof), .notExecuted(let isProof): isProof
        case .nothing: false
        }
    }

    fileprivate var result: ChangeResult? {
        if case .executed(let result, _) = self { result } else { nil }
    }

    fileprivate var candidates: [EdmEntity] {
        if case .nothing(let candidates) = self { candidates } else { [] }
    }
}

import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Determines what became of a unit whose response was lost. If it is to be sent again, its outcome is open.
struct LostResponse: Sendable {
    let sender: UploadSender
    private var store: OfflineStore { sender.store }

    func run(_ unit: UploadUnit) async throws -> SendResult {
        let (outgoing, failure) = try await outgoing(unit)
        guard !outgoing.records.isEmpty else { return try await record(.executed([]), outgoing) }
        let verdict: Verdict
        do { verdict = try await self.verdict(on: outgoing, canBeSent: failure == nil) } catch {
            let error = ODataError(any: error)
            guard !error.endsUpload else {
                var sendResult = try await record(.unconfirmed, outgoing)
                sendResult.stop = error
                return sendResult
            }
            guard !error.isNoResponse else { return try await record(.unconfirmed, outgoing) }
            // The service does not execute the query.
            verdict = .unknown([])
        }
        switch verdict {
        case .executed(let results): return try await record(.executed(results), outgoing)
        case .notExecuted: return try await record(failure.map(Self.cannotBeSent) ?? .needless, outgoing)
        case .refused(let error): return try await record(.refused(error, earlier: .notExecuted), outgoing)
        case .unknown(let candidates): return try await ask(outgoing, candidates, failure)
        }
    }

    private enum Verdict {
        /// Of a deep insert of which the outermost entity is there, others are looked for as if they were alone.
        case executed([ChangeResult?])
        /// Not executed, or sending it again does no harm: it is refused then, or changes nothing.
        case notExecuted
        /// Not executed, because the service does not take it.
        case refused(ODataError)
        case unknown([EdmEntity])
    }

    /// The requests, and why they cannot be sent any more. Those of which only the stream is lost can be asked about.
    private func outgoing(_ unit: UploadUnit) async throws -> (OutgoingUnit, ODataError?) {
        try await store.database.readingToEnd { [sender] db in
            var outgoing = OutgoingUnit(unit: unit, records: try unit.ids.compactMap(RequestQueue(db: db).record))
            outgoing.isUnconfirmed = true
            var writer = sender.writer(db)
            do {
                outgoing.requests = try writer.requests(outgoing.records)
                return (outgoing, nil)
            } catch let error as ODataError where error.code != .storage {
                writer.needsContent = false
                outgoing.requests = (try? writer.requests(outgoing.records)) ?? []
                return (outgoing, error)
            }
        }
    }

    private func verdict(on outgoing: OutgoingUnit, canBeSent: Bool) async throws -> Verdict {
        var isCompleted = false
        switch try await sender.told(of: outgoing) {
        case .executed(let result)?: return .executed([result])
        case .acknowledged?: return .notExecuted
        case .refused(let error)?: return .refused(error)
        case .completed?:
            if outgoing.records.first?.operation == .replaceStream { return .executed([ChangeResult(.updated)]) }
            isCompleted = true
        case .gone? where isRecognized(outgoing): return .notExecuted
        // A new session would not ask for the version that the stream is to replace.
        case .gone?: return try await state(of: outgoing, canBeSent: false)
        // Nothing was begun that could be asked about.
        case .unsupported?, nil: break
        }
        let verdict = try await state(of: outgoing, canBeSent: canBeSent)
        // It was executed: what was made is only not found.
        if isCompleted, case .notExecuted = verdict { return .unknown([]) }
        return verdict
    }

    /// Whether the service recognises the request if it is sent again.
    private func isRecognized(_ outgoing: OutgoingUnit) -> Bool {
        let now = Int64(store.configuration.now().timeIntervalSince1970.rounded(.down))
        let horizon = now - Int64(RepetitionPolicy.days) * 86_400
        return outgoing.records.allSatisfy { record in
            sender.policy.repeats(record.mechanism)
                && (EdmDateTimeOffset(httpDate: record.repeatability.firstSent)?.secondsSinceEpoch ?? .min) >= horizon
        }
    }

    /// What the service shows.
    private func state(of outgoing: OutgoingUnit, canBeSent: Bool) async throws -> Verdict {
        guard sender.policy.probes, !outgoing.requests.isEmpty else { return .unknown([]) }
        guard outgoing.requests.count == 1, let request = outgoing.requests.first, let record = outgoing.records.first
        else {
            return try await verdict(onChangeSet: outgoing)
        }
        guard !canBeSent || !request.isSafelyRepeated else { return .notExecuted }
        switch try await sender.probe.finding(on: request, of: record) {
        case .executed(let result, _): return .executed([result])
        case .notExecuted: return .notExecuted
        // An update that is sent again changes nothing, or its ETag is another one.
        case .nothing where record.operation.hasPayload && !record.operation.isCreation: return .notExecuted
        case .nothing(let candidates): return .unknown(candidates)
        }
    }

    /// A change set was executed completely or not at all: the findings for some of its requests apply to all.
    private func verdict(onChangeSet outgoing: OutgoingUnit) async throws -> Verdict {
        var made = ContentIDs()
        var findings: [Probe.Finding] = []
        for (record, request) in zip(outgoing.records, outgoing.requests) {
            // What the set itself makes has no key unless it was found.
            guard let known = try? made.resolved(request) else {
                findings.append(.nothing([]))
                continue
            }
            let finding = try await sender.probe.finding(on: known, of: record)
            if case .executed(let result, _) = finding { made.note(request.contentID, result.path) }
            findings.append(finding)
        }
        if let place = outgoing.deepPlace {
            switch findings[place] {
            case .executed: return .executed(findings.map(\.result))
            case .notExecuted: break
            case .nothing(let candidates): return .unknown(candidates)
            }
        }
        switch Self.isExecuted(findings) {
        case true?: return .executed(try await results(of: outgoing, findings))
        case false?: return .notExecuted
        case nil: return .unknown(findings.flatMap(\.candidates))
        }
    }

    /// The results of an executed change set. A creation whose entity cannot be identified has created the only
    /// candidate, if there is only one.
    private func results(of outgoing: OutgoingUnit, _ findings: [Probe.Finding]) async throws -> [ChangeResult] {
        var known = Set(findings.compactMap(\.result?.path))
        var results: [ChangeResult] = []
        for (place, finding) in findings.enumerated() {
            let record = outgoing.records[place]
            var result = finding.result ?? ChangeResult(record.operation.outcome)
            if finding.result == nil, record.operation.isCreation, finding.candidates.count == 1,
                let entity = finding.candidates.first,
                let path = try await sender.probe.path(of: entity, madeBy: outgoing.requests[place], record),
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
        _ outgoing: OutgoingUnit, _ candidates: [EdmEntity], _ failure: ODataError?
    ) async throws -> SendResult {
        let asked =
            outgoing.deepPlace.map { outgoing.records[$0] } ?? outgoing.records.first(where: \.operation.isCreation)
            ?? outgoing.records[0]
        let question = UnconfirmedRequest(request: QueueEntry(asked), candidates: candidates)
        let decision = await store.configuration.unconfirmed(question)
        switch decision {
        case .sent, .made:
            let results = try await results(of: outgoing, as: decision, about: asked.id)
            let unproven = try await store.database.reading { [ids = outgoing.records.map(\.id)] db in
                try StoreValues(db: db).unproven(of: ids)
            }
            if results != nil { store.learning.noteExecuted(unproven) }
            return try await record(results ?? .unconfirmed, outgoing)
        case .notSent: return try await record(failure.map(Self.cannotBeSent) ?? .open, outgoing)
        case .hold: return try await record(failure.map { UnitOutcome.refused($0) } ?? .unconfirmed, outgoing)
        }
    }

    /// What the decision describes the response. It is tried only: the entities are read before the response is
    /// applied.
    ///
    /// - Returns: Nil for a decision that cannot be carried out: it lacks a key that other requests need.
    private func results(
        of outgoing: OutgoingUnit, as decision: UnconfirmedRequest.Decision, about request: Int64
    ) async throws -> UnitOutcome? {
        try await store.database.writing { [sender] db in
            var outcome: UnitOutcome?
            // The tables that were made in it are gone, of which nothing else informs the connection.
            defer { db.clearSchemaCache() }
            do {
                try db.inSavepoint {
                    outcome = try sender.context(db).outcome(of: decision, about: request, in: outgoing.records)
                    return .rollback
                }
            } catch let error as ODataError where error.code == .conflict || error.code == .badRequest {
                return nil
            }
            return outcome
        }
    }

    /// It was not executed before, and cannot be sent any more.
    private static func cannotBeSent(_ failure: ODataError) -> UnitOutcome { .refused(failure, earlier: .notExecuted) }

    private func record(_ outcome: UnitOutcome, _ outgoing: OutgoingUnit) async throws -> SendResult {
        try await sender.record([(outgoing, await sender.completed(outcome, outgoing))], SendResult())
    }
}

extension OutgoingUnit {
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

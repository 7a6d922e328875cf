import Foundation
import ODataStores

/// Records an event for each download, upload and other operation of a store.
struct WorkLog {
    /// The database may be another one when the operation ends: that of a rebuild.
    let state: StoreState
    let service: (any LearningStore)?
    let now: @Sendable () -> Date
    let observation: StoreObservation

    /// Runs `body` and records its outcome, also if the task is cancelled.
    func recording<Result>(
        _ kind: StoreEvent.Kind, _ body: (EventRecorder) async throws -> Result
    ) async throws -> Result {
        let recorder = EventRecorder(now: now)
        let id = try await state.database.writing { [time] db in try EventLog(db: db).begin(kind, at: time) }
        let refused = service?.learnedTraits.refusals ?? []
        do {
            let result = try await observation.operation(kind) { try await body(recorder) }
            // The operation is complete even if the log cannot be written.
            let message = [recorder.message, refusals(since: refused)].compactMap(\.self).joined(separator: " ")
            let outcome: StoreEvent.Outcome = recorder.isPartial ? .partial : .succeeded
            observation.note(kind, outcome, recorder.counts)
            try? await end(id, outcome, message.isEmpty ? nil : message, recorder)
            return result
        } catch {
            let failure = ODataError(any: error)
            // The error itself takes precedence over one of the log.
            let message = [failure.description, recorder.message, refusals(since: refused)].compactMap(\.self).joined(
                separator: " ")
            let outcome: StoreEvent.Outcome = failure.code == .cancelled ? .cancelled : .failed
            observation.note(kind, outcome, recorder.counts, failure: failure)
            try? await end(id, outcome, message, recorder)
            throw error
        }
    }

    /// The preferences that the service has refused meanwhile; nil if there are none.
    private func refusals(since known: Set<LearnedTraits.Refusal>) -> String? {
        let refused = service?.learnedTraits.refusals.subtracting(known) ?? []
        guard !refused.isEmpty else { return nil }
        let names = refused.map { "\($0.preference) of \($0.resource)" }.sorted().joined(separator: ", ")
        return "The service refuses preferences, which it is not sent any more: \(names)."
    }

    private var time: String { StoreTime(date: now()).column }

    private func end(
        _ id: Int64, _ outcome: StoreEvent.Outcome, _ message: String?, _ recorder: EventRecorder
    ) async throws {
        let counts = recorder.counts
        try await state.database.writing { [time] db in
            try EventLog(db: db).end(id, outcome, message: message, counts: counts, at: time)
        }
    }
}

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
        if let failure { return try await record(.refused(failure), parcel) }
        guard !parcel.records.isEmpty else { return try await record(.executed([]), parcel) }
        let verdict: Verdict
        do { verdict = try await self.verdict(on: parcel) } catch let error as ODataError where error.concernsAll {
            var shipped = try await record(.unconfirmed, parcel)
            shipped.stop = error
            return shipped
        } catch is ODataError {
            // The service cannot answer the question.
            verdict = .unknown([])
        }
        switch verdict {
        case .executed(let results): return try await record(.executed(results), parcel)
        case .notExecuted: return try await record(.open, parcel)
        case .unknown(let candidates): return try await ask(parcel, candidates)
        }
    }

    private enum Verdict {
        case executed([ChangeResult])
        case notExecuted
        case unknown([Entity])
    }

    /// The requests, or why they cannot be written out any more.
    private func parcel(_ unit: UploadUnit) async throws -> (Shipment.Parcel, ODataError?) {
        try await store.database.writing { [shipment] db in
            var parcel = Shipment.Parcel(unit: unit, records: try unit.ids.compactMap(RequestQueue(db: db).record))
            parcel.isUnconfirmed = true
            do { parcel.requests = try shipment.writer(db).requests(parcel.records) } catch let error as ODataError
                where error.code != .storage
            { return (parcel, error) }
            return (parcel, nil)
        }
    }

    /// A change set was executed as a whole or not at all: what one of its requests shows goes for all.
    private func verdict(on parcel: Shipment.Parcel) async throws -> Verdict {
        guard shipment.policy.probes else { return .unknown([]) }
        let isSet = parcel.requests.count > 1
        var results: [ChangeResult?] = []
        var candidates: [Entity] = []
        var isExecuted = false
        var isNotExecuted = false
        for (record, request) in zip(parcel.records, parcel.requests) {
            // What the set itself makes has no key yet.
            if isSet, case .contentID = request.target.root {
                results.append(nil)
                continue
            }
            switch try await shipment.probe.verdict(on: request, of: record) {
            case .executed(let result):
                isExecuted = true
                results.append(result)
            case .notExecuted:
                isNotExecuted = isNotExecuted || record.operation.hasPayload || !isSet
                results.append(nil)
            case .unknown(let found):
                candidates += found
                results.append(nil)
            }
        }
        if isExecuted, !isNotExecuted {
            return .executed(zip(parcel.records, results).map { $1 ?? ChangeResult($0.operation.outcome) })
        }
        return isExecuted || !isNotExecuted ? .unknown(candidates) : .notExecuted
    }

    private func ask(_ parcel: Shipment.Parcel, _ candidates: [Entity]) async throws -> Shipped {
        let question = UnconfirmedRequest(request: QueueEntry(parcel.records[0]), candidates: candidates)
        switch await store.configuration.unconfirmed(question) {
        case .sent:
            return try await record(.executed(parcel.records.map { ChangeResult($0.operation.outcome) }), parcel)
        case .notSent: return try await record(.open, parcel)
        case .hold: return try await record(.unconfirmed, parcel)
        }
    }

    private func record(_ answer: Shipment.Answer, _ parcel: Shipment.Parcel) async throws -> Shipped {
        guard case .executed(let results) = answer else {
            return try await shipment.record([(parcel, answer)], Shipped())
        }
        var whole: [ChangeResult] = []
        for (record, result) in zip(parcel.records, results) { whole.append(await shipment.completed(result, record)) }
        return try await shipment.record([(parcel, .executed(whole))], Shipped())
    }
}

import GRDB
import ODataStores

/// Whether the service supports batches: one that fails them as a whole again and again is sent requests one by one. A
/// value.
///
/// After two failures in a row an upload sends no batches. If the service takes what is sent so, one more batch is
/// tried, by the next upload, since it may only have been ill: after that none. Two lost connections in a row are one
/// of these failures at that point, since a mobile network loses some.
struct BatchReliability: Hashable, Sendable {
    /// What became of a batch.
    enum Sign: Sendable {
        /// The response is about its parts, or refuses it.
        case responded
        /// It got a response that is about all of it, and is not a refusal: what was executed is not known.
        case failed
        /// The connection was lost after it was sent.
        case lost
    }

    /// What was learned, in the order of steps.
    private(set) var failures: Int64
    /// Connections lost in a row at the current step.
    private var losses: Int64 = 0

    private static let once: Int64 = 2
    private static let trial: Int64 = 3
    private static let forGood: Int64 = 4
    private static let mostLosses: Int64 = 2

    var sendsSingly: Bool { failures == Self.once || failures >= Self.forGood }

    mutating func note(_ sign: Sign) {
        switch sign {
        case .responded: (failures, losses) = (0, 0)
        case .failed: (failures, losses) = (min(failures + 1, Self.forGood), 0)
        case .lost:
            losses += 1
            if failures < Self.trial, failures + losses >= Self.once {
                (failures, losses) = (Self.once, 0)
            } else if losses >= Self.mostLosses {
                (failures, losses) = (Self.forGood, 0)
            }
        }
    }

    /// Something that was sent by itself was executed.
    mutating func noteSingle() { if failures == Self.once { failures = Self.trial } }
}

extension BatchReliability {
    private static let name = "failedBatches"
    private static let losses = "lostBatches"

    init(_ values: StoreValues) throws {
        failures = try values.integer(Self.name) ?? 0
        losses = try values.integer(Self.losses) ?? 0
    }

    func keep(_ values: StoreValues) throws {
        try values.set(Self.name, failures)
        try values.set(Self.losses, losses)
    }
}

extension BatchReliability.Sign {
    /// Nil where the batch was not sent, or the caller has left.
    init?(_ results: [Result<[ChangeResult], ODataError>]) {
        let errors = results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        if errors.count == results.count {
            if errors.allSatisfy(\.isOutcomeUnknown) {
                if errors.allSatisfy({ $0.status != nil }) {
                    self = .failed
                    return
                }
                guard errors.allSatisfy({ $0.status == nil && $0.code == .unreachable }) else { return nil }
                self = .lost
                return
            }
            guard !errors.contains(where: \.concernsAll) else { return nil }
        }
        self = .responded
    }
}

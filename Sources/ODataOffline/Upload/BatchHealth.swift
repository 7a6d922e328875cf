import GRDB

/// Whether the service answers batches: one that fails them as a whole again and again is sent requests one by one. A value.
///
/// After two failures in a row an upload goes without. If the service takes what is sent so, one more batch is tried, by the
/// next upload, since it may only have been ill: after that none.
struct BatchHealth: Hashable, Sendable {
    /// What was learned, in the order of steps.
    private(set) var failures: Int64

    private static let once: Int64 = 2
    private static let trial: Int64 = 3
    private static let forGood: Int64 = 4

    var sendsSingly: Bool { failures == Self.once || failures >= Self.forGood }

    /// A batch got an answer that is about all of it, and is no refusal: nobody knows what was executed.
    mutating func noteFailure() { failures = min(failures + 1, Self.forGood) }

    /// A batch was taken apart from what it may have said of its parts.
    mutating func noteAnswer() { failures = 0 }

    /// Something that was sent by itself was executed.
    mutating func noteSingle() { if failures == Self.once { failures = Self.trial } }
}

extension BatchHealth {
    private static let name = "failedBatches"

    init(_ values: StoreValues) throws { failures = try values.integer(Self.name) ?? 0 }

    func keep(_ values: StoreValues) throws { try values.set(Self.name, failures) }
}

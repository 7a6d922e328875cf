import Foundation
import ODataModel

extension OfflineStore {
    /// How a store works.
    public struct Configuration: Sendable {
        /// Entities per page of local reads; nil: whole results.
        public var pageSize: Int?
        /// Entities per page that the service is asked for in a download (`Prefer: maxpagesize`).
        public var downloadPageSize = 1000
        /// How many defining queries are downloaded at a time.
        public var parallelQueries = 2
        /// How many media streams are downloaded at a time.
        public var parallelStreams = 4
        /// Whether a change made here has reached the disk when its call returns. If not, it survives the end of the
        /// process at any moment, but the last ones may be lost where the device loses power; changes take a fraction
        /// of the time then.
        public var changesSurvivePowerLoss = true
        /// Whether changes of the same entity become one request before they are sent; a change may say otherwise.
        public var combinesRequests = true
        /// Decides where an entity with changes that wait was changed or deleted at the service.
        public var conflictResolver = ConflictResolver.hold
        /// By the name of the entity set, where it is another one than ``conflictResolver``.
        public var conflictResolvers: [String: ConflictResolver] = [:]
        /// The most requests that are sent in one `$batch`; 1: each by itself. Only requests that do not depend on
        /// each other go together.
        public var batchSize = 100
        /// How many requests or batches are on their way at a time in an upload. Above 1 requests that do not depend
        /// on each other may reach the service in another order than they were made.
        public var parallelUploads = 1
        /// What makes sure that the service executes each request once.
        public var exactlyOnce = ExactlyOnce.automatic
        /// Decides of a request whose answer was lost, where nothing else can tell what became of it.
        public var unconfirmed: @Sendable (UnconfirmedRequest) async -> UnconfirmedRequest.Decision = { _ in .hold }
        /// Entity sets of the app's own, as a metadata document: ``OfflineStore/addLocalSets(csdl:)`` with each opening.
        public var localSets: String?
        /// Before a broken stream is asked for again.
        public var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
        /// The time, for `Repeatability-First-Sent` and the times in the queue and the error archive.
        public var now: @Sendable () -> Date = { Date() }
        /// Random bits, for request ids and temporary keys.
        public var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
        /// Whether a download asks for the next page while the one before is written.
        package var readsAhead = true

        public init() {}
    }
}

/// The configured source of random bits as a generator.
struct RandomSource: RandomNumberGenerator {
    let source: @Sendable () -> UInt64

    mutating func next() -> UInt64 { source() }
}

/// Times in the forms that the store writes.
struct StoreTime {
    let date: Date

    /// This time, or the later one that a column holds.
    func notBefore(_ column: String) -> StoreTime {
        guard let other = EdmDateTimeOffset(column + "Z") else { return self }
        return StoreTime(date: max(date, Date(timeIntervalSince1970: Double(other.secondsSinceEpoch))))
    }

    /// For columns of instants: `2024-01-02T03:04:05`
    var column: String {
        let value = EdmDateTimeOffset(secondsSinceEpoch: Int64(date.timeIntervalSince1970.rounded(.down)))
        return String("\(value)".dropLast())
    }

    /// IMF-fixdate: `Tue, 02 Jan 2024 03:04:05 GMT`
    ///
    /// Of `Repeatability-First-Sent` and SAP's `RepeatabilityCreation`.
    var fixdate: String {
        let seconds = Int64(date.timeIntervalSince1970.rounded(.down))
        let value = EdmDateTimeOffset(secondsSinceEpoch: seconds)
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day = ((value.date.daysSinceEpoch % 7) + 7) % 7
        let text = "\(value.date)"
        return "\(weekdays[day]), \(text.suffix(2)) \(months[value.date.month - 1]) \(text.dropLast(6)) "
            + "\("\(value.time)".prefix(8)) GMT"
    }
}

import HTTPTypes
import Synchronization

/// Says which requests meet which fault: given in order, chosen by rule, or drawn from a seed.
public final class FaultPlan: Sendable {
    /// A request as a plan sees it.
    public struct Attempt: Sendable {
        /// From 0, in the order of sending.
        public var index: Int
        /// As the client sends it, with its absolute URL; a plan cannot change it.
        public var request: HTTPRequest
    }

    private let choose: @Sendable (Attempt) -> TransportFault?
    private let count = Mutex(0)

    /// - Parameter choose: The fault that a request meets; nil for none.
    public init(_ choose: @escaping @Sendable (Attempt) -> TransportFault?) {
        self.choose = choose
    }

    /// No faults.
    public static var none: FaultPlan { FaultPlan { _ in nil } }

    /// The faults of the requests with these numbers, from 0.
    public static func requests(_ faults: [Int: TransportFault]) -> FaultPlan { FaultPlan { faults[$0.index] } }

    /// The first request that `matches`, and no other, meets `fault`.
    public static func once(
        _ fault: TransportFault, where matches: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }
    ) -> FaultPlan {
        let used = Mutex(false)
        return FaultPlan { attempt in
            guard matches(attempt.request) else { return nil }
            return used.withLock { used in
                defer { used = true }
                return used ? nil : fault
            }
        }
    }

    /// Draws from `faults` for about `percent` of the requests: the same ones in every run with the same seed and
    /// the same order of requests.
    public static func random(seed: UInt64, percent: Int, of faults: [TransportFault]) -> FaultPlan {
        FaultPlan { attempt in
            var generator = SplitMix(seed: seed &+ UInt64(attempt.index) &* 0x9E37_79B9_7F4A_7C15)
            guard !faults.isEmpty, Int(generator.next() % 100) < percent else { return nil }
            return faults[Int(generator.next() % UInt64(faults.count))]
        }
    }

    func fault(for request: HTTPRequest) -> TransportFault? {
        let index = count.withLock { count in
            defer { count += 1 }
            return count
        }
        return choose(Attempt(index: index, request: request))
    }
}

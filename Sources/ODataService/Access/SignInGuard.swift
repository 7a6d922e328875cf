import Crypto
import Foundation
import Synchronization

/// Slows down those who try out passwords or tokens: after some wrong ones from an address, what comes from there waits
/// its turn before it is looked at. Credentials that were right from there before go through as ever.
final class SignInGuard: Sendable {
    /// How attempts are slowed down.
    struct Pace: Sendable {
        /// Wrong attempts in a row that cost nothing.
        var free = 5
        /// Between two attempts after that; twice as long for each wrong one, up to `longest`.
        var first = Duration.seconds(1)
        var longest = Duration.seconds(8)
        /// How long an attempt may have to wait; beyond, it is refused unseen.
        var patience = Duration.seconds(10)
        /// After so long without a wrong attempt all is forgotten.
        var memory = Duration.seconds(900)
    }

    enum Verdict: Equatable {
        case right, wrong
        /// Not looked at: to be tried again after so many seconds.
        case refused(seconds: Int)
    }

    private struct Record {
        var wrong = 0
        var next = ContinuousClock.now
        var last = ContinuousClock.now
        var known: Set<Data> = []
    }

    /// Addresses that are remembered.
    private static let limit = 10_000

    private let pace: Pace
    private let records = Mutex<[String: Record]>([:])

    init(_ pace: Pace = Pace()) {
        self.pace = pace
    }

    /// - Parameters:
    ///   - secret: What is tried out.
    ///   - address: Where it comes from; nil where that is not known, and attempts are not slowed down.
    ///   - isRight: Whether it is right.
    func verdict(on secret: String, from address: String?, isRight: () -> Bool) async -> Verdict {
        guard let address else { return isRight() ? .right : .wrong }
        let key = Self.network(of: address)
        let digest = Data(SHA256.hash(data: Data(secret.utf8)))
        let wait = wait(key, digest)
        guard wait <= pace.patience else { return .refused(seconds: Int((wait / .seconds(1)).rounded(.up))) }
        if wait > .zero { try? await Task.sleep(for: wait) }
        let isRight = isRight()
        note(isRight, key, digest)
        return isRight ? .right : .wrong
    }

    /// How long an attempt waits; it has its turn then if that is not too long.
    private func wait(_ key: String, _ digest: Data) -> Duration {
        records.withLock { records in
            guard var record = records[key], record.wrong >= pace.free, !record.known.contains(digest) else {
                return .zero
            }
            let turn = max(.now, record.next)
            let wait = turn - .now
            guard wait <= pace.patience else { return wait }
            let doublings = min(record.wrong - pace.free, 10)
            record.next = turn + min(pace.first * (1 << doublings), pace.longest)
            records[key] = record
            return wait
        }
    }

    private func note(_ isRight: Bool, _ key: String, _ digest: Data) {
        let oldest = ContinuousClock.now - pace.memory
        records.withLock { records in
            guard records[key] != nil || !isRight else { return }
            if records.count >= Self.limit { records = records.filter { $0.value.last > oldest } }
            if records.count >= Self.limit, records[key] == nil { records = [:] }
            var record = records[key] ?? Record()
            if record.last < oldest { record = Record() }
            if isRight {
                if record.known.count < 100 { record.known.insert(digest) }
            } else {
                record.wrong += 1
                record.last = .now
            }
            records[key] = record
        }
    }

    /// Of IPv6 the network: a machine has all addresses in it.
    private static func network(of address: String) -> String {
        guard address.contains(":") else { return address }
        return address.split(separator: ":", omittingEmptySubsequences: false).prefix(4).joined(separator: ":")
    }
}

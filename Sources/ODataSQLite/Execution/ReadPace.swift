import Synchronization

/// Whether the reads of a plan are short, by experience.
final class ReadPace: Sendable {
    /// The number of reads after which one that took too long is tried again: the rows or the machine may have changed.
    private static let pause = 64

    private let left = Atomic(0)

    /// Whether the next read is expected to be short.
    func expectsShort() -> Bool {
        guard left.load(ordering: .relaxed) > 0 else { return true }
        left.subtract(1, ordering: .relaxed)
        return false
    }

    /// A read has taken too long.
    func overrun() { left.store(Self.pause, ordering: .relaxed) }
}

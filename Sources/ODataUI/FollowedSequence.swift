/// Follows a sequence as long as its owner lives, which the closure must not hold.
@MainActor
final class FollowedSequence {
    private var task: Task<Void, Never>?

    deinit { task?.cancel() }

    /// - Parameters:
    ///   - take: Takes each element; gives false where the owner is gone.
    ///   - end: The sequence has ended by itself.
    func follow<Base: AsyncSequence & Sendable>(
        _ sequence: Base, take: @escaping @MainActor (Base.Element) -> Bool, end: @escaping @MainActor () -> Void
    ) where Base.Failure == Never {
        task?.cancel()
        task = Task {
            for await element in sequence {
                guard !Task.isCancelled, take(element) else { return }
            }
            if !Task.isCancelled { end() }
        }
    }

    func stop() {
        task?.cancel()
        task = nil
    }
}

/// Decides which streams may be transferred now, say over a network that costs.
public protocol NetworkPolicy: Sendable {
    /// Whether a stream may be transferred. One that may not waits: the next download or upload asks again.
    ///
    /// - Parameters:
    ///   - bytes: What is to be transferred of the stream, where it is known: always of one that is sent.
    ///   - priority: 0 for a stream that a refresh brings, 1 for a pinned one, 2 for one that is read now, 3 for one that
    ///     is sent.
    func allows(_ bytes: Int64?, priority: Int) async -> Bool
}

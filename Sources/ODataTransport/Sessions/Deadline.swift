/// Runs `body`, and cancels and leaves it if it takes longer than `limit` or the caller is cancelled. Neither
/// waits for `body` to see its cancellation.
///
/// - Parameter error: What is thrown then.
package func withDeadline<Result: Sendable>(
    _ limit: Duration, orThrow error: @autoclosure @escaping @Sendable () -> any Error,
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await SharedFetch<Result>().value(body) }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let result = first else { throw error() }
        return result
    }
}

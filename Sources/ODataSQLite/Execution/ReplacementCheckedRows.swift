import ODataModel
import ODataStores

/// Rows of a file that is checked before and after each block, so that no rows of a file that has replaced it are
/// returned.
final class ReplacementCheckedRows: EntityReader {
    var shape: RowShape { rows.shape }
    var isAtHand: Bool { rows.isAtHand }
    private let rows: any EntityReader
    private let check: @Sendable () throws -> Void
    private let failed: @Sendable () async -> Void

    /// - Parameter failed: Called when rows cannot be read.
    init(
        _ rows: any EntityReader, check: @escaping @Sendable () throws -> Void,
        failed: @escaping @Sendable () async -> Void
    ) {
        self.rows = rows
        self.check = check
        self.failed = failed
    }

    func next() async throws -> RowBlock? {
        try check()
        do {
            let block = try await rows.next()
            try check()
            return block
        } catch {
            try check()
            await failed()
            throw error
        }
    }
}

import ODataModel
import ODataStores

/// Rows of a file that is looked at before and after each block: those of another file that has taken its place are not
/// given.
final class WatchedRows: EntityReader {
    var shape: RowShape { rows.shape }
    private let rows: any EntityReader
    private let check: @Sendable () throws -> Void

    init(_ rows: any EntityReader, check: @escaping @Sendable () throws -> Void) {
        self.rows = rows
        self.check = check
    }

    func next() async throws -> RowBlock? {
        try check()
        do {
            let block = try await rows.next()
            try check()
            return block
        } catch {
            try check()
            throw error
        }
    }
}

import ODataStores

/// Limits the size of one block with all expanded rows. A related row is read once but is in the result for each
/// parent, so that navigation properties that lead back and forth turn few rows into many.
struct ExpandBudget: Sendable {
    /// Rows of all levels.
    let rows: Int
    /// Values of the rows that are expanded, in bytes.
    let bytes: Int
    private var rowsRead = 0

    init(rows: Int, bytes: Int) {
        self.rows = rows
        self.bytes = bytes
    }

    /// For a store that only its own app reads: the limit of a block.
    static let app = ExpandBudget(rows: 10_000_000, bytes: EntityCursor.maxBytes)
    /// For a store that serves clients.
    static let service = ExpandBudget(rows: 100_000, bytes: 32 << 20)

    /// Counts a row that is read.
    ///
    /// - Parameter buffer: the bytes of all values read so far.
    /// - Throws: ``ODataError`` of code `badRequest`, as ``check(_:)`` does.
    mutating func countRow(buffer: Int) throws {
        rowsRead += 1
        guard rowsRead <= rows, buffer <= bytes else { throw exceeded }
    }

    /// Checks the number of rows that a block expands to.
    func check(_ count: Int) throws { guard count <= rows else { throw exceeded } }

    private var exceeded: ODataError {
        ODataError(
            .badRequest,
            "$expand leads to more than \(rows) entities or \(bytes) bytes for one part of the result: expand less deeply, or fewer with $top, $filter or $select."
        )
    }
}

import ODataModel
import ODataQuery

/// A store with reads that need not wait: neither for another thread nor for a connection or a lock.
///
/// A server calls for them on its event loop, where whatever takes longer holds up other connections.
package protocol ImmediateStore: ODataStore {
    /// The result of a read that is known to be short, with all its rows in memory.
    ///
    /// - Parameter model: The model that the query is bound to.
    /// - Returns: Nil where the read takes too long or fails, where the store may have another model by now, and for all
    ///   other kinds of reads. `read(_:)` is to be called then.
    func immediateResult(of request: ReadRequest, model: EdmModel) -> ImmediateResult?

    /// Whether the store still has this model; false where only `model()` can tell.
    func isCurrent(_ model: EdmModel) -> Bool
}

/// A ``ReadResult`` with its rows.
package struct ImmediateResult: Sendable {
    /// Rows as ``ReadResult/Body/entities(_:)`` has them, or ``ReadResult/Body/notModified``.
    package enum Body: Sendable {
        case entities([RowBlock], RowShape)
        case notModified
    }

    package var body: Body
    package var etag: String?

    package init(_ body: Body, etag: String? = nil) {
        self.body = body
        self.etag = etag
    }
}

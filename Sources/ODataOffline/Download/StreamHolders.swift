import ODataSQL
import ODataSQLite

/// The nodes of defining queries that hold rows for the sake of one of their streams.
struct StreamHolders: Sendable {
    /// The queries that need it in any case, and those that need it if the service has announced it.
    private var (all, told) = (HolderMask(), HolderMask())

    init() {}

    /// - Parameter asksForUntold: As of ``insert(_:asksForUntold:)``.
    init(_ slots: [HolderSlot], asksForUntold: Bool) {
        for slot in slots { insert(slot, asksForUntold: asksForUntold) }
    }

    var isEmpty: Bool { all.isEmpty && told.isEmpty }

    /// - Parameter asksForUntold: Whether a stream property may have content without control information: services may
    ///   leave it out where it is what the standard expects. What the service then answers holds until the entity changes.
    ///   [OData-JSON, section 4.6]
    mutating func insert(_ slot: HolderSlot, asksForUntold: Bool) {
        if asksForUntold { all.insert(slot) } else { told.insert(slot) }
    }

    /// SQL that is true of the rows that any of them holds for this stream's sake.
    func isHeld(_ stream: LocalStream) -> String {
        // The stream of a media entity is there, whatever is told of it.
        guard stream.property != nil, !told.isEmpty else { return "(\(all.isHeld) OR \(told.isHeld))" }
        let isTold = stream.control.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
        return "(\(all.isHeld) OR \(told.isHeld) AND (\(isTold)))"
    }
}

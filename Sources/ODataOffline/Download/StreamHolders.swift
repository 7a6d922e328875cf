import ODataSQL
import ODataSQLite

/// The nodes of defining queries that need one of the streams of their rows.
struct StreamHolders: Sendable {
    /// The nodes that need it in any case, and those that need it if the service has sent control information for it.
    private var (all, told) = (HolderMask(), HolderMask())

    init() {}

    /// - Parameter asksForUntold: As of ``insert(_:asksForUntold:)``.
    init(_ slots: [HolderSlot], asksForUntold: Bool) {
        for slot in slots { insert(slot, asksForUntold: asksForUntold) }
    }

    var isEmpty: Bool { all.isEmpty && told.isEmpty }

    /// - Parameter asksForUntold: Whether a stream property may have content without control information: services may
    ///   leave it out where it is what the standard expects. The service's response is then valid until the entity
    ///   changes.
    ///   [OData-JSON, section 4.6]
    mutating func insert(_ slot: HolderSlot, asksForUntold: Bool) {
        if asksForUntold { all.insert(slot) } else { told.insert(slot) }
    }

    /// The SQL condition for the rows whose stream any of the nodes needs.
    func isHeld(_ stream: LocalStream) -> String {
        // A media entity always has its stream.
        guard stream.property != nil, !told.isEmpty else { return "(\(all.isHeld) OR \(told.isHeld))" }
        let isTold = stream.control.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
        return "(\(all.isHeld) OR \(told.isHeld) AND (\(isTold)))"
    }
}

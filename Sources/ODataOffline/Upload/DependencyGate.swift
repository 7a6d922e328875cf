import ODataSQLite

/// Decides which requests must wait because one they depend on has failed. A value without any input or output.
struct DependencyGate {
    private var blocked: Set<Int64> = []
    private var blockedNew: Set<Int64> = []

    /// Whether a request for `row` that refers to `references` can be sent.
    func lets(_ row: Int64, references: [Int64]) -> Bool {
        !blocked.contains(row) && !references.contains { blockedNew.contains($0) }
    }

    /// A request for `row` has failed or was held back: later ones for it wait, and, if the service does not know
    /// the entity yet, those that refer to it.
    mutating func close(_ row: Int64, isMadeHere: Bool) {
        blocked.insert(row)
        if isMadeHere { blockedNew.insert(row) }
    }
}

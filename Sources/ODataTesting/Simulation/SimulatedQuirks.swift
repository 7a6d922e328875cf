/// The deviations of a simulated service from the standard, drawn from the seed of the run.
struct SimulatedQuirks: Hashable, Sendable {
    /// 501 for `Prefer: track-changes`, 500 for `maxpagesize`, 400 for `return` where a media entity is created.
    let refusesPreferences: Bool
    /// Every delta link gets 500.
    let failsDeltaLinks: Bool
    /// `First` is stored in upper case.
    let storesUpperCase: Bool
    /// Responses have no ETags.
    let hidesETags: Bool
    /// A deep insert gets 501.
    let refusesDeepInserts: Bool
    /// The device's queries do not expand `Labels`, which has no referential constraint.
    let hidesLabels: Bool

    /// - Parameter canMissChanges: Whether the outcome can be determined without ETags and values.
    init(_ random: inout SplitMix, canMissChanges: Bool) {
        let draws = (0..<6).map { _ in random.number(below: 4) == 0 }
        refusesPreferences = draws[0]
        failsDeltaLinks = draws[1]
        storesUpperCase = draws[2]
        hidesETags = draws[3] && canMissChanges
        refusesDeepInserts = draws[4]
        hidesLabels = draws[5]
    }
}

extension SimulatedQuirks: CustomStringConvertible {
    var description: String {
        let names = [
            refusesPreferences ? "refuses preferences" : nil, failsDeltaLinks ? "fails delta links" : nil,
            storesUpperCase ? "stores upper case" : nil, hidesETags ? "hides ETags" : nil,
            refusesDeepInserts ? "refuses deep inserts" : nil, hidesLabels ? "hides labels" : nil,
        ].compactMap(\.self)
        return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}

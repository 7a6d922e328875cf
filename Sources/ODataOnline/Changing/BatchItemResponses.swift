import ODataFormats

/// Which responses of a batch belong to which of its change sets.
///
/// Ids decide, wherever a response is. Responses without ids are taken by their place, which means something only if
/// there is one for each set, or if the service has stopped at an error as the standard requires.
///
/// [OData-Protocol, section 11.7.5]
struct BatchItemResponses {
    /// By the position of the set; empty without a response.
    private(set) var ofSets: [[BatchItemResponse]]
    /// From here on the sets were not executed, because the one before failed.
    private(set) var stop: Int?

    /// - Parameter mayStop: Whether the response is whole, and the service did not say that it continues after an
    ///   error.
    init(_ responses: [BatchItemResponse], to sets: [OutgoingChangeSet], mayStop: Bool) {
        ofSets = Array(repeating: [], count: sets.count)
        var owners: [String: Int] = [:]
        for (place, set) in sets.enumerated() {
            if let group = set.group { owners[group] = place }
        }
        for (place, set) in sets.enumerated() {
            for part in set.parts { if let id = part.id { owners[id] = place } }
        }
        let units = Self.units(responses)
        let isStopped = mayStop && units.count < sets.count && (units.last?.contains { $0.status >= 400 } ?? false)
        var loose: [(place: Int, responses: [BatchItemResponse])] = []
        for (place, unit) in units.enumerated() {
            let named = unit.compactMap { response in (response.id ?? response.atomicityGroup).flatMap { owners[$0] } }
                .first
            if let named {
                ofSets[named] += unit
            } else {
                loose.append((place, unit))
            }
        }
        if units.count == sets.count || isStopped {
            for (place, unit) in loose where ofSets[place].isEmpty { ofSets[place] = unit }
        }
        let count = ofSets.prefix { !$0.isEmpty }.count
        if isStopped, count == units.count, ofSets[count...].allSatisfy(\.isEmpty) { stop = count }
    }

    /// Responses of one group are one unit, as far as they stand together.
    private static func units(_ responses: [BatchItemResponse]) -> [[BatchItemResponse]] {
        var units: [[BatchItemResponse]] = []
        for response in responses {
            if let group = response.atomicityGroup, units.last?.last?.atomicityGroup == group {
                units[units.count - 1].append(response)
            } else {
                units.append([response])
            }
        }
        return units
    }
}

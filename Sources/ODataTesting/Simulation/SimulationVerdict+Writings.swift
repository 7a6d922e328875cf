/// Values and contents are words that are given once.
extension SimulationVerdict {
    private var writings: [Journal.Change] { changes.filter { $0.isUnique && $0.kind != .creation } }

    var repeatedWritings: [String] {
        writings.compactMap { change in
            let places = hasETags ? places(of: change) : runs(of: change)
            let count = places.count - zip(places, places.dropFirst()).count { isWanted(change, after: $0, again: $1) }
            return count <= max(1, self.count("insert", change.marker))
                ? nil : "\(change.value) was written to \(change.marker) \(count) times"
        }
    }

    /// The places of a change without those before which nothing else was written there.
    private func runs(of change: Journal.Change) -> [Int] {
        let places = places(of: change)
        return places.enumerated().filter { number, place in
            number == 0
                || events[places[number - 1]..<place].contains { other in
                    other.kind == change.event.kind && other.marker == change.marker && other != change.event
                }
        }.map(\.element)
    }

    /// Whether a value is written once more because a conflict was decided so: another client has written another one
    /// before it was looked for, so that the execution cannot be proved, and the app chooses its own value.
    private func isWanted(_ change: Journal.Change, after first: Int, again: Int) -> Bool {
        guard !isTold, change.isInsistedOn else { return false }
        let others = changes.filter {
            $0.device != change.device && $0.marker == change.marker && $0.kind == change.kind
        }
        return !Set(others.map(\.event)).isDisjoint(with: events[first..<again])
    }

    /// Each device's values arrive in the order in which they were given.
    var writingsOutOfOrder: [String] {
        byDevice.flatMap { group in
            guard count("insert", group[0].marker) < 2 else { return [String]() }
            let placed = group.compactMap { change in places(of: change).last.map { (change.value, $0) } }
            return zip(placed, placed.dropFirst()).filter { $0.0.1 > $0.1.1 }
                .map { "\($0.0.0) was written to \(group[0].marker) after \($0.1.0)" }
        }.sorted()
    }

    private var byDevice: [[Journal.Change]] {
        Array(Dictionary(grouping: writings) { "\($0.device) \($0.marker) \($0.kind)" }.values)
    }

    /// The last changes of each device to one thing, without those that do not count: one that was accepted, and those
    /// after it that may have been executed or not. A request in the archive may have taken in what was before it.
    func last(_ group: [Journal.Change]) -> [Journal.Change] {
        let counting = group.indices.filter { group[$0].fate != .undone && !isArchived(group[$0]) }
        let archived = group.lastIndex(where: isArchived) ?? -1
        if let first = counting.last(where: { $0 > archived && group[$0].fate == .accepted }) {
            return counting.filter { $0 >= first }.map { group[$0] }
        }
        return counting.map { index in
            var change = group[index]
            change.fate = .possible
            return change
        }
    }

    var lostWritings: [String] {
        byDevice.compactMap { group in
            guard isStable(group[0].marker), let change = last(group).first, change.fate == .accepted,
                places(of: change).isEmpty
            else { return nil }
            return "\(change.value) of \(change.marker) is lost"
        }.sorted()
    }

    /// What was written last is what some device has given last.
    var lastWritings: [String] {
        let groups = Dictionary(grouping: writings) { "\($0.event.kind) of \($0.marker)" }
        return groups.keys.sorted().compactMap { name in
            guard let group = groups[name], let first = group.first, isStable(first.marker),
                let actual = events.last(where: { $0.kind == first.event.kind && $0.marker == first.marker })?.value
            else { return nil }
            var allowed = Set(Dictionary(grouping: group, by: \.device).values.flatMap { last($0).map(\.value) })
            if !isTold { allowed.formUnion(group.filter(isArchived).map(\.value)) }
            return allowed.contains(actual) ? nil : "\(name) is \(actual), not \(allowed.sorted())"
        }
    }
}

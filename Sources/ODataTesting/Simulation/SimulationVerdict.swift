/// Compares what the apps were told with what the service has executed.
struct SimulationVerdict {
    let changes: [Journal.Change]
    let events: [SimulatedService.Event]
    let state: SimulatedState
    /// By device, the words of the requests that were in its error archive, or waited for one that was.
    let archived: [Int: Set<String>]

    private func isArchived(_ change: Journal.Change) -> Bool {
        guard let words = archived[change.device], !words.isEmpty else { return false }
        // A deletion without a tag has no word.
        return change.token.isEmpty || words.contains(change.token)
    }

    var failures: [String] {
        doubles + creations + deletions + repeatedValues + valuesOutOfOrder + lostValues + undoneChanges
            + lastOnes
    }

    private func count(_ kind: String, _ marker: String) -> Int {
        events.count { $0.kind == kind && $0.marker == marker }
    }

    private func live(_ marker: String) -> Int { state.lines.count { $0.marker == marker } }

    /// No entity was ever there twice.
    private var doubles: [String] {
        var live: [String: Int] = [:]
        var doubles: Set<String> = []
        for event in events where !event.marker.isEmpty {
            switch event.kind {
            case "insert": live[event.marker, default: 0] += 1
            case "delete": live[event.marker, default: 0] -= 1
            default: break
            }
            if live[event.marker, default: 0] > 1 { doubles.insert(event.marker) }
        }
        return doubles.sorted().map { "\($0) was created twice" }
    }

    private var creations: [String] {
        changes.filter { $0.kind == .creation && $0.fate == .accepted && !isArchived($0) }.compactMap { change in
            let isDeleted = changes.contains {
                $0.kind == .deletion && $0.marker == change.marker && $0.fate != .undone
            }
            return isDeleted || live(change.marker) == 1 ? nil : "\(change.marker) was created and is not there"
        }
    }

    private var deletions: [String] {
        changes.filter { $0.kind == .deletion && $0.fate == .accepted && !isArchived($0) }.compactMap { change in
            // Somebody else's changes may have created it again.
            let isChanged = changes.contains { $0.marker == change.marker && ![0, change.device].contains($0.device) }
            return isChanged || live(change.marker) == 0 ? nil : "\(change.marker) was deleted and is there"
        }
    }

    private func places(of change: Journal.Change) -> [Int] {
        guard case .value(let property) = change.kind else { return [] }
        return events.indices.filter {
            events[$0].kind == property && events[$0].marker == change.marker && events[$0].value == change.value
        }
    }

    private var values: [Journal.Change] {
        changes.filter { if case .value = $0.kind { true } else { false } }
    }

    private var repeatedValues: [String] {
        values.compactMap { change in
            let count = places(of: change).count
            return count <= max(1, self.count("insert", change.marker))
                ? nil : "\(change.value) was written to \(change.marker) \(count) times"
        }
    }

    /// Each device's values arrive in the order in which they were given.
    private var valuesOutOfOrder: [String] {
        Dictionary(grouping: values) { "\($0.device) \($0.marker) \($0.kind)" }.values.flatMap { group in
            guard count("insert", group[0].marker) < 2 else { return [String]() }
            let placed = group.compactMap { change in places(of: change).last.map { (change.value, $0) } }
            return zip(placed, placed.dropFirst()).filter { $0.0.1 > $0.1.1 }
                .map { "\($0.0.0) was written to \(group[0].marker) after \($0.1.0)" }
        }.sorted()
    }

    /// The last changes of each device to one thing, without those that do not count: one that was accepted, and those
    /// after it that may have been executed or not.
    private func last(_ group: [Journal.Change]) -> [Journal.Change] {
        let counting = group.filter { $0.fate != .undone && !isArchived($0) }
        guard let index = counting.lastIndex(where: { $0.fate == .accepted }) else { return counting }
        return Array(counting[index...])
    }

    private func isStable(_ marker: String) -> Bool {
        live(marker) == 1 && !changes.contains { $0.kind == .deletion && $0.marker == marker && $0.fate != .undone }
    }

    private var lostValues: [String] {
        Dictionary(grouping: values) { "\($0.device) \($0.marker) \($0.kind)" }.values.compactMap { group in
            guard isStable(group[0].marker), !group.contains(where: isArchived), let change = last(group).first,
                change.fate == .accepted, places(of: change).isEmpty
            else { return nil }
            return "\(change.value) of \(change.marker) is lost"
        }.sorted()
    }

    private var undoneChanges: [String] {
        changes.filter { $0.fate == .undone }.compactMap { change in
            switch change.kind {
            case .creation where count("insert", change.marker) > 0: "\(change.marker) was created although undone"
            case .value where !places(of: change).isEmpty:
                "\(change.value) was written to \(change.marker) although undone"
            default: nil
            }
        }
    }

    /// What has no log of its own is what some device has made it last.
    private var lastOnes: [String] {
        let others = changes.filter {
            if case .value = $0.kind { false } else { $0.kind != .creation && $0.kind != .deletion }
        }
        let groups = Dictionary(grouping: others) { "\($0.marker) \($0.kind)" }
        return groups.keys.sorted().compactMap { name in
            guard let group = groups[name], let first = group.first, isStable(first.marker),
                !group.contains(where: isArchived), let actual = actual(first)
            else { return nil }
            let byDevice = Dictionary(grouping: group, by: \.device).values.map(last)
            var allowed = Set(byDevice.flatMap { $0.map(\.value) })
            // Nothing of it need have been executed.
            if !byDevice.contains(where: { $0.first?.fate == .accepted }) {
                guard case .link = first.kind else { return nil }
                allowed.insert("")
            }
            return allowed.contains(actual) ? nil : "\(name) is '\(actual)', not \(allowed.sorted())"
        }
    }

    /// What the service has; nil where that says nothing.
    private func actual(_ change: Journal.Change) -> String? {
        guard let line = state.lines.first(where: { $0.marker == change.marker }) else { return nil }
        switch change.kind {
        case .stream: return line.content.map { String($0.prefix { $0 != "," }) }
        case .link(let label):
            guard isStable(label), let key = state.lines.first(where: { $0.marker == label })?.key else { return nil }
            return line.labels.contains(key) ? label : ""
        case .parent:
            let key = line.values["JobID"] ?? ""
            let job = state.lines.first { $0.set == "Jobs" && $0.key == "Jobs(\(key))" }
            guard job.map({ isStable($0.marker) }) ?? key.isEmpty else { return nil }
            // Jobs that were deleted have left their parts.
            let targets = changes.filter { $0.kind == .parent && $0.marker == change.marker }.map(\.value)
            return targets.allSatisfy { $0.isEmpty || isStable($0) } ? job?.marker ?? "" : nil
        case .creation, .deletion, .value: return nil
        }
    }
}

/// Labels of jobs and jobs of parts are what some device has made them last.
extension SimulationVerdict {
    var lastNavigation: [String] {
        let navigation = changes.filter {
            switch $0.kind {
            case .link, .parent: true
            case .creation, .deletion, .value, .stream: false
            }
        }
        let groups = Dictionary(grouping: navigation) { "\($0.marker) \($0.kind)" }
        return groups.keys.sorted().compactMap { name in
            guard let group = groups[name], let first = group.first, isStable(first.marker),
                !group.contains(where: isArchived), let actual = actual(first)
            else { return nil }
            let byDevice = Dictionary(grouping: group, by: \.device).values.map(last)
            var allowed = Set(byDevice.flatMap { $0.map(\.value) })
            // Nothing of it need have been executed.
            if !byDevice.contains(where: { $0.first?.fate == .accepted }) { allowed.insert("") }
            return allowed.contains(actual) ? nil : "\(name) is '\(actual)', not \(allowed.sorted())"
        }
    }

    /// What the service has; nil where that says nothing.
    private func actual(_ change: Journal.Change) -> String? {
        guard let line = state.lines.first(where: { $0.marker == change.marker }) else { return nil }
        switch change.kind {
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
        case .creation, .deletion, .value, .stream: return nil
        }
    }
}

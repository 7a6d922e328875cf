/// Compares the results that the apps got with what the service has executed.
struct SimulationVerdict {
    let changes: [Journal.Change]
    let events: [SimulatedService.Event]
    let state: SimulatedState
    /// By device, the words of the requests that were in its error archive, or waited for one that was.
    let archived: [Int: Set<String>]
    /// Whether a store can always determine what was executed. It cannot where the service knows no repeated requests
    /// and another client changes what was made before it is looked for: it is sent again, and refused for its key or
    /// ETag.
    var isTold = true
    /// Whether the service has ETags. Without them a PUT of a stream has no condition, and may be repeated as HTTP has it.
    var hasETags = true

    var failures: [String] {
        unexplained + doubles + creations + deletions + repeatedWritings + writingsOutOfOrder + lostWritings
            + lastWritings + lastNavigation + executedThoughArchived + brokenChangeSets + damagedStreams
    }

    func isArchived(_ change: Journal.Change) -> Bool { archived[change.device]?.contains(change.token) ?? false }

    func count(_ kind: String, _ marker: String) -> Int {
        events.count { $0.kind == kind && $0.marker == marker }
    }

    func live(_ marker: String) -> Int { state.lines.count { $0.marker == marker } }

    /// Whether an app deleted the entity, and did not undo that.
    func isDeleted(_ marker: String) -> Bool {
        changes.contains { $0.kind == .deletion && $0.marker == marker && $0.fate != .undone }
    }

    func isStable(_ marker: String) -> Bool { live(marker) == 1 && !isDeleted(marker) }

    /// Where the log has what a change may have done.
    func places(of change: Journal.Change) -> [Int] {
        let event = change.event
        return events.indices.filter { events[$0] == event }
    }

    /// No entity was ever there twice.
    private var doubles: [String] {
        var live: [String: Int] = [:]
        var doubles: Set<String> = []
        for event in events {
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
            isDeleted(change.marker) || live(change.marker) == 1
                ? nil : "\(change.marker) was created and is not there"
        }
    }

    /// What was deleted was there to the end only if another client's changes had it created again.
    private var deletions: [String] {
        changes.filter { $0.kind == .deletion && $0.fate == .accepted && !isArchived($0) && live($0.marker) > 0 }
            .compactMap { change in
                let lastDeletion = events.lastIndex { $0.kind == "delete" && $0.marker == change.marker }
                let lastInsertion = events.lastIndex { $0.kind == "insert" && $0.marker == change.marker }
                let others = changes.filter { $0.marker == change.marker && ![0, change.device].contains($0.device) }
                guard let lastDeletion, let lastInsertion, lastInsertion > lastDeletion,
                    others.contains(where: { $0.fate != .undone && $0.kind != .deletion })
                else { return "\(change.marker) was deleted and is there" }
                return nil
            }
    }

    /// What the service refused or never got is not executed.
    private var executedThoughArchived: [String] {
        guard isTold else { return [] }
        return changes.filter { $0.isUnique && isArchived($0) && !places(of: $0).isEmpty }.map {
            "\($0.token) of \($0.marker) was executed and is in the error archive"
        }
    }

    /// Of a change set all is executed, or nothing.
    private var brokenChangeSets: [String] {
        let groups = Dictionary(grouping: changes.filter { $0.changeSet != nil }) { $0.changeSet ?? "" }
        return groups.keys.sorted().compactMap { name in
            let group = (groups[name] ?? []).filter(\.isUnique)
            let missing = group.filter { $0.fate == .accepted && places(of: $0).isEmpty && !isDeleted($0.marker) }
            guard !missing.isEmpty, group.contains(where: { !places(of: $0).isEmpty }) else { return nil }
            return "Of the change set \(name) was executed all but \(missing.map(\.token).sorted())"
        }
    }

    private var damagedStreams: [String] {
        state.lines.filter { $0.content?.contains(" ") ?? false }.map {
            "The stream of \($0.marker) is \($0.content ?? "")"
        }
    }
}

extension Journal.Change {
    /// What the log has of it.
    var event: SimulatedService.Event {
        switch kind {
        case .creation: .init(kind: "insert", marker: marker)
        case .deletion: .init(kind: "delete", marker: marker)
        case .value(let property): .init(kind: property, marker: marker, value: value)
        case .stream: .init(kind: "stream", marker: marker, value: value)
        case .link(let label): .init(kind: value.isEmpty ? "unlink" : "link", marker: marker, value: label)
        case .parent: .init(kind: "parent", marker: marker, value: value.isEmpty ? nil : value)
        }
    }

    /// Whether no other change can have done the same.
    var isUnique: Bool {
        switch kind {
        case .creation, .value, .stream: true
        case .deletion, .link, .parent: false
        }
    }
}

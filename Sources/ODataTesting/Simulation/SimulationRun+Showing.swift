import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores

/// What a device shows of a change that its app has just made.
extension SimulationRun {
    /// A reader sees what was accepted at once: nothing waits for the next download to put it right.
    func checkShown(_ draft: SimulatedChange, on device: SimulatedDevice) async throws {
        let tokens = Set(draft.changes.map(\.token))
        let accepted = journal.changes.filter { tokens.contains($0.token) && $0.fate == .accepted }
        guard !accepted.isEmpty else { return }
        var shown: [String: [EdmEntity]] = [:]
        for set in setup.sets {
            let query = try await device.store.query(Self.expansions[set] ?? set)
            for entity in try await device.store.entities(query) { shown[entity.marker, default: []].append(entity) }
        }
        let targets = Set(draft.requests.map(\.target.url))
        for change in accepted {
            guard let problem = try await problem(of: change, at: targets, shown, on: device) else { continue }
            report.failures.append("device \(device.number) \(draft.text) and shows \(problem)")
        }
    }

    private static let expansions = ["Jobs": "Jobs?$expand=Labels", "Parts": "Parts?$expand=Job"]

    /// An entity whose creation got no response may be there twice, as it was made and as a download has brought it,
    /// until the next upload: one of the two shows a value then, and which relationships and content they show is open.
    private func problem(
        of change: Journal.Change, at targets: Set<String>, _ shown: [String: [EdmEntity]], on device: SimulatedDevice
    ) async throws -> String? {
        let entities = shown[change.marker] ?? []
        let single = entities.count == 1 ? entities.first : nil
        switch change.kind {
        case .creation: return entities.isEmpty ? "no \(change.marker)" : nil
        case .deletion:
            return entities.contains { targets.contains($0.id ?? "") } ? "\(change.marker), which is deleted" : nil
        case .value(let name):
            let values = entities.map { $0.value(at: name) }
            return values.contains(.string(change.value))
                ? nil : "\(values) as \(name) of \(change.marker), not \(change.value)"
        case .stream:
            guard let id = single?.id else { return nil }
            let stream = try await device.store.readStream(StreamRequest(try device.store.path(id)))
            let isRight = try await stream.content.collect(upTo: 1 << 20) == SimulatedPicture.bytes(change.value)
            return isRight ? nil : "another content of \(change.marker) than \(change.value)"
        case .link(let label):
            guard let single, shown[label]?.count == 1 else { return nil }
            return single.labels.contains(label) == change.value.isEmpty ? "the labels \(single.labels)" : nil
        case .parent:
            guard let single else { return nil }
            let job: EdmEntity? = if case .one(let job)? = single.expanded["Job"] { job } else { nil }
            let marker = job?.marker ?? ""
            return marker == change.value
                ? nil : "'\(marker)' as the job of \(change.marker), not '\(change.value)'"
        }
    }
}

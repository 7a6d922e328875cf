import ODataOffline

/// The end of a run: everything calms down, and is looked at.
extension SimulationRun {
    /// How often all devices upload and download: what one has sent the others read, and may lay their changes over.
    private static let rounds = 4

    func settle() async throws {
        for round in 1...Self.rounds {
            for device in devices {
                do {
                    let report = try await device.store.upload()
                    try await device.store.download()
                    note(device, "round \(round): \(report.succeeded.count) executed, \(report.failed.count) failed")
                } catch {
                    note(device, "round \(round): \(error)")
                    if round == Self.rounds {
                        report.failures.append("device \(device.number) does not settle: \(error)")
                    }
                }
            }
        }
        var archived: [Int: Set<String>] = [:]
        for device in devices { archived[device.number] = try await giveUp(on: device) }
        let state = try await SimulatedState(service.tables)
        for device in devices {
            let shown = try await SimulatedState(device.store)
            report.failures += state.differences(from: shown, named: "device \(device.number)")
        }
        let verdict = SimulationVerdict(
            changes: journal.changes, events: try await service.events(), state: state, archived: archived)
        report.failures += verdict.failures
        for device in devices { report.failures += try await device.problems() }
    }

    /// Takes back what the service refuses for good.
    ///
    /// - Returns: The words of these requests.
    private func giveUp(on device: SimulatedDevice) async throws -> Set<String> {
        let entries = try device.store.queueEntries()
        guard !entries.isEmpty else { return [] }
        let errors = try device.store.errorEntries()
        for error in errors { note(device, "in the error archive: \(error.method) \(error.url): \(error.message)") }
        for entry in entries where errors.isEmpty || ![.failed, .held].contains(entry.state) {
            report.failures.append(
                "device \(device.number): \(entry.method) \(entry.url) \(entry.body ?? "") is still \(entry.state.rawValue)"
            )
        }
        let waiting = try device.waiting()
        try await device.store.undo(.everything, force: true)
        try await device.store.download()
        return waiting.isEmpty ? ["?"] : waiting
    }
}

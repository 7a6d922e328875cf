import ODataOffline

/// The end of a run: everything calms down, and is looked at.
extension SimulationRun {
    /// How often all devices upload and download: what one has sent the others read, and may lay their changes over.
    private static let rounds = 4

    func settle() async throws {
        for round in 1...Self.rounds {
            for device in devices {
                do {
                    if round > 1 { try await retryAll(on: device) }
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
        let state = try await SimulatedState(service.tables, sets: setup.sets)
        for device in devices {
            let shown = try await SimulatedState(device.store, sets: setup.sets)
            report.failures += differences(between: state, and: shown, on: device)
        }
        let verdict = SimulationVerdict(
            changes: journal.changes, events: try await service.events(), state: state, archived: archived,
            isTold: setup.recognisesRepeats || setup.devices == 1, hasETags: !setup.quirks.hidesETags)
        report.failures += verdict.failures
        for device in devices { report.failures += try await device.problems() }
    }

    private func differences(
        between state: SimulatedState, and shown: SimulatedState, on device: SimulatedDevice
    ) -> [String] {
        let name = "device \(device.number)"
        guard setup.quirks.hidesLabels else { return state.differences(from: shown, named: name) }
        return state.withoutLabels.differences(from: shown.withoutLabels, named: name)
            + journal.ownLabels(of: device.number).compactMap { label, job in
                state.hasLabel(label, of: job) && !shown.hasLabel(label, of: job)
                    ? "\(name) does not show the label \(label) of \(job), which it gave to it" : nil
            }
    }

    /// Nothing is refused for no reason any more.
    private func retryAll(on device: SimulatedDevice) async throws {
        while let error = try await device.store.errorEntries().first {
            try await device.store.retry(errorID: error.id)
        }
    }

    /// Undoes what the service refuses for good.
    ///
    /// - Returns: The words of these requests.
    private func giveUp(on device: SimulatedDevice) async throws -> Set<String> {
        let entries = try await device.store.queueEntries()
        guard !entries.isEmpty else { return [] }
        let errors = try await device.store.errorEntries()
        for error in errors { note(device, "in the error archive: \(error.method) \(error.url): \(error.message)") }
        let stuck = UnexplainedRequests(entries: entries, refused: Set(errors.map(\.requestID))).list
        report.failures += stuck.map { entry in
            "device \(device.number): \(entry.method) \(entry.url) \(entry.body ?? "") is \(entry.state.rawValue) for no reason"
        }
        if setup.devices == 1, !journal.expectsRefusals(on: device.number) {
            report.failures += errors.map {
                "device \(device.number): \($0.method) \($0.url) is refused, although no other client changes "
                    + "anything: \($0.message)"
            }
        }
        let waiting = try await device.waiting()
        try await device.store.undo(.everything, force: true)
        try await device.store.download()
        return waiting
    }
}

/// The requests that neither were refused nor wait for one that was.
struct UnexplainedRequests {
    let entries: [QueueEntry]
    /// The ids of those in the error archive.
    let refused: Set<Int64>

    var list: [QueueEntry] {
        var explained = refused
        var size = -1
        while size != explained.count {
            size = explained.count
            for entry in entries where entry.state == .held {
                let companions = entries.filter { $0.changeSet != nil && $0.changeSet == entry.changeSet }.map(\.id)
                if (entry.dependsOn + companions).contains(where: explained.contains) { explained.insert(entry.id) }
            }
        }
        return entries.filter { entry in
            !explained.contains(entry.id) || ![.failed, .held].contains(entry.state)
        }
    }
}

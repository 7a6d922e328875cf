import ODataOffline
import ODataStores

/// How changes are made, undone and repaired, and what the journal keeps of it.
extension SimulationRun {
    func make(_ draft: SimulatedChange, on device: SimulatedDevice) async throws {
        var draft = draft
        if setup.tagsAll, draft.tag == nil { draft.tag = journal.newToken("t") }
        journal.add(draft.changes)
        let refused = try await device.store.errorEntries().isEmpty ? [] : try await device.waiting()
        let change = draft
        let outcome = try await attempt(device, draft.text, dying: (1...4).map { .call($0) }) { store in
            try await Self.make(change, in: store)
        }
        if !refused.isEmpty { journal.mend(refused.subtracting(try await device.waiting()), by: draft.changes) }
        let tokens = Set(draft.changes.map(\.token))
        let isOfDraft = { (change: Journal.Change) in
            draft.changes.contains { $0.token == change.token && $0.marker == change.marker && $0.kind == change.kind }
        }
        switch outcome {
        case .success: journal.set(.accepted, where: isOfDraft)
        case .failure(let error):
            journal.set(.undone) { tokens.contains($0.token) }
            report.failures.append("device \(device.number) \(draft.text): \(error)")
        case nil:
            // All of it is in the file, or nothing.
            let found = try await device.waiting().intersection(tokens)
            journal.set(found.isEmpty ? .undone : .accepted) { tokens.contains($0.token) }
            if !found.isEmpty, found != tokens {
                report.failures.append("device \(device.number) \(draft.text): only \(found.sorted()) is kept")
            }
        }
        try await checkShown(draft, on: device)
    }

    private static func make(_ draft: SimulatedChange, in store: OfflineStore) async throws {
        let options = RequestOptions(tag: draft.tag)
        guard let request = draft.requests.first else { return }
        if case .createMedia(let content, let slug) = request.operation {
            _ = try await store.createMedia(
                content, in: request.target, slug: slug, properties: draft.properties, options: options)
        } else if draft.requests.count == 1 {
            _ = try await store.change(request, options: options)
        } else {
            _ = try await store.changeSet(draft.requests, options: options)
        }
    }

    func undo(on device: SimulatedDevice) async throws {
        let entries = try await device.store.queueEntries()
        guard !entries.isEmpty else { return }
        let entry = random.element(of: entries)
        let scope: UndoScope =
            switch random.number(below: 5) {
            case 0: .everything
            case 1, 2: try entry.entity.map { .entity(try device.store.path($0)) } ?? .request(entry.id)
            case 3: .request(entry.id)
            default: entry.changeSet.map(UndoScope.changeSet) ?? .request(entry.id)
            }
        try await takingBack(on: device, "undoes \(entry.method) \(entry.url) (\(scope.name))") { store in
            try await store.undo(scope)
        }
    }

    func repairError(on device: SimulatedDevice) async throws {
        let errors = try await device.store.errorEntries()
        guard !errors.isEmpty else { return }
        let error = random.element(of: errors)
        let request = "\(error.method) \(error.url)"
        switch random.number(below: 3) {
        case 0:
            journal.expectRefusals(on: device.number)
            try await takingBack(on: device, "skips \(request)") { try await $0.skip(errorID: error.id) }
        case 1:
            try await takingBack(on: device, "undoes the failed \(request)") {
                _ = try await $0.undo(errorID: error.id)
            }
        default:
            try await takingBack(on: device, "retries \(request)") { try await $0.retry(errorID: error.id) }
        }
    }

    /// What is not in the queue afterwards was undone, however that ended.
    private func takingBack<Result: Sendable>(
        on device: SimulatedDevice, _ text: String, _ body: (OfflineStore) async throws -> Result
    ) async throws {
        let before = try await device.waiting()
        let outcome = try await attempt(device, text, dying: (1...3).map { .call($0) }, body)
        if case .failure(let error)? = outcome, (error as? ODataError)?.code != .conflict {
            report.failures.append("device \(device.number) \(text): \(error)")
        }
        let after = try await device.waiting()
        let dropped = before.subtracting(after)
        let executed = Set(try await service.events().flatMap { [$0.marker, $0.value ?? ""] })
        let markers = Set(journal.changes.filter { dropped.contains($0.token) }.map(\.marker))
        journal.set(.undone) { $0.device == device.number && dropped.contains($0.token) }
        // What a later change has taken in went with it.
        journal.loosen {
            $0.device == device.number && markers.contains($0.marker) && !after.contains($0.token)
                && !executed.contains($0.token)
        }
    }

    func upload(on device: SimulatedDevice) async throws {
        let outcome = try await attempt(device, "uploads", dying: transferMoments(calls: 20)) { try await $0.upload() }
        guard case .success(let report)? = outcome else { return }
        note(
            device,
            "\(report.succeeded.count) executed, \(report.failed.count) failed, \(report.held.count) held, "
                + "\(report.unconfirmed.count) unconfirmed")
    }

    func download(on device: SimulatedDevice) async throws {
        _ = try await attempt(device, "downloads", dying: transferMoments(calls: 8)) { try await $0.download() }
    }

    private func transferMoments(calls: Int) -> [KillSwitch.Moment] {
        [
            .call(1 + random.number(below: calls)), .request(1 + random.number(below: 6)),
            .response(1 + random.number(below: 6)), .responseBytes(random.number(below: 4000)),
        ]
    }
}

extension UndoScope {
    fileprivate var name: String {
        switch self {
        case .request: "the request"
        case .entity(let path): "all of \(path.url)"
        case .changeSet, .category: "a group"
        case .everything: "everything"
        }
    }
}

import ODataStores

extension AttachmentManager {
    /// Sends all edits, one after the other: what is in doubt, then deletions, then the rest, which may need their room.
    /// One that is refused does not keep the others from going; where the service cannot be reached, they are not tried.
    /// An edit whose response was lost is looked for at the service the next time, and not sent blindly again.
    ///
    /// Cancelling the task ends it: what the service has carried out stays, all other edits wait.
    ///
    /// - Returns: What became of each, in the order of ``attachments``.
    /// - Throws: ``ODataError`` `conflict` while edits are being posted, `methodNotAllowed` for edits in a copy for support
    ///   or in a store that is open for reading only, and if the journal cannot be read or written.
    @discardableResult
    public func postLocalEdits() async throws -> [AttachmentResult] {
        let entity = entity
        let edited = try await journal.read { records in
            try records.all(of: entity).map(\.attachment).filter(\.hasLocalEdits)
        }
        guard !edited.isEmpty else { return [] }
        // A process that may not store the response must not send a change.
        try await journal.write { _ in }
        try beginPosting(edited.map(\.id))
        defer { endPosting() }
        var posting = AttachmentPosting(
            entity: entity, backEnd: backEnd, journal: journal, onResponse: { [self] in notePosted() })
        var stop: ODataError?
        var results: [EntityAttachment.ID: AttachmentResult] = [:]
        for attachment in edited.sorted(by: Self.goesBefore) {
            let failure = await post(attachment, with: &posting, unless: stop)
            if let failure, failure.concernsAll { stop = failure.ofNothingSent }
            change { status in
                status.errors[attachment.id] = failure
                status.posting.remove(attachment.id)
            }
            results[attachment.id] = AttachmentResult(
                attachment: posting.settled[attachment.id] ?? now(attachment), error: failure)
        }
        try? await journal.collect()
        return edited.compactMap { results[$0.id] }
    }

    /// What is in doubt is looked for before anything else changes at the service.
    private static func goesBefore(_ first: EntityAttachment, _ second: EntityAttachment) -> Bool {
        func rank(_ attachment: EntityAttachment) -> Int {
            if attachment.isUnconfirmed { 0 } else if attachment.editState == .markedForDeletion { 1 } else { 2 }
        }
        return (rank(first), first.id) < (rank(second), second.id)
    }

    /// - Returns: Why it was not posted.
    private func post(
        _ attachment: EntityAttachment, with posting: inout AttachmentPosting, unless stop: ODataError?
    ) async -> ODataError? {
        if let stop { return stop }
        do {
            try Task.checkCancellation()
            try await posting.post(attachment.id)
            try await look()
            return nil
        } catch {
            // An edit that is unconfirmed now shows as such.
            try? await look()
            return ODataError(any: error)
        }
    }
}

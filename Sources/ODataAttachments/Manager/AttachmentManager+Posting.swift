import ODataStores

extension AttachmentManager {
    /// Sends all edits, one after the other. One that is refused does not keep the others from going; where the service
    /// cannot be reached, they are not tried. An edit whose answer was lost is looked for at the service the next time,
    /// and not sent blindly again.
    ///
    /// Cancelling the task ends it: what the service has carried out stays, all other edits wait.
    ///
    /// - Returns: What became of each.
    /// - Throws: ``ODataError`` `conflict` while edits are being posted, and if the journal cannot be read.
    @discardableResult
    public func postLocalEdits() async throws -> [AttachmentResult] {
        let entity = entity
        let edited = try await journal.read { records in
            try records.all(of: entity).map(\.attachment).filter(\.hasLocalEdits)
        }
        guard !edited.isEmpty else { return [] }
        try beginPosting(edited.map(\.id))
        defer { endPosting() }
        var posting = AttachmentPosting(
            entity: entity, backEnd: backEnd, journal: journal, onAnswer: { [self] in notePosted() })
        var stop: ODataError?
        var results: [AttachmentResult] = []
        for attachment in edited {
            let failure = await post(attachment, with: &posting, unless: stop)
            if let failure, failure.concernsAll { stop = failure.ofNothingSent }
            change { status in
                status.errors[attachment.id] = failure
                status.posting.remove(attachment.id)
            }
            results.append(
                AttachmentResult(attachment: posting.settled[attachment.id] ?? now(attachment), error: failure))
        }
        try? await journal.collect()
        return results
    }

    /// - Returns: Why it was not posted.
    private func post(
        _ attachment: Attachment, with posting: inout AttachmentPosting, unless stop: ODataError?
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

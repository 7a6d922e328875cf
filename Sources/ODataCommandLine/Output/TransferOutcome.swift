import OData

/// What the commands that download and upload say of the result, and of what is left.
struct TransferOutcome {
    let folder: String
    let store: OfflineStore

    /// Prints how queries were read where that is not what was requested, and the conflicts with what they returned.
    func tell(_ report: DownloadReport) async throws {
        for query in report.queries {
            for odd in query.diagnostics { Console.message("  \(query.name): \(odd)") }
            guard let reason = query.reason else { continue }
            Console.message("  \(query.name): \(query.mode.rawValue), because: \(reason)")
        }
        for conflict in try await store.conflicts() where conflict.occasion == .download {
            Console.message(
                "\(conflict.path) was changed here and at the service; see 'odata store conflicts \(folder)'.")
        }
    }

    /// The streams that failed; nil for none.
    func failure(of report: DownloadReport) -> String? {
        guard !report.failedStreams.isEmpty else { return nil }
        let list = report.failedStreams.map { "  \($0.path): \($0.error.summary)" }
        return (["\(list.count.counted("stream")) failed; run download again to try again:"] + list)
            .joined(separator: "\n")
    }

    /// The requests that an upload has left in the queue, each with its reason and what helps; nil for none.
    ///
    /// - Parameter isChosen: Whether the upload was to send it.
    func remaining(after report: UploadReport, _ isChosen: (QueueEntry) -> Bool = { _ in true }) async throws -> String?
    {
        // What another category had to send first may be what failed.
        let left = Set(report.failed.map(\.requestID) + (report.held + report.unconfirmed + report.notSent).map(\.id))
        let remaining = try await store.queueEntries().filter { isChosen($0) || left.contains($0.id) }
        guard !remaining.isEmpty else { return nil }
        let errors = try await store.errorEntries()
        let conflicting = Set(try await store.conflicts().flatMap(\.requests).map(\.id))
        let list = remaining.map { entry in
            let line = "  \(entry.id) \(entry.method) \(entry.url): \(entry.state.rawValue)"
            let error = errors.first { $0.requestID == entry.id }
            let lines = error.map { advice($0, isConflict: conflicting.contains(entry.id)) }
            return ([line] + (lines ?? advice(entry))).joined(separator: "\n")
        }
        return """
            \(list.count) request\(list.count == 1 ? " remains" : "s remain"); see 'odata store errors \(folder)':
            \(list.joined(separator: "\n"))
            """
    }

    /// - Throws: ``PartialSuccess`` with what is left, if something is.
    func report(_ left: [String?]) throws {
        let lists = left.compactMap { $0 }
        guard lists.isEmpty else { throw PartialSuccess(message: lists.joined(separator: "\n")) }
    }

    /// The service's message about a request, and the commands that help, with the number of its entry in the error
    /// archive.
    private func advice(_ error: ErrorEntry, isConflict: Bool) -> [String] {
        let cause = error.status.map { "\($0): \(error.message.brief)" } ?? error.message.brief
        if isConflict {
            let conflicts = "odata store conflicts"
            return [
                "    error \(error.id): \(cause)",
                "    Another client has changed it: '\(conflicts) \(folder) --format json' has both versions, "
                    + "'\(conflicts) mine|theirs \(folder) \(error.requestID)' decides.",
            ]
        }
        let edit = error.body == nil ? "" : "'odata store errors edit \(folder) \(error.id) JSON' or "
        return [
            "    error \(error.id): \(cause)",
            "    \(edit)'odata store errors undo \(folder) \(error.id)'",
        ]
    }

    /// The commands that help a request without a response.
    private func advice(_ entry: QueueEntry) -> [String] {
        guard entry.state == .unconfirmed else { return [] }
        return [
            "    It may have been executed: the next upload probes the outcome, or 'odata store decide "
                + "\(folder) \(entry.id) "
                + "executed|not-executed' reports."
        ]
    }
}

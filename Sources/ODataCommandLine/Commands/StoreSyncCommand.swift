import ArgumentParser
import OData

struct StoreSyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Upload the waiting requests, then download what changed, in one run.",
        discussion: """
            Does what 'odata store upload' and 'odata store download' do; no other transfer of the store begins \
            between the two. Refused requests and conflicts do not stop the download: they are listed, and their \
            entities keep the local values. If the upload ends early, as without a network, nothing is downloaded. \
            'odata store events' has the counts of both, as JSON too.

            Exit status 0 if all was sent and received, 3 if requests are left or streams failed, 1 if the service \
            cannot be reached or a query cannot be downloaded.

            EXAMPLE:
              odata store sync field
              odata store sync field orders --refresh orders=comparison
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var selection: QuerySelection
    @OptionGroup var reading: DownloadOptions
    @OptionGroup var form: DeepInsertOption
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run() async throws {
        try await StoreSession.online(
            folder, connection, countsEntities: selection.count, reading: reading, deepInserts: form.deepInserts
        ) { store in
            try await selection.setRefresh(in: store)
            let outcome = TransferOutcome(folder: folder.path, store: store)
            let lines = ProgressLines(host: folder.host)
            do {
                let report = try await lines.following(store) {
                    try await store.sync(selection.named) { lines.show($0) }
                }
                try outcome.report(try await outcome.told(report))
            } catch let error as ODataError {
                if let interruption = error.cause as? SyncInterruption { try await outcome.tell(interruption) }
                throw error
            }
        }
    }
}

extension TransferOutcome {
    /// Prints what a synchronization has done.
    ///
    /// - Returns: Lists of what is left.
    fileprivate func told(_ report: SyncReport) async throws -> [String] {
        for line in report.lines { Console.message(line) }
        var left: [String?] = []
        if let upload = report.upload { left.append(try await remaining(after: upload)) }
        if let download = report.download {
            try await tell(download)
            left.append(failure(of: download))
        }
        return left.compactMap { $0 }
    }

    /// Prints what a synchronization had done before it ended early. Of an upload that ended early the error says why
    /// the requests are left.
    fileprivate func tell(_ interruption: SyncInterruption) async throws {
        guard let upload = interruption.report.upload else { return }
        guard interruption.cause is UploadInterruption else {
            for list in try await told(interruption.report) { Console.message(list, isNeeded: true) }
            return
        }
        guard !upload.succeeded.isEmpty || !upload.failed.isEmpty else { return }
        for line in interruption.report.lines { Console.message(line) }
    }
}

extension SyncReport {
    /// What was sent, what was received, and how much in which time; of a run that ended early as far as it was done.
    ///
    ///     3 requests sent, 1 failed in 152.3 ms.
    ///     2 queries, 14 entities, 0 streams (0 bytes)
    ///     Received 3.2 kB in 1.25 s.
    fileprivate var lines: [String] {
        var lines: [String] = []
        if upload != nil {
            var sent = self
            sent.download = nil
            lines.append("\(sent.summary) in \(uploading.formatted()).")
        } else if download != nil {
            lines.append("No requests wait: nothing was sent.")
        }
        guard let download else { return lines }
        let bytes = download.queries.reduce(download.streamBytes) { $0 + $1.bytes }
        let isNews = download.streams > 0 || download.queries.contains { $0.entities > 0 }
        lines.append(isNews ? download.summary : "Nothing new: \(download.summary)")
        lines.append("Received \(ByteSize(bytes)) in \(downloading.formatted()).")
        return lines
    }
}

import ArgumentParser
import OData

struct StoreDownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download the defining queries: all the first time, then only what changed.",
        discussion: """
            Exit status 3 if only streams failed; they are listed and tried again at the next download. Queries that \
            are read in full, although only changes were requested, are listed with the reason. How changes \
            are found, and whether streams are checked, is kept for later downloads. On a terminal each query and \
            each stream that is on its way has a line with its rate, and a bar where the end is known: a query that \
            is read as a whole asks how many entities there are, where the service counts. Received bytes are shown \
            before the first entity of a page is complete. What has no response yet says so.

            EXAMPLE:
              odata store download field
              odata store download field \\
                --refresh orders=comparison --refresh images=delta
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var selection: QuerySelection
    @OptionGroup var reading: DownloadOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run() async throws {
        try await StoreSession.online(folder, connection, countsEntities: selection.count, reading: reading) { store in
            try await selection.setRefresh(in: store)
            let lines = ProgressLines(host: folder.host)
            let report = try await lines.following(store) {
                try await store.download(selection.named) { lines.show($0) }
            }
            Console.message(report.summary)
            let outcome = TransferOutcome(folder: folder.path, store: store)
            try await outcome.tell(report)
            try outcome.report([outcome.failure(of: report)])
        }
    }
}

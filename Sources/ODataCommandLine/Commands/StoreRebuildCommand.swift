import ArgumentParser
import OData

struct StoreRebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Download everything anew with the service's metadata of today, and keep what was not sent.",
        discussion: """
            The way out where a download says that the metadata have changed. Until the end the store stays as it \
            is. Exit status 3 if requests do not fit the new metadata; they are listed and stay in the error \
            archive.

            EXAMPLE: odata store rebuild field
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var reading: DownloadOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run() async throws {
        try await StoreSession.online(folder, connection, reading: reading) { store in
            let lines = ProgressLines(host: folder.host)
            let report = try await lines.following(store) { try await store.rebuild { lines.show($0) } }
            Console.message(report.download.summary)
            for query in report.download.queries {
                for odd in query.diagnostics { Console.message("  \(query.name): \(odd)") }
            }
            Console.message("Kept: \(report.keptRequests.counted("request")), \(report.keptStreams.counted("stream")).")
            let failed = report.download.failedStreams.map { "  \($0.path): \($0.error.summary)" }
            let misfits = report.misfits.map { "  \($0.method) \($0.url): \($0.message)" }
            guard misfits.isEmpty else {
                throw PartialSuccess(
                    message: """
                        \(misfits.count.counted("request")) without a place in the new metadata; see 'odata store errors \
                        \(folder.path)':
                        \(misfits.joined(separator: "\n"))
                        """)
            }
            guard failed.isEmpty else {
                throw PartialSuccess(
                    message: (["\(failed.count.counted("stream")) failed; run download to try again:"] + failed)
                        .joined(separator: "\n"))
            }
        }
    }
}

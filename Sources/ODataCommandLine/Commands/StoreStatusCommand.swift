import ArgumentParser
import OData

struct StoreStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how much the store holds and what waits.",
        discussion: "EXAMPLE: odata store status field --format table")

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.viewing(folder) { store in
            let status = try store.status
            var rows = status.entities.sorted { $0.key < $1.key }.map { row("entities of \($0.key)", Int64($0.value)) }
            rows += [
                row("requests that wait", Int64(status.waitingRequests)), row("errors", Int64(status.errors)),
                row("conflicts", Int64(try await store.conflicts().count)),
                row("attachments with edits", Int64(status.attachmentEdits)),
                row("streams", Int64(status.streams)), row("bytes of streams", status.streamBytes),
                row("streams lost before they were sent", Int64(status.lostStreams)),
                [ListColumn("what", "last download"), ListColumn("value", status.lastDownload)],
            ]
            ListPrinter(format: format.resolved).print(rows, columns: ["what", "value"])
            guard status.lostStreams > 0 else { return }
            Console.message(
                "\(status.lostStreams) streams were lost before they were sent: set them again, or undo their requests; "
                    + "see 'odata store errors \(folder.path)'.")
        }
    }

    private func row(_ name: String, _ number: Int64) -> [ListColumn] {
        [ListColumn("what", name), ListColumn("value", .integer(number))]
    }
}

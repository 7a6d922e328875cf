import ArgumentParser
import OData

struct StoreUploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Send the waiting requests to the service, each after what it depends on.",
        discussion: """
            Requests that do not depend on each other go in batches. Failed requests are tried again. A new entity \
            with others nested in it is one request, unless the metadata or a refusal say that the service does not \
            take it: then a change set, and without batches a request for each entity. 'odata store events' says which \
            form it had; --deep-inserts asks for one. On a terminal \
            requests have a bar, and so has each stream that is on its way, of what has been sent of it; the request \
            is done when the service has responded.

            Exit status 0 if all were sent, 3 if some failed or were held back (they are listed), 1 if the service \
            cannot be reached.

            EXAMPLE:
              odata store upload field
              odata store upload field --category orders
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Option(
        name: .customLong("category"),
        help: "Only requests of this category, and those that must be sent before them. May be repeated.")
    var categories: [String] = []
    @OptionGroup var form: DeepInsertOption
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run() async throws {
        try await StoreSession.online(folder, connection, deepInserts: form.deepInserts) { store in
            let lines = ProgressLines(host: folder.host)
            let report = try await lines.following(store) {
                try await store.upload(categories: categories.isEmpty ? nil : Set(categories)) { lines.show($0) }
            }
            Console.message(report.succeeded.count.counted("request") + " sent.")
            let outcome = TransferOutcome(folder: folder.path, store: store)
            try outcome.report([try await outcome.remaining(after: report) { isChosen($0) }])
        }
    }

    private func isChosen(_ entry: QueueEntry) -> Bool {
        categories.isEmpty || entry.category.map(categories.contains) ?? false
    }
}

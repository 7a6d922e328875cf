import ArgumentParser
import OData

struct StoreReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Answer an OData request from the store, without network.",
        discussion: """
            EXAMPLE: odata store read field 'Orders(10248)?$expand=Order_Details($expand=Product)' --format json
            """)

    @Argument(help: "The store's folder.") var folder: String
    @Argument(help: "A URL relative to the service root, typed raw.") var url: String
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            let query = try await store.query(url)
            if let notice = try store.notice(for: query) { Console.message("notice: \(notice)") }
            try await ResultPrinter(store: store, format: format.resolved).print(query)
        }
    }
}

import ArgumentParser
import OData

struct StoreReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Answer an OData request from the store, without network.",
        discussion: """
            EXAMPLE:
              odata store read field 'Orders(10248)?$expand=Order_Details($expand=Product)' --format json
              odata store read field 'Products?$filter=Price gt 20' --explain
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "A URL relative to the service root, typed raw.") var url: String
    @OptionGroup var format: FormatOption
    @Flag(help: "Show the SQL that answers the request instead of the answer.") var explain = false

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            let query = try await store.query(url)
            guard !explain else {
                for statement in try await store.explain(query) { Console.write(statement + ";") }
                return
            }
            if let notice = try store.notice(for: query) { Console.message("notice: \(notice)") }
            try await ResultPrinter(store: store, format: format.resolved).print(query)
        }
    }
}

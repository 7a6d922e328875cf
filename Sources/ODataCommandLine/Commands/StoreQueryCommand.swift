import ArgumentParser
import OData

struct StoreQueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Add, remove, declare and list defining queries: what the store keeps.",
        discussion: "EXAMPLE: odata store query add field work 'WorkOrders?$expand=Inspections'",
        subcommands: [Add.self, Remove.self, StoreQuerySetCommand.self, List.self],
        aliases: ["queries"])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a defining query. It takes effect at the next download.",
            discussion: """
                A download that reads the whole query shows how much of it is left, where the service counts.

                EXAMPLE:
                  odata store query add field images Photos --streams
                  odata store query add field products 'Products?$select=ProductID,Name' \\
                    --refresh comparison
                """)

        @OptionGroup var folder: StoreFolderArgument
        @Argument(help: "A name of your own.") var name: String
        @Argument(help: "An entity set or one entity, with query options.", completion: StoreCompletion.sets)
        var query: String
        @Flag(help: "Download the streams of its media entities too.") var streams = false
        @Option(help: "\(RefreshArgument.help)", completion: RefreshArgument.completion) var refresh: RefreshArgument?
        @Flag(help: "Ask for each stream whether it exists and has changed: for services whose entities do not say.")
        var checkStreams = false

        func validate() throws {
            if refresh?.query != nil { throw ValidationError("--refresh is of this query: give it without a name.") }
        }

        func run() async throws {
            try await StoreSession.offline(folder) { store in
                try await folder.explaining(query) {
                    try store.addQuery(
                        DefiningQuery(
                            name: name, query: query, retrievesStreams: streams,
                            refresh: refresh?.refresh ?? .automatic, checksStreams: checkStreams))
                }
                Console.message("'odata store download \(folder.path)' fetches it.")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a defining query, and what no other query holds.",
            discussion: "EXAMPLE: odata store query remove field orders")

        @OptionGroup var folder: StoreFolderArgument
        @Argument(help: "The query's name.", completion: StoreCompletion.queries) var name: String

        func run() async throws {
            try await StoreSession.offline(folder) { store in try store.removeQuery(name) }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the defining queries.", discussion: "EXAMPLE: odata store query list field")

        @OptionGroup var folder: StoreFolderArgument
        @OptionGroup var format: FormatOption

        func run() async throws {
            try await StoreSession.viewing(folder) { store in
                let rows = try await store.queries.map { query in
                    [
                        ListColumn("name", .string(query.name)), ListColumn("query", .string(query.query)),
                        ListColumn("streams", .boolean(query.retrievesStreams)),
                        ListColumn("refresh", query.refresh.text),
                        ListColumn("checksStreams", .boolean(query.checksStreams)),
                    ]
                }
                ListPrinter(format: format.resolved)
                    .print(
                        rows, columns: ["name", "query", "streams", "refresh", "checksStreams"],
                        ifEmpty: "No defining queries: 'odata store query add' says what the store keeps.")
            }
        }
    }
}

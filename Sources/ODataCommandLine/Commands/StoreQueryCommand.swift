import ArgumentParser
import OData

struct StoreQueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Add, remove and list defining queries: what the store keeps.",
        subcommands: [Add.self, Remove.self, List.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a defining query. It takes effect at the next download.",
            discussion: "EXAMPLE: odata store query add field staff 'Employees?$select=EmployeeID,LastName' --streams")

        @OptionGroup var folder: StoreFolderArgument
        @Argument(help: "A name of your own.") var name: String
        @Argument(help: "An entity set or one entity, with query options.") var query: String
        @Flag(help: "Download the streams of its media entities too.") var streams = false

        func run() async throws {
            try await StoreSession.offline(folder) { store in
                try store.addQuery(DefiningQuery(name: name, query: query, retrievesStreams: streams))
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a defining query, and what no other query holds.",
            discussion: "EXAMPLE: odata store query remove field staff")

        @OptionGroup var folder: StoreFolderArgument
        @Argument(help: "The query's name.") var name: String

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
            try await StoreSession.offline(folder) { store in
                let rows = try store.queries.map { query in
                    [
                        ListColumn("name", .string(query.name)), ListColumn("query", .string(query.query)),
                        ListColumn("streams", .boolean(query.retrievesStreams)),
                    ]
                }
                ListPrinter(format: format.resolved).print(rows, columns: ["name", "query", "streams"])
            }
        }
    }
}

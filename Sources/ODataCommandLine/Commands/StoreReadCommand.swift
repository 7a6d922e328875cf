import ArgumentParser
import OData

struct StoreReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Execute an OData request on the store, without network.",
        discussion: """
            With --watch the response is printed again whenever it changes, also by another process that has the store \
            open: a line of JSON for each entity that was added, removed, moved or changed. Ctrl-C or SIGTERM ends \
            it.

            /$value and stream properties give the bytes as they are, /$count the number unless --format json is \
            given, and $metadata the metadata, as XML unless --format json is given.

            EXAMPLE:
              odata store read field 'WorkOrders(5002)?$expand=Inspections($expand=Photos)'
              odata store read field 'Products?$filter=Price gt 20' --explain
              odata store read field 'Photos(9000)/$value' > valve.png
              odata store read field RequestQueue --watch
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "A URL relative to the service root, typed raw.", completion: StoreCompletion.sets)
    var url: String
    @OptionGroup var format: FormatOption
    @Flag(help: "Show the SQL that responds to the request instead of the response.") var explain = false
    @Flag(help: "Continue and print what changes.") var watch = false

    func validate() throws {
        guard !watch || !explain && (format.format ?? .json) == .json else {
            throw ValidationError("--watch prints lines of JSON: it cannot be combined with --explain, table and csv.")
        }
    }

    func run() async throws {
        guard !watch else { return try await watchResponse() }
        try await StoreSession.viewing(folder) { store in
            let url = folder.relative(url)
            guard explain || !["$metadata", "/$metadata"].contains(url) else {
                return try printMetadata(try await store.model())
            }
            let query = try await folder.query(url, in: store)
            guard !explain else {
                for statement in try await store.explain(query) { Console.write(statement + ";") }
                return
            }
            if let notice = try await store.notice(for: query) { Console.notice(notice) }
            try await ResultPrinter(store: store, format: format.resolved, wrapsCounts: format.wrapsCounts).print(query)
        }
    }

    private func printMetadata(_ model: EdmModel) throws {
        guard format.format != .json else { return JSONOutput.print(try CSDL.json(model), endsLine: false) }
        Console.write(bytes: try CSDL.xml(model))
        Console.endLine()
    }

    private func watchResponse() async throws {
        try await StoreSession.following(folder) { [folder, url] store in
            let query = try await folder.query(folder.relative(url), in: store)
            var lines = LiveLines(model: try await store.model())
            var failure: ODataError?
            for await result in store.live(query) {
                lines.print(result)
                try Console.checkOutput()
                if case .failure(let error) = result { failure = error } else { failure = nil }
            }
            if let failure { throw failure }
        }
    }
}

import ArgumentParser
import OData

struct StoreQuerySetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Declare all defining queries: add, change and remove what differs, and keep the rest.",
        discussion: """
            What is the same keeps its data. Of a query with another text or other options, the old data stay until \
            the next download has read the new ones. Queries that are not named are removed with what no other query \
            holds; unsent changes stay until they are sent. A query that is wrong changes nothing. Prints what became of \
            each query. On a terminal it asks before it removes queries, unless --yes is given.

            EXAMPLE:
              odata store query set field work=WorkOrders photos=Photos \\
                --streams photos --refresh work=comparison
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Argument(
        help: ArgumentHelp(
            "A name of your own, and an entity set or one entity, with query options.", valueName: "name=query"),
        transform: DeclaredQuery.init(typed:))
    var queries: [DeclaredQuery]
    @Option(
        name: .customLong("streams"),
        help: "The name of a query that downloads the streams of its media entities too. May be repeated.")
    var streams: [String] = []
    @Option(
        name: .customLong("refresh"), help: "\(RefreshArgument.help) With name= before it of one query only.",
        completion: RefreshArgument.completion)
    var refreshes: [RefreshArgument] = []
    @Option(
        name: .customLong("check-streams"),
        help: """
            The name of a query that asks for each stream whether it exists and has changed: for services whose \
            entities do not say. May be repeated.
            """)
    var checkedStreams: [String] = []
    @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
    @OptionGroup var format: FormatOption

    func validate() throws {
        let (names, named) = (Set(queries.map(\.name)), streams + refreshes.compactMap(\.query) + checkedStreams)
        guard let wrong = named.first(where: { !names.contains($0) }) else { return }
        throw ValidationError("No query is named \(wrong): options are of queries that are declared here.")
    }

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            let dropped = try await store.queries.map(\.name).filter { name in !queries.contains { $0.name == name } }
            guard dropped.isEmpty || yes || Confirmation.agrees(to: question(dropped)) else {
                return Console.message("Nothing was changed.")
            }
            let changes = try await declare(in: store)
            print(changes)
            guard !changes.added.isEmpty || !changes.changed.isEmpty else { return }
            Console.message("'odata store download \(folder.path)' fetches what was added or changed.")
        }
    }

    private func question(_ dropped: [String]) -> String {
        let queries = dropped.count.counted("query", "queries")
        return "Remove \(queries) (\(dropped.joined(separator: ", "))) with their data from \(folder.path)?"
    }

    /// - Throws: ``Failure`` with the errors of all queries that are wrong.
    private func declare(in store: OfflineStore) async throws -> QueryChanges {
        do { return try await store.setQueries(queries.map(definition)) } catch let error as ODataError
            where error.code == .badRequest
        {
            throw Failure(error.message, advice: Advice.line(for: error))
        }
    }

    private func definition(_ query: DeclaredQuery) -> DefiningQuery {
        let refresh = refreshes.last { $0.query == query.name } ?? refreshes.last { $0.query == nil }
        return DefiningQuery(
            name: query.name, query: query.query, retrievesStreams: streams.contains(query.name),
            refresh: refresh?.refresh ?? .automatic, checksStreams: checkedStreams.contains(query.name))
    }

    private func print(_ changes: QueryChanges) {
        let kinds = [
            ("added", changes.added), ("changed", changes.changed), ("kept", changes.kept),
            ("removed", changes.removed),
        ]
        let rows = kinds.flatMap { kind, names in
            names.map { [ListColumn("name", $0), ListColumn("change", kind)] }
        }
        ListPrinter(format: format.resolved).print(rows, columns: ["name", "change"])
    }
}

/// `orders=SalesOrders?$filter=Status eq 'new'`
struct DeclaredQuery {
    var name: String
    var query: String

    /// - Throws: `ValidationError` where it has no name: the first `=` may be one of the query.
    init(typed argument: String) throws {
        let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty, !sides[0].contains(where: "?/()$".contains) else {
            throw ValidationError("Give it as name=query: orders='SalesOrders?$top=10'")
        }
        (name, query) = (String(sides[0]), String(sides[1]))
    }
}

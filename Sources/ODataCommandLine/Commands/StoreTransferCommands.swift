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
            is read as a whole asks how many entities there are, where the service counts. What has not been \
            response yet says so.

            EXAMPLE:
              odata store download field
              odata store download field \\
                --refresh orders=comparison --refresh images=delta
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "Names of queries; all if none is given.", completion: StoreCompletion.queries)
    var names: [String] = []
    @Option(
        name: .customLong("refresh"), help: "\(RefreshArgument.help) With name= before it of one query only.",
        completion: RefreshArgument.completion)
    var refreshes: [RefreshArgument] = []
    @Flag(
        inversion: .prefixedNo,
        help: "Ask for each stream whether it has changed: for services whose entities do not say.")
    var checkStreams: Bool?
    @Flag(
        inversion: .prefixedNo,
        help: "Ask how many entities come: not for services that take long to count, some of them for each page.")
    var count = true
    @OptionGroup var reading: DownloadOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    /// Keeps what the options say of queries.
    private func setRefresh(in store: OfflineStore) async throws {
        let known = try await store.queries
        if let wrong = refreshes.compactMap(\.query).first(where: { name in !known.contains { $0.name == name } }) {
            throw Failure("There is no defining query named \(wrong).")
        }
        for query in known {
            let isNamed = names.isEmpty || names.contains(query.name)
            let own = refreshes.last { $0.query == query.name } ?? refreshes.last { $0.query == nil && isNamed }
            let checks = (isNamed ? checkStreams : nil) ?? query.checksStreams
            guard own != nil || checks != query.checksStreams else { continue }
            try store.setRefresh(own?.refresh ?? query.refresh, checksStreams: checks, of: query.name)
        }
    }

    func run() async throws {
        try await StoreSession.online(folder, connection, countsEntities: count, reading: reading) { store in
            try await setRefresh(in: store)
            let lines = ProgressLines(host: folder.host)
            let report = try await lines.following(store) {
                try await store.download(names.isEmpty ? nil : names) { lines.show($0) }
            }
            Console.message(report.summary)
            for query in report.queries {
                for odd in query.diagnostics { Console.message("  \(query.name): \(odd)") }
                guard let reason = query.reason else { continue }
                Console.message("  \(query.name): \(query.mode.rawValue), because: \(reason)")
            }
            for conflict in try await store.conflicts() where conflict.occasion == .download {
                Console.message(
                    "\(conflict.path) was changed here and at the service; see 'odata store conflicts \(folder.path)'.")
            }
            guard report.failedStreams.isEmpty else {
                let list = report.failedStreams.map { "  \($0.path): \($0.error.summary)" }
                throw PartialSuccess(
                    message: (["\(list.count.counted("stream")) failed; run download again to try again:"] + list)
                        .joined(separator: "\n"))
            }
        }
    }
}

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
    @Option(
        help: "How new entities with nested ones are sent: \(DeepInsertForm.allValueStrings.joined(separator: ", ")).")
    var deepInserts = DeepInsertForm.automatic
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run() async throws {
        try await StoreSession.online(folder, connection, deepInserts: deepInserts) { store in
            let lines = ProgressLines(host: folder.host)
            let report = try await lines.following(store) {
                try await store.upload(categories: categories.isEmpty ? nil : Set(categories)) { lines.show($0) }
            }
            Console.message(report.succeeded.count.counted("request") + " sent.")
            // What another category had to send first may be what failed.
            let left = Set(
                report.failed.map(\.requestID) + (report.held + report.unconfirmed + report.notSent).map(\.id))
            let remaining = try await store.queueEntries().filter { isChosen($0) || left.contains($0.id) }
            guard remaining.isEmpty else {
                let errors = try await store.errorEntries()
                let conflicting = Set(try await store.conflicts().flatMap(\.requests).map(\.id))
                let list = remaining.map { entry in
                    let line = "  \(entry.id) \(entry.method) \(entry.url): \(entry.state.rawValue)"
                    let error = errors.first { $0.requestID == entry.id }
                    let lines = error.map { advice($0, isConflict: conflicting.contains(entry.id)) }
                    return ([line] + (lines ?? advice(entry))).joined(separator: "\n")
                }
                throw PartialSuccess(
                    message: """
                        \(list.count) request\(list.count == 1 ? " remains" : "s remain"); see 'odata store errors \
                        \(folder.path)':
                        \(list.joined(separator: "\n"))
                        """)
            }
        }
    }

    /// The service's message about a request, and the commands that help, with the number of its entry in the error
    /// archive.
    private func advice(_ error: ErrorEntry, isConflict: Bool) -> [String] {
        let cause = error.status.map { "\($0): \(error.message.brief)" } ?? error.message.brief
        if isConflict {
            let conflicts = "odata store conflicts"
            return [
                "    error \(error.id): \(cause)",
                "    Another client has changed it: '\(conflicts) \(folder.path) --format json' has both versions, "
                    + "'\(conflicts) mine|theirs \(folder.path) \(error.requestID)' decides.",
            ]
        }
        let edit = error.body == nil ? "" : "'odata store errors edit \(folder.path) \(error.id) JSON' or "
        return [
            "    error \(error.id): \(cause)",
            "    \(edit)'odata store errors undo \(folder.path) \(error.id)'",
        ]
    }

    /// The commands that help a request without a response.
    private func advice(_ entry: QueueEntry) -> [String] {
        guard entry.state == .unconfirmed else { return [] }
        return [
            "    It may have been executed: the next upload probes the outcome, or 'odata store decide "
                + "\(folder.path) \(entry.id) "
                + "executed|not-executed' reports."
        ]
    }

    private func isChosen(_ entry: QueueEntry) -> Bool {
        categories.isEmpty || entry.category.map(categories.contains) ?? false
    }
}

extension DeepInsertForm: ExpressibleByArgument {
    /// `change-set`
    public var defaultValueDescription: String { self == .changeSet ? "change-set" : rawValue }

    public static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }

    public init?(argument: String) {
        guard let form = Self.allCases.first(where: { $0.defaultValueDescription == argument }) else { return nil }
        self = form
    }
}

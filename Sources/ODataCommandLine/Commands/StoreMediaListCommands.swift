import ArgumentParser
import OData

struct StoreMediaListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the streams of the store's entities: in the store, missing, evicted, or set here and unsent.",
        discussion: """
            Missing streams are held by no query with streams, have not come yet, or were lost. Evicted ones made \
            room for others, or did not fit into the quota: pin one to have it with the next download. 'thumbnails' \
            are the bytes of the small images made out of a stream, 'partial' those that have come of one that is \
            not complete; both count for --media-quota.

            EXAMPLE: odata store media list field --format table
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.viewing(folder) { store in
            let rows = try await store.streamEntries().map { entry in
                [
                    ListColumn("path", entry.path), ListColumn("type", entry.contentType),
                    ListColumn("length", entry.length.map(EdmValue.integer) ?? .null),
                    ListColumn("state", Self.name(of: entry.state)),
                    ListColumn("pinned", .boolean(entry.isPinned)),
                    ListColumn("thumbnails", .integer(entry.thumbnailBytes)),
                    ListColumn("partial", .integer(entry.partialBytes)), ListColumn("digest", entry.digest),
                ]
            }
            ListPrinter(format: format.resolved)
                .print(
                    rows, columns: ["path", "type", "length", "state", "pinned", "thumbnails", "partial"],
                    ifEmpty: "No streams.")
        }
    }

    private static func name(of state: StreamEntry.State) -> String {
        switch state {
        case .inStore: "in store"
        case .missing: "missing"
        case .evicted: "evicted"
        case .unsent: "unsent"
        }
    }
}

struct StoreMediaDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a stream; the service does with the next upload.",
        discussion: """
            A stream property loses its content; a media entity is deleted with its stream, which need not be in the \
            store.

            EXAMPLE: odata store media delete field 'Photos(9001)'
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "The stream.", completion: StoreCompletion.sets) var stream: String

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            _ = try await store.change(ChangeRequest(try await folder.path(stream, in: store), .deleteStream))
        }
    }
}

struct StoreMediaCollectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc",
        abstract: "Remove the streams that no entity, request or attachment refers to any more.",
        discussion: """
            The store does so by itself; this is for what was left because streams were being written at the time. \
            Thumbnails are removed with their streams, partial streams that no query needs by the next download. \
            Prints how many bytes of these stay in the media folder.

            EXAMPLE: odata store media gc field
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            let removed = try await store.collectStreams()
            let use = try await store.mediaUse
            let rows: [(String, Int64)] = [
                ("streams", Int64(removed.streams)), ("bytes", removed.bytes),
                ("bytes of thumbnails that stay", use.thumbnails),
                ("bytes of partial streams that stay", use.partialStreams),
            ]
            ListPrinter(format: format.resolved)
                .print(
                    rows.map { [ListColumn("what", $0), ListColumn("value", .integer($1))] },
                    columns: ["what", "value"])
        }
    }
}

struct StoreMediaVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read all streams that are in the store, and list those that are lost or damaged.",
        discussion: """
            With exit status 3 if there are any: the next download fetches them again, but for those that were not \
            sent. For that damaged ones are noted in the store, unless another process has it open. Those without a \
            path belong to requests or attachments. Thumbnails and partial streams are listed, not read: damaged \
            ones are created or fetched again.

            EXAMPLE: odata store media verify field
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        let (check, count) = try await StoreSession.reading(folder) { store in
            let bar = ProgressBar()
            defer { bar.finish() }
            let check = try await store.check { bar.show($0, of: $1) }
            bar.finish()
            let entries = try await store.streamEntries()
            let kinds = [
                (check.lostStreams, "lost before it was sent"),
                (check.missingStreams.subtracting(check.lostStreams), "missing"),
                (check.damagedStreams.subtracting(check.lostStreams), "damaged"),
            ]
            let problems = kinds.flatMap { names, problem in
                names.sorted().flatMap { rows(of: $0, problem, entries) }
            }
            ListPrinter(format: format.resolved).print(
                problems, columns: ["path", "problem", "digest"], ifEmpty: "All streams are sound.")
            let use = try await store.mediaUse
            if use.thumbnails + use.partialStreams > 0 {
                Console.message(
                    "Not read: \(use.thumbnails) bytes of thumbnails, \(use.partialStreams) bytes of partial streams.")
            }
            return (check, problems.count)
        }
        try await StoreSession.noteDamage(check, in: folder)
        guard count == 0 else { throw PartialSuccess(message: "Lost or damaged: \(count.counted("stream")).") }
    }

    private func rows(of digest: String, _ problem: String, _ entries: [StreamEntry]) -> [[ListColumn]] {
        let known = entries.filter { $0.digest == digest }
        let paths: [String?] = known.isEmpty ? [nil] : known.map { $0.path }
        return paths.map { path in
            [ListColumn("path", path), ListColumn("problem", problem), ListColumn("digest", digest)]
        }
    }
}

import ArgumentParser
import OData

struct StoreEventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show what the last 100 downloads, uploads and other works have done, the newest first.",
        discussion: """
            Times are in UTC. JSON has the counts of each defining query too.

            EXAMPLE: odata store events field --since 2024-01-31T08:00 --limit 5
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Option(help: "Only those that began at this time or later, in UTC: 2024-01-31 or 2024-01-31T08:00:00.")
    var since: String?
    @Option(help: "The most that are shown.") var limit: Int?
    @OptionGroup var format: FormatOption

    func validate() throws {
        if let since, !Self.isTime(since) {
            throw ValidationError("\(since) is no time: give it as 2024-01-31 or 2024-01-31T08:00:00.")
        }
        if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more.") }
    }

    /// Whether it is the start of `2024-01-31T08:00:00`, at least as far as the day.
    private static func isTime(_ text: String) -> Bool {
        let pattern = Array("0000-00-00T00:00:00")
        guard text.count >= 10, text.count <= pattern.count else { return false }
        return zip(text, pattern).allSatisfy { $1 == "0" ? $0.isASCII && $0.isNumber : $0 == $1 }
    }

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            let events = try await store.events().filter { $0.started >= since ?? "" }.prefix(limit ?? .max)
            ListPrinter(format: format.resolved)
                .print(events.map(\.columns), columns: ["id", "kind", "started", "ended", "outcome", "message"])
        }
    }
}

extension StoreEvent {
    fileprivate var columns: [ListColumn] {
        [
            ListColumn("id", .integer(id)), ListColumn("kind", kind.rawValue), ListColumn("started", started),
            ListColumn("ended", ended), ListColumn("outcome", outcome?.rawValue), ListColumn("message", message),
            ListColumn("counts", counts.map(\.value) ?? .null),
        ]
    }
}

extension EventCounts {
    fileprivate var value: Value {
        var members: ComplexValue = ["seconds": .double(seconds)]
        members["queries"] = .collection(queries.map(\.value))
        if let requests { members["requests"] = .integer(Int64(requests)) }
        if let done { members["done"] = .integer(Int64(done)) }
        if let streams {
            members["streams"] = .complex([
                "wanted": .integer(Int64(streams.wanted)), "finished": .integer(Int64(streams.finished)),
                "failed": .integer(Int64(streams.failed)), "bytes": .integer(streams.bytes),
                "seconds": .double(streams.seconds),
            ])
        }
        return .complex(members)
    }
}

extension EventCounts.Query {
    fileprivate var value: Value {
        let phases = seconds.sorted { $0.key < $1.key }.map {
            ComplexValue.Member(name: $0.key, value: .double($0.value))
        }
        return .complex([
            "name": .string(name), "entities": .integer(Int64(entities)), "pages": .integer(Int64(pages)),
            "seconds": .complex(ComplexValue(phases)),
        ])
    }
}

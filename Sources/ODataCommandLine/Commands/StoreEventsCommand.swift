import ArgumentParser
import OData

struct StoreEventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show the results of the last 100 downloads, uploads and other operations, the newest first.",
        discussion: """
            Times are in UTC. Tables and CSV have sums of the counts; JSON has those of each defining query, how it \
            was read and why, and of an upload what became of its requests. The outcome is 'partial' where streams \
            failed or requests are left, which is exit status 3 of those commands.

            With --follow earlier events are printed first, the oldest first, then new ones, also of another \
            process that has the store open: a line of JSON each. Ctrl-C or SIGTERM ends it.

            EXAMPLE:
              odata store events field --since 2024-01-31T08:00 --limit 5
              odata store events field --limit 0 --follow
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Option(help: "Only those that began at this time or later, in UTC: 2024-01-31 or 2024-01-31T08:00:00.")
    var since: String?
    @Option(help: "The most that are shown, of the past.") var limit: Int?
    @OptionGroup var format: FormatOption
    @Flag(help: "Keep running and print each operation that begins or ends.") var follow = false

    func validate() throws {
        if let since, !Self.isTime(since) {
            throw ValidationError("\(since) is not a time: give it as 2024-01-31 or 2024-01-31T08:00:00.")
        }
        guard !follow || (format.format ?? .json) == .json else {
            throw ValidationError("--follow prints lines of JSON: it cannot be combined with table and csv.")
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
        guard !follow else { return try await followEvents() }
        try await StoreSession.viewing(folder) { store in
            let events = past(try await store.events())
            let format = format.resolved
            ListPrinter(format: format).print(
                events.map { format == .json ? $0.columns : $0.cells },
                columns: ["id", "kind", "started", "ended", "outcome", "counts", "message"], ifEmpty: "No events.")
        }
    }

    private func past(_ events: [StoreEvent]) -> [StoreEvent] {
        Array(events.filter { $0.started >= since ?? "" }.prefix(limit ?? .max))
    }

    private func followEvents() async throws {
        try await StoreSession.following(folder) { store in
            let known = try await store.events()
            var shown = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
            for event in past(known).reversed() { Console.write(event.line) }
            for await result in store.live(try await store.query("EventLog")) {
                _ = try result.get()
                for event in try await store.events().reversed() where shown[event.id] != event {
                    shown[event.id] = event
                    Console.write(event.line)
                    try Console.checkOutput()
                }
            }
        }
    }
}

extension StoreEvent {
    /// `{"id":5,"kind":"upload","started":"2024-01-31T08:00:00",…}`
    fileprivate var line: String {
        let members = columns.map { EdmComplexValue.Member(name: $0.name, value: $0.value) }
        return String(decoding: EdmValue.complex(EdmComplexValue(members)).jsonText, as: UTF8.self)
    }

    fileprivate var columns: [ListColumn] { columns(counts: counts.map(\.value) ?? .null) }

    /// The same where counts have one column of text.
    fileprivate var cells: [ListColumn] { columns(counts: counts?.summary.map(EdmValue.string) ?? .null) }

    private func columns(counts: EdmValue) -> [ListColumn] {
        [
            ListColumn("id", .integer(id)), ListColumn("kind", kind.rawValue), ListColumn("started", started),
            ListColumn("ended", ended), ListColumn("outcome", outcome?.rawValue), ListColumn("message", message),
            ListColumn("counts", counts),
        ]
    }
}

extension EventCounts {
    /// `4 sent, 1 failed, 2 held`, `120 entities, 3 streams, 1 stream failed`; nil if nothing was counted.
    fileprivate var summary: String? {
        var parts: [String] = []
        func appendCount(_ count: Int, _ word: String) { if count > 0 { parts.append("\(count) \(word)") } }
        if let results {
            parts.append("\(results.succeeded) sent")
            appendCount(results.failed, "failed")
            appendCount(results.held, "held")
            appendCount(results.unconfirmed, "unconfirmed")
            appendCount(results.notSent, "not sent")
            appendCount(results.givenUp, "abandoned")
            appendCount(results.waitingStreams ?? 0, "waiting for another network")
            appendCount(results.stoppedStreams ?? 0, "stopped by the app")
        } else if let requests {
            parts.append("\(done ?? 0) of \(requests.counted("request"))")
        }
        if !queries.isEmpty { parts.append(queries.map(\.entities).reduce(0, +).counted("entity", "entities")) }
        if let streams {
            parts.append(streams.finished.counted("stream"))
            if streams.failed > 0 { parts.append("\(streams.failed.counted("stream")) failed") }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    fileprivate var value: EdmValue {
        var members: EdmComplexValue = ["seconds": .double(seconds)]
        members["queries"] = .collection(queries.map(\.value))
        if let requests { members["requests"] = .integer(Int64(requests)) }
        if let done { members["done"] = .integer(Int64(done)) }
        if let results {
            members["results"] = .complex([
                "succeeded": .integer(Int64(results.succeeded)), "failed": .integer(Int64(results.failed)),
                "held": .integer(Int64(results.held)), "unconfirmed": .integer(Int64(results.unconfirmed)),
                "notSent": .integer(Int64(results.notSent)), "givenUp": .integer(Int64(results.givenUp)),
                "waitingStreams": .integer(Int64(results.waitingStreams ?? 0)),
                "stoppedStreams": .integer(Int64(results.stoppedStreams ?? 0)),
            ])
        }
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
    fileprivate var value: EdmValue {
        let phases = seconds.sorted { $0.key < $1.key }.map {
            EdmComplexValue.Member(name: $0.key, value: .double($0.value))
        }
        var members: EdmComplexValue = [
            "name": .string(name), "entities": .integer(Int64(entities)), "pages": .integer(Int64(pages)),
        ]
        if let bytes { members["bytes"] = .integer(bytes) }
        if let mode { members["mode"] = .string(mode.rawValue) }
        if let reason { members["reason"] = .string(reason) }
        members["seconds"] = .complex(EdmComplexValue(phases))
        return .complex(members)
    }
}

import ArgumentParser
import Foundation
import OData

struct StoreStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what the store is, how much it holds and what waits.",
        discussion: """
            JSON is one object, with the entities by set. Sizes are in bytes: those of the database, and those of the \
            media folder, in which streams that other stores share count too. Times are in UTC. 'waiting' has all \
            requests of the queue; the failed, held and unconfirmed ones are among them.

            EXAMPLE: odata store status field --format json
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.viewing(folder) { store in
            let status = try await store.status
            try await print(StoreReport(store, status: status, folder: folder.path))
            guard status.lostStreams > 0 else { return }
            Console.message(
                "\(status.lostStreams) streams were lost before they were sent: set them again, or undo their requests; "
                    + "see 'odata store errors \(folder.path)'.", isNeeded: true)
        }
    }

    private func print(_ report: StoreReport) {
        guard format.resolved != .json else { return JSONOutput.print(report.json) }
        ListPrinter(format: format.resolved).print(report.rows, columns: ["what", "value"])
    }
}

/// What support asks of a store first, as members with the words of tables beside them.
private struct StoreReport {
    private var members: [(name: String, title: String, value: EdmValue)] = []
    private let entities: [(set: String, count: Int)]

    init(_ store: OfflineStore, status: StoreStatus, folder: String) async throws {
        entities = status.entities.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let service = try StoreSettings.readIfThere(from: folder)?.service ?? status.service
        addFact("service", "service", service.map(EdmValue.string))
        addFact("encrypted", "encrypted", .boolean(store.isEncrypted))
        addFact("storeVersion", "version of the store", .integer(Int64(OfflineStore.tableVersion)))
        addFact("databaseBytes", "bytes of the database", .integer(try Self.databaseBytes(in: folder)))
        addFact("mediaBytes", "bytes of the media folder", .integer(try await store.mediaUse.total))
        try await addQueueFacts(store.queueEntries(), status, conflicts: store.conflicts().count)
        let uploads = try await store.events().filter { $0.kind == .upload }
        addFact("lastDownload", "last download", status.lastDownload.map { .string("\($0)Z") })
        let ends = uploads.filter { $0.outcome == .succeeded || $0.outcome == .partial }.compactMap(\.ended)
        addFact("lastUpload", "last upload", ends.max().map { .string("\($0)Z") })
    }

    private mutating func addFact(_ name: String, _ title: String, _ value: EdmValue?) {
        members.append((name, title, value ?? .null))
    }

    private mutating func addQueueFacts(_ queue: [QueueEntry], _ status: StoreStatus, conflicts: Int) {
        func count(_ state: QueueEntry.State) -> Int { queue.count { $0.state == state } }
        let counts = [
            ("waiting", "requests that wait", status.waitingRequests),
            ("unconfirmed", "requests without a response", count(.unconfirmed)),
            ("failed", "requests that failed", count(.failed)), ("held", "requests that are held", count(.held)),
            ("errors", "errors", status.errors), ("conflicts", "conflicts", conflicts),
            ("attachmentEdits", "attachments with edits", status.attachmentEdits),
            ("streams", "streams", status.streams), ("streamBytes", "bytes of streams", Int(status.streamBytes)),
            ("lostStreams", "streams lost before they were sent", status.lostStreams),
        ]
        for (name, title, number) in counts { addFact(name, title, .integer(Int64(number))) }
    }

    /// Of the database and the files that SQLite has beside it.
    private static func databaseBytes(in folder: String) throws -> Int64 {
        let path = try OfflineStore.databasePath(in: folder)
        return ["", "-wal", "-shm"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
        }
    }

    /// `{"service":"http://…","encrypted":false,…,"entities":{"Photos":60}}`
    var json: [UInt8] {
        let counts = entities.map { EdmComplexValue.Member(name: $0.set, value: .integer(Int64($0.count))) }
        let values = members.map { EdmComplexValue.Member(name: $0.name, value: $0.value) }
        let all = values + [.init(name: "entities", value: .complex(EdmComplexValue(counts)))]
        return EdmValue.complex(EdmComplexValue(all)).jsonText
    }

    var rows: [[ListColumn]] {
        let counts = entities.map { ("entities of \($0.set)", EdmValue.integer(Int64($0.count))) }
        return (members.map { ($0.title, $0.value) } + counts).map { title, value in
            [ListColumn("what", title), ListColumn("value", value)]
        }
    }
}

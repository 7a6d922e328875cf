import ArgumentParser
import Foundation
import OData
import ODataServer
import ODataService
import ODataTesting

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Publish an SQLite file as an OData V4 service, on this machine only by default.",
        discussion: """
            Prints the service root URL as the first line of standard output once it accepts requests. Ctrl-C or \
            SIGTERM ends it. While it runs the file has a write-ahead log (PRAGMA journal_mode is WAL); when it ends, \
            the kind of journal is what it was before. A file that is replaced meanwhile is no longer written: the \
            service responds with 503 until it has opened the new one, by itself.

            EXAMPLE:
              odata serve --sample field-service --port 8080
              odata serve northwind.db --port 8080 \\
                --media Employees=Photo --media Categories=Picture:image/jpeg
            """)

    @Argument(help: "The SQLite file. With --sample it is created if it does not exist.", completion: .file())
    var file: String?

    @Option(help: "Publish a sample instead. Without a file it lasts as long as the service.")
    var sample: SampleArgument?

    @OptionGroup(title: "Access")
    var access: ServeAccessOptions

    @OptionGroup(title: "Limits")
    var limits: ServeLimitOptions

    @OptionGroup(title: "Connections")
    var connections: ServeConnectionOptions

    @Option(
        help: """
            Set=Column[:type/subtype]: the column is the stream of the set's media entities. Set=Column:type=C,name=D: \
            the columns C and D have the media type and the file name of each. May be repeated.
            """)
    var media: [MediaArgument] = []

    @Option(
        help: "A folder that new streams are kept in as files, of any length. It belongs to the SQLite file.",
        completion: .directory)
    var mediaFolder: String?

    @Option(help: "View=Column,…: the key of a view or of a table without one. May be repeated.")
    var key: [KeyArgument] = []

    @Option(help: "Entities per page; without it a result is one page unless the client requests pages.")
    var pageSize: Int?

    @Flag(help: "Keep a log of changes in the file, so that clients can ask for delta links.")
    var trackChanges = false

    @Flag(help: "Add full-text tables to the file, which $search then uses. Without them it reads row by row.")
    var indexText = false

    @Flag(
        help: "Add indexes to the file for foreign keys that have none: without one each $expand reads a whole table.")
    var createIndexes = false

    @Flag(help: "Refuse all changes and write nothing to the file.")
    var readOnly = false

    @Flag(help: "Refer in the metadata to the vocabularies at oasis-tcs.github.io. Some clients then fetch them first.")
    var vocabularyReferences = false

    func validate() throws {
        guard file != nil || sample != nil else { throw ValidationError("Name an SQLite file, or a --sample.") }
        if let pageSize, pageSize < 1 { throw ValidationError("--page-size takes a number above zero.") }
        guard file != nil || mediaFolder == nil else {
            throw ValidationError("--media-folder belongs to an SQLite file: name one beside the --sample.")
        }
        guard !(readOnly && trackChanges) else {
            throw ValidationError("--track-changes writes to the file and cannot be combined with --read-only.")
        }
        guard !(readOnly && createIndexes) else {
            throw ValidationError("--create-indexes writes to the file and cannot be combined with --read-only.")
        }
        guard !(readOnly && indexText) else {
            throw ValidationError("--index-text writes to the file and cannot be combined with --read-only.")
        }
    }

    func run() async throws {
        if sample == .compliance {
            let sample = try await ComplianceSample.make(path: file, mediaFolder: mediaFolder)
            try await serve(sample.store)
            return try sample.tables.close()
        }
        let sampleFile = sample == .fieldService ? try SampleFile(file) : nil
        defer { sampleFile?.remove() }
        let store = try SQLiteStore(path: sampleFile?.path ?? file ?? "", configuration: configuration)
        for notice in store.notices { Console.notice(notice) }
        try await serve(store)
        store.interrupt()
        try store.close()
    }

    /// Publishes `store` until a signal ends it.
    private func serve(_ store: any ODataStore) async throws {
        var configuration = ODataService.Configuration()
        configuration.isReadOnly = readOnly
        configuration.refersToVocabularies = vocabularyReferences
        limits.apply(to: &configuration)
        let service = try access.guarding(ODataService(store: store, configuration: configuration))
        let signals = try TerminationSignals()
        let server = try await ODataServer.start(
            service: service, host: access.host, port: access.port, allowedHosts: access.allowedHosts,
            identity: access.identity, limits: connections.limits)
        Console.write(server.rootURL)
        await signals.wait()
        try await server.stop()
    }

    private var configuration: SQLiteStore.Configuration {
        var configuration = SQLiteStore.Configuration()
        configuration.media = media.map(\.column)
        if sample == .fieldService, media.isEmpty { configuration.media = [SampleFile.photos] }
        configuration.mediaFolder = mediaFolder
        configuration.keys = Dictionary(key.map { ($0.view, $0.columns) }) { _, last in last }
        configuration.tracksChanges = trackChanges || sample == .fieldService && !readOnly
        configuration.indexesText = indexText
        configuration.createsIndexes = createIndexes
        configuration.isReadOnly = readOnly
        configuration.pageSize = pageSize
        configuration.onNotice = { Console.notice($0) }
        return configuration
    }
}

/// `Employees=Photo:image/jpeg`, `Docs=Data:type=MimeType,name=FileName`
struct MediaArgument: ExpressibleByArgument {
    var column: MediaColumn

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1)
        guard sides.count == 2 else { return nil }
        let parts = sides[1].split(separator: ":", maxSplits: 1)
        guard let name = parts.first else { return nil }
        column = MediaColumn(set: String(sides[0]), column: String(name))
        for item in parts.dropFirst().flatMap({ $0.split(separator: ",") }) where !take(item) { return nil }
    }

    /// False for an item that is neither a media type nor the name of a column.
    private mutating func take(_ item: Substring) -> Bool {
        if item.hasPrefix("type=") {
            column.typeColumn = String(item.dropFirst(5))
        } else if item.hasPrefix("name=") {
            column.nameColumn = String(item.dropFirst(5))
        } else if item.contains("/") {
            column.contentType = String(item)
        } else {
            return false
        }
        return column.typeColumn != "" && column.nameColumn != ""
    }
}

/// `Invoices=OrderID,ProductID`
struct KeyArgument: ExpressibleByArgument {
    var view: String
    var columns: [String]

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1)
        guard sides.count == 2 else { return nil }
        view = String(sides[0])
        columns = sides[1].split(separator: ",").map(String.init)
        guard !columns.isEmpty else { return nil }
    }
}

import ArgumentParser
import Foundation
import OData
import ODataServer
import ODataService
import ODataTesting

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Publish an SQLite file as an OData V4 service, on this machine unless told otherwise.",
        discussion: """
            Prints the service root URL as the first line of standard output once it answers. Ctrl-C or SIGTERM ends \
            it.

            EXAMPLE:
              odata serve --sample field-service --port 8080
              odata serve northwind.db --port 8080 \\
                --media Employees=Photo --media Categories=Picture:image/jpeg
            """)

    @Argument(help: "The SQLite file. With --sample it is made if there is none.", completion: .file())
    var file: String?

    @Option(help: "Publish a sample instead. Without a file it lasts as long as the service.")
    var sample: SampleArgument?

    @OptionGroup(title: "Access")
    var access: ServeAccessOptions

    @OptionGroup(title: "Limits")
    var limits: ServeLimitOptions

    @OptionGroup(title: "Connections")
    var connections: ServeConnectionOptions

    @Option(help: "Set=Column[:type/subtype]: the column is the stream of the set's media entities. May be repeated.")
    var media: [MediaArgument] = []

    @Option(
        help: "A folder that new streams are kept in as files, of any length. It belongs to the SQLite file.",
        completion: .directory)
    var mediaFolder: String?

    @Option(help: "View=Column,…: the key of a view or of a table without one. May be repeated.")
    var key: [KeyArgument] = []

    @Option(help: "Entities per page; without it results come whole unless the client asks for pages.")
    var pageSize: Int?

    @Flag(help: "Keep a log of changes in the file, so that clients can ask for delta links.")
    var trackChanges = false

    @Flag(help: "Add full-text tables to the file, which $search then uses. Without them it reads row by row.")
    var indexText = false

    @Flag(help: "Refuse all changes and write nothing to the file.")
    var readOnly = false

    func validate() throws {
        guard file != nil || sample != nil else { throw ValidationError("Name an SQLite file, or a --sample.") }
        if let pageSize, pageSize < 1 { throw ValidationError("--page-size takes a number above zero.") }
        guard file != nil || mediaFolder == nil else {
            throw ValidationError("--media-folder belongs to an SQLite file: name one beside the --sample.")
        }
        guard !(readOnly && trackChanges) else {
            throw ValidationError("--track-changes writes to the file and cannot go with --read-only.")
        }
        guard !(readOnly && indexText) else {
            throw ValidationError("--index-text writes to the file and cannot go with --read-only.")
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
        configuration.media = media.map { MediaColumn(set: $0.set, column: $0.column, contentType: $0.contentType) }
        if sample == .fieldService, media.isEmpty { configuration.media = [SampleFile.photos] }
        configuration.mediaFolder = mediaFolder
        configuration.keys = Dictionary(key.map { ($0.view, $0.columns) }) { _, last in last }
        configuration.tracksChanges = trackChanges || sample == .fieldService && !readOnly
        configuration.indexesText = indexText
        configuration.isReadOnly = readOnly
        configuration.pageSize = pageSize
        configuration.onNotice = { Console.notice($0) }
        return configuration
    }
}

/// `Employees=Photo:image/jpeg`
struct MediaArgument: ExpressibleByArgument {
    var set: String
    var column: String
    var contentType: String?

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1)
        guard sides.count == 2 else { return nil }
        let parts = sides[1].split(separator: ":", maxSplits: 1)
        guard let column = parts.first else { return nil }
        set = String(sides[0])
        self.column = String(column)
        contentType = parts.count == 2 ? String(parts[1]) : nil
        if let contentType, !contentType.contains("/") { return nil }
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

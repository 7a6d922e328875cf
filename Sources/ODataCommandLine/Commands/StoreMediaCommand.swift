import ArgumentParser
import OData

struct StoreMediaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media",
        abstract: "List, get, replace, create, delete, pin and check streams of the store.",
        discussion: """
            A stream is named by 'Set(key)' for a media entity, by 'Set(key)/Property' for a stream property.

            EXAMPLE:
              odata store media list field --format table
              odata store media put field 'Photos(9000)' valve.png
            """,
        subcommands: [
            StoreMediaListCommand.self, Get.self, Put.self, Create.self, StoreMediaDeleteCommand.self,
            StoreMediaPinCommand.self, StoreMediaUnpinCommand.self, StoreMediaCollectCommand.self,
            StoreMediaVerifyCommand.self,
        ])

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a stream of the store to a file.",
            discussion: """
                The file has its name when all bytes are on the device; one of this name that was there is replaced \
                then. A link leads to its file; a device or a pipe is written into: --output - prints the \
                stream. Sends no request: a download fetches an evicted stream again, once it \
                is pinned.

                EXAMPLE: odata store media get field 'Photos(9000)' --output valve.png
                """)

        @OptionGroup var folder: StoreFolderArgument
        @Argument(help: "The stream.", completion: StoreCompletion.sets) var stream: String
        @Option(name: .shortAndLong, help: "The file to write; - is standard output.", completion: .file())
        var output: String

        func run() async throws {
            try await StoreSession.viewing(folder) { store in
                let handle = store.stream(StreamRequest(try await folder.path(stream, in: store)))
                guard output != "-" else {
                    return try await ByteOutput(name: output).write(try handle.chunks(), of: nil)
                }
                let bar = ProgressBar()
                async let shown: Void = bar.follow(handle.events)
                try await handle.file(at: output)
                await shown
            }
        }
    }

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace a stream; it is sent with the next upload.",
            discussion: """
                It takes the place of one that was lost before it was sent: see 'odata store status'.

                EXAMPLE: odata store media put field 'Photos(9000)' valve.png
                """)

        @OptionGroup var folder: StoreFolderArgument
        @Argument(help: "The stream.", completion: StoreCompletion.sets) var stream: String
        @Argument(help: InputFile.help, completion: .file()) var file: InputFile
        @Option(help: MediaTypeArgument.help, transform: MediaTypeArgument.init(typed:))
        var type: MediaTypeArgument?

        func run() async throws {
            try await StoreSession.offline(folder) { store in
                let target = try await folder.path(stream, in: store)
                let bar = ProgressBar()
                defer { bar.finish() }
                let content = MediaContent(try file.content(followedBy: bar), contentType: try file.mediaType(type))
                _ = try await store.change(ChangeRequest(target, .replaceStream(content)))
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a media entity from a file; it is sent with the next upload.",
            discussion: """
                EXAMPLE:
                  odata store media create field Photos valve.png \\
                    --properties '{"InspectionID":7000,"Caption":"Valve"}'
                """)

        @OptionGroup var folder: StoreFolderArgument
        @Argument(
            help: "The entity set, or a navigation property: 'Inspections(7000)/Photos'.",
            completion: StoreCompletion.sets)
        var set: String
        @Argument(help: InputFile.help, completion: .file()) var file: InputFile
        @Option(help: MediaTypeArgument.help, transform: MediaTypeArgument.init(typed:))
        var type: MediaTypeArgument?
        @Option(help: "Properties of the new entity, as JSON.") var properties: String?

        func run() async throws {
            try await StoreSession.offline(folder) { store in
                let target = try await folder.path(set, in: store)
                let payload = try await properties.asyncMap { try await store.payload($0, for: target) }
                let bar = ProgressBar()
                defer { bar.finish() }
                let content = MediaContent(try file.content(followedBy: bar), contentType: try file.mediaType(type))
                let result = try await store.createMedia(
                    content, in: target, slug: file.name, properties: payload ?? EntityPayload())
                bar.finish()
                try EntityPrinter.print(result.entity, model: await store.model())
            }
        }
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async throws -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}

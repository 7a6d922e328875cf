import ArgumentParser
import Foundation
import OData

struct StoreMediaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media",
        abstract: "List, get, replace, create, delete, pin and check streams of the store.",
        discussion: """
            A stream is named by 'Set(key)' for a media entity, by 'Set(key)/Property' for a stream property.

            EXAMPLE:
              odata store media list field --format table
              odata store media put field 'Employees(1)' photo.jpg --type image/jpeg
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
                The file has its name when all bytes are on the device; one of this name that was there is replaced then.
                A link leads to its file; a device or a pipe is written into: --output /dev/stdout prints the stream.
                The service is not asked: a stream that made room for others comes with a download, once it is pinned.

                EXAMPLE: odata store media get field 'Employees(1)' --output photo.jpg
                """)

        @OptionGroup var folder: StoreFolderArgument
        @Argument(help: "The stream.", completion: StoreCompletion.sets) var stream: String
        @Option(help: "The file to write.", completion: .file()) var output: String

        func run() async throws {
            try await StoreSession.viewing(folder) { store in
                let handle = store.stream(StreamRequest(try store.path(stream)))
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

                EXAMPLE: odata store media put field 'Employees(1)' photo.jpg --type image/jpeg
                """)

        @OptionGroup var folder: StoreFolderArgument
        @Argument(help: "The stream.", completion: StoreCompletion.sets) var stream: String
        @Argument(help: "The file to read.", completion: .file()) var file: String
        @Option(help: "The media type, as type/subtype.") var type: MediaTypeArgument

        func run() async throws {
            try await StoreSession.offline(folder) { store in
                let bar = ProgressBar()
                defer { bar.finish() }
                let source = bar.following(try FileSource(path: file))
                let content = MediaContent(ByteContent(source), contentType: type.text)
                _ = try await store.change(ChangeRequest(try store.path(stream), .replaceStream(content)))
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a media entity from a file; it is sent with the next upload.",
            discussion: """
                EXAMPLE: odata store media create field Categories p.jpg --type image/jpeg --properties '{"Description":"x"}'
                """)

        @OptionGroup var folder: StoreFolderArgument
        @Argument(
            help: "The entity set, or a navigation property: 'Orders(1)/Photos'.", completion: StoreCompletion.sets)
        var set: String
        @Argument(help: "The file to read.", completion: .file()) var file: String
        @Option(help: "The media type, as type/subtype.") var type: MediaTypeArgument
        @Option(help: "Properties of the new entity, as JSON.") var properties: String?

        func run() async throws {
            try await StoreSession.offline(folder) { store in
                let target = try store.path(set)
                let content = MediaContent(ByteContent(try FileSource(path: file)), contentType: type.text)
                let payload = try await properties.asyncMap { try await store.payload($0, for: target) }
                let result = try await store.createMedia(
                    content, in: target, slug: URL(fileURLWithPath: file).lastPathComponent,
                    properties: payload ?? EntityPayload())
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

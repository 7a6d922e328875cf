import ArgumentParser
import Foundation
import OData

struct StoreMediaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media",
        abstract: "Get, replace and create streams in the store.",
        discussion: """
            A stream is named by 'Set(key)' for a media entity, by 'Set(key)/Property' for a stream property.

            EXAMPLE: odata store media put field 'Employees(1)' photo.jpg --type image/jpeg
            """,
        subcommands: [Get.self, Put.self, Create.self])

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a stream of the store to a file.",
            discussion: "EXAMPLE: odata store media get field 'Employees(1)' --output photo.jpg")

        @OptionGroup var folder: StoreFolderArgument
        @Argument(help: "The stream.") var stream: String
        @Option(help: "The file to write.", completion: .file()) var output: String

        func run() async throws {
            try await StoreSession.viewing(folder) { store in
                try await store.stream(StreamRequest(try store.path(stream))).file(at: output)
            }
        }
    }

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace a stream; it is sent with the next upload.",
            discussion: "EXAMPLE: odata store media put field 'Employees(1)' photo.jpg --type image/jpeg")

        @OptionGroup var folder: StoreFolderArgument
        @Argument(help: "The stream.") var stream: String
        @Argument(help: "The file to read.", completion: .file()) var file: String
        @Option(help: "The media type, as type/subtype.") var type: MediaTypeArgument

        func run() async throws {
            try await StoreSession.offline(folder) { store in
                let content = MediaContent(ByteContent(try FileSource(path: file)), contentType: type.text)
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
        @Argument(help: "The entity set.") var set: String
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

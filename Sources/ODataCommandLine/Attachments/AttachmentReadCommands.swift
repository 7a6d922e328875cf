import ArgumentParser
import OData

struct AttachmentListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Ask for the attachments and list them, with the edits that were not posted.",
        discussion: """
            Where the list does not come, what is known from before is printed, with exit status 1. 'hasContent' \
            reports whether the content was given or fetched here; 'odata attachments get' fetches it.

            EXAMPLE: odata attachments list field 'Inspections(7000)' --format table
            """)

    @OptionGroup var attachments: AttachmentArguments
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await attachments.withManager { manager in
            var failure: (any Error)?
            do { _ = try await attachments.waiting { try await manager.fetchAttachments() } } catch { failure = error }
            AttachmentPrinter(format: format.resolved).print(manager.attachments, errors: manager.status.errors)
            if let failure { throw failure }
        }
    }
}

struct AttachmentGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Write the content of an attachment to a file, as it was edited here or as it is at the service.",
        discussion: """
            The file has its name when all bytes are on the device; one of this name that was there is replaced \
            then. A link leads to its file; a device or a pipe is written into: --output - prints the \
            content.

            EXAMPLE: odata attachments get field 'Inspections(7000)' 3 --output valve.png
            """)

    @OptionGroup var attachments: AttachmentArguments
    @OptionGroup var attachment: AttachmentIDArgument
    @Option(name: .shortAndLong, help: "The file to write; - is standard output.", completion: .file())
    var output: String

    func run() async throws {
        try await attachments.withManager { manager in
            let known = manager.attachments.first { $0.id == attachment.id }
            try await attachments.waiting { try await manager.fetchContent(of: attachment.id) }
            try await ByteOutput(name: output).write(
                manager.content(of: attachment.id).chunks(), of: known?.size)
        }
    }
}

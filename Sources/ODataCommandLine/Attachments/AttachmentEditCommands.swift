import ArgumentParser
import OData

struct AttachmentAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a file as an attachment; it is sent with the next post.",
        discussion: """
            A stream property is added under its own name. Keywords need --keywords-property where the attachments \
            are entities; stream properties have none.

            EXAMPLE:
              odata attachments add field 'Inspections(7000)' valve.png
              odata attachments add field 'Inspections(7000)' valve.png \\
                --navigation Photos --name Valve --name-property Caption
            """)

    @OptionGroup var attachments: AttachmentArguments
    @Argument(help: InputFile.help, completion: .file()) var file: InputFile
    @Option(help: MediaTypeArgument.help, transform: MediaTypeArgument.init(typed:))
    var type: MediaTypeArgument?
    @Option(help: "The attachment's name; that of the file if not given.") var name: String?
    @Option(name: .customLong("keyword"), help: "A keyword. May be repeated.") var keywords: [String] = []
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await attachments.withManager(needsEntity: true) { manager in
            guard let name = name ?? file.name else {
                throw ValidationError("Give --name: standard input has none.")
            }
            let details = AttachmentDetails(
                name: name, contentType: try file.mediaType(type), keywords: keywords)
            let bar = ProgressBar()
            defer { bar.finish() }
            let added = try await manager.add(try file.content(followedBy: bar), details)
            bar.finish()
            AttachmentPrinter(format: format.resolved).print([added])
        }
    }
}

struct AttachmentUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Give an attachment other content, another name, type or keywords; sent with the next post.",
        discussion: """
            Another name is refused where no property would have it: give --name-property, unless that is 'filename' \
            beside --content-property. Keywords need --keywords-property. Stream properties keep their names, \
            without keywords.

            EXAMPLE:
              odata attachments update field 'Inspections(7000)' 3 valve-2.png
              odata attachments update field 'Inspections(7000)' 3 \\
                --navigation Photos --name after --name-property Caption
            """)

    @OptionGroup var attachments: AttachmentArguments
    @OptionGroup var attachment: AttachmentIDArgument
    @Argument(help: "The file to read, - for standard input; without it the content stays.", completion: .file())
    var file: InputFile?
    @Option(help: "The media type, as type/subtype.", transform: MediaTypeArgument.init(typed:))
    var type: MediaTypeArgument?
    @Option(help: "The attachment's name.") var name: String?
    @Option(name: .customLong("keyword"), help: "A keyword, instead of those before. May be repeated.")
    var keywords: [String] = []
    @OptionGroup var format: FormatOption

    private var changesDetails: Bool { type != nil || name != nil || !keywords.isEmpty }

    func validate() throws {
        guard changesDetails || file != nil else {
            throw ValidationError("Give a file, --type, --name or --keyword: there is nothing to update.")
        }
    }

    func run() async throws {
        try await attachments.withManager { manager in
            guard let known = manager.attachments.first(where: { $0.id == attachment.id }) else {
                throw Failure("There is no attachment \(attachment.id): see 'odata attachments list'.")
            }
            let bar = ProgressBar()
            defer { bar.finish() }
            let content = try file.map { try $0.content(followedBy: bar) }
            let details = changesDetails ? changed(known.details) : nil
            let updated = try await manager.update(known.id, content: content, details: details)
            bar.finish()
            AttachmentPrinter(format: format.resolved).print([updated])
        }
    }

    private func changed(_ details: AttachmentDetails) -> AttachmentDetails {
        AttachmentDetails(
            name: name ?? details.name, contentType: type?.text ?? details.contentType,
            keywords: keywords.isEmpty ? details.keywords : keywords)
    }
}

struct AttachmentDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Mark an attachment for deletion with the next post; one that was not posted is gone at once.",
        discussion: "EXAMPLE: odata attachments delete field 'Inspections(7000)' 3")

    @OptionGroup var attachments: AttachmentArguments
    @OptionGroup var attachment: AttachmentIDArgument
    @Flag(help: "Take the mark away instead.") var undo = false

    func run() async throws {
        try await attachments.withManager { manager in
            if undo {
                try await manager.unmarkForDeletion(attachment.id)
            } else {
                try await manager.markForDeletion(attachment.id)
            }
        }
    }
}

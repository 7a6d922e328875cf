import ArgumentParser
import OData

struct AttachmentPostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post",
        abstract: "Send the edits of the attachments, one after the other.",
        discussion: """
            With a store they become requests in its queue, which 'odata store upload' sends. Exit status 0 if all \
            were posted, 3 if some were not (they are listed and stay), 1 if the service cannot be reached.

            EXAMPLE:
              odata attachments post field 'Inspections(7000)'
              odata store upload field
            """)

    @OptionGroup var attachments: AttachmentArguments
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await attachments.withManager { manager in
            let results = try await attachments.waiting { try await manager.postLocalEdits() }
            let failed = results.filter { $0.error != nil }
            let errors = Dictionary(
                uniqueKeysWithValues: failed.compactMap { result in result.error.map { (result.attachment.id, $0) } })
            AttachmentPrinter(format: format.resolved).print(results.map(\.attachment), errors: errors)
            if !attachments.isService, failed.count < results.count {
                Console.message("The requests wait: 'odata store upload \(attachments.source)' sends them.")
            }
            guard let first = failed.first?.error else { return }
            if failed.count == results.count, first.concernsAll { throw first }
            let list = failed.map { "  \($0.attachment.id) \($0.attachment.name): \($0.error.map { "\($0)" } ?? "")" }
            throw PartialSuccess(
                message: """
                    \(list.count == 1 ? "1 edit remains" : "\(list.count) edits remain"); mend them with 'odata \
                    attachments update', give them up with 'odata attachments discard', or post again:
                    \(list.joined(separator: "\n"))
                    """)
        }
    }
}

struct AttachmentDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Give all edits up that were not posted: the attachments are as the service has them.",
        discussion: """
            Exit status 3 if edits stay because it is unknown whether the service executed them: 'post' finds \
            out.

            EXAMPLE: odata attachments discard field 'Inspections(7000)'
            """)

    @OptionGroup var attachments: AttachmentArguments

    func run() async throws {
        try await attachments.withManager { manager in
            let kept = try await manager.cancelLocalEdits()
            guard kept.isEmpty else {
                let list = kept.map { "  \($0.id) \($0.name): \($0.editState.rawValue)" }
                throw PartialSuccess(
                    message: """
                        \(list.count == 1 ? "1 edit stays" : "\(list.count) edits stay"), since it is not known \
                        whether they arrived; post them first:
                        \(list.joined(separator: "\n"))
                        """)
            }
        }
    }
}

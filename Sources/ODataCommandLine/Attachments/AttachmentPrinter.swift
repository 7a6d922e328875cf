import OData

/// Prints attachments with what became of them.
struct AttachmentPrinter {
    let format: OutputFormat

    func print(_ attachments: [EntityAttachment], errors: [EntityAttachment.ID: ODataError] = [:]) {
        ListPrinter(format: format)
            .print(
                attachments.map { columns(of: $0, error: errors[$0.id]) },
                columns: ["id", "name", "type", "size", "state", "hasContent", "error"], ifEmpty: "No attachments.")
    }

    private func columns(of attachment: EntityAttachment, error: ODataError?) -> [ListColumn] {
        [
            ListColumn("id", .integer(attachment.id)), ListColumn("name", attachment.name),
            ListColumn("type", attachment.contentType),
            ListColumn("size", attachment.size.map(EdmValue.integer) ?? .null),
            ListColumn("state", attachment.editState.rawValue),
            ListColumn("isUnconfirmed", .boolean(attachment.isUnconfirmed)),
            ListColumn("scanState", attachment.scanState?.rawValue),
            ListColumn("hasContent", .boolean(attachment.hasContent)),
            ListColumn("keywords", .collection(attachment.keywords.map(EdmValue.string))),
            ListColumn("remoteID", attachment.remoteID), ListColumn("error", error?.message),
        ]
    }
}

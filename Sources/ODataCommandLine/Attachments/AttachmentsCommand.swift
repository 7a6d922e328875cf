import ArgumentParser

struct AttachmentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attachments",
        abstract: "List, fetch and edit the attachments of an entity, and post the edits.",
        discussion: """
            Of a store or of a service: edits are kept in the store, or in the folder that --edits names, until \
            'post' sends them or 'discard' gives them up. Attachments are the media entities behind --navigation, \
            or, with --content-property, entities with a stream property there, or one of type Edm.Binary; without \
            --navigation they are the stream properties of the entity. Features of a layer of an ArcGIS feature \
            service have attachments of their own; what --token-command prints is sent as its token. Attachments are \
            named by the ids that 'list' shows.

            EXAMPLE:
              odata attachments list field 'Inspections(7000)'
              odata attachments add field 'Inspections(7000)' valve.png
              odata attachments post field 'Inspections(7000)'
              odata attachments list http://127.0.0.1:8080/ \\
                'Inspections(7000)' --navigation Photos --edits edits

            At a service in the style of CAP, and of a feature:
              odata attachments list https://example.org/incidents/ 'Incidents(1)' \\
                --navigation attachments --content-property content --edits edits
              odata attachments list --edits edits \\
                https://example.org/arcgis/rest/services/Trees/FeatureServer/0 12
            """,
        subcommands: [
            AttachmentListCommand.self, AttachmentGetCommand.self, AttachmentAddCommand.self,
            AttachmentUpdateCommand.self, AttachmentDeleteCommand.self, AttachmentPostCommand.self,
            AttachmentDiscardCommand.self,
        ])
}

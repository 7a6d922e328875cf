import ArgumentParser

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Work with an offline store: a part of a service kept in a folder.",
        discussion: """
            A store that was made by an app is read and shown only; the app changes, downloads and uploads it.

            EXAMPLE:
              odata store init field --service http://127.0.0.1:8080/
              odata store query add field orders 'WorkOrders?$filter=Priority lt 3'
              odata store download field
              odata store read field 'WorkOrders?$orderby=DueAt desc&$top=3'
              odata store update field 'WorkOrders(5002)' '{"State":"done"}'
              odata store upload field
            """,
        subcommands: [
            StoreInitCommand.self, StoreQueryCommand.self, StoreDownloadCommand.self, StoreReadCommand.self,
            StoreCreateCommand.self, StoreUpdateCommand.self, StoreDeleteCommand.self, StoreMediaCommand.self,
            StoreUploadCommand.self, StoreSyncCommand.self, StoreUndoCommand.self, StoreConflictsCommand.self,
            StoreDecideCommand.self, StoreQueueCommand.self, StoreErrorsCommand.self, StoreEventsCommand.self,
            StoreStatusCommand.self,
            StoreCheckCommand.self, StoreRescueCommand.self, StoreRebuildCommand.self, StoreRekeyCommand.self,
            StoreSendCommand.self, StoreClearCommand.self,
        ])
}

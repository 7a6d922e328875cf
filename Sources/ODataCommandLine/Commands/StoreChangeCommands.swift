import ArgumentParser
import OData

struct StoreCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an entity in the store; it is sent with the next upload.",
        discussion: """
            Prints the new entity with its id, which every command accepts before and after the upload. With - \
            instead of JSON, one entity is read from each line of standard input; what is printed is safely in the \
            store.

            EXAMPLE:
              odata store create field Inspections \\
                '{"Result":"passed","WorkOrder@odata.bind":"WorkOrders(5002)"}'
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "The entity set.", completion: StoreCompletion.sets) var set: String
    @Argument(help: "The properties as JSON; deep inserts and @odata.bind are understood; - reads lines.")
    var json: String

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            guard json == "-" else { return try await create(json, in: store) }
            var number = 0
            while let line = readLine() {
                number += 1
                guard !line.allSatisfy(\.isWhitespace) else { continue }
                do { try await create(line, in: store) } catch {
                    throw Failure("Line \(number): \((error as? ODataError)?.summary ?? "\(error)")")
                }
            }
        }
    }

    private func create(_ json: String, in store: OfflineStore) async throws {
        let target = try await folder.path(set, in: store)
        let payload = try await store.payload(json, for: target)
        let result = try await store.change(ChangeRequest(target, .create(payload)))
        try EntityPrinter.print(result.entity, model: await store.model())
    }
}

struct StoreUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change properties of an entity in the store; they are sent with the next upload.",
        discussion: "EXAMPLE: odata store update field 'Photos(9000)' '{\"Caption\":\"Valve\"}'")

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "The entity, as Set(key).", completion: StoreCompletion.sets) var entity: String
    @Argument(help: "The properties to change, as JSON; - reads them from standard input.") var json: String

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            let target = try await folder.path(entity, in: store)
            let payload = try await store.payload(try InputFile.text(json), for: target)
            _ = try await store.change(ChangeRequest(target, .update(payload)))
        }
    }
}

struct StoreDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an entity in the store; it is sent with the next upload.",
        discussion: "EXAMPLE: odata store delete field 'Photos(9002)'")

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "The entity, as Set(key).", completion: StoreCompletion.sets) var entity: String

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            _ = try await store.change(ChangeRequest(try await folder.path(entity, in: store), .delete))
        }
    }
}

/// Prints one entity as JSON, the form that scripts read an id from.
enum EntityPrinter {
    static func print(_ entity: EdmEntity?, model: EdmModel) throws {
        guard let entity else { return }
        JSONOutput.print(JSONPayload.bytes(entity: entity, model: model))
    }
}

import ArgumentParser
import OData

struct StoreDecideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decide",
        abstract:
            "Set the outcome of an unconfirmed request: its response was lost and it cannot be probed.",
        discussion: """
            Look at the service first. A request that was executed is taken off the queue; of a creation say which \
            entity it has made, so that what waits for it can be sent. One that was not is sent with the next \
            upload.

            EXAMPLE:
              odata store decide field 3 executed --made 'WorkOrders(5400)'
              odata store decide field 4 not-executed
            """)

    enum Outcome: String, ExpressibleByArgument, CaseIterable {
        case executed
        case notExecuted = "not-executed"
    }

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "The request's id, as 'odata store queue' shows it.", completion: StoreCompletion.unconfirmed)
    var id: Int64
    @Argument(help: "Whether the service has executed it.") var outcome: Outcome
    @Option(help: "The entity that the request has made, as Set(key).") var made: String?

    func validate() throws {
        guard made == nil || outcome == .executed else {
            throw ValidationError("--made requires 'executed'.")
        }
    }

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            try await store.decide(requestID: id, try await decision(in: store))
        }
    }

    private func decision(in store: OfflineStore) async throws -> UnconfirmedRequest.Decision {
        guard outcome == .executed else { return .notSent }
        guard let made else { return .sent }
        let path = try await folder.path(made, in: store)
        guard case .key(let key)? = path.segments.last, path.segments.count == 1, let set = path.rootSet else {
            throw Failure("\(made) is not an entity: give it as Set(key), for example 'WorkOrders(5400)'.")
        }
        if let entry = try await store.queueEntries().first(where: { $0.id == id }), entry.entitySet != set.name {
            throw Failure(
                "\(made) is an entity of \(set.name); the request \(id) (\(entry.method) \(entry.url)) is about "
                    + "\(entry.entitySet): give one of those.")
        }
        return .made(key)
    }
}

import ArgumentParser
import OData

struct StoreErrorShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a whole entry of the error archive: the request with its body, and the service's response.",
        discussion: "EXAMPLE: odata store errors show field 3")

    @OptionGroup var entry: ErrorArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.viewing(entry.folder) { store in
            guard let error = try await store.errorEntries().first(where: { $0.id == entry.id }) else {
                throw Failure("There is no error \(entry.id).", advice: "'odata store errors' shows what there is.")
            }
            let request = try await store.queueEntries().first { $0.id == error.requestID }
            EntryPrinter(format: format.resolved).print(error.columns(request))
        }
    }
}

extension ErrorEntry {
    fileprivate func columns(_ request: QueueEntry?) -> [ListColumn] {
        [
            ListColumn("id", .integer(id)), ListColumn("requestID", .integer(requestID)),
            ListColumn("occurred", occurred), ListColumn("method", method), ListColumn("url", url),
            ListColumn("entity", entity), ListColumn("changeSet", changeSet.map(EdmValue.integer) ?? .null),
            ListColumn("tag", tag), ListColumn("category", category),
        ] + [request?.headerColumn].compactMap { $0 } + [
            ListColumn("body", body), ListColumn("status", status.map { .integer(Int64($0)) } ?? .null),
            ListColumn("code", code), ListColumn("message", message), ListColumn("target", target),
            ListColumn("details", .collection(details.map { .string($0.line) })), ListColumn("innerError", innerError),
        ]
    }
}

extension ServiceError.Detail {
    /// `tooLong: The note is too long. (Note)`
    fileprivate var line: String {
        (code.isEmpty ? "" : "\(code): ") + message + (target.map { " (\($0))" } ?? "")
    }
}

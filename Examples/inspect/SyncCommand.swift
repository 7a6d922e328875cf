import ArgumentParser
import Inspection
import OData

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Send what waits to the service, then fetch what is new.",
        discussion: "The exit status is 3 where the service has refused something: see 'inspect conflicts'.")

    @OptionGroup var place: Place

    func run() async throws {
        let refused = try await place.changing { work in
            let (sent, received) = try await work.sync()
            print("\(sent.succeeded.count) requests sent, \(sent.failed.count) refused")
            for error in sent.failed { print("  \(error.method) \(error.url): \(error.message)") }
            print(received.summary)
            return sent.failed.count
        }
        if refused > 0 { throw ExitCode(3) }
    }
}

struct QueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "Show the requests that wait, in the order in which they will be sent.")

    @OptionGroup var place: Place

    func run() async throws {
        try await place.reading { work in
            for entry in try await work.waiting() {
                print(entry.id, entry.state.rawValue, entry.method, entry.url, entry.body ?? "")
            }
        }
    }
}

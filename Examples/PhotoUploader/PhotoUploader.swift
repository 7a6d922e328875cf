import ArgumentParser
import AsyncHTTPTransport
import Foundation
import OData

/// Watches a folder, and uploads each new photo in it once.
@main
struct PhotoUploader: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "PhotoUploader",
        abstract: "Upload the photos that come into a folder, each once.",
        discussion: """
            A photo is taken into a store on this machine first and moved to the folder Taken, then sent. The uploader may \
            be killed, and the network may fail, at any time: it continues where it was.

            EXAMPLE: PhotoUploader Pictures --service http://127.0.0.1:8080/ --into 'Inspections(7031)/Photos'
            """)

    @Argument(help: "The folder that photos come into.")
    var folder: String

    @Option(help: "The URL of the service.")
    var service = "http://127.0.0.1:8080/"

    @Option(help: "The folder of the store.")
    var store = "uploads"

    @Option(help: "A set of media entities, or a collection that leads to one.")
    var into = "Photos"

    @Option(help: "The property that gets the name of the file.")
    var caption = "Caption"

    @Option(help: "How long a file must not have changed to be complete, in seconds.")
    var settled = 2.0

    @Flag(help: "Take and send what is there now, and end.")
    var once = false

    func validate() throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw ValidationError("There is no folder \(folder).")
        }
    }

    func run() async throws {
        let remote = try OnlineStore(serviceRoot: service, transport: AsyncHTTPTransport())
        var configuration = OfflineStore.Configuration()
        // What was sent makes room for the next photos.
        configuration.mediaQuota = 0
        let store = try OfflineStore(folder: self.store, remote: remote, configuration: configuration)
        let inbox = PhotoInbox(folder: folder, settled: settled)
        let queue = PhotoQueue(store: store, target: into, caption: caption)
        repeat {
            do {
                try await store.open()
                try await queue.take(from: inbox)
                try await queue.send()
            } catch let error as ODataError where error.code == .unreachable && !once {
                report("\(error.message) Trying again.")
            }
            // Looking again needs no notice of the file system, which network folders do not give.
            if !once { try await Task.sleep(for: .seconds(2)) }
        } while !once
        try store.close()
    }
}

/// Writes a line at once, to a log file too.
func report(_ line: String) {
    print(line)
    fflush(nil)
}

import AsyncHTTPTransport
import Foundation
import OData
import Synchronization
import Testing
import ToolSupport

/// A service in a process of its own that is called through the relay, and a device that the tool works on.
final class MediaSite: Sendable {
    static let transport = AsyncHTTPTransport()

    let course: MediaCourse
    /// What the device has to send, or other clients have sent to the service.
    let work: MediaWork
    let relay: Relay
    private let folder: TemporaryFolder
    private let served = Mutex<ServedSample?>(nil)

    /// Small streams.
    init(_ course: MediaCourse) async throws {
        self.course = course
        relay = try await Relay.shared.value
        folder = try TemporaryFolder()
        let start: (stage: MediaTemplate.Stage, work: MediaWork) =
            switch course {
            case .download: (.fresh, MediaWork())
            case .upload, .resumableUpload: (.work, .uploads)
            case .attachments: (.edits, .edits)
            }
        work = start.work
        try #require(MediaTemplate.current).copy(start.stage, to: folder.path)
        try startService()
    }

    /// One large stream.
    init(_ course: MediaCourse, large file: LargeFile, creates: Bool) async throws {
        self.course = course
        relay = try await Relay.shared.value
        folder = try TemporaryFolder()
        let content = ByteContent(try FileSource(path: file.path))
        work =
            creates && course != .download
            ? MediaWork(creations: ["kill-1": content]) : MediaWork(replacements: [9000: content])
        let stage: MediaTemplate.Stage? =
            switch course {
            case .download: .fresh
            case .upload, .resumableUpload: .idle
            case .attachments: nil
            }
        try #require(MediaTemplate.current).copy(stage, to: folder.path)
        try startService()
        let online = try OnlineStore(serviceRoot: relay.root, transport: Self.transport)
        switch course {
        case .download: try await work.send(to: online)
        case .upload, .resumableUpload:
            try await OfflineStore.opened(device, online) { store in try await work.queue(in: store) }
        case .attachments: try await work.edit(in: device, of: online)
        }
    }

    /// A store, or the edits of attachments.
    var device: String { folder.path + "/device" }
    var serviceFile: String { folder.path + "/service.db" }
    var serviceMedia: String { folder.path + "/service-media" }

    static func options(mediaFolder: String) -> [String] {
        [
            "--media", "Photos=Content:image/png", "--media-folder", mediaFolder, "--track-changes", "--page-size", "4",
        ]
    }

    /// What the tool is told.
    var command: [String] {
        switch course {
        case .download: ["store", "download", device]
        case .upload: ["store", "upload", device, "--resumable-size", "\(1 << 40)"]
        case .resumableUpload: ["store", "upload", device, "--resumable-size", "10000"]
        case .attachments:
            [
                "attachments", "post", relay.root, MediaWork.inspection, "--navigation", "Photos", "--name-property",
                "Caption", "--edits", device,
            ]
        }
    }

    /// Runs the tool to its end; anything but exit status 0 is an error.
    func run(_ arguments: [String]) async throws {
        let output = try await Tool.run(arguments)
        guard output.status == 0 else {
            throw ToolError(message: "\(arguments) ended with \(output.status): \(output.standardError)")
        }
    }
}

extension MediaSite {
    private func startService() throws {
        let served = try ServedSample(serviceFile, Self.options(mediaFolder: serviceMedia))
        self.served.withLock { $0 = served }
        relay.lead(to: URL(string: served.root)?.port)
    }

    /// Kills the service and starts it again.
    func restartService() async {
        relay.lead(to: nil)
        guard let old = served.withLock({ $0.take() }) else { return }
        old.running.send(SIGKILL)
        _ = await old.running.finish()
        do { try startService() } catch { Issue.record(error) }
    }

    /// Lets the service carry out what is under way, and starts it again.
    func renewService() async throws {
        try await stopService()
        try startService()
    }

    func stopService() async throws {
        relay.lead(to: nil)
        guard let old = served.withLock({ $0.take() }) else { return }
        let output = await old.stop()
        guard output.status == 0 else {
            throw ToolError(message: "The service ended with \(output.status): \(output.standardError)")
        }
    }
}

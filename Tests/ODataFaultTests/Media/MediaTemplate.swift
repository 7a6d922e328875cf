import Foundation
import OData
import Testing
import ToolSupport

/// Folders of which each run gets copies: a service with its media folder, and devices as they are at several stages. All
/// of them call the service as the relay is called.
struct MediaTemplate: Sendable {
    enum Stage: String {
        /// Nothing was downloaded yet.
        case fresh
        /// All is downloaded, and nothing waits.
        case idle
        /// Requests wait.
        case work
        /// No store: edits of attachments.
        case edits
    }

    /// That of the suite that runs.
    @TaskLocal static var current: MediaTemplate?

    private let folder: TemporaryFolder

    /// The copies are named `service.db`, `service-media` and `device`; no device for a stage without a template.
    func copy(_ stage: Stage?, to target: String) throws {
        var names = ["service.db": "service.db", "service-media": "service-media"]
        if let stage { names[stage.rawValue] = "device" }
        for (name, copy) in names {
            try FileManager.default.copyItem(atPath: "\(folder.path)/\(name)", toPath: "\(target)/\(copy)")
        }
    }

    fileprivate static func make() async throws -> MediaTemplate {
        let folder = try TemporaryFolder()
        let relay = try await Relay.shared.value
        let file = try SiteFile(in: folder)
        // Tells how often the content of a photo was written.
        try file.execute(
            """
            UPDATE Photos SET InspectionID = 7000 WHERE PhotoID < 9002;
            CREATE TABLE Writings (WritingID INTEGER PRIMARY KEY, PhotoID INTEGER NOT NULL);
            CREATE TRIGGER PhotoWriting AFTER UPDATE OF Content ON Photos
            BEGIN INSERT INTO Writings (PhotoID) VALUES (NEW.PhotoID); END;
            """)
        let served = try ServedSample(file.path, MediaSite.options(mediaFolder: folder.path + "/service-media"))
        relay.lead(to: URL(string: served.root)?.port)
        try await fill(folder.path, OnlineStore(serviceRoot: relay.root, transport: MediaSite.transport))
        relay.lead(to: nil)
        guard await served.stop().status == 0 else { throw ToolError(message: "The service did not end well.") }
        try file.execute("DELETE FROM Writings")
        return MediaTemplate(folder: folder)
    }

    /// Whoever else holds it.
    fileprivate func remove() { try? FileManager.default.removeItem(atPath: folder.path) }

    private static func fill(_ folder: String, _ online: OnlineStore) async throws {
        // Content that lies in files from now on.
        var pictures = MediaWork()
        for number in 0..<3 {
            let picture = SiteFile.picture(seed: UInt64(number), length: 200_000 + number)
            pictures.replacements[9000 + number] = ByteContent(picture)
        }
        try await pictures.send(to: online)
        let path = { (stage: Stage) in "\(folder)/\(stage.rawValue)" }
        let output = try await Tool.run("store", "init", path(.fresh), "--service", online.serviceRoot)
        guard output.status == 0 else { throw ToolError(message: "There is no store: \(output.standardError)") }
        try await OfflineStore.opened(path(.fresh), online) { store in
            try store.addQuery(DefiningQuery(name: "inspections", query: "Inspections"))
            try store.addQuery(DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true))
        }
        try FileManager.default.copyItem(atPath: path(.fresh), toPath: path(.idle))
        try await OfflineStore.opened(path(.idle), online) { store in try await store.download() }
        try FileManager.default.copyItem(atPath: path(.idle), toPath: path(.work))
        try await OfflineStore.opened(path(.work), online) { store in try await MediaWork.uploads.queue(in: store) }
        try await MediaWork.edits.edit(in: path(.edits), of: online)
    }
}

/// Makes the template before the tests of a suite and removes it afterwards.
struct WithMediaTemplate: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let template = try await MediaTemplate.make()
        defer { template.remove() }
        try await MediaTemplate.$current.withValue(template) { try await function() }
    }
}

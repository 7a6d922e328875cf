import ArcGISTesting
import ByteStreams
import Foundation
import ODataServer
import Synchronization
import Testing
import ToolSupport

/// What attachments are, at the service of an ``AttachmentSite``.
enum AttachmentHome: String, CaseIterable, Sendable {
    case mediaEntities
    /// Of a feature service, added with ids that the tool makes.
    case featuresWithIDs
    /// Of a feature service, added by forms.
    case features
}

/// A service in this process, and what the tool needs to edit attachments there.
struct AttachmentSite: Sendable {
    private static let name = "new.png"
    private static let picture = SiteFile.picture(seed: 5, length: 40_000)

    let responder: KillingResponder
    /// Which entity at which service.
    private let owner: [String]
    private let options: [String]
    private let folder: String
    /// How many attachments have the picture, and how many of these its name.
    let count: @Sendable () async throws -> [Int]

    /// Does `body` at a site of its own.
    static func open(_ home: AttachmentHome, _ body: (AttachmentSite) async throws -> Void) async throws {
        guard home == .mediaEntities else { return try await openFeatures(home, body) }
        let site = try await Site()
        do { try await body(AttachmentSite(site)) } catch {
            try? await site.stop()
            throw error
        }
        try await site.stop()
    }

    private init(_ site: Site) {
        responder = site.responder
        owner = [site.server.rootURL, "Inspections(7000)"]
        folder = site.path("")
        options = ["--navigation", "Photos", "--name-property", "Caption", "--edits", site.path("edits")]
        let file = site.file
        count = {
            let sql = "SELECT count(*) FROM Photos WHERE Content = ?"
            return [
                try file.count(sql, [Data(Self.picture)]),
                try file.count(sql + " AND Caption = ? AND InspectionID = 7000", [Data(Self.picture), Self.name]),
            ]
        }
    }

    private static func openFeatures(
        _ home: AttachmentHome, _ body: (AttachmentSite) async throws -> Void
    ) async throws {
        let made = Mutex<KillingResponder?>(nil)
        var configuration = FeatureServerConfiguration()
        configuration.layers[0].supportsEditsByGlobalID = home == .featuresWithIDs
        configuration.front = { service in
            let killing = KillingResponder(service)
            made.withLock { $0 = killing }
            return killing
        }
        let folder = try TemporaryFolder()
        try await FeatureServer.open(configuration) { server in
            let responder = try #require(made.withLock { $0 })
            try await body(AttachmentSite(server, responder, folder: folder.path))
        }
    }

    private init(_ server: FeatureServer, _ responder: KillingResponder, folder: String) {
        self.responder = responder
        self.folder = folder + "/"
        owner = [server.layerURL(), "1"]
        options = ["--edits", folder + "/edits"]
        count = {
            var names: [String] = []
            for attachment in server.attachments(of: 1) {
                let bytes = try await ByteContent(attachment.content).collect(upTo: 1 << 20)
                if bytes == Self.picture { names.append(attachment.name) }
            }
            return [names.count, names.filter { $0 == Self.name }.count]
        }
    }

    /// Adds the picture, which `post` sends.
    func add() async throws {
        let source = folder + Self.name
        try Data(Self.picture).write(to: URL(fileURLWithPath: source))
        try await run("add", source, "--type", "image/png")
    }

    func arguments(_ command: String, _ more: [String] = []) -> [String] {
        ["attachments", command] + owner + more + options
    }

    /// Runs the command to its end; anything but exit status 0 is an error.
    @discardableResult
    func run(_ command: String, _ more: String...) async throws -> Tool.Output {
        let output = try await Tool.run(arguments(command, more))
        guard output.status == 0 else {
            throw ToolError(message: "\(command) ended with \(output.status): \(output.standardError)")
        }
        return output
    }
}

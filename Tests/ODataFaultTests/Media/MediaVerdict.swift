import Foundation
import GRDB
import MediaFiles
import OData
import ODataTesting

/// Compares both sides when all has run on to its end, and looks for what should not be there any more.
struct MediaVerdict {
    let site: MediaSite

    /// A line each; empty if all is well. The service ends with it.
    func problems() async throws -> [String] {
        try await site.stopService()
        var problems = try serviceStrays() + writings()
        let service = try SQLiteStore(path: site.serviceFile, configuration: configuration)
        problems += try await missing(at: service)
        problems += try await site.course == .attachments ? attachments(service) : streams(service)
        try service.close()
        return try problems + expired()
    }

    /// Of the service, when all uploads that nobody has continued are too old.
    private var configuration: SQLiteStore.Configuration {
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: "Photos", column: "Content", contentType: "image/png")]
        configuration.mediaFolder = site.serviceMedia
        configuration.tracksChanges = true
        configuration.now = { Int64(Date().timeIntervalSince1970) + 365 * 86_400 }
        return configuration
    }

    private func reading<Result>(_ path: String, _ body: (Database) throws -> Result) throws -> Result {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read(body)
    }

    /// The paths of all files below a folder.
    private func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
            return exists && !isFolder.boolValue
        }
    }

    /// `abcd…` of `ab/abcd…`
    private func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// `abcd` of `uploads/abcd` and of `uploads/abcd.pieces`
    private func upload(_ path: String) -> String {
        let name = name(path)
        return name.hasSuffix(".pieces") ? String(name.dropLast(".pieces".count)) : name
    }

    private func difference(_ found: Set<String>, _ needed: Set<String>, of place: String) -> [String] {
        found.subtracting(needed).sorted().map { "\($0) of the \(place) belongs to nothing" }
            + needed.subtracting(found).sorted().map { "\($0) is not in the \(place)" }
    }
}

// MARK: - The service

extension MediaVerdict {
    private static let record = "substr(Content, 1, 16) = x'006f646174612d73747265616d2d3100'"

    private func serviceStrays() throws -> [String] {
        let needed = try reading(site.serviceFile) { db in
            let digests = "SELECT lower(hex(substr(Content, 33, 32))) FROM Photos WHERE \(Self.record)"
            let uploads = "SELECT token FROM odata_store_uploads WHERE answer IS NULL"
            return try (
                streams: String.fetchSet(db, sql: digests), uploads: String.fetchSet(db, sql: uploads)
            )
        }
        let found = try files(in: site.serviceMedia).filter { $0 != "owner" }
        let uploads = found.filter { $0.hasPrefix("uploads/") }
        let streams = Set(found).subtracting(uploads).map(name)
        return difference(Set(streams), needed.streams, of: "service's media folder")
            + Set(uploads.map(upload)).subtracting(needed.uploads).map { "The upload \($0) belongs to nothing" }
    }

    /// Once is enough.
    private func writings() throws -> [String] {
        let expected = site.work.replacements.keys.sorted().map { "\($0): 1" }
        let found = try reading(site.serviceFile) { db in
            try String.fetchAll(
                db, sql: "SELECT PhotoID || ': ' || count(*) FROM Writings GROUP BY PhotoID ORDER BY PhotoID")
        }
        return found == expected ? [] : ["The service wrote \(found) instead of \(expected)"]
    }

    /// What the service does not have exactly as it was made.
    private func missing(at service: SQLiteStore) async throws -> [String] {
        let photos = try await service.entities(QueryParser(model: try await service.model()).query("Photos"))
        var problems: [String] = []
        let expected = SiteFile.photos + site.work.creations.count
        if photos.count != expected { problems.append("\(photos.count) photos instead of \(expected)") }
        for (caption, content) in site.work.creations {
            let made = photos.filter { $0["Caption"] == .string(caption) && $0["InspectionID"] == .integer(7000) }
            let digest = try await StoredMedia(reading: content)
            for photo in made {
                if try await media(of: photo, service) != digest { problems.append("\(caption) has other content") }
            }
            if made.count != 1 { problems.append("\(caption) is there \(made.count) times") }
        }
        for (number, content) in site.work.replacements {
            guard let photo = photos.first(where: { $0["PhotoID"] == .integer(Int64(number)) }) else { continue }
            let digest = try await StoredMedia(reading: content)
            if try await media(of: photo, service) != digest { problems.append("\(number) has other content") }
        }
        return problems
    }

    private func media(of photo: EdmEntity, _ store: any ODataStore) async throws -> StoredMedia {
        let path = try QueryParser(model: try await store.model()).path("Photos\(photo.key?.urlText ?? "")")
        return try await StoredMedia(reading: try await store.readStream(StreamRequest(path)).content)
    }

    /// Uploads that nobody has continued are gone when their time is over.
    private func expired() throws -> [String] {
        let count = try reading(site.serviceFile) { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM odata_store_uploads") ?? 0
        }
        let files = try files(in: site.serviceMedia).filter { $0.hasPrefix("uploads/") }
        return (count == 0 ? [] : ["\(count) uploads stay at the service"]) + files.map { "\($0) stays at the service" }
    }
}

// MARK: - The device

extension MediaVerdict {
    private func streams(_ service: SQLiteStore) async throws -> [String] {
        var problems = try await OfflineStore.opened(site.device, nil) { store in
            var problems = try await store.queueEntries().map { "\($0.method) \($0.url) waits" }
            if try await !store.check().isSound { problems.append("The store is damaged") }
            let photos = try await store.entities(try await store.query("Photos"))
            if Set(photos.map(\.key)).count != SiteFile.photos + site.work.creations.count {
                problems.append("The store has \(photos.count) photos")
            }
            for photo in photos {
                if try await media(of: photo, store) != media(of: photo, service) {
                    problems.append("The stream of \(photo.key?.urlText ?? "") differs")
                }
            }
            return problems
        }
        problems += try await StreamFileAudit(folder: site.device).problems
        let transfers = try reading(site.device + "/store.sqlite") { db in
            try Int.fetchOne(db, sql: #"SELECT count(*) FROM "$transfer""#) ?? 0
        }
        return problems + (transfers == 0 ? [] : ["\(transfers) transfers stay in the store"])
    }

    private func attachments(_ service: SQLiteStore) async throws -> [String] {
        let digests = try reading(site.device + "/attachments.sqlite") { db in
            try String.fetchSet(db, sql: AttachmentTable.uses)
        }
        let names = try files(in: site.device + "/media").map(name)
        var problems = difference(Set(names), digests, of: "device's media folder")
        let owner = try AttachmentOwner(folder: site.device, backEnd: MediaWork.backEnd(of: service))
        if try await owner.hasLocalEdits { problems.append("Edits of attachments wait") }
        let manager = try await owner.manager(for: MediaWork.inspection)
        try await manager.fetchAttachments()
        problems += await manager.fetchContents().compactMap { $0.error?.message }
        let parser = QueryParser(model: try await service.model())
        for attachment in manager.attachments {
            let path = try parser.path(attachment.remoteID ?? "")
            let mine = try await StoredMedia(reading: try await manager.content(of: attachment.id))
            let theirs = try await StoredMedia(reading: try await service.readStream(StreamRequest(path)).content)
            if mine != theirs { problems.append("The content of \(attachment.name) differs") }
        }
        return problems
    }
}

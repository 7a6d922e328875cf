import Foundation
import MediaFiles
import OData
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite struct StoreMediaCommandTests {
    /// A store with all photos and their streams.
    private func prepare(_ scratch: borrowing Scratch, _ root: String) async throws {
        #expect(try await Tool.run("store", "init", scratch.store, "--service", root).status == 0)
        #expect(try await Tool.run("store", "query", "add", scratch.store, "photos", "Photos", "--streams").status == 0)
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
    }

    private func media(
        _ command: String, _ scratch: borrowing Scratch, _ arguments: String...
    ) async throws -> Tool.Output {
        try await Tool.run(["store", "media", command, scratch.store] + arguments)
    }

    /// `Photos(9000) in store`
    private func states(_ scratch: borrowing Scratch) async throws -> [String] {
        let list = try await media("list", scratch)
        #expect(list.status == 0, "\(list.standardError)")
        return list.rows.map { "\($0["path"] as? String ?? "") \($0["state"] as? String ?? "")" }
    }

    @Test func streamsAreListedReplacedAndDeleted() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let rows = try await media("list", scratch).rows
        #expect(rows.count == 6)
        #expect(rows.allSatisfy { $0["type"] as? String == "image/png" && ($0["length"] as? Int ?? 0) > 0 })
        #expect(rows.allSatisfy { $0["state"] as? String == "in store" })

        let picture = scratch.folder + "/p.png"
        try Data("other".utf8).write(to: URL(fileURLWithPath: picture))
        #expect(try await media("put", scratch, "Photos(9000)", picture, "--type", "image/png").status == 0)
        #expect(try await media("delete", scratch, "Photos(9001)").status == 0)
        #expect(
            try await states(scratch) == [
                "Photos(9000) unsent", "Photos(9002) in store", "Photos(9003) in store", "Photos(9004) in store",
                "Photos(9005) in store",
            ])
        let table = try await media("list", scratch, "--format", "table").standardOutput
        #expect(table.contains("Photos(9000)  image/png       5 "), "\(table)")
        let output = scratch.folder + "/out.png"
        let abandoned = output + ".part-1-2"
        try Data().write(to: URL(fileURLWithPath: abandoned))
        let got = try await media("get", scratch, "Photos(9000)", "--output", output)
        #expect(got.status == 0 && got.standardError.isEmpty, "bars are for terminals")
        #expect(FileManager.default.contents(atPath: output) == Data("other".utf8))
        #expect(!FileManager.default.fileExists(atPath: abandoned))

        #expect(try await Tool.run("store", "upload", scratch.store).status == 0)
        #expect(try await states(scratch).first == "Photos(9000) in store")
        #expect(try await Tool.run("get", "\(served.root)Photos(9001)").status == 1)
        let collected = try await media("gc", scratch).rows
        #expect(
            collected.compactMap { $0["what"] as? String } == [
                "streams", "bytes", "bytes of thumbnails that stay", "bytes of partial streams that stay",
            ])
        #expect(collected.map { $0["value"] as? Int } == [0, 0, 0, 0])
    }

    /// Gives the original as its own thumbnail.
    private struct Copier: ThumbnailMaker {
        func thumbnail(of content: ByteContent, fitting pixels: Int) async throws -> ThumbnailImage {
            ThumbnailImage(bytes: try await content.collect(upTo: 1 << 20), contentType: "image/x-same")
        }
    }

    @Test func thumbnailsAndPartialStreamsAreTold() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        #expect(try await media("verify", scratch).standardError.isEmpty)
        var configuration = OfflineStore.Configuration()
        configuration.thumbnailer = Copier()
        let store = try OfflineStore(folder: scratch.store, remote: nil, configuration: configuration)
        _ = try await store.thumbnail(of: try store.path("Photos(9001)"), fitting: 64)
        let thumbnails = Int(try await store.mediaUse.thumbnails)
        try store.close()
        // As a download leaves it that is cut.
        let partial = try MediaFolder(path: scratch.store + "/media").partial(named: "Photos(9002)")
        try partial.restart(origin: PartialOrigin(etag: "\"1\""))
        try partial.append(Array(repeating: 7, count: 1_000))

        let rows = try await media("list", scratch).rows
        #expect(rows.map { $0["thumbnails"] as? Int } == [0, thumbnails, 0, 0, 0, 0])
        #expect(rows.map { $0["partial"] as? Int } == [0, 0, 1_000, 0, 0, 0])
        let collected = try await media("gc", scratch).rows
        #expect(collected.map { $0["value"] as? Int } == [0, 0, thumbnails, 1_000])
        let verified = try await media("verify", scratch)
        #expect(verified.status == 0 && verified.rows.isEmpty)
        #expect(
            verified.standardError == "Not read: \(thumbnails) bytes of thumbnails, 1000 bytes of partial streams.\n")
    }

    @Test func lostAndDamagedStreamsAreFoundByTheirPaths() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        // Smaller ones are no files.
        for (index, photo) in ["Photos(9000)", "Photos(9001)"].enumerated() {
            let picture = scratch.folder + "/\(index).png"
            try Data(repeating: UInt8(index), count: 70_000).write(to: URL(fileURLWithPath: picture))
            #expect(try await media("put", scratch, photo, picture, "--type", "image/png").status == 0)
        }
        #expect(try await Tool.run("store", "upload", scratch.store).status == 0)
        let sound = try await media("verify", scratch)
        #expect(sound.status == 0 && sound.rows.isEmpty, "\(sound.standardError)")
        let digests = try await media("list", scratch).rows.compactMap { $0["digest"] as? String }
        try #require(Set(digests).count == 6)
        let files = digests.prefix(2).map { digest in
            "\(scratch.store)/media/\(digest.prefix(2))/\(digest)"
        }
        try FileManager.default.removeItem(atPath: files[0])
        var bytes = try #require(FileManager.default.contents(atPath: files[1]))
        bytes[0] ^= 1
        try bytes.write(to: URL(fileURLWithPath: files[1]))
        let verified = try await media("verify", scratch)
        #expect(verified.status == 3)
        #expect(verified.rows.map { $0["path"] as? String } == ["Photos(9000)", "Photos(9001)"])
        #expect(verified.rows.map { $0["problem"] as? String } == ["missing", "damaged"])
        #expect(try await states(scratch).first == "Photos(9000) missing")
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        #expect(try await states(scratch).first == "Photos(9000) in store")
        #expect(try await media("verify", scratch).status == 0, "the damaged one came too")
    }

    @Test func whatIsLostBeforeItWasSentIsToldByEachCommand() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        let picture = scratch.folder + "/p.png"
        try Data(repeating: 1, count: 70_000).write(to: URL(fileURLWithPath: picture))
        #expect(try await media("put", scratch, "Photos(9000)", picture, "--type", "image/png").status == 0)
        let listed = try await media("list", scratch).rows.first { $0["state"] as? String == "unsent" }
        let digest = try #require(listed?["digest"] as? String)
        let file = "\(scratch.store)/media/\(digest.prefix(2))/\(digest)"
        try FileManager.default.removeItem(atPath: file)
        // Before and after the store has taken note of it.
        for _ in 1...2 {
            let verified = try await media("verify", scratch)
            #expect(verified.status == 3)
            #expect(verified.rows.map { $0["problem"] as? String } == ["lost before it was sent"])
            #expect(verified.rows.map { $0["digest"] as? String } == [digest])
            #expect(try await Tool.run("store", "check", scratch.store).status == 3)
            let status = try await Tool.run("store", "status", scratch.store)
            #expect(status.standardError.contains("1 streams were lost before they were sent"))
        }
        let upload = try await Tool.run("store", "upload", scratch.store)
        #expect(upload.status == 3 && upload.standardError.contains("stream"), "\(upload.standardError)")
        #expect(try await media("put", scratch, "Photos(9000)", picture, "--type", "image/png").status == 0)
        #expect(try await Tool.run("store", "undo", scratch.store, "--all").status == 0)
        #expect(try await media("verify", scratch).status == 0)
        #expect(try await Tool.run("store", "status", scratch.store).standardError.isEmpty)
    }

    @Test func storesThatCannotBeLockedAreShownAllTheSame() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        try await prepare(scratch, served.root)
        // As where nothing can be written: the lock cannot be opened.
        let lock = scratch.store + "/lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        #expect(try await states(scratch).count == 6)
        let status = try await Tool.run("store", "status", scratch.store)
        #expect(status.status == 0 && status.standardError.isEmpty, "\(status.standardError)")
        let got = try await media("get", scratch, "Photos(9000)", "--output", scratch.folder + "/out.png")
        #expect(got.status == 0, "\(got.standardError)")
        let put = try await media("put", scratch, "Photos(9000)", scratch.folder + "/out.png", "--type", "image/png")
        #expect(put.status == 1 && put.standardError.contains("/lock"), "\(put.standardError)")
    }

    @Test func streamsMakeRoomAndStayWhenTheyArePinned() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let (shared, other) = (scratch.folder + "/streams", scratch.folder + "/other")
        let photos = (9000...9005).map { "Photos(\($0))" }
        let options = [scratch.store: ["--media-quota", "0"], other: []]
        for (store, quota) in options {
            let folder = ["--media-folder", shared]
            let made = try await Tool.run(["store", "init", store, "--service", served.root] + folder + quota)
            #expect(made.status == 0, "\(made.standardError)")
            #expect(try await Tool.run("store", "query", "add", store, "photos", "Photos", "--streams").status == 0)
        }
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        #expect(try await states(scratch) == photos.map { "\($0) evicted" })
        let pin = try await media("pin", scratch, photos[1])
        #expect(pin.status == 0, "\(pin.standardError)")
        let pins = try await media("list", scratch).rows.filter { $0["pinned"] as? Bool == true }
        #expect(pins.map { $0["path"] as? String } == [photos[1]])
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        let expected = photos.map { $0 == photos[1] ? "\($0) in store" : "\($0) evicted" }
        #expect(try await states(scratch) == expected)

        let list = ["store", "media", "list", other]
        #expect(try await Tool.run("store", "download", other).status == 0)
        #expect(try await Tool.run(list).rows.allSatisfy { $0["state"] as? String == "in store" })
        #expect(try await Tool.run("store", "download", other, "--media-quota", "1").status == 0)
        let left = try await Tool.run(list).rows.filter { $0["state"] as? String == "in store" }
        #expect(left.map { $0["path"] as? String } == [photos[1]], "the other store's pin")
        #expect(FileManager.default.fileExists(atPath: shared + "/index.sqlite"))

        #expect(try await media("unpin", scratch, photos[1]).status == 0)
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        #expect(try await states(scratch) == photos.map { "\($0) evicted" })
        let missing = try await media("pin", scratch, "Photos(1)")
        #expect(missing.status == 1 && missing.standardError.contains("not in the store"), "\(missing.standardError)")
    }

    @Test func anotherMediaFolderIsRefusedUntilItIsSaidWhatBecameOfTheStoresOwn() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let (shared, wrong, moved) = (scratch.folder + "/shared", scratch.folder + "/wrong", scratch.folder + "/moved")
        let files = FileManager.default
        let made = try await Tool.run(
            "store", "init", scratch.store, "--service", served.root, "--media-folder", shared)
        #expect(made.status == 0, "\(made.standardError)")
        #expect(try await Tool.run("store", "query", "add", scratch.store, "photos", "Photos", "--streams").status == 0)
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        for command in ["list", "verify", "gc"] {
            let mistyped = try await media(command, scratch, "--media-folder", wrong)
            #expect(mistyped.status == 1)
            for part in [shared, wrong, "--media-folder", "--replace-media-folder"] {
                #expect(mistyped.standardError.contains(part), "\(mistyped.standardError)")
            }
        }
        #expect(!files.fileExists(atPath: wrong))

        try files.moveItem(atPath: shared, toPath: moved)
        #expect(try await media("list", scratch).status == 1)
        // It need be said only once.
        #expect(try await media("list", scratch, "--media-folder", moved).status == 0)
        #expect(try await states(scratch).allSatisfy { $0.hasSuffix(" in store") })
        try files.removeItem(atPath: moved)
        let gone = try await media("list", scratch)
        #expect(gone.status == 1 && gone.standardError.contains("not there any more"), "\(gone.standardError)")
        #expect(!files.fileExists(atPath: moved))
        #expect(try await Tool.run("store", "download", scratch.store, "--replace-media-folder").status == 0)
        #expect(try await states(scratch).allSatisfy { $0.hasSuffix(" in store") })
        #expect(files.fileExists(atPath: moved))
    }
}

import Foundation
import GRDB
import Testing
import ToolSupport

@Suite struct AttachmentsCommandTests {
    private static let inspection = "Inspections(7000)"
    private static let photos = ["--navigation", "Photos", "--name-property", "Caption"]

    /// A store with the inspections and their photos.
    private func prepare(_ scratch: borrowing Scratch, _ root: String) async throws {
        #expect(try await Tool.run("store", "init", scratch.store, "--service", root).status == 0)
        for query in [["inspections", "Inspections"], ["photos", "Photos", "--streams"]] {
            #expect(try await Tool.run(["store", "query", "add", scratch.store] + query).status == 0)
        }
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
    }

    @Test(arguments: [true, false])
    func theWholeWay(offline: Bool) async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        if offline { try await prepare(scratch, served.root) }
        let photos =
            offline
            ? AttachmentTool(source: scratch.store, entity: Self.inspection, options: Self.photos)
            : AttachmentTool(
                source: served.root, entity: Self.inspection,
                options: Self.photos + ["--edits", scratch.folder + "/edits"])
        let before = try await photos.states()
        if offline {
            // Inspections have no stream properties, and media entities behind one navigation property.
            let listed = try await Tool.run("attachments", "list", scratch.store, Self.inspection)
            #expect(listed.rows.count == before.count, "\(listed.standardError)")
        }
        let valve = try scratch.write("the valve", "valve.png")
        let added = try AttachmentTool.id(of: try await photos.run("add", valve, "--type", "image/png"))
        let other = try AttachmentTool.id(
            of: try await photos.run("add", valve, "--type", "image/png", "--name", "other"))
        let after = try scratch.write("the valve, after", "after.png")
        #expect(try await photos.run("update", added, after, "--name", "after").status == 0)
        #expect(try await photos.run("delete", other).status == 0, "it was not posted: it is gone")
        #expect(try await photos.states() == before + ["after added"])

        let output = scratch.folder + "/out.png"
        let got = try await photos.run("get", added, "--output", output)
        #expect(got.status == 0, "\(got.standardError)")
        #expect(FileManager.default.contents(atPath: output) == Data("the valve, after".utf8))

        let posted = try await photos.run("post")
        #expect(posted.status == 0, "\(posted.standardError)")
        #expect(posted.rows.map { $0["state"] as? String } == ["original"])
        #expect(posted.standardError.contains("odata store upload") == offline)
        if offline { #expect(try await Tool.run("store", "upload", scratch.store).status == 0) }
        let remote = try await Tool.run(
            "get", "\(served.root)\(Self.inspection)/Photos?$filter=Caption eq 'after'", "--format", "json")
        #expect(remote.rows.count == 1)
        if offline { #expect(try await Tool.run("store", "download", scratch.store).status == 0) }

        #expect(try await photos.states() == before + ["after original"])
        #expect(try await photos.run("delete", added).status == 0, "it has the same id after posting")
        #expect(try await photos.states() == before + ["after markedForDeletion"])
        #expect(try await photos.run("delete", added, "--undo").status == 0)
        #expect(try await photos.run("update", added, "--name", "never").status == 0)
        #expect(try await photos.run("discard").status == 0)
        #expect(try await photos.states() == before + ["after original"])
        #expect(try await photos.run("post").rows.isEmpty)
    }

    /// A set in the style of CAP: details first, then the content.
    @Test func setsWithTheContentAsAProperty() async throws {
        let scratch = try Scratch()
        let path = try scratch.sample()
        try Self.execute(
            """
            CREATE TABLE Files (
                ID GUID PRIMARY KEY NOT NULL, InspectionID INTEGER REFERENCES Inspections(InspectionID),
                filename TEXT, mimeType TEXT, status TEXT, bytes INTEGER, tags TEXT, content BLOB)
            """, in: path)
        let served = try ServedSample(path)
        let files = AttachmentTool(
            source: served.root, entity: Self.inspection,
            options: [
                "--navigation", "Files", "--content-property", "content", "--size-property", "bytes",
                "--keywords-property", "tags", "--edits", scratch.folder + "/edits",
            ])
        let valve = try scratch.write("the valve", "valve.png")
        let added = try AttachmentTool.id(
            of: try await files.run("add", valve, "--type", "image/png", "--keyword", "leak", "--keyword", "front"))
        #expect(try await files.run("post").status == 0)
        let sent = try await Tool.run("get", served.root + "Files?$select=filename,mimeType,tags", "--format", "json")
        #expect(sent.rows.map { $0["filename"] as? String } == ["valve.png"])
        #expect(sent.rows.map { $0["mimeType"] as? String } == ["image/png"])
        #expect(sent.rows.map { $0["tags"] as? String } == ["leak, front"])
        #expect(try await files.run("update", added, "--keyword", "back").status == 0)
        #expect(try await files.run("post").status == 0)

        // The service says something of it.
        try Self.execute("UPDATE Files SET bytes = 4711, status = 'Clean'", in: path)
        let listed = try #require(try await files.run("list").rows.first)
        #expect(listed["size"] as? Int == 4711 && listed["scanState"] as? String == "Clean")
        #expect(listed["keywords"] as? [String] == ["back"])
        let output = scratch.folder + "/out.png"
        #expect(try await files.run("get", added, "--output", output).status == 0)
        #expect(FileManager.default.contents(atPath: output) == Data("the valve".utf8))
        #expect(try await files.run("delete", added).status == 0)
        #expect(try await files.run("post").status == 0)
        #expect(try await files.states() == [])
    }

    private static func execute(_ sql: String, in path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func whatCannotBePostedIsListedAndStays() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let photos = AttachmentTool(
            source: served.root, entity: Self.inspection,
            options: Self.photos + ["--edits", scratch.folder + "/edits"])
        let valve = try scratch.write("the valve", "valve.png")
        let added = try AttachmentTool.id(of: try await photos.run("add", valve, "--type", "image/png"))
        #expect(try await photos.run("post").status == 0)
        #expect(try await photos.run("list").status == 0)
        let photo = try #require(try await photos.run("list").rows.last?["remoteID"] as? String)
        #expect(try await photos.run("update", added, valve).status == 0)
        // Another client deletes it.
        try await prepare(scratch, served.root)
        #expect(try await Tool.run("store", "delete", scratch.store, photo).status == 0)
        #expect(try await Tool.run("store", "upload", scratch.store).status == 0)
        let posted = try await photos.run("post")
        #expect(posted.status == 3 && posted.standardError.contains("odata attachments discard"))
        #expect(posted.rows.first?["error"] is String)
        #expect(try await photos.run("discard").status == 0)
        #expect(await served.stop().status == 0)
        let unreachable = try await photos.run("list")
        #expect(unreachable.status == 1 && !unreachable.standardError.isEmpty)
    }

    @Test func whatNoPropertyWouldHaveIsRefused() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let photos = AttachmentTool(
            source: served.root, entity: Self.inspection,
            options: ["--navigation", "Photos", "--edits", scratch.folder + "/edits"])
        let valve = try scratch.write("the valve", "valve.png")
        let refused = try await photos.run("add", valve, "--type", "image/png", "--keyword", "leak")
        #expect(refused.status == 1 && refused.standardError.contains("keywords"), "\(refused.standardError)")
        let added = try AttachmentTool.id(of: try await photos.run("add", valve, "--type", "image/png"))
        #expect(try await photos.run("post").status == 0)
        for option in ["--name", "--keyword"] {
            let update = try await photos.run("update", added, option, "after")
            #expect(update.status == 1 && update.standardError.contains("no property is known"), "\(option)")
            #expect(update.standardOutput.isEmpty, "\(option)")
        }
        #expect(try await photos.run("post").rows.isEmpty)
    }

    @Test func wrongUseIsTold() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let edits = ["--edits", scratch.folder + "/edits"]
        let inspection = [served.root, Self.inspection]
        let output = ["--output", scratch.folder + "/x"]
        let cases: [([String], Int32, String)] = [
            (["list"] + inspection, 2, "--edits"),
            (["list", scratch.store, Self.inspection] + edits, 2, "--edits"),
            (["list"] + inspection + edits + ["--name-property", "Caption"], 2, "--navigation"),
            (["update"] + inspection + ["1"] + edits + Self.photos, 2, "nothing to update"),
            (["update"] + inspection + ["1", "--name", "x"] + edits + Self.photos, 1, "odata attachments list"),
            (["get"] + inspection + ["1"] + output + edits + Self.photos, 1, "no attachment 1"),
            (["list", served.root, "Inspections"] + edits + Self.photos, 1, "Inspections"),
            (["list", scratch.folder + "/none", Self.inspection] + Self.photos, 1, "odata store init"),
        ]
        for (arguments, status, words) in cases {
            let output = try await Tool.run(["attachments"] + arguments)
            #expect(output.status == status, "\(arguments): \(output.standardError)")
            #expect(output.standardError.contains(words), "\(arguments): \(output.standardError)")
            #expect(output.standardOutput.isEmpty, "\(arguments)")
        }
    }
}

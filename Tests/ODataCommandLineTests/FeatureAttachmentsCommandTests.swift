import ArcGISTesting
import Foundation
import Testing
import ToolSupport

/// `odata attachments` with a feature of a layer of an ArcGIS feature service.
@Suite struct FeatureAttachmentsCommandTests {
    @Test(arguments: [FeatureServerConfiguration.Style.hosted, .enterprise])
    func theWholeWay(style: FeatureServerConfiguration.Style) async throws {
        var configuration = FeatureServerConfiguration()
        configuration.style = style
        configuration.users = ["ann": "secret"]
        try await FeatureServer.open(configuration) { server in
            let scratch = try Scratch()
            try server.attach([1], named: "gauge.jpg", contentType: "image/jpeg", to: 1)
            // The first token is refused, and the command is run again.
            let token = try scratch.write("stale", "token")
            let next = try scratch.write(server.newToken(), "next")
            let photos = AttachmentTool(
                source: server.layerURL(), entity: "1",
                options: [
                    "--edits", scratch.folder + "/edits", "--token-command", "cat '\(token)'; cp '\(next)' '\(token)'",
                ])
            #expect(try await photos.states() == ["gauge.jpg original"])
            let valve = try scratch.write("the valve", "valve.jpg")
            let added = try AttachmentTool.id(of: try await photos.run("add", valve, "--type", "image/jpeg"))
            let after = try scratch.write("the valve, after", "after.jpg")
            #expect(try await photos.run("update", added, after, "--name", "after.jpg").status == 0)
            #expect(try await photos.states() == ["gauge.jpg original", "after.jpg added"])
            let posted = try await photos.run("post")
            #expect(posted.status == 0 && !posted.standardError.contains("odata store upload"))
            #expect(server.attachments(of: 1).map(\.name) == ["gauge.jpg", "after.jpg"])

            let gauge = try AttachmentTool.id(of: try await photos.run("list"))
            let output = scratch.folder + "/out.jpg"
            #expect(try await photos.run("get", gauge, "--output", output).status == 0)
            #expect(FileManager.default.contents(atPath: output) == Data([1]))
            #expect(try await photos.run("delete", gauge).status == 0)
            #expect(try await photos.run("post").status == 0)
            #expect(try await photos.states() == ["after.jpg original"])
            #expect(server.attachments(of: 1).map(\.name) == ["after.jpg"])
            #expect(server.requests.filter { !$0.unknownNames.isEmpty }.count == 0)
        }
    }

    @Test func whatIsRefusedIsToldAndStays() async throws {
        try await FeatureServer.open { server in
            let scratch = try Scratch()
            let edits = ["--edits", scratch.folder + "/edits"]
            let photos = AttachmentTool(source: server.layerURL(), entity: "1", options: edits)
            let valve = try scratch.write("the valve", "valve.jpg")
            #expect(try await photos.run("add", valve, "--type", "image/jpeg").status == 0)
            server.inject(FeatureServerFault(.refuseEdit(code: 1008, description: "Not today."), on: .applyEdits))
            let posted = try await photos.run("post")
            #expect(posted.status == 3 && posted.standardError.contains("Not today."))
            #expect(try await photos.states() == ["valve.jpg added"])
            server.configureLayer { $0.capabilities = [.query] }
            let forbidden = try await photos.run("add", valve, "--type", "image/jpeg")
            #expect(forbidden.status == 1 && forbidden.standardError.contains("no new attachments"))
            #expect(try await photos.run("discard").status == 0)
            #expect(try await photos.states() == [])
            server.configure { $0.users = ["ann": "secret"] }
            let unsigned = try await photos.run("list")
            #expect(unsigned.status == 1 && unsigned.standardError.contains("Token Required"))
        }
    }

    @Test func wrongUseIsTold() async throws {
        let layer = "http://127.0.0.1:1/arcgis/rest/services/Trees/FeatureServer/0"
        let scratch = try Scratch()
        let edits = ["--edits", scratch.folder + "/edits"]
        let cases: [([String], Int32, String)] = [
            ([layer, "1"], 2, "--edits"), ([layer, "1", "--navigation", "Photos"] + edits, 2, "--navigation"),
            ([String(layer.dropLast(2)), "1"] + edits, 2, "FeatureServer/0"),
            ([layer, "Trees(1)"] + edits, 1, "object id"),
        ]
        for (arguments, status, words) in cases {
            let output = try await Tool.run(["attachments", "list"] + arguments)
            #expect(output.status == status, "\(arguments): \(output.standardError)")
            #expect(output.standardError.contains(words), "\(arguments): \(output.standardError)")
        }
    }
}

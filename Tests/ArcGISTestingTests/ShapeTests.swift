import ArcGISTesting
import Foundation
import ODataModel
import TestSupport
import Testing

private let folder = TestData.url("arcgis")

/// The server's responses against recorded and documented ones, both ways.
@Suite("Shapes of ArcGIS", .enabled(if: folder != nil, Comment(rawValue: TestData.absence)))
struct ShapeTests {
    private static let photo: [UInt8] = [1, 2, 3]

    @Test func attachmentInfos() async throws {
        var lines: Set<String> = []
        for style in [FeatureServerConfiguration.Style.hosted, .enterprise] {
            try await Self.open(style) { client in
                let list = try await client.get("0/1/attachments?f=json").json()
                lines.formUnion(JSONShape.lines(of: list))
                let query = try await client.get("0/queryAttachments?objectIds=1&f=json").json()
                let group = query["attachmentGroups"]?.elements?.first
                lines.formUnion(JSONShape.lines(of: try #require(group?["attachmentInfos"]), at: "attachmentInfos"))
            }
        }
        var expected = try Self.recorded("attachmentInfos")
        expected.formUnion(
            try Self.recorded("attachmentInfo_enterprise_double_named", at: "attachmentInfos[]"))
        expected.formUnion(try Self.recorded("getAttachmentsResponse", in: Self.features))
        expected.insert("attachmentInfos[].keywords: a string")
        #expect(lines == expected)
    }

    @Test func groups() async throws {
        var lines: Set<String> = []
        try await Self.open(.hosted) { client in
            let query = try await client.get("0/queryAttachments?objectIds=1&f=json").json()
            lines = JSONShape.lines(of: query)
            let count = try await client.get("0/queryAttachments?objectIds=1&returnCountOnly=true&f=json").json()
            lines.formUnion(JSONShape.lines(of: count))
        }
        var expected = try Self.recorded("queryAttachments")
        expected.formUnion(try Self.recorded("queryAttachments_returnCountOnly"))
        #expect(lines == expected)
    }

    /// Rows of edits have one shape, whichever operation gives them.
    @Test func edits() async throws {
        var lines: Set<String> = []
        for style in [FeatureServerConfiguration.Style.hosted, .enterprise] {
            try await Self.open(style) { client in
                lines.formUnion(try await Self.editResponses(client))
            }
        }
        try await Self.open(.enterprise, hasGlobalIDs: false) { client in
            lines.formUnion(try await Self.editResponses(client))
        }
        let names = [
            "addAttachment_ok", "addAttachment_failed", "updateAttachment_ok", "deleteAttachments_mixed",
            "applyEdits_attachments_response",
        ]
        var expected: Set<String> = []
        for name in names { expected.formUnion(try Self.recorded(name)) }
        for name in ["addAttachmentResponse", "updateAttachmentResponse", "deleteAttachmentsResponse"] {
            expected.formUnion(try Self.recorded(name, in: Self.features))
        }
        expected.formUnion(try Self.recorded("edit_error_row", at: "addAttachmentResult"))
        #expect(Self.rows(in: lines) == Self.rows(in: expected))
        #expect(lines.contains("editMoment: a number"))
    }

    @Test func applyEdits() async throws {
        var lines: Set<String> = []
        try await Self.open(.enterprise) { client in
            let parent = try #require(client.server.globalID(of: 1))
            let attachment = try #require(client.server.attachments(of: 1).first?.globalID)
            let second = try #require(client.server.attachments(of: 1).last?.globalID)
            let edits = """
                {"adds": [{"globalId": "{55E85F98-FBDD-4129-9F0B-848DD40BD911}", "parentGlobalId": "\(parent)",
                "contentType": "image/pjpeg", "name": "Pothole.jpg", "data": "AQID"}],
                "updates": [{"globalId": "\(attachment)", "contentType": "image/pjpeg", "name": "Debree.jpg",
                "data": "AQID"}], "deletes": ["\(second)"]}
                """
            let adds = #"[{"attributes": {"GLOBALID": "{74100804-E229-49b8-8CDC-9B5D3EF03EDA}"}}]"#
            let updates = #"[{"attributes": {"GLOBALID": "\#(parent)", "Title": "pump"}}]"#
            let deletes = try #require(client.server.globalID(of: 3))
            let form = [
                "f=json", "useGlobalIds=true", "attachments=\(ServerClient.encoded(edits))",
                "adds=\(ServerClient.encoded(adds))", "updates=\(ServerClient.encoded(updates))",
                "deletes=\(ServerClient.encoded("[\"\(deletes)\"]"))",
            ]
            let response = try await client.post("0/applyEdits", form.joined(separator: "&")).json()
            lines = JSONShape.lines(of: response)
            #expect(client.server.requests.last?.unknownNames == [])
        }
        let expected = try Self.recorded("applyEdits_attachments_response")
        #expect(lines == expected)
    }

    /// What a client sends for `attachments` is known to the server, and what it does not know is told.
    @Test func documentedRequest() async throws {
        let request = try #require(Self.document(Self.shapes)["applyEdits_attachments_request"])
        let attachments = try #require(request["attachments"])
        let text = try Self.text(of: attachments, in: Self.shapes)
        try await Self.open(.hosted) { client in
            let form = "f=json&useGlobalIds=true&rollbackOnFailure=false&attachments=\(ServerClient.encoded(text))"
            let response = try await client.post("0/applyEdits", form).json()
            let results = response["attachments"]
            let counts = ["addResults", "updateResults", "deleteResults"].map { results?[$0]?.elements?.count }
            #expect(counts == [2, 1, 2])
            #expect(client.server.requests.last?.unknownNames == [])
            _ = try await client.post("0/applyEdits", form.replacingOccurrences(of: "parentGlobalId", with: "parent"))
            #expect(client.server.requests.last?.unknownNames == ["attachments.adds.parent"])
        }
    }

    @Test func uploads() async throws {
        var responses: [String: Set<String>] = [:]
        try await Self.open(.hosted) { client in
            let form = "f=json&itemName=Lake.jpg&description=Tahoe"
            let registered = try await client.post("uploads/register", form).json()
            responses["uploads_register"] = JSONShape.lines(of: registered)
            let id = try #require(registered["item"]?["itemID"]?.string)
            let part = try await client.post(
                "uploads/\(id)/uploadPart", file: Self.photo, as: "file", named: "part", ["f": "json", "partId": "1"])
            responses["uploads_uploadPart"] = JSONShape.lines(of: try part.json())
            let committed = try await client.post("uploads/\(id)/commit", "f=json&parts=1").json()
            responses["uploads_commit"] = JSONShape.lines(of: committed)
        }
        for (name, lines) in responses {
            let expected = try Self.recorded(name)
            #expect(lines == expected, "\(name)")
        }
        #expect(responses.count == 3)
    }

    @Test func errors() async throws {
        var lines: Set<String> = []
        var configuration = FeatureServerConfiguration()
        configuration.users = ["ann": "secret"]
        try await ServerClient.open(configuration) { client in
            for path in ["0?f=json", "0?f=json&token=none"] {
                lines.formUnion(JSONShape.lines(of: try await client.get(path).json()))
            }
            let refused = try await client.post(
                url: client.server.tokenURL, "f=json&username=ann&password=wrong&client=requestip")
            lines.formUnion(JSONShape.lines(of: try refused.json()))
        }
        try await Self.open(.hosted) { client in
            lines.formUnion(JSONShape.lines(of: try await client.post("0/1/addAttachment", "f=json").json()))
        }
        var expected: Set<String> = []
        for name in [
            "error_generic_http200", "error_invalid_token", "error_token_required", "error_generate_token",
        ] {
            expected.formUnion(try Self.recorded(name))
        }
        #expect(lines == expected)
    }
}

extension ShapeTests {
    fileprivate static let shapes = "response-shapes.json"
    fileprivate static let features = "arcgis-rest-js-feature-mocks.json"

    /// A server with two attachments, one of them with keywords.
    fileprivate static func open(
        _ style: FeatureServerConfiguration.Style, hasGlobalIDs: Bool = true,
        _ body: (ServerClient) async throws -> Void
    ) async throws {
        var configuration = FeatureServerConfiguration()
        configuration.style = style
        configuration.layers[0].hasGlobalIDs = hasGlobalIDs
        try await ServerClient.open(configuration) { client in
            try client.server.attach(
                photo, named: "front.jpg", contentType: "image/jpeg", keywords: "inspection", to: 1)
            try client.server.attach(photo, named: "rear.jpg", contentType: "image/jpeg", to: 1)
            try await body(client)
        }
    }

    /// The results of all edits of one attachment, done and refused.
    fileprivate static func editResponses(_ client: ServerClient) async throws -> Set<String> {
        let responses = [
            try await client.post(
                "0/1/addAttachment", file: photo, as: "attachment", named: "a.jpg",
                ["f": "json", "returnEditMoment": "true"]),
            try await client.post("0/1/addAttachment", file: photo, as: "attachment", named: "a.exe"),
            try await client.post(
                "0/1/updateAttachment", file: photo, as: "attachment", named: "b.jpg",
                ["f": "json", "attachmentId": "1"]),
            try await client.post("0/1/deleteAttachments", "f=json&rollbackOnFailure=false&attachmentIds=1,99"),
        ]
        return try responses.reduce(into: []) { lines, response in
            lines.formUnion(JSONShape.lines(of: try response.json()))
        }
    }

    /// Lines of the rows of edits, without the names of the rows.
    fileprivate static func rows(in lines: Set<String>) -> Set<String> {
        let names = ["addAttachmentResult", "updateAttachmentResult", "deleteAttachmentResults[]", "addResults[]"]
        return lines.reduce(into: []) { rows, line in
            guard let name = names.first(where: { line.hasPrefix("\($0).") }) else { return }
            rows.insert(String(line.dropFirst(name.count + 1)))
        }
    }

    fileprivate static func document(_ name: String) throws -> JSONNode {
        try JSONParser.parse(bytes(of: name)[...])
    }

    private static func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: #require(folder).appendingPathComponent(name)))
    }

    fileprivate static func text(of node: JSONNode, in document: String) throws -> String {
        String(decoding: try bytes(of: document)[node.range], as: UTF8.self)
    }

    fileprivate static func recorded(
        _ name: String, in document: String = ShapeTests.shapes, at path: String = ""
    ) throws -> Set<String> {
        JSONShape.lines(of: try #require(Self.document(document)[name]), at: path)
    }
}

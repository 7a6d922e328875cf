import ArcGISTesting
import ODataModel
import Testing

/// What the server refuses, as real ones do.
@Suite struct RefusalTests {
    private static let photo: [UInt8] = [1, 2, 3]

    @Test(
        arguments: [
            ("0/queryAttachments?f=json", "400 Invalid or missing input parameters."),
            ("0/queryAttachments?f=json&objectIds=a", "400 Invalid or missing input parameters."),
            ("0/queryAttachments?f=json&objectIds=1&resultOffset=-1", "400 Invalid or missing input parameters."),
            ("0/queryAttachments?f=json&objectIds=1&orderByFields=name", "400 Invalid or missing input parameters."),
            ("0/9/attachments?f=json", "404 Feature 9 not found."),
            ("0/1/attachments/9?f=json", "404 Attachment 9 not found."),
            ("7?f=json", "404 Layer 7 not found."),
            ("0/nothing?f=json", "400 Invalid URL"),
            ("0/1/addAttachment?f=json", "405 Method Not Allowed"),
            ("uploads/none?f=json", "404 Uploaded item none not found."),
        ])
    func readsAreRefusedWithStatus200(path: String, error: String) async throws {
        try await ServerClient.open { client in
            let response = try await client.get(path)
            #expect(response.status == 200)
            #expect(response.error == error)
        }
    }

    @Test(
        arguments: [
            ("0/1/addAttachment", "f=json"), ("0/1/updateAttachment", "f=json"), ("0/1/deleteAttachments", "f=json"),
            ("0/applyEdits", "f=json&attachments={}"), ("0/applyEdits", "f=json&useGlobalIds=maybe"),
            ("0/applyEdits", "f=json&useGlobalIds=true&attachments=[]"), ("uploads/upload", "f=json"),
            ("uploads/register", "f=json"), ("uploads/register", "f=json&itemName=tool.exe"),
        ])
    func editsWithoutWhatTheyNeed(path: String, form: String) async throws {
        try await ServerClient.open { client in
            let response = try await client.post(path, form)
            #expect(response.error == "400 Invalid or missing input parameters.")
        }
    }

    @Test func withoutAFormatComesAPage() async throws {
        try await ServerClient.open { client in
            let response = try await client.get("0/1/attachments/9")
            #expect(response.status == 200)
            #expect(response.type == "text/html;charset=UTF-8")
            client.server.configure { $0.alwaysSendsErrorsAsJSON = true }
            #expect(try await client.get("0/1/attachments/9").error == "404 Attachment 9 not found.")
        }
    }

    /// [Esri: Add needs Create or Update, Update and Delete Attachments need Update]
    @Test(
        arguments: [
            ([.query], [false, false, false]), ([.query, .create], [true, false, false]),
            ([.query, .update], [true, true, true]), ([.query, .delete], [false, false, false]),
        ] as [(Set<FeatureLayer.Capability>, [Bool])])
    func capabilities(_ capabilities: Set<FeatureLayer.Capability>, allowed: [Bool]) async throws {
        var configuration = FeatureServerConfiguration()
        configuration.layers[0].capabilities = capabilities
        try await ServerClient.open(configuration) { client in
            try client.server.attach(Self.photo, named: "a.jpg", contentType: "image/jpeg", to: 1)
            let responses = [
                try await client.post("0/1/addAttachment", file: Self.photo, as: "attachment", named: "b.jpg"),
                try await client.post(
                    "0/1/updateAttachment", file: Self.photo, as: "attachment", named: "b.jpg",
                    ["f": "json", "attachmentId": "1"]),
                try await client.post("0/1/deleteAttachments", "f=json&attachmentIds=1"),
            ]
            #expect(responses.map { $0.error?.hasPrefix("403 ") != true } == allowed)
        }
    }

    @Test func filesOfOtherTypesAndSizes() async throws {
        var configuration = FeatureServerConfiguration()
        configuration.maximalFileMegabytes = 1
        try await ServerClient.open(configuration) { client in
            let tooLong = [UInt8](repeating: 7, count: 1 << 20 + 1)
            for (name, file) in [("tool.exe", Self.photo), ("none", Self.photo), ("a.jpg", tooLong)] {
                let response = try await client.post("0/1/addAttachment", file: file, as: "attachment", named: name)
                #expect(try response.isRefused("addAttachmentResult"), "\(name)")
            }
            #expect(client.server.attachments(of: 1).isEmpty)
        }
    }

    @Test func urlsAreLimited() async throws {
        try await ServerClient.open { client in
            let ids = (1...1000).map { "\($0)" }.joined(separator: ",")
            let long = try await client.get("0/queryAttachments?f=json&objectIds=\(ids)")
            #expect(long.status == 404)
            #expect(long.error == nil)
            let posted = try await client.post("0/queryAttachments", "f=json&objectIds=\(ids)")
            #expect(try posted.json()["attachmentGroups"]?.elements?.count == 0)
        }
    }

    @Test func theSameGlobalIDIsAddedOnce() async throws {
        try await ServerClient.open { client in
            let parent = try #require(client.server.globalID(of: 1))
            let edits = ServerClient.encoded(
                """
                {"adds": [{"globalId": "{55E85F98-FBDD-4129-9F0B-848DD40BD911}", "parentGlobalId": "\(parent)",
                "contentType": "image/jpeg", "name": "a.jpg", "data": "AQID"}]}
                """)
            let form = "f=json&useGlobalIds=true&attachments=\(edits)"
            client.server.inject(FeatureServerFault(.loseResponse, on: .applyEdits))
            await #expect(throws: (any Error).self) { try await client.post("0/applyEdits", form) }
            let again = try await client.post("0/applyEdits", form).json()
            let row = again["attachments"]?["addResults"]?.elements?.first
            #expect(row?["success"]?.boolean == false)
            #expect(client.server.attachments(of: 1).map(\.globalID) == ["55e85f98-fbdd-4129-9f0b-848dd40bd911"])
        }
    }

    @Test func editsAreRolledBackTogether() async throws {
        try await ServerClient.open { client in
            try client.server.attach(Self.photo, named: "a.jpg", contentType: "image/jpeg", to: 1)
            let response = try await client.post("0/1/deleteAttachments", "f=json&attachmentIds=1,99")
            let codes = try response.json()["deleteAttachmentResults"]?.elements?.map { $0["error"]?["code"]?.integer }
            #expect(codes == [1003, 404])
            #expect(client.server.attachments(of: 1).count == 1)
        }
    }
}

import ArcGISTesting
import HTTPTypes
import ODataModel
import Synchronization
import Testing

@Suite struct FeatureServerTests {
    private static let photo = [UInt8](repeating: 5, count: 300_000) + Array("\r\n--b\r\n--".utf8)

    @Test func anAttachmentIsAddedReadReplacedAndDeleted() async throws {
        try await ServerClient.open { client in
            let added = try await client.post(
                "0/2/addAttachment", file: Self.photo, as: "attachment", named: "Größe.jpg",
                ["f": "json", "keywords": "front"])
            #expect(try added.row("addAttachmentResult")?["objectId"]?.integer == 1)
            let info = try await client.get("0/2/attachments?f=json").json()["attachmentInfos"]?.elements?.first
            #expect(info?["name"]?.string == "Größe.jpg")
            #expect(info?["size"]?.integer == Int64(Self.photo.count))
            #expect(try await client.get("0/2/attachments/1").bytes == Self.photo)
            let updated = try await client.post(
                "0/2/updateAttachment", file: [9], as: "attachment", named: "b.png", type: "image/png",
                ["f": "json", "attachmentId": "1"])
            #expect(try updated.row("updateAttachmentResult")?["success"]?.boolean == true)
            #expect(try await client.get("0/2/attachments/1").bytes == [9])
            _ = try await client.post("0/2/deleteAttachments", "f=json&attachmentIds=1")
            #expect(client.server.attachments(of: 2).isEmpty)
        }
    }

    @Test func rangesOfAnAttachment() async throws {
        try await ServerClient.open { client in
            try client.server.attach(Array(0..<100), named: "a.jpg", contentType: "image/jpeg", to: 1)
            let whole = try await client.get("0/1/attachments/1")
            let part = try await client.get("0/1/attachments/1", [.range: "bytes=90-"])
            #expect(part.status == 206)
            #expect(part.bytes == Array(90..<100))
            #expect(part.fields[.contentRange] == "bytes 90-99/100")
            let tag = try #require(whole.fields[.eTag])
            let same = try await client.get("0/1/attachments/1", [.range: "bytes=90-", .ifRange: tag])
            #expect(same.status == 206)
            let other = try await client.get("0/1/attachments/1", [.range: "bytes=90-", .ifRange: "\"other\""])
            #expect(other.status == 200)
            client.server.configure { $0.supportsRanges = false }
            let ignored = try await client.get("0/1/attachments/1", [.range: "bytes=90-"])
            #expect(ignored.status == 200)
            #expect(ignored.bytes.count == 100)
        }
    }

    @Test func attachmentsOfManyFeaturesComeInPages() async throws {
        var configuration = FeatureServerConfiguration()
        configuration.recordLimit = 2
        try await ServerClient.open(configuration) { client in
            for feature in [1, 1, 2, 3, 3] as [Int64] {
                try client.server.attach([1], named: "a.jpg", contentType: "image/jpeg", to: feature)
            }
            for (parameters, ids, isCut) in [
                ("", ["1: 1 2"], true), ("&resultOffset=1", ["1: 2", "2: 3"], true),
                ("&resultOffset=3", ["3: 4 5"], nil), ("&resultOffset=9", [], nil),
                ("&resultOffset=2&resultRecordCount=1", ["2: 3"], true),
            ] as [(String, [String], Bool?)] {
                let response = try await client.get("0/queryAttachments?f=json&objectIds=1,2,3\(parameters)").json()
                let groups = try #require(response["attachmentGroups"]?.elements)
                let found = groups.map { group in
                    let infos = group["attachmentInfos"]?.elements ?? []
                    let ids = infos.map { "\($0["id"]?.integer ?? 0)" }.joined(separator: " ")
                    return "\(group["parentObjectId"]?.integer ?? 0): \(ids)"
                }
                #expect(found == ids && response["exceededTransferLimit"]?.boolean == isCut, "\(parameters)")
            }
        }
    }

    @Test func partsOfAnItemBecomeAnAttachment() async throws {
        let time = Mutex<Int64>(1_000_000)
        var configuration = FeatureServerConfiguration()
        configuration.uploadLifetime = 60_000
        configuration.now = { time.withLock { $0 } }
        try await ServerClient.open(configuration) { client in
            let registered = try await client.post("uploads/register", "f=json&itemName=a.jpg").json()
            let id = try #require(registered["item"]?["itemID"]?.string)
            for (part, byte) in [("2", 22), ("1", 11)] as [(String, UInt8)] {
                _ = try await client.post(
                    "uploads/\(id)/uploadPart", file: [byte, byte], as: "file", named: "part",
                    ["f": "json", "partId": part])
            }
            let early = try await client.post("0/1/addAttachment", "f=json&uploadId=\(id)")
            #expect(try early.isRefused("addAttachmentResult"))
            let missing = try await client.post("uploads/\(id)/commit", "f=json&parts=1,2,3")
            #expect(missing.error == "400 Invalid or missing input parameters.")
            _ = try await client.post("uploads/\(id)/commit", "f=json&parts=1,2")
            _ = try await client.post("0/1/addAttachment", "f=json&uploadId=\(id)")
            #expect(try await client.get("0/1/attachments/1").bytes == [11, 11, 22, 22])
            #expect(client.server.attachments(of: 1).map(\.contentType) == ["image/jpeg"])
            time.withLock { $0 += 60_000 }
            let late = try await client.post("0/1/addAttachment", "f=json&uploadId=\(id)")
            #expect(try late.isRefused("addAttachmentResult"))
        }
    }

    @Test func tokensEnd() async throws {
        let time = Mutex<Int64>(1_000_000)
        var configuration = FeatureServerConfiguration()
        configuration.users = ["ann": "secret"]
        configuration.requestsPerToken = 2
        configuration.now = { time.withLock { $0 } }
        try await ServerClient.open(configuration) { client in
            func token() async throws -> String {
                let form = "f=json&username=ann&password=secret&client=requestip&expiration=10"
                let response = try await client.post(url: client.server.tokenURL, form).json()
                let expected = time.withLock { $0 + 600_000 }
                #expect(response["expires"]?.integer == expected)
                return try #require(response["token"]?.string)
            }
            #expect(try await client.get("0?f=json").error == "499 Token Required")
            let first = try await token()
            for error in [nil, nil, "498 Invalid token."] {
                let got = try await client.get("0?f=json&token=\(first)").error
                #expect(got == error)
            }
            let second = try await token()
            let fields: HTTPFields = [.authorization: "Bearer \(second)"]
            #expect(try await client.get("0?f=json", fields).error == nil)
            time.withLock { $0 += 600_000 }
            #expect(try await client.get("0?f=json", fields).error == "498 Invalid token.")
        }
    }

    @Test func faultsComeInTheirTurn() async throws {
        try await ServerClient.open { client in
            try client.server.attach(Array(0..<100), named: "a.jpg", contentType: "image/jpeg", to: 1)
            client.server.inject(.init(.error(code: 500, message: "Unable to complete operation."), on: .attachment))
            client.server.inject(.init(.page(status: 503), on: .attachment))
            client.server.inject(.init(.cut(after: 10), on: .attachment, skipping: 1))
            let path = "0/1/attachments/1?f=json"
            #expect(try await client.get(path).error == "500 Unable to complete operation.")
            #expect(try await client.get(path).status == 503)
            #expect(try await client.get(path).bytes.count == 100)
            await #expect(throws: (any Error).self) { try await client.get(path) }
            client.server.inject(.init(.refuseEdit(code: -1, description: "Not today."), on: .addAttachment))
            let refused = try await client.post("0/1/addAttachment", file: [1], as: "attachment", named: "b.jpg")
            #expect(try refused.isRefused("addAttachmentResult"))
        }
    }

    @Test func requestsAreKept() async throws {
        try await ServerClient.open { client in
            _ = try await client.post(
                "0/1/addAttachment", file: [1, 2], as: "attachment", named: "a.jpg", ["f": "json", "globalId": "x"])
            let request = try #require(client.server.requests.last)
            #expect(request.operation == .addAttachment)
            #expect(request.files["attachment"]?.size == 2)
            #expect(request.unknownNames == ["globalId"])
        }
    }

    @Test func theLayerTellsWhatItCan() async throws {
        try await ServerClient.open { client in
            let layer = try await client.get("0?f=json").json()
            #expect(layer["capabilities"]?.string == "Query,Create,Update,Delete,Uploads,Editing")
            #expect(layer["hasAttachments"]?.boolean == true)
            #expect(layer["globalIdField"]?.string == "GlobalID")
            #expect(layer["supportsAttachmentsByUploadId"]?.boolean == true)
            let feature = try await client.get("0/1?f=json").json()["feature"]?["attributes"]
            #expect(feature?["GlobalID"]?.string == client.server.globalID(of: 1))
            #expect(try await client.get("uploads/info?f=json").json()["maxUploadFileSize"]?.integer == 10)
        }
    }
}

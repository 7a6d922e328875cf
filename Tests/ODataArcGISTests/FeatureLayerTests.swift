import ByteStreams
import HTTPTypes
import ODataAttachments
import ODataStores
import ODataTransport
import Synchronization
import Testing

@testable import ODataArcGIS

@Suite("A layer's attachments over HTTP, whose service is a script")
struct FeatureLayerTests {
    private typealias Response = ScriptedService.Response

    private static let plain = #"{"name":"Trees","type":"Table","hasAttachments":true,"capabilities":"Query,Update"}"#
    private static let modern = #"""
        {"name":"Trees","type":"Table","hasAttachments":true,"capabilities":"Query,Create","globalIdField":"GlobalID",
         "supportsAttachmentsByUploadId":true,"supportsApplyEditsWithGlobalIds":true,
         "advancedQueryCapabilities":{"supportsQueryAttachments":true}}
        """#
    private static let limits = #"{"maxUploadFileSize":1}"#
    private static let info = #"{"attachmentInfos":[{"id":7,"name":"a.jpg","contentType":"image/jpeg","size":3}]}"#
    private static let draft = AttachmentDraft(
        details: .init(name: "a.jpg", contentType: "image/jpeg"), content: ByteContent([1, 2, 3]), key: "AB-1")

    /// The path without the service and its parameters.
    private static func path(_ received: ScriptedService.Received) -> String {
        let target = received.line.split(separator: " ").last ?? ""
        return String(target.prefix { $0 != "?" }.dropFirst("/s/FeatureServer/".count))
    }

    private static func backEnd(_ client: ArcGISClient) -> FeatureLayerBackEnd {
        FeatureLayerBackEnd(service: client, layer: 0, plan: RetryPlan(), pause: { _ in })
    }

    @Test("A refused token is replaced once, and only with another one", arguments: [498, 499], ["new", "old"])
    func tokens(code: Int, next: String) async throws {
        let asked = Mutex<[String?]>([])
        var configuration = ArcGISClient.Configuration()
        configuration.tokens = { rejected in
            asked.withLock { $0.append(rejected) }
            return rejected == nil ? "old" : next
        }
        try await ScriptedService.run(configuration) { received in
            let isNew = received.fields.contains {
                $0.name.canonicalName == "x-esri-authorization" && $0.value == "Bearer new"
            }
            return Response(isNew ? Self.plain : #"{"error":{"code":\#(code),"message":"Invalid token."}}"#)
        } _: { client, service in
            let request = ArcGISRequest(path: "0")
            if next == "new" {
                _ = try await client.response(to: request)
            } else {
                let error = await #expect(throws: ODataError.self) { try await client.response(to: request) }
                #expect(error?.code == .unauthorized && error?.service?.code == "\(code)")
                #expect(error?.request == "GET \(client.root)/0" && error?.isOutcomeUnknown == false)
            }
            #expect(asked.withLock { $0 } == [nil, "old"])
            #expect(service.received.count == (next == "new" ? 2 : 1))
            #expect(!service.lines.contains { $0.contains("token") })
        }
    }

    @Test(
        "An edit that no token could be had for was not made",
        arguments: [
            (CancellationError(), "cancelled"), (TransportError(.cancelled, "cancelled"), "cancelled"),
            (TransportError(.timeout, "late"), "unreachable"),
            (ODataError(.unreachable, "no network"), "unauthorized"),
        ] as [(any Error, String)], [false, true])
    func noToken(row: (any Error, String), isRefresh: Bool) async throws {
        let (cause, code) = row
        var configuration = ArcGISClient.Configuration()
        configuration.tokens = { rejected in
            guard isRefresh, rejected == nil else { throw cause }
            return "old"
        }
        try await ScriptedService.run(configuration) { _ in
            Response(#"{"error":{"code":498,"message":"Invalid token."}}"#)
        } _: { client, service in
            let request = ArcGISRequest(path: "0/12/deleteAttachments", method: .post, isEdit: true)
            let error = await #expect(throws: ODataError.self) { try await client.response(to: request) }
            #expect(error?.code.name == code && error?.isOutcomeUnknown == false)
            #expect(error?.request == "POST \(client.root)/0/12/deleteAttachments")
            #expect(service.received.count == (isRefresh ? 1 : 0))
        }
    }

    @Test(
        "What is known of an edit after each kind of response",
        arguments: [
            (200, #"{"error":{"code":400,"message":"No."}}"#, "badRequest", false),
            (200, #"{"error":{"code":504,"message":"Too late."}}"#, "unreachable", true),
            (200, "<html>Log in</html>", "invalidResponse", true), (200, "{}", "invalidResponse", true),
            (
                200, #"{"addAttachmentResult":{"success":false,"error":{"code":400,"description":"No."}}}"#,
                "badRequest", false
            ),
            (500, "", "internalError", false), (502, "", "unreachable", true), (413, "", "tooLarge", false),
        ])
    func outcomes(status: Int, text: String, code: String, isUnknown: Bool) async throws {
        try await ScriptedService.run { received in
            switch Self.path(received) {
            case "0": Response(Self.plain)
            case "uploads/info": Response(Self.limits)
            case "0/12/attachments": Response(Self.info)
            default: Response(text, status: status)
            }
        } _: { client, _ in
            let error = await #expect(throws: ODataError.self) {
                try await Self.backEnd(client).add(Self.draft, to: "12")
            }
            #expect(error?.code.name == code && error?.isOutcomeUnknown == isUnknown && error?.status == status)
        }
    }

    @Test("An error in place of a file is none of its bytes; JSON of the length that is listed is the file")
    func errorInPlaceOfFile() async throws {
        let text = #"{"error":{"code":404,"message":"Gone."}}"#
        try await ScriptedService.run { _ in
            Response(text)
        } _: { client, _ in
            let details = AttachmentDetails(name: "a.json", contentType: "application/json")
            let backEnd = Self.backEnd(client)
            let error = await #expect(throws: ODataError.self) {
                try await backEnd.content(of: RemoteAttachment(id: "7", details: details, size: 5), in: "12")
            }
            #expect(error?.code == .notFound && error?.service?.code == "404")
            let file = RemoteAttachment(id: "7", details: details, size: Int64(text.utf8.count))
            let bytes = try await backEnd.content(of: file, in: "12").content.collect(upTo: 100)
            #expect(bytes == Array(text.utf8))
        }
    }

    @Test("A file that breaks off goes on where it was, if it has a strong ETag", arguments: [#""5""#, nil])
    func resume(etag: String?) async throws {
        try await ScriptedService.run { received in
            var fields = HTTPFields()
            fields[.eTag] = etag
            guard received.fields[.range] == "bytes=4-", received.fields[.ifRange] == etag else {
                return Response("0123456789", fields: fields, cut: 4)
            }
            fields[.contentRange] = "bytes 4-9/10"
            return Response("456789", status: 206, fields: fields)
        } _: { client, service in
            let attachment = RemoteAttachment(id: "7", details: .init(name: "a", contentType: "text/plain"), size: 10)
            let result = try await Self.backEnd(client).content(of: attachment, in: "12")
            #expect(result.totalLength == 10)
            if etag == nil {
                await #expect(throws: ODataError.self) { try await result.content.collect(upTo: 100) }
            } else {
                #expect(try await result.content.collect(upTo: 100) == Array("0123456789".utf8))
            }
            #expect(service.received.count == (etag == nil ? 1 : 2))
        }
    }

    @Test("Large content goes in parts; an upload that has expired begins again, once")
    func parts() async throws {
        var configuration = ArcGISClient.Configuration()
        configuration.partSize = 2
        let uploads = Mutex(0)
        try await ScriptedService.run(configuration) { received in
            let item = uploads.withLock { $0 }
            switch Self.path(received) {
            case "0": return Response(Self.modern)
            case "uploads/info": return Response(Self.limits)
            case "uploads/register":
                uploads.withLock { $0 += 1 }
                return Response(#"{"success":true,"item":{"itemID":"i\#(item + 1)"}}"#)
            case "uploads/i1/commit": return Response(#"{"error":{"code":404,"message":"Item not found."}}"#)
            case "0/query": return Response(#"{"features":[{"attributes":{"GLOBALID":"cd-2"}}]}"#)
            case "0/applyEdits":
                return Response(#"{"attachments":{"addResults":[{"objectId":7,"globalId":"{AB-1}","success":true}]}}"#)
            case "0/queryAttachments":
                return Response(#"{"attachmentGroups":[{"parentObjectId":12,\#(Self.info.dropFirst())]}"#)
            default: return Response(#"{"success":true,"item":{"itemID":"i\#(item)"}}"#)
            }
        } _: { client, service in
            let posted = try await Self.backEnd(client).add(Self.draft, to: "12")
            #expect(posted.attachment.id == "7" && posted.remaining == nil)
            let paths = service.received.map { Self.path($0) }.filter {
                $0.hasPrefix("uploads/i") && $0 != "uploads/info"
            }
            #expect(
                paths == [
                    "uploads/i1/uploadPart", "uploads/i1/uploadPart", "uploads/i1/commit", "uploads/i2/uploadPart",
                    "uploads/i2/uploadPart", "uploads/i2/commit",
                ])
            let edit = try #require(service.received.first { Self.path($0) == "0/applyEdits" })
            let attachments = #"""
                {"adds":[{"globalId":"{AB-1}","parentGlobalId":"{CD-2}","contentType":"image/jpeg","name":"a.jpg",\#
                "uploadId":"i2"}]}
                """#
            let form = ArcGISRequest.form([
                .init("attachments", attachments), .init("useGlobalIds", "true"), .init("rollbackOnFailure", "true"),
                .init("f", "json"),
            ])
            #expect(edit.body == form)
        }
    }

    @Test("An attachment that somebody has changed or deleted is not touched")
    func changed() async throws {
        try await ScriptedService.run { received in
            switch Self.path(received) {
            case "0": Response(Self.plain)
            case "uploads/info": Response(Self.limits)
            default: Response(Self.info)
            }
        } _: { client, service in
            let backEnd = Self.backEnd(client)
            var attachment = try #require(try await backEnd.list(of: "12").first)
            attachment.size = 4
            let edited = attachment
            let error = await #expect(throws: ODataError.self) { try await backEnd.delete(edited, in: "12") }
            #expect(error?.code == .preconditionFailed)
            let other = RemoteAttachment(id: "8", details: attachment.details)
            let gone = await #expect(throws: ODataError.self) {
                try await backEnd.update(other, with: Self.draft, in: "12")
            }
            #expect(gone?.code == .notFound)
            #expect(!service.lines.contains { $0.hasPrefix("POST") })
        }
    }

    @Test(
        "What is not a list of attachments is not taken for an empty one",
        arguments: [
            "{}", #"{"error":"login_required"}"#, #"{"attachmentGroups":null,"attachmentInfos":null}"#,
            #"{"attachmentGroups":[{"attachmentInfos":[]}],"attachmentInfos":[{}]}"#,
            #"{"attachmentGroups":[{"parentObjectId":12}],"attachmentInfos":{}}"#,
        ], [true, false])
    func noList(text: String, isModern: Bool) async throws {
        try await ScriptedService.run { received in
            switch Self.path(received) {
            case "0": Response(isModern ? Self.modern : Self.plain)
            case "uploads/info": Response(Self.limits)
            default: Response(text)
            }
        } _: { client, _ in
            let error = await #expect(throws: ODataError.self) { try await Self.backEnd(client).list(of: "12") }
            #expect(error?.code == .invalidResponse)
        }
    }

    @Test("A service that gives the same page again and again is not asked for ever")
    func samePage() async throws {
        let group = #"{"parentObjectId":12,\#(Self.info.dropFirst())"#
        try await ScriptedService.run { received in
            switch Self.path(received) {
            case "0": Response(Self.modern)
            case "uploads/info": Response(Self.limits)
            default: Response(#"{"attachmentGroups":[\#(group)],"exceededTransferLimit":true}"#)
            }
        } _: { client, service in
            let error = await #expect(throws: ODataError.self) { try await Self.backEnd(client).list(of: "12") }
            #expect(error?.code == .invalidResponse)
            #expect(service.received.count { Self.path($0) == "0/queryAttachments" } == 2)
        }
    }

    @Test(
        "Endings of files are meant in any case, with and without a dot or star",
        arguments: [
            (["JPG", ".jpg", "*.Pdf", " png"], ["jpg", "pdf", "png"]), (["*.*"], nil), (["*", "jpg"], nil), ([""], nil),
            ([], nil),
        ] as [(Set<String>, Set<String>?)])
    func fileExtensions(given: Set<String>, taken: Set<String>?) async throws {
        var configuration = ArcGISClient.Configuration()
        configuration.fileExtensions = given
        try await ScriptedService.run(configuration) { received in
            Response(Self.path(received) == "0" ? Self.modern : #"{"allowedUploadFileTypes":"*.txt"}"#)
        } _: { client, _ in
            let limits = try await Self.backEnd(client).limits(of: "12")
            #expect(limits.fileExtensions == taken)
        }
        try await ScriptedService.run { received in
            let types = given.sorted().joined(separator: ",")
            return Response(Self.path(received) == "0" ? Self.modern : #"{"allowedUploadFileTypes":"\#(types)"}"#)
        } _: { client, _ in
            let limits = try await Self.backEnd(client).limits(of: "12")
            #expect(limits.fileExtensions == taken)
        }
    }

    @Test("The limits of a layer are those of its capabilities and of the service")
    func limits() async throws {
        try await ScriptedService.run { received in
            Response(
                Self.path(received) == "0" ? Self.modern : #"{"maxUploadFileSize":1,"allowedUploadFileTypes":"jpg"}"#)
        } _: { client, service in
            let backEnd = Self.backEnd(client)
            for _ in 1...2 {
                let limits = try await backEnd.limits(of: "12")
                #expect(limits.maxLength == 1_048_576 && limits.fileExtensions == ["jpg"])
                #expect(limits.allowsAdding && !limits.allowsChanging && !limits.allowsKeywords)
            }
            #expect(service.received.count == 2, "the layer is asked once")
            await #expect(throws: ODataError.self) { try await backEnd.currentName(of: "Trees(1)") }
            #expect(try await backEnd.currentName(of: "012") == "12")
        }
    }
}

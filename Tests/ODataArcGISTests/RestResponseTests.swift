import Foundation
import ODataAttachments
import ODataModel
import ODataStores
import TestSupport
import Testing

@testable import ODataArcGIS

@Suite("Responses of feature services")
struct RestResponseTests {
    private static func node(_ text: String) throws -> JSONNode { try JSONParser.parse(Array(text.utf8)[...]) }

    @Test(
        "Errors in responses have the code, the message and the details of the service",
        arguments: [
            (
                #"{"error":{"code":498,"message":"Invalid token.","details":[]}}"#, "unauthorized", "498",
                "Invalid token."
            ),
            (
                #"{"error":{"code":499,"message":"Token Required","messageCode":"GWM_0003","details":["Token Required"]}}"#,
                "unauthorized", "499", "Token Required"
            ),
            (
                #"{"error":{"code":400,"message":"Unable to edit.","details":["Bad name.","Bad type."]}}"#,
                "badRequest",
                "400", "Unable to edit. Bad name. Bad type."
            ),
            (#"{"error":{"message":"No permission.","details":null}}"#, "badRequest", "", "No permission."),
            (
                #"{"error":{"code":-2147217395,"message":"","details":["Depth."]}}"#, "badRequest", "-2147217395",
                "Depth."
            ),
            (#"{"error":{"code":404,"message":"No layer."}}"#, "notFound", "404", "No layer."),
            (#"{"status":"failure","code":500,"message":"Billing","details":null}"#, "internalError", "500", "Billing"),
            (#"{"status":"failed","statusMessage":"failed"}"#, "badRequest", "", "failed"),
        ])
    func errors(text: String, code: String, service: String, message: String) throws {
        let error = try #require(ODataError(response: try Self.node(text)))
        #expect(error.code.name == code && error.service?.code == service && error.message == message)
    }

    @Test(
        "Rows that failed say why",
        arguments: [
            (
                #"{"objectId":99,"success":false,"error":{"code":404,"description":"Not found"}}"#, "notFound",
                "Not found"
            ),
            (
                #"{"success":false,"error":{"code":1008,"description":"Upload failed."}}"#, "badRequest",
                "Upload failed."
            ),
            (#"{"success":false}"#, "invalidResponse", "The service did not do it, and does not say why."),
        ])
    func rows(text: String, code: String, message: String) throws {
        let error = try #require(ODataError(row: try Self.node(text)))
        #expect(error.code.name == code && error.message == message)
        let good = try Self.node(#"{"objectId":1,"success":true}"#)
        #expect(ODataError(row: good) == nil)
    }

    @Test(
        "Attachments are read by all names that services give things, twice and in any case",
        arguments: [
            #"{"id":11,"name":"a.jpg","contentType":"image/jpeg","size":9,"globalId":"{ab-1}","keywords":"x,y"}"#,
            #"{"ATTACHMENTID":11,"ATT_NAME":"a.jpg","CONTENT_TYPE":"image/jpeg","DATA_SIZE":9,"GLOBALID":"AB-1","KEYWORDS":"x,y"}"#,
            #"""
            {"id":11,"ATTACHMENTID":11,"globalId":"{AB-1}","GLOBALID":"{AB-1}","name":"a.jpg","ATT_NAME":"a.jpg",
             "contentType":"image/jpeg","CONTENT_TYPE":"image/jpeg","size":9,"DATA_SIZE":9,"keywords":"x,y"}
            """#,
            #"{"attachmentid":"11","att_name":"a.jpg","content_type":"image/jpeg","data_size":9.0,"globalid":"ab-1","Keywords":"x,y"}"#,
        ])
    func infos(text: String) throws {
        let info = try RemoteAttachment(info: try Self.node(text))
        #expect(info.id == "11" && info.size == 9 && info.key == "AB-1")
        #expect(info.details == AttachmentDetails(name: "a.jpg", contentType: "image/jpeg", keywords: ["x", "y"]))
        #expect(throws: ODataError.self) { try RemoteAttachment(info: try Self.node(#"{"name":"a.jpg"}"#)) }
    }

    @Test(
        "Adding needs Create or Update, changing needs Update",
        arguments: [
            (#""Create,Delete,Query""#, true, false), (#""Query,Update""#, true, true), (#""Query""#, false, false),
            (#""Query,Editing""#, true, true), (#""Create,Query,Editing""#, true, false), ("null", true, true),
        ])
    func capabilities(value: String, adding: Bool, changing: Bool) throws {
        let layer = try FeatureLayer(try Self.node(#"{"name":"Trees","type":"Table","capabilities":\#(value)}"#))
        #expect(layer.allowsAdding == adding && layer.allowsChanging == changing)
    }

    @Test("A layer tells what it keeps, and the service how large files may be")
    func layer() throws {
        var layer = try FeatureLayer(
            try Self.node(
                #"""
                {"name":"Trees","hasAttachments":true,"objectIdField":"FID","globalIdField":"GlobalID",
                 "supportsAttachmentsByUploadId":true,"supportsApplyEditsWithGlobalIds":true,
                 "advancedQueryCapabilities":{"supportsQueryAttachments":true},
                 "attachmentProperties":[{"name":"name","isEnabled":true},{"name":"keywords","isEnabled":false}]}
                """#))
        #expect(layer.hasAttachments && layer.globalIDField == "GlobalID")
        #expect(layer.supportsUploadIDs && layer.supportsEditsWithGlobalIDs && layer.supportsQueryAttachments)
        #expect(!layer.keepsKeywords && layer.maxUploadSize == nil && layer.fileExtensions == nil)
        layer.addLimits(try Self.node(#"{"maxUploadFileSize":2,"allowedUploadFileTypes":"JPG, *.pdf"}"#))
        #expect(layer.maxUploadSize == 2_097_152 && layer.fileExtensions == ["jpg", "pdf"])
        #expect(throws: ODataError.self) { try FeatureLayer(try Self.node(#"{"layers":[]}"#)) }
    }

    @Test(
        "Published responses are read", .enabled(if: TestData.url("arcgis") != nil, Comment(rawValue: TestData.absence))
    )
    func published() throws {
        let folder = try #require(TestData.url("arcgis"))
        let read = { (name: String) in
            try JSONParser.parse([UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))[...])
        }
        let shapes = try read("response-shapes.json")
        let infos = try #require(shapes["attachmentInfos"]?["attachmentInfos"]?.elements)
        #expect(try infos.map { try RemoteAttachment(info: $0).id } == ["409", "822"])
        let info = try #require(shapes["attachmentInfo_enterprise_double_named"])
        let twice = try RemoteAttachment(info: info)
        #expect(twice.id == "11" && twice.details.name == "photo.jpg" && twice.size == 1024 && twice.key == "A")
        for name in ["error_generic_http200", "error_invalid_token", "error_token_required", "error_job"] {
            let node = try #require(shapes[name])
            #expect(ODataError(response: node) != nil, "\(name)")
        }
        let row = try #require(shapes["edit_error_row"])
        #expect(ODataError(row: row)?.message == "Setting of Value for depth failed.")
        for member in try #require(try read("arcgis-rest-js-error-mocks.json").members) {
            #expect(ODataError(response: member.node) != nil, "\(member.name)")
        }
        let responses = try read("arcgis-rest-js-feature-mocks.json")
        for name in ["queryResponse", "getAttachmentsResponse", "addAttachmentResponse"] {
            let node = try #require(responses[name])
            #expect(ODataError(response: node) == nil, "\(name)")
        }
    }
}

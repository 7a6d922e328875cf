import ByteStreams
import HTTPTypes
import ODataTransport

/// A request that does not fit the upload, reported in the terms of the draft.
///
/// [draft-ietf-httpbis-resumable-upload-12, section 7; RFC 9457]
struct UploadProblem: Error {
    var status: HTTPResponse.Status
    /// `mismatching-upload-offset`
    var type: String
    var title: String
    /// Where the upload is, and where the request would continue.
    var offsets: (expected: Int64, provided: Int64)?

    /// `409` with `Upload-Offset`
    static func mismatchingOffset(expected: Int64, provided: Int64) -> UploadProblem {
        UploadProblem(
            status: .conflict, type: "mismatching-upload-offset",
            title: "The offset of the request is not the offset of the upload.", offsets: (expected, provided))
    }

    static let completed = UploadProblem(
        status: .badRequest, type: "completed-upload", title: "The upload is complete already.")

    static let inconsistentLength = UploadProblem(
        status: .badRequest, type: "inconsistent-upload-length",
        title: "The request does not agree with the length of the upload.")

    var response: ServiceResponse {
        var json = #"{"type":"https://iana.org/assignments/http-problem-types#\#(type)","title":"\#(title)""#
        var headers = HTTPFields()
        if let offsets {
            json += #","expected-offset":\#(offsets.expected),"provided-offset":\#(offsets.provided)"#
            headers[.uploadOffset] = "\(offsets.expected)"
        }
        return ServiceResponse(
            status, headers: headers, contentType: "application/problem+json",
            body: ByteContent(Array((json + "}").utf8)))
    }
}

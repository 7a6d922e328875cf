import HTTPTypes

/// The version of the draft. Clients send it with each request, and get an interim response for an upload only
/// if it is the same.
///
/// [draft-ietf-httpbis-resumable-upload-12, Draft Version Identification]
package enum UploadDraft {
    package static let interopVersion: Int64 = 8
}

/// The headers of uploads that come in several requests.
///
/// [draft-ietf-httpbis-resumable-upload-12]
extension HTTPField.Name {
    /// `Upload-Complete: ?1`: what is sent ends the stream.
    package static let uploadComplete = HTTPField.Name("Upload-Complete")!
    /// `Upload-Offset: 1000`: how many bytes of the stream have come.
    package static let uploadOffset = HTTPField.Name("Upload-Offset")!
    /// `Upload-Length: 5000`: of the whole stream.
    package static let uploadLength = HTTPField.Name("Upload-Length")!
    /// `Upload-Limit: max-size=1000000, max-age=86400`
    package static let uploadLimit = HTTPField.Name("Upload-Limit")!
    /// `Upload-Draft-Interop-Version: 8`
    package static let uploadDraftInteropVersion = HTTPField.Name("Upload-Draft-Interop-Version")!
    /// `Accept-Patch: application/partial-upload`
    package static let acceptPatch = HTTPField.Name("Accept-Patch")!
}

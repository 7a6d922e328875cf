import HTTPTypes

/// The headers of tus 1.0 that it does not share with the uploads of HTTP.
extension HTTPField.Name {
    /// `Tus-Resumable: 1.0.0`
    package static let tusResumable = HTTPField.Name("Tus-Resumable")!
    /// `Tus-Version: 0.2.2`: those that a service knows which does not know that of the request.
    package static let tusVersion = HTTPField.Name("Tus-Version")!
    /// `Upload-Metadata: filename aC5wbmc=,filetype aW1hZ2UvcG5n`
    package static let uploadMetadata = HTTPField.Name("Upload-Metadata")!
}

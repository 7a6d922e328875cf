import ODataOffline
import ODataStores

/// What a service takes as attachments of an entity. Nil: not limited, or not known before it is tried.
public struct AttachmentLimits: Hashable, Sendable {
    /// In bytes.
    public var maxLength: Int64?
    /// Media types and ranges of them: `image/png`, `image/*`.
    public var contentTypes: [String]?
    /// The names that attachments may have, each once.
    public var names: Set<String>?

    public init(maxLength: Int64? = nil, contentTypes: [String]? = nil, names: Set<String>? = nil) {
        self.maxLength = maxLength
        self.contentTypes = contentTypes
        self.names = names
    }

    /// - Throws: ``ODataError`` `unsupportedMediaType`, `badRequest` that names the limit.
    func check(_ details: AttachmentDetails) throws(ODataError) {
        guard !details.name.isEmpty else { throw ODataError(.badRequest, "An attachment needs a name.") }
        if let names, !names.contains(details.name) {
            throw ODataError(
                .badRequest,
                "No attachment can be called \(details.name) here: \(names.sorted().joined(separator: ", ")).")
        }
        if let contentTypes, !contentTypes.contains(where: { ContentLimits.matches(details.contentType, $0) }) {
            throw ODataError(
                .unsupportedMediaType,
                "The service takes no \(details.contentType): \(contentTypes.joined(separator: ", ")).")
        }
    }

    /// - Throws: ``ODataError`` `tooLarge`.
    func check(length: Int64) throws(ODataError) {
        guard let maxLength, length > maxLength else { return }
        throw ODataError(.tooLarge, "The service takes up to \(maxLength) bytes; the attachment has \(length).")
    }
}

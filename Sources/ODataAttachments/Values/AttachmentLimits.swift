import MediaFiles
import ODataStores

/// What a service takes as attachments of an entity. Nil: not limited, or not known before it is tried.
public struct AttachmentLimits: Hashable, Sendable {
    /// In bytes.
    public var maxLength: Int64?
    /// Media types and ranges of them: `image/png`, `image/*`.
    public var contentTypes: [String]?
    /// The names that attachments may have, each once.
    public var names: Set<String>?
    /// What holds instead for the content of attachments of these names.
    public var ofNames: [String: AttachmentLimits] = [:]
    /// How many attachments an entity may have.
    public var maxCount: Int?
    /// Endings of names without the dot, in lower case: `jpg`.
    public var fileExtensions: Set<String>?
    /// Whether attachments can be added; if not, additions are refused with `forbidden`.
    public var allowsAdding = true
    /// Whether attachments that the service has can be updated and deleted.
    public var allowsChanging = true
    /// Whether attachments that the service has can get other names.
    public var allowsRenaming = true
    /// Whether attachments can have keywords; if not, edits with some are refused with `badRequest`.
    public var allowsKeywords = true

    /// Everything is allowed but for what is given here: length in bytes, media types and names.
    public init(maxLength: Int64? = nil, contentTypes: [String]? = nil, names: Set<String>? = nil) {
        self.maxLength = maxLength
        self.contentTypes = contentTypes
        self.names = names
    }

    /// With what holds for the content of attachments of this name.
    func narrowed(to name: String) -> AttachmentLimits {
        guard let own = ofNames[name] else { return self }
        var limits = self
        (limits.maxLength, limits.contentTypes) = (own.maxLength ?? maxLength, own.contentTypes ?? contentTypes)
        return limits
    }

    /// - Throws: ``ODataError`` `unsupportedMediaType`, `badRequest` that names the limit.
    func check(_ details: AttachmentDetails) throws(ODataError) {
        guard !details.name.isEmpty else { throw ODataError(.badRequest, "An attachment needs the name of a file.") }
        guard MediaTypeSyntax.isWellFormed(details.contentType) else {
            throw ODataError(
                .badRequest,
                "The type “\(details.contentType)” of \(details.name) is not a media type such as image/png.")
        }
        if let names, names.isEmpty {
            throw ODataError(.badRequest, "The entity has no stream properties, which its attachments would be.")
        }
        if let names, !names.contains(details.name) {
            throw ODataError(
                .badRequest,
                "No attachment can be called \(details.name) here: \(names.sorted().joined(separator: ", ")).")
        }
        if let fileExtensions, !fileExtensions.contains(details.name.fileExtension) {
            throw ODataError(
                .unsupportedMediaType,
                "The service takes no files like \(details.name): \(fileExtensions.sorted().joined(separator: ", ")).")
        }
        guard allowsKeywords || details.keywords.isEmpty else {
            throw ODataError(
                .badRequest,
                "The service keeps no keywords of attachments, or no property is known to have them: leave them out.")
        }
        if let contentTypes, !contentTypes.contains(where: { ContentLimits.matches(details.contentType, $0) }) {
            throw ODataError(
                .unsupportedMediaType,
                "The service takes no \(details.contentType): \(contentTypes.joined(separator: ", ")).")
        }
    }

    /// - Throws: ``ODataError`` `badRequest` if an attachment that the service has cannot get this name.
    func check(_ details: AttachmentDetails, insteadOf known: AttachmentDetails) throws(ODataError) {
        guard allowsRenaming || details.name == known.name else {
            throw ODataError(
                .badRequest,
                "\(known.name) cannot be called \(details.name): no property is known to have the names of attachments here."
            )
        }
    }

    /// - Throws: ``ODataError`` `forbidden` if the service does not allow an edit of an attachment in this state.
    func check(_ state: EntityAttachment.EditState) throws(ODataError) {
        if state == .added {
            guard allowsAdding else { throw ODataError(.forbidden, "The service allows no new attachments here.") }
        } else if !allowsChanging {
            throw ODataError(.forbidden, "The service does not allow its attachments to be updated or deleted here.")
        }
    }

    /// - Parameter others: The attachments of the entity, as far as they are known.
    /// - Throws: ``ODataError`` `conflict` if there may be no more. What is marked for deletion does not count: it is posted
    ///   before what is added, unless that is in doubt.
    func checkCount(besides others: [EntityAttachment]) throws(ODataError) {
        let count = others.filter { $0.editState != .markedForDeletion && $0.editState != .deletedFromServer }.count
        guard let maxCount, count >= maxCount else { return }
        throw ODataError(
            .conflict,
            "There are \(count) attachments; the service takes \(maxCount) of an entity at most. Delete one first.")
    }

    /// - Throws: ``ODataError`` `tooLarge`.
    func check(length: Int64) throws(ODataError) {
        guard let maxLength, length > maxLength else { return }
        throw ODataError(.tooLarge, "The service takes up to \(maxLength) bytes; the attachment has \(length).")
    }
}

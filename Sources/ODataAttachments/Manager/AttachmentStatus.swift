import ODataStores

/// What an ``AttachmentManager`` knows, and what it is doing.
public struct AttachmentStatus: Sendable {
    /// Those of the last list with all edits, in the order they became known in.
    public var attachments: [EntityAttachment] = []
    /// Whether a request for the list is running. Until it ends, ``attachments`` is the previous list.
    public var isFetchingList = false
    /// Whose content is being fetched.
    public var fetching: Set<EntityAttachment.ID> = []
    /// Which are still to be posted.
    public var posting: Set<EntityAttachment.ID> = []
    /// Why the last list did not come.
    public var listError: ODataError?
    /// Why the content of an attachment did not come, or its edit was not posted.
    public var errors: [EntityAttachment.ID: ODataError] = [:]

    /// Whether any attachment was added, updated or marked here and not posted.
    public var hasLocalEdits: Bool { attachments.contains(where: \.hasLocalEdits) }
}

/// All that is known of an attachment on the device.
struct AttachmentRecord: Sendable, Codable {
    /// Content that was fetched, and the version it is of.
    struct Download: Hashable, Sendable, Codable {
        var digest: String
        var contentTag: String?
    }

    /// An edit that was sent and has no response yet.
    struct Sending: Hashable, Sendable, Codable {
        /// What the service listed before an addition.
        var known: Set<String>
    }

    /// 0 before it is in the table.
    var id: Int64 = 0
    var entity: String
    var edit: AttachmentEdit
    /// With the edit.
    var details: AttachmentDetails
    /// Of the content of the edit.
    var digest: String?
    var length: Int64?
    /// As the service listed it last.
    var remote: RemoteAttachment?
    /// As it was when it was edited.
    var base: RemoteAttachment?
    var download: Download?
    var sending: Sending?
    /// ``AttachmentDraft/key`` of an addition: the same for all attempts to post it, whatever became of them.
    var key: String?
    /// An addition of this device that was posted.
    var wasAddedHere = false

    private enum CodingKeys: CodingKey {
        case entity, edit, details, digest, length, remote, base, download, sending, key, wasAddedHere
    }

    init(added details: AttachmentDetails, to entity: String) {
        self.entity = entity
        self.details = details
        edit = AttachmentEdit(.added)
    }

    init(listed remote: RemoteAttachment, of entity: String) {
        self.entity = entity
        self.remote = remote
        details = remote.details
        edit = AttachmentEdit(.original)
    }

    var attachment: EntityAttachment {
        EntityAttachment(
            id: id, remoteID: remote?.id, details: details, size: digest == nil ? remote?.size : length,
            editState: edit.state, hasContent: digest != nil || download != nil, isUnconfirmed: sending != nil,
            scanState: remote?.scanState)
    }

    /// The app edits it: what it sees now is what the edit is of.
    mutating func noteBase() { base = remote }

    /// What the service has counts again.
    mutating func restore() {
        if let remote { details = remote.details }
        (digest, length, base) = (nil, nil, nil)
    }

    /// Takes over what the service says of it now.
    ///
    /// - Parameter newName: What it is called, where it had another id before.
    mutating func note(_ listed: RemoteAttachment, called newName: String?) {
        // The first version of something made here has a tag that the service gives.
        let isOfSize = listed.size == nil || remote?.size == nil || listed.size == remote?.size
        let isSame = isOfSize && (newName != nil || download?.contentTag == listed.contentTag)
        if !isSame { download = nil }
        download?.contentTag = listed.contentTag
        let size = listed.size ?? (isSame ? remote?.size : nil)
        if let newName { base?.id = newName }
        remote = listed
        remote?.size = size
    }

    /// What the edit has sent is what the service has now.
    mutating func notePosted(_ posted: RemoteAttachment) {
        if let digest { download = Download(digest: digest, contentTag: posted.contentTag) }
        let size = posted.size ?? (digest == nil ? remote?.size : length)
        remote = posted
        remote?.size = size
        (digest, length, sending, key) = (nil, nil, nil, nil)
    }
}

import ODataStores

/// The edit state of an attachment, and what moves it.
///
///     added     ── post ──▶ original        updated ── post ──▶ original
///     original  ── update ▶ updated         original, updated ── mark ──▶ markedForDeletion ── post ──▶ deletedFromServer
///     added     ── mark ──▶ (gone)          markedForDeletion ── unmark ▶ what it was before
struct AttachmentEdit: Hashable, Sendable, Codable {
    enum Event: CaseIterable {
        /// The app gives other content or details.
        case update
        case mark
        case unmark
        /// The app gives its edit up.
        case cancel
        /// The service has carried the edit out.
        case posted
        /// The service has the content, and not the details yet.
        case contentPosted
        /// The service lists it.
        case listed
        /// The service does not list it any more.
        case missing
    }

    /// What is to be done with what is known of the attachment.
    enum Action: Hashable {
        case keep
        /// What the service has counts again.
        case restore
        /// Nothing is left of it.
        case remove
    }

    private(set) var state: EntityAttachment.EditState
    /// Whether the deletion mark replaces an edit of content or details.
    private(set) var isUpdated = false

    init(_ state: EntityAttachment.EditState) {
        self.state = state
    }

    /// - Throws: ``ODataError`` `conflict` where the app cannot do this in the state; nothing has changed then.
    mutating func apply(_ event: Event) throws(ODataError) -> Action {
        switch state {
        case .original: applyToOriginal(event)
        case .added: applyToAddition(event)
        case .updated: applyToUpdate(event)
        case .markedForDeletion: try applyToMark(event)
        case .deletedFromServer: try applyToDeleted(event)
        }
    }

    private mutating func applyToOriginal(_ event: Event) -> Action {
        switch event {
        case .update: state = .updated
        case .mark: state = .markedForDeletion
        case .missing: return .remove
        case .unmark, .cancel, .posted, .contentPosted, .listed: break
        }
        return .keep
    }

    private mutating func applyToAddition(_ event: Event) -> Action {
        switch event {
        case .mark, .cancel: return .remove
        case .posted: state = .original
        case .contentPosted: state = .updated
        case .update, .unmark, .listed, .missing: break
        }
        return .keep
    }

    private mutating func applyToUpdate(_ event: Event) -> Action {
        switch event {
        case .mark: (state, isUpdated) = (.markedForDeletion, true)
        case .posted: state = .original
        case .cancel:
            state = .original
            return .restore
        // An edit is not lost because another client has deleted its attachment: posting reports it.
        case .update, .unmark, .contentPosted, .listed, .missing: break
        }
        return .keep
    }

    private mutating func applyToMark(_ event: Event) throws(ODataError) -> Action {
        switch event {
        case .update:
            throw ODataError(.conflict, "The attachment is marked for deletion: unmark it before it is updated.")
        case .unmark: (state, isUpdated) = (isUpdated ? .updated : .original, false)
        case .cancel:
            let action = isUpdated ? Action.restore : .keep
            (state, isUpdated) = (.original, false)
            return action
        case .posted, .missing: (state, isUpdated) = (.deletedFromServer, false)
        case .mark, .contentPosted, .listed: break
        }
        return .keep
    }

    private mutating func applyToDeleted(_ event: Event) throws(ODataError) -> Action {
        switch event {
        case .update, .mark, .unmark:
            throw ODataError(.conflict, "The attachment was deleted at the service.")
        // Another client has restored it.
        case .listed: (state, isUpdated) = (.original, false)
        case .missing: return .remove
        case .cancel, .posted, .contentPosted: break
        }
        return .keep
    }
}

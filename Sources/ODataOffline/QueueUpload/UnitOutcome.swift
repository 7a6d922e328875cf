import ODataStores

/// What became of a unit, as it is recorded.
enum UnitOutcome: Sendable {
    /// What is known of a request that was sent before the one that was refused.
    enum EarlierAttempt: Sendable {
        case nothing
        case notExecuted
        /// The refusal says nothing about it: it is repeated by the next upload.
        case unconfirmed
    }

    /// Executed, as far as there are results: of the others it is found out.
    case executed([ChangeResult?])
    /// Not executed, and to be sent in another form.
    case reformed(DeepInsertForm)
    case refused(ODataError, earlier: EarlierAttempt = .nothing)
    /// A conflict was resolved: the remaining requests are sent again.
    case decided(ConflictHandler.Decision)
    /// Not executed, and not to be sent if the entity was deleted meanwhile; otherwise as ``open``.
    case needless
    /// To be sent again: it was not received, or not executed before.
    case open
    /// Not sent: it now waits for a request that is still in the queue.
    case postponed
    /// The app has paused or cancelled the stream; a paused one continues where it stopped.
    case stopped(isCancelled: Bool, isInDoubt: Bool)
    /// The service no longer knows whether it was executed, so that its state must be probed.
    case forgotten
    case unconfirmed
}

extension UnitOutcome {
    /// Where the requests of a unit that stays in the queue are afterwards, and what the upload does with it. Nil for
    /// outcomes that are more than that.
    ///
    /// - Parameters:
    ///   - isUnconfirmed: Whether it may have been executed before.
    /// - Returns: `state` is nil if it stays as it is.
    func requeued(isUnconfirmed: Bool) -> (state: QueueEntry.State?, plan: UploadPlan.Outcome)? {
        switch self {
        case .executed, .reformed, .refused, .decided: nil
        case .needless, .open: (isUnconfirmed ? .unconfirmed : .waiting, .open)
        case .postponed: (nil, .open)
        case .stopped(let isCancelled, let isInDoubt):
            (
                isInDoubt || isUnconfirmed ? .unconfirmed : .waiting,
                isCancelled ? .stopped : isInDoubt ? .doubtful : .open
            )
        case .forgotten: (.unconfirmed, .doubtful)
        case .unconfirmed: (.unconfirmed, .blocked)
        }
    }

    var isOpen: Bool { if case .open = self { true } else { false } }
    var isUnconfirmed: Bool { if case .unconfirmed = self { true } else { false } }
}

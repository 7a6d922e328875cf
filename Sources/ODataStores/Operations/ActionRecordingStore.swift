import ODataModel

/// A call of an action with a ``RepeatabilityHeaders``, as a part of a change set.
package struct RepeatableCall: Sendable {
    /// As it was received.
    package let request: ChangeRequest
    /// The places of the changes that the action has planned.
    package let changes: Range<Int>
    /// What the action gives.
    package let result: OperationResult
}

/// A store that keeps what repeatable calls of actions gave, in the transaction of the changes that they planned.
///
/// [Repeatable Requests 1.0]
package protocol ActionRecordingStore: ODataStore {
    /// What an earlier execution of the call gave; nil if there was none.
    ///
    /// - Throws: ``ODataError`` `badRequest` if its id was used for another request, `preconditionFailed` if it was
    ///   first sent before anything that is still kept.
    func recorded(_ call: ChangeRequest) async throws -> OperationResult?

    /// ``ODataStore/changeSet(_:)``, in which the changes of calls that were carried out before are ignored.
    ///
    /// - Returns: What became of the changes (of those that were ignored it says nothing), and what each call gave,
    ///   now or then.
    func changeSet(
        _ changes: [ChangeRequest], calls: [RepeatableCall]
    ) async throws -> (changes: [ChangeResult], calls: [OperationResult])
}

extension OperationHandlers {
    /// Where calls of the action are recorded; nil if they are not: it does what it does itself, or the store below
    /// keeps no results.
    func recorder(of action: EdmOperationDeclaration, in store: any ODataStore) -> (any ActionRecordingStore)? {
        guard case .planned? = handler(of: action), store.recognizesRepeatedRequests else { return nil }
        return store as? any ActionRecordingStore
    }
}

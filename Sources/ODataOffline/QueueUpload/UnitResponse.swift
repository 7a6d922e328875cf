import ODataStores

/// The course of a unit from its response to its outcome, without input and output: events go in, actions come out.
///
///     responded ─┬→ complete                      refused ─┬→ record(refused)
///     failed ────┼→ findDeletion → findStop ──┐            └→ findExecution → complete, record
///                ├→ findProof                 ├→ record
///                └→ findEntity ───────────────┘
struct UnitResponse: Sendable {
    /// What decides of a unit.
    struct Traits: Hashable, Sendable {
        var requests = 1
        /// No other unit was sent with it.
        var isAlone = true
        /// It was sent before, and it is not known whether it was executed.
        var isUnconfirmed = false
        var isDeletion = false
        /// The service recognises a repetition of it.
        var isRepeated = false
        /// 412 does not mean a condition of its own, but an id that the service does not know any more.
        var canBeForgotten = false
        /// A deep insert as one request, which may be sent in another form.
        var canBeReformed = false
    }

    enum Action: Sendable {
        /// Read what the service did not send of what it executed, and record that.
        case complete([ChangeResult])
        case record(UnitOutcome)
        /// Determine whether its upload was ended because its stream was deleted here: ``foundDeletion(_:)``
        case findDeletion(ODataError)
        /// Determine whether the app has stopped its stream: ``foundStop(_:)``
        case findStop
        /// Determine whether a success that may not be the service's is one: ``foundProof(_:)``
        case findProof(ODataError)
        /// Determine whether the entity that a deletion did not find is there: ``foundEntity(isGone:)``
        case findEntity
        /// Determine whether it was executed the first time, before this refusal: ``foundExecution(_:)``
        case findExecution(ODataError)
    }

    private let traits: Traits
    /// The reason why nothing more is to be sent.
    private(set) var stop: ODataError?
    /// The reason why there was no response.
    private(set) var lost: ODataError?
    private var error = ODataError(.internalError, "")

    init(_ traits: Traits) { self.traits = traits }

    mutating func responded(_ results: [ChangeResult]) -> Action {
        guard results.count == traits.requests else { return .record(.unconfirmed) }
        guard let kind = results.first(where: { $0.unproven != nil })?.unproven else { return .complete(results) }
        error = .ofUnproven(kind)
        return classified()
    }

    /// - Parameter isCancelled: Whether the upload is.
    mutating func failed(_ error: ODataError, isCancelled: Bool = false) -> Action {
        self.error = error
        return error.code == .cancelled && !isCancelled ? .findDeletion(error) : classified()
    }

    mutating func foundDeletion(_ outcome: UnitOutcome?) -> Action { outcome.map(Action.record) ?? .findStop }
    mutating func foundStop(_ outcome: UnitOutcome?) -> Action { outcome.map(Action.record) ?? classified() }
    mutating func foundProof(_ result: ChangeResult?) -> Action { result.map { .complete([$0]) } ?? unknown() }
    mutating func foundEntity(isGone: Bool) -> Action {
        isGone ? .record(.executed([ChangeResult(.deleted)])) : refused()
    }
    mutating func foundExecution(_ result: ChangeResult?) -> Action {
        result.map { .complete([$0]) } ?? .record(refusedAgain)
    }

    /// What ``Action/findEntity`` or ``Action/findExecution(_:)`` asks for cannot be asked now.
    mutating func foundNothing(_ failure: ODataError) -> Action {
        stop = failure
        return .record(isDeletionOfNothing ? .open : .unconfirmed)
    }
}

extension UnitResponse {
    private var isDeletionOfNothing: Bool { traits.isDeletion && (error.code == .notFound || error.code == .gone) }

    private mutating func classified() -> Action {
        guard !error.isOutcomeUnknown else { return error.facts.unproven == nil ? unknown() : .findProof(error) }
        guard !error.endsUpload else {
            stop = error
            return .record(.open)
        }
        if !traits.isAlone, error.code == .failedDependency || error.code == .batchRefused { return .record(.open) }
        return isDeletionOfNothing ? .findEntity : refused()
    }

    private mutating func unknown() -> Action {
        lost = error
        if error.code == .unreachable || error.code == .cancelled { stop = error }
        return .record(.unconfirmed)
    }

    /// A request that was sent again may have been executed the first time.
    private func refused() -> Action {
        guard traits.isUnconfirmed else { return .record(.refused(error)) }
        return traits.requests == 1 ? .findExecution(error) : .record(refusedAgain)
    }

    /// What a refusal says of a request that was sent again.
    private var refusedAgain: UnitOutcome {
        let isForgotten = error.code == .preconditionFailed && !error.facts.isRepeatable && traits.canBeForgotten
        guard traits.isRepeated else { return isForgotten ? .forgotten : .refused(error) }
        // In another form the service would not recognise it: what it shows decides first.
        if traits.canBeReformed, error.isOfForm || error.mayBeOfForm { return .forgotten }
        // It was repeated without a look at what the service shows.
        if isForgotten || error.code == .gone && !error.facts.isRepeatable { return .forgotten }
        return .refused(error, earlier: error.tellsNothingOfRequest ? .unconfirmed : .nothing)
    }
}

extension ODataError {
    /// Whether nothing else can be done in the same upload either.
    var endsUpload: Bool { concernsAll || code == .storage }

    /// Whether the response to a probe is not that of the service, for example a page of a proxy. A service that does
    /// not support the probe (501, or another version) has responded.
    var isNoResponse: Bool {
        guard let status else { return [.unreachable, .internalError, .invalidResponse].contains(code) }
        return !(400..<500).contains(status) && status != 501
    }

    /// Whether the response to a repetition does not show whether the request was executed before: a server error, a
    /// refusal before the request is examined (403, 413, that of the batch), or one without OData's error object, which
    /// may be a proxy's. A response about the state of the entity does show it, and so does one that the service
    /// returns to each repetition.
    var tellsNothingOfRequest: Bool {
        guard !facts.isRepeatable else { return false }
        guard let status else { return code == .internalError }
        return status >= 500 || [.batchRefused, .forbidden, .tooLarge].contains(code)
            || service == nil && !Self.ofEntity.contains(status)
    }

    private static let ofEntity: Set<Int> = [404, 409, 410, 412, 428]
}

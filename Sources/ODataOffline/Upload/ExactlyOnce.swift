import ODataModel
import ODataStores
import Synchronization

/// What makes sure that a service executes a request once, although it may be sent again after its response was lost.
public enum ExactlyOnce: String, Sendable, CaseIterable {
    /// What the metadata promise and what the responses show (of actions the metadata only); where that is nothing,
    /// probes.
    case automatic
    /// OASIS Repeatable Requests: `Repeatability-Request-ID` and `Repeatability-First-Sent`. A request whose response
    /// was lost is sent again.
    case repeatableRequests
    /// SAP Gateway's `RequestID` and `RepeatabilityCreation`. A request whose response was lost is sent again.
    case sapGateway
    /// The store makes keys of type `Edm.Guid` itself, so that a second creation is refused or found to be done.
    case clientKeys
    /// New entities with known keys are made by PUT with `If-None-Match: *`. Services before V4 answer that with 404.
    case conditional
    /// Nothing: the app is asked of each request whose response was lost.
    case none
}

/// A request whose response was lost and whose outcome is unknown.
public struct UnconfirmedRequest: Sendable {
    /// What the app knows of the request.
    public enum Decision: Sendable {
        /// The service has executed it. Of a new entity whose key is not known here this does only where no other
        /// request names it.
        case sent
        /// The service has executed it, and the new entity has this key there.
        case made(EntityKey)
        /// It has not: the request is sent again.
        case notSent
        /// Not known yet: the request and what depends on it stay in the queue.
        case hold
    }

    /// Of a change set the first that makes an entity, else its first; of a deep insert that of the outermost entity.
    public var request: QueueEntry
    /// The entities of the service that may come from the request: more than one look like the one that was to be
    /// made, or some have a part of its values, as if another client had changed it since.
    public var candidates: [EdmEntity]
}

/// What is sent along with requests so that they can be repeated, and when that is relied on. A value.
struct RepetitionPolicy: Hashable, Sendable {
    /// How long a service keeps what a repeated request needs.
    static let days = 90

    let choice: ExactlyOnce
    /// The metadata or an earlier response say that the service knows repeated requests.
    let isPromised: Bool
    let isSAP: Bool

    init(_ choice: ExactlyOnce, model: EdmModel, hasRepeated: Bool) {
        self.choice = choice
        isPromised = hasRepeated || model.recognizesRepeatedRequests == true
        isSAP = model.schemas.contains { schema in
            schema.types.contains { type in
                type.properties.contains { $0.annotations.contains { $0.term.hasPrefix(EdmAnnotation.sap("")) } }
            }
        }
    }

    /// The mechanism of a request that is sent for the first time.
    ///
    /// - Parameter promise: Whether the metadata say that a repeated request to its target is recognised; nil if they
    ///   say nothing. What answers to others show says nothing of an action, which the service may carry out twice.
    func mechanism(of operation: QueueRecord.Operation, promise: Bool?) -> ExactlyOnce {
        switch choice {
        case .automatic where isSAP && !isPromised: .sapGateway
        case .automatic where promise == nil && operation == .call: .none
        case .automatic, .repeatableRequests: promise == false ? .none : .repeatableRequests
        default: choice
        }
    }

    /// Whether a request that may have been executed can simply be sent again.
    func repeats(_ mechanism: ExactlyOnce?) -> Bool {
        switch choice {
        case .automatic: isPromised && mechanism?.namesRequests == true
        case .repeatableRequests, .sapGateway: mechanism == choice
        case .clientKeys, .conditional, .none: false
        }
    }

    var probes: Bool { choice != .none }
}

extension ExactlyOnce {
    /// Whether requests have ids by which a service recognises those that are sent again.
    var namesRequests: Bool { self == .repeatableRequests || self == .sapGateway }
}

/// What the service has refused of ids in an upload: the time of a first sending, since the device's clock is wrong, or
/// an id at all (501). What follows, or the request, is sent without, and probed if its response is lost. And of which
/// requests it has demanded a condition (428): they are sent as the first content of their streams.
final class RepetitionState: Sendable {
    private let refused = Mutex<(all: Bool, requests: Set<Int64>)>((false, []))
    private let demanded = Mutex<Set<Int64>>([])

    func isRefused(for request: Int64) -> Bool {
        refused.withLock { $0.all || $0.requests.contains(request) }
    }

    func noteRefusal() { refused.withLock { $0.all = true } }
    func noteRefusal(for requests: [Int64]) { refused.withLock { $0.requests.formUnion(requests) } }

    func isConditionDemanded(of request: Int64) -> Bool { demanded.withLock { $0.contains(request) } }
    func noteDemand(of request: Int64) { demanded.withLock { _ = $0.insert(request) } }
}

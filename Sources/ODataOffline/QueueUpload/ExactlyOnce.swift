import ODataModel
import ODataStores
import Synchronization

/// The mechanism that ensures that a service executes a request once, although it may be sent again after a lost
/// response.
public enum ExactlyOnce: String, Sendable, CaseIterable {
    /// Uses what the metadata declare and the responses show (for actions only the metadata), and otherwise probes.
    case automatic
    /// OASIS Repeatable Requests: `Repeatability-Request-ID` and `Repeatability-First-Sent`. A request whose response
    /// was lost is sent again.
    case repeatableRequests
    /// SAP Gateway's `RequestID` and `RepeatabilityCreation`. A request whose response was lost is sent again.
    case sapGateway
    /// The store generates keys of type `Edm.Guid`, so that a second creation is refused or found to be executed.
    case clientKeys
    /// New entities with known keys are created by PUT with `If-None-Match: *`. Services before V4 respond with 404.
    case conditional
    /// None: the app decides each request whose response was lost.
    case none
}

/// A request whose response was lost and whose outcome is unknown.
public struct UnconfirmedRequest: Sendable {
    /// The app's decision about the request.
    public enum Decision: Sendable {
        /// The service has executed it. For a new entity with an unknown key this is only possible if no other request
        /// refers to it.
        case sent
        /// The service has executed it, and the new entity has this key.
        case made(EntityKey)
        /// The service has not executed it: the request is sent again.
        case notSent
        /// Unknown yet: the request and its dependents stay in the queue.
        case hold
    }

    /// Of a change set the first that makes an entity, else its first; of a deep insert that of the outermost entity.
    public var request: QueueEntry
    /// The entities of the service that the request may have created: several have the sent values, or some have a part
    /// of them, as if another client had changed them since.
    public var candidates: [EdmEntity]
}

/// The headers that make requests repeatable, and when the store relies on them.
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
    ///   say nothing. What responses to others show says nothing about an action, which the service may carry out
    ///   twice.
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

import HTTPTypes
import ODataStores
import ODataTransport
import Synchronization

/// Draws the faults of a simulated run, and counts them.
final class RandomFaults: Sendable {
    private struct State {
        var random: SplitMix
        var isOn = false
        var counts: [String: Int] = [:]
    }

    private let setup: SimulationSetup
    private let state: Mutex<State>

    init(setup: SimulationSetup, seed: UInt64) {
        self.setup = setup
        state = Mutex(State(random: SplitMix(seed: seed)))
    }

    func turn(on: Bool) { state.withLock { $0.isOn = on } }

    /// By name, how often each fault was met.
    var counts: [String: Int] { state.withLock { $0.counts } }

    /// What a request is to meet on its way.
    func fault(for request: HTTPRequest) -> TransportFault? {
        state.withLock { state in
            guard state.isOn, state.random.number(below: 100) < setup.faults else { return nil }
            let choices = faults(of: request)
            switch choices[state.random.number(below: choices.count)] {
            case .anyCut: return .cut(after: state.random.number(below: 3000))
            case .anyRequestCut: return .requestCut(after: state.random.number(below: 2000))
            case .late where !setup.recognisesRepeats: return .responseLost
            case let fault: return fault
            }
        }
    }

    /// A request has met a fault: a body was long enough to be cut, a batch had responses to be put into another order.
    func note(_ fault: TransportFault) { state.withLock { $0.counts[fault.name, default: 0] += 1 } }

    /// Why the service does not execute a change.
    func refusal() -> ODataError? {
        state.withLock { state in
            guard state.isOn, state.random.number(below: 100) < setup.refusals else { return nil }
            let (status, code) = Self.refusals[state.random.number(below: Self.refusals.count)]
            state.counts["refused with \(status)", default: 0] += 1
            return ODataError(code, "Refused by the simulation.")
        }
    }

    private static let refusals: [(Int, ODataError.Code)] = [
        (400, .badRequest), (403, .forbidden), (409, .conflict), (410, .gone), (412, .preconditionFailed),
        (413, .tooLarge), (429, .busy), (500, .internalError),
    ]

    private static let common: [TransportFault] = [
        .refused, .responseLost, .anyCut, .status(401), .status(429, headers: [.retryAfter: "1"]), .status(500),
        .status(503, headers: [.retryAfter: "1"]),
        .body(Array("<html><body>Log in</body></html>".utf8), contentType: "text/html"),
        .body(expired, contentType: "application/json"), .intercepted(expired, contentType: "application/json"),
        .intercepted([], contentType: "application/json"),
    ]

    private static let expired = Array(#"{"session":"expired"}"#.utf8)

    /// That an entity does not exist is not a fault of a connection: the store must believe it. Links of downloads
    /// may be forgotten.
    ///
    /// What a service that knows repeated requests says of an entity's state it has not executed before: no gateway
    /// says so in its place.
    private func faults(of request: HTTPRequest) -> [TransportFault] {
        switch request.method {
        case .get: request.namesEntity ? Self.common : Self.ofReads
        case _ where setup.recognisesRepeats: Self.ofChanges
        case .post: Self.ofChanges + Self.refusalsOfState + [.status(410)]
        default: Self.ofChanges + Self.refusalsOfState
        }
    }

    private static let ofReads = common + [.status(404), .status(410)]

    /// 403 and 413 without a body are sent by a gateway, which does not know repeated requests.
    private static let ofChanges =
        common + [
            .responseLost, .requestLost, .anyRequestCut, .late, .reordered, .status(403, headers: csrf), .status(403),
            .status(413),
        ]

    private static let refusalsOfState: [TransportFault] = [.status(409), .status(412)]

    private static let csrf: HTTPFields = [.csrfToken: "Required"]
}

extension HTTPRequest {
    /// Whether an entity is asked for, by its key or as the singleton.
    fileprivate var namesEntity: Bool {
        let path = (path ?? "").prefix { $0 != "?" }
        return path.contains("(") || path.hasSuffix("/\(SimulatedService.singleton)")
    }
}

extension TransportFault {
    fileprivate static let anyCut = TransportFault.cut(after: 0)
    fileprivate static let anyRequestCut = TransportFault.requestCut(after: 0)

    /// For tables of what was met.
    fileprivate var name: String {
        switch kind {
        case .refused: "connection refused"
        case .requestLost: "request lost"
        case .requestCut: "cut request"
        case .responseLost: "response lost"
        case .late: "late"
        case .reordered: "responses reordered"
        case .cut: "cut response"
        case .status(let code, let headers): code == 403 && !headers.isEmpty ? "403 CSRF" : "\(code)"
        case .contentLength: "wrong length"
        case .redirect: "redirect"
        case .body(_, let contentType): contentType == "text/html" ? "HTML of a proxy" : "JSON of a gateway"
        case .intercepted(let bytes, _): bytes.isEmpty ? "empty 200" : "request kept by a gateway"
        }
    }
}

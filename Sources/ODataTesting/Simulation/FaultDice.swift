import HTTPTypes
import ODataStores
import ODataTransport
import Synchronization

/// Draws the faults of a simulated run, and counts them.
final class FaultDice: Sendable {
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

    /// What a request meets on its way.
    func fault(for request: HTTPRequest) -> Fault? {
        state.withLock { state in
            guard state.isOn, state.random.number(below: 100) < setup.faults else { return nil }
            let choices = Self.faults(of: request)
            var (name, fault) = choices[state.random.number(below: choices.count)]
            if name == "cut answer" { fault = .cut(after: state.random.number(below: 3000)) }
            if name == "cut request" { fault = .requestCut(after: state.random.number(below: 2000)) }
            if name == "410 of the whole", request.method == .delete {
                (name, fault) = ("409 of the whole", .status(409))
            }
            if name == "late" && !setup.recognisesRepeats { (name, fault) = ("answer lost", .answerLost) }
            state.counts[name, default: 0] += 1
            return fault
        }
    }

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

    private static let proxy = Fault.body(Array("<html><body>Log in</body></html>".utf8), contentType: "text/html")

    private static let common: [(String, Fault)] = [
        ("connection refused", .refused), ("answer lost", .answerLost), ("cut answer", .cut(after: 0)),
        ("401", .status(401)), ("429", .status(429, headers: [.retryAfter: "1"])), ("500", .status(500)),
        ("503", .status(503, headers: [.retryAfter: "1"])), ("HTML of a proxy", proxy),
    ]

    /// That an entity is not there is no fault of a connection: whoever is told so must believe it, and that what is to
    /// be deleted is gone. Links of downloads may be forgotten.
    private static func faults(of request: HTTPRequest) -> [(String, Fault)] {
        guard request.method == .get else { return ofChanges }
        return (request.path ?? "").prefix { $0 != "?" }.contains("(") ? common : ofReads
    }

    private static let ofReads = common + [("404", .status(404)), ("410", .status(410))]

    private static let ofChanges =
        common + [
            ("answer lost", .answerLost), ("request lost", .requestLost), ("cut request", .requestCut(after: 0)),
            ("late", .late),
            ("answers reordered", .reordered), ("403 CSRF", .status(403, headers: csrf)),
        ] + (409...413).map { ("\($0) of the whole", .status($0)) }

    private static let csrf: HTTPFields =
        HTTPField.Name("X-CSRF-Token").map { name in [name: "Required"] } ?? [:]
}

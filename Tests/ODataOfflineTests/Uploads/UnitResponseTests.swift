import ODataStores
import Testing

@testable import ODataOffline

@Suite("The course of a response to an upload")
struct UnitResponseTests {
    /// What the app or the service is found to say.
    enum Finding: Sendable {
        case deletion(UnitOutcome?)
        case stop(UnitOutcome?)
        case proof(ChangeResult?)
        case entity(isGone: Bool)
        case execution(ChangeResult?)
        case nothing(ODataError)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var traits = UnitResponse.Traits()
        var error: ODataError
        var findings: [Finding] = []
        /// The action for the error, then that for each finding.
        var actions: [String]
        /// `stop`, `unanswered`
        var notes = ""
    }

    private static func error(
        _ code: ODataError.Code, _ status: Int? = nil, isUnknown: Bool = false, isRepeatable: Bool = false
    ) -> ODataError {
        var error = ODataError(code, "No.")
        (error.status, error.isOutcomeUnknown, error.facts.isRepeatable) = (status, isUnknown, isRepeatable)
        return error
    }

    private static let done = ChangeResult(.updated)
    private static let repeated = UnitResponse.Traits(isUnconfirmed: true, isRepeated: true, canBeForgotten: true)
    private static let deletion = UnitResponse.Traits(isDeletion: true)

    static let cases: [Case] = [
        Case(testDescription: "a refusal", error: error(.badRequest, 400), actions: ["refused"]),
        Case(
            testDescription: "no response", error: error(.unreachable, isUnknown: true), actions: ["unconfirmed"],
            notes: "stop unanswered"),
        Case(
            testDescription: "a response that cannot be read", error: error(.invalidResponse, 200, isUnknown: true),
            actions: ["unconfirmed"], notes: "unanswered"),
        Case(
            testDescription: "a request that was not sent", error: error(.unreachable), actions: ["open"],
            notes: "stop"),
        Case(
            testDescription: "no credentials", error: error(.unauthorized, 401), actions: ["open"], notes: "stop"),
        Case(
            testDescription: "a batch that failed for another request",
            traits: UnitResponse.Traits(isAlone: false), error: error(.failedDependency, 424), actions: ["open"]),
        Case(
            testDescription: "the same of a unit that was alone", error: error(.failedDependency, 424),
            actions: ["refused"]),
        Case(
            testDescription: "a stream that was deleted here meanwhile", error: error(.cancelled, isUnknown: true),
            findings: [.deletion(.needless)], actions: ["deletion?", "needless"]),
        Case(
            testDescription: "a stream that the app has stopped", error: error(.cancelled, isUnknown: true),
            findings: [.deletion(nil), .stop(.stopped(isCancelled: true, isInDoubt: false))],
            actions: ["deletion?", "stop?", "stopped"]),
        Case(
            testDescription: "a request that ended for no such reason", error: error(.cancelled, isUnknown: true),
            findings: [.deletion(nil), .stop(nil)], actions: ["deletion?", "stop?", "unconfirmed"],
            notes: "stop unanswered"),
        Case(
            testDescription: "a success that tells no version, and is the service's", error: .ofUnproven("204"),
            findings: [.proof(done)], actions: ["proof?", "complete"]),
        Case(
            testDescription: "a success that tells no version, and shows nothing", error: .ofUnproven("204"),
            findings: [.proof(nil)], actions: ["proof?", "unconfirmed"], notes: "unanswered"),
        Case(
            testDescription: "a deletion of what is gone", traits: deletion, error: error(.notFound, 404),
            findings: [.entity(isGone: true)], actions: ["entity?", "executed"]),
        Case(
            testDescription: "a deletion of what is there", traits: deletion, error: error(.gone, 410),
            findings: [.entity(isGone: false)], actions: ["entity?", "refused"]),
        Case(
            testDescription: "a deletion that cannot be looked into", traits: deletion, error: error(.notFound, 404),
            findings: [.nothing(error(.unreachable))], actions: ["entity?", "open"], notes: "stop"),
        Case(
            testDescription: "an update of what is gone", error: error(.notFound, 404), actions: ["refused"]),
        Case(
            testDescription: "a repetition that was executed the first time", traits: repeated,
            error: error(.conflict, 409), findings: [.execution(done)], actions: ["execution?", "complete"]),
        Case(
            testDescription: "a repetition that is refused", traits: repeated, error: error(.conflict, 409),
            findings: [.execution(nil)], actions: ["execution?", "refused"]),
        Case(
            testDescription: "a repetition that cannot be looked into", traits: repeated,
            error: error(.conflict, 409), findings: [.nothing(error(.unreachable))],
            actions: ["execution?", "unconfirmed"], notes: "stop"),
        Case(
            testDescription: "a repeated change set",
            traits: {
                var traits = repeated
                traits.requests = 2
                return traits
            }(), error: error(.conflict, 409), actions: ["refused"]),
        Case(
            testDescription: "a fault as response to a repetition", traits: repeated,
            error: error(.internalError, 500), findings: [.execution(nil)],
            actions: ["execution?", "refused unconfirmed"]),
        Case(
            testDescription: "an id that is forgotten", traits: repeated, error: error(.preconditionFailed, 412),
            findings: [.execution(nil)], actions: ["execution?", "forgotten"]),
        Case(
            testDescription: "412 that the service gives to every repetition", traits: repeated,
            error: error(.preconditionFailed, 412, isRepeatable: true), findings: [.execution(nil)],
            actions: ["execution?", "refused"]),
        Case(
            testDescription: "the entity of a repetition is gone", traits: repeated, error: error(.gone, 410),
            findings: [.execution(nil)], actions: ["execution?", "forgotten"]),
        Case(
            testDescription: "a deep insert that is refused for its form perhaps",
            traits: {
                var traits = repeated
                traits.canBeReformed = true
                return traits
            }(), error: error(.badRequest, 400), findings: [.execution(nil)], actions: ["execution?", "forgotten"]),
        Case(
            testDescription: "an unconfirmed request without an id",
            traits: UnitResponse.Traits(isUnconfirmed: true), error: error(.internalError, 500),
            findings: [.execution(nil)], actions: ["execution?", "refused"]),
    ]

    @Test("Each error and finding has its action", arguments: cases)
    func actions(row: Case) {
        var response = UnitResponse(row.traits)
        var actions = [response.failed(row.error)]
        for finding in row.findings {
            switch finding {
            case .deletion(let outcome): actions.append(response.foundDeletion(outcome))
            case .stop(let outcome): actions.append(response.foundStop(outcome))
            case .proof(let result): actions.append(response.foundProof(result))
            case .entity(let isGone): actions.append(response.foundEntity(isGone: isGone))
            case .execution(let result): actions.append(response.foundExecution(result))
            case .nothing(let failure): actions.append(response.foundNothing(failure))
            }
        }
        #expect(actions.map(Self.text) == row.actions)
        let notes = [response.stop == nil ? nil : "stop", response.lost == nil ? nil : "unanswered"]
        #expect(notes.compactMap(\.self).joined(separator: " ") == row.notes)
    }

    @Test("An upload that is cancelled as a whole asks nothing of its streams")
    func cancelled() {
        var response = UnitResponse(UnitResponse.Traits())
        let action = response.failed(Self.error(.cancelled, isUnknown: true), isCancelled: true)
        #expect(Self.text(action) == "unconfirmed" && response.stop?.code == .cancelled)
    }

    @Test("Results are completed; too few, or one that proves nothing, are not taken")
    func results() {
        var unproven = Self.done
        unproven.unproven = "204"
        for (results, expected) in [
            ([Self.done], "complete"), ([], "unconfirmed"), ([Self.done, Self.done], "unconfirmed"),
            ([unproven], "proof?"),
        ] {
            var response = UnitResponse(UnitResponse.Traits())
            #expect(Self.text(response.responded(results)) == expected)
        }
    }

    private static func text(_ action: UnitResponse.Action) -> String {
        switch action {
        case .complete: "complete"
        case .record(let outcome): text(outcome)
        case .findDeletion: "deletion?"
        case .findStop: "stop?"
        case .findProof: "proof?"
        case .findEntity: "entity?"
        case .findExecution: "execution?"
        }
    }

    private static func text(_ outcome: UnitOutcome) -> String {
        switch outcome {
        case .executed: "executed"
        case .reformed: "reformed"
        case .refused(_, .nothing): "refused"
        case .refused(_, let earlier): "refused \(earlier)"
        case .decided: "decided"
        case .needless: "needless"
        case .open: "open"
        case .postponed: "postponed"
        case .stopped: "stopped"
        case .forgotten: "forgotten"
        case .unconfirmed: "unconfirmed"
        }
    }

    @Test(
        "What stays in the queue waits, or is to be found out if it may have been executed",
        arguments: [
            (UnitOutcome.open, false, QueueEntry.State.waiting, UploadPlan.Outcome.open),
            (.open, true, .unconfirmed, .open), (.needless, false, .waiting, .open), (.postponed, true, nil, .open),
            (.stopped(isCancelled: false, isInDoubt: false), false, .waiting, .open),
            (.stopped(isCancelled: false, isInDoubt: true), false, .unconfirmed, .doubtful),
            (.stopped(isCancelled: true, isInDoubt: true), false, .unconfirmed, .stopped),
            (.stopped(isCancelled: true, isInDoubt: false), true, .unconfirmed, .stopped),
            (.forgotten, false, .unconfirmed, .doubtful), (.unconfirmed, false, .unconfirmed, .blocked),
        ] as [(UnitOutcome, Bool, QueueEntry.State?, UploadPlan.Outcome)])
    func requeued(outcome: UnitOutcome, isUnconfirmed: Bool, state: QueueEntry.State?, plan: UploadPlan.Outcome) {
        let requeued = outcome.requeued(isUnconfirmed: isUnconfirmed)
        #expect(requeued?.state == state && requeued?.plan == plan)
    }
}

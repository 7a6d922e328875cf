import ODataStores
import Testing

@testable import ODataOffline

@Suite("The course of a query's download")
struct QueryDownloadMachineTests {
    private typealias Machine = QueryDownloadMachine

    /// What happens to a machine.
    enum Event: Sendable {
        case start(RefreshMode, hasStages: Bool = false)
        case made
        case page(next: String? = nil, delta: String? = nil)
        case expansions
        case expansionLink(String)
        case published
        case failed(ODataError)
        case rejected
        case endless
        case checked(ODataError, isLost: Bool)
        case discarded
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var phase = QueryRecord.Phase.idle
        var mode: RefreshMode?
        var reads = 1
        var refresh = DefiningQuery.Refresh.automatic
        var events: [Event]
        /// The action after each event.
        var actions: [String]
    }

    private static func record(_ row: Case) -> QueryRecord {
        QueryRecord(
            id: 1, definition: DefiningQuery(name: "Q", query: "Items", refresh: row.refresh), phase: row.phase,
            continuation: row.phase == .idle ? nil : "next", pendingDelta: nil, delta: row.reads > 0 ? "delta" : nil,
            pages: 3, rows: 9, downloaded: nil, mode: row.mode, reason: nil, since: "1", reads: row.reads)
    }

    private static func error(_ code: ODataError.Code, _ status: Int? = nil) -> ODataError {
        var error = ODataError(code, "No.")
        error.status = status
        return error
    }

    private static let gone = error(.gone)
    private static let fault = error(.internalError, 500)

    static let cases: [Case] = [
        Case(
            testDescription: "the first time", reads: 0,
            events: [.start(.full), .made, .page(next: "2"), .page(delta: "d"), .expansions, .published],
            actions: ["stages", "result", "result 2", "expansions", "publish result", "finish"]),
        Case(
            testDescription: "changes",
            events: [.start(.delta), .made, .page(next: "2"), .page(delta: "d"), .expansions, .published],
            actions: ["stages", "changes delta", "changes 2", "expansions", "publish changes", "finish"]),
        Case(
            testDescription: "changes since a value",
            reads: 1, refresh: .changedSince("At", compareEvery: 2),
            events: [.start(.changedSince), .made, .page(), .expansions, .published],
            actions: ["stages", "changesSince", "expansions", "publish changes", "finish"]),
        Case(
            testDescription: "changes since a value, then all keys",
            reads: 2, refresh: .changedSince("At", compareEvery: 2),
            events: [.start(.changedSince), .made, .page(), .page(next: "k"), .page(), .expansions, .published],
            actions: [
                "stages", "changesSince", "keys", "keys k", "expansions", "publish changesAndKeys", "finish",
            ]),
        Case(
            testDescription: "a comparison", events: [.start(.comparison), .made, .page(), .expansions, .published],
            actions: ["stages", "result", "expansions", "publish result", "finish"]),
        Case(
            testDescription: "a cut download goes on at its page", phase: .delta, mode: .delta,
            events: [.start(.delta, hasStages: true), .page()], actions: ["changes next", "expansions"]),
        Case(
            testDescription: "a cut download goes on after its pages", phase: .fullRead, mode: .full,
            events: [.start(.full, hasStages: true), .expansions], actions: ["expansions", "publish result"]),
        Case(
            testDescription: "a cut download begins again without its stages", phase: .full, mode: .full,
            events: [.start(.comparison), .made], actions: ["stages", "result"]),
        Case(
            testDescription: "a lost delta link", events: [.start(.delta), .made, .failed(gone), .made],
            actions: ["stages", "changes delta", "stages", "result"]),
        Case(
            testDescription: "a lost delta link, as the service says",
            events: [.start(.delta), .made, .failed(error(.gone, 410)), .checked(gone, isLost: true), .made],
            actions: ["stages", "changes delta", "check", "stages", "result"]),
        Case(
            testDescription: "changes that cannot be read",
            events: [.start(.delta), .made, .failed(error(.invalidResponse)), .made],
            actions: ["stages", "changes delta", "stages", "result"]),
        Case(
            testDescription: "a page of a result that cannot be read",
            events: [.start(.comparison), .made, .page(next: "2"), .failed(error(.invalidResponse))],
            actions: ["stages", "result", "result 2", "fail"]),
        Case(
            testDescription: "a failure behind a delta link that is the link's",
            events: [.start(.delta), .made, .failed(fault), .checked(fault, isLost: true), .made],
            actions: ["stages", "changes delta", "check", "stages", "result"]),
        Case(
            testDescription: "a failure behind a delta link that is the service's",
            events: [.start(.delta), .made, .failed(fault), .checked(fault, isLost: false)],
            actions: ["stages", "changes delta", "check", "fail"]),
        Case(
            testDescription: "a failure at the first page", events: [.start(.full), .made, .failed(fault)],
            actions: ["stages", "result", "fail"]),
        Case(
            testDescription: "a failure behind a next link of this run",
            events: [.start(.full), .made, .page(next: "2"), .failed(fault)],
            actions: ["stages", "result", "result 2", "fail"]),
        Case(
            testDescription: "a failure behind a next link of an earlier run", phase: .full, mode: .full,
            events: [.start(.full, hasStages: true), .failed(fault)], actions: ["result next", "check"]),
        Case(
            testDescription: "a refused next link of an earlier run", phase: .full, mode: .full,
            events: [.start(.full, hasStages: true), .failed(error(.badRequest, 400)), .checked(gone, isLost: true)],
            actions: ["result next", "check", "stages"]),
        Case(
            testDescription: "links are lost in the whole result too",
            events: [
                .start(.delta), .made, .failed(gone), .made, .page(next: "2"), .failed(gone), .discarded,
            ],
            actions: ["stages", "changes delta", "stages", "result", "result 2", "discard", "fail"]),
        Case(
            testDescription: "the link of an expanded collection is lost", reads: 0,
            events: [.start(.full), .made, .page(), .expansionLink("e"), .failed(gone), .made],
            actions: ["stages", "result", "expansions", "expansions", "stages", "result"]),
        Case(
            testDescription: "changes that cannot be written",
            events: [.start(.delta), .made, .rejected, .made, .page(), .expansions],
            actions: ["stages", "changes delta", "stages", "result", "expansions", "publish result"]),
        Case(
            testDescription: "changes that cannot be published",
            events: [.start(.delta), .made, .page(), .expansions, .rejected, .made],
            actions: ["stages", "changes delta", "expansions", "publish changes", "stages", "result"]),
        Case(
            testDescription: "a whole result that cannot be written", events: [.start(.comparison), .made, .rejected],
            actions: ["stages", "result", "discard"]),
        Case(
            testDescription: "next links that form a cycle",
            events: [.start(.comparison), .made, .page(next: "2"), .endless, .discarded],
            actions: ["stages", "result", "result 2", "discard", "fail"]),
        Case(
            testDescription: "next links of changes that form a cycle",
            events: [.start(.delta), .made, .endless, .made], actions: ["stages", "changes delta", "stages", "result"]),
        Case(
            testDescription: "the app cancels", events: [.start(.delta), .made, .failed(error(.cancelled))],
            actions: ["stages", "changes delta", "fail"]),
    ]

    @Test("Each event has its action", arguments: cases)
    func actions(row: Case) {
        var machine = Machine(Self.record(row))
        #expect(row.events.map { Self.text(Self.act($0, on: &machine)) } == row.actions)
    }

    private static func act(_ event: Event, on machine: inout Machine) -> Machine.Action {
        switch event {
        case .start(let mode, let hasStages): return machine.started(mode, reason: "No delta.", hasStages: hasStages)
        case .made: return machine.madeStages()
        case .page(let next, let delta): return machine.readPage(nextLink: next, deltaLink: delta)
        case .expansions: return machine.readExpansions()
        case .expansionLink(let link):
            machine.expansionLink = link
            return machine.next
        case .published: return machine.published(at: "today", since: nil)
        case .failed(let error): return machine.failed(error)
        case .rejected: return machine.failed(DownloadStepError.rejected("No."))
        case .endless: return machine.failed(DownloadStepError.endless(error(.invalidResponse)))
        case .checked(let error, let isLost): return machine.checkedLink(error, isLost: isLost)
        case .discarded: return machine.discarded(gone)
        }
    }

    private static func text(_ action: Machine.Action) -> String {
        switch action {
        case .makeStages: "stages"
        case .readPage(let page): "\(page.part)" + (page.link.map { " \($0)" } ?? "")
        case .readExpansions: "expansions"
        case .publish(let content): "publish \(content)"
        case .checkLink: "check"
        case .discard: "discard"
        case .fail: "fail"
        case .finish: "finish"
        }
    }

    @Test("A complete download keeps the delta link, and the next one begins with it")
    func deltaLink() {
        var machine = Machine(Self.record(Case(testDescription: "", reads: 0, events: [], actions: [])))
        _ = machine.started(.full, reason: nil, hasStages: false)
        _ = machine.readPage(nextLink: "2", deltaLink: "early")
        _ = machine.readPage(nextLink: nil, deltaLink: nil)
        _ = machine.published(at: "today", since: "5")
        let record = machine.record
        #expect(record.delta == "early" && record.since == "5" && record.downloaded == "today" && record.reads == 1)
        #expect(record.phase == .idle && record.pages == 2 && record.continuation == nil && record.pendingDelta == nil)
        var next = Machine(record)
        _ = next.started(.delta, reason: nil, hasStages: false)
        #expect(Self.text(next.madeStages()) == "changes early")
    }

    @Test("Rows of keys are not counted, and a read from the beginning counts anew")
    func rows() {
        var machine = Machine(
            Self.record(
                Case(
                    testDescription: "", reads: 2, refresh: .changedSince("At", compareEvery: 1), events: [],
                    actions: [])))
        _ = machine.started(.changedSince, reason: nil, hasStages: false)
        machine.wroteRows(4)
        _ = machine.readPage(nextLink: nil, deltaLink: nil)
        machine.wroteRows(7)
        #expect(machine.record.rows == 4 && machine.content == .keys)
        _ = machine.failed(DownloadStepError.rejected("Why."))
        #expect(machine.record.rows == 0 && machine.record.reason == "Why." && machine.record.mode == .comparison)
        #expect(machine.record.delta == nil && machine.content == .result(isKnown: true))
    }
}
